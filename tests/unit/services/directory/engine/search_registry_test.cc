#include "services/directory/engine/search_registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace twintree::directory {
namespace {

using Admission = SearchRegistry::Admission;
constexpr auto kNever = LongSearch::TimePoint::max();

class FakeSearch final : public LongSearch, public std::enable_shared_from_this<FakeSearch> {
 public:
  explicit FakeSearch(SearchRegistry& registry) : registry_(registry) {}

  void Resume() override { paused = false; }
  void Cancel() override { End(); }
  TimePoint ExpireIfDue(TimePoint, std::chrono::seconds) override { return kNever; }
  bool EndIfPaused() override {
    if (!paused) return false;
    End();
    return true;
  }
  void Begin() override { begun = true; }

  void End() {
    if (!ended) registry_.Remove(ticket);
    ended = true;
  }
  bool Pause() {
    const bool entered = registry_.EnterPause(ticket, kNever);
    paused = entered;
    return entered;
  }

  SearchRegistry::Ticket ticket;
  bool paused = false;
  bool begun = false;
  bool ended = false;

 private:
  SearchRegistry& registry_;
};

class SearchRegistryTest : public testing::Test {
 protected:
  ~SearchRegistryTest() override { registry_.CancelAll(); }
  FakeSearch& New() {
    searches_.push_back(std::make_shared<FakeSearch>(registry_));
    searches_.back()->ticket = registry_.Add(searches_.back());
    return *searches_.back();
  }

  Admission Admit(FakeSearch& search) {
    return registry_.Admit(search.ticket, search.shared_from_this(), kNever);
  }

  // Running: 1; paused: 2; waiting: 2.
  SearchRegistry registry_{std::chrono::seconds(300), {1, 2, 2}};
  std::vector<std::shared_ptr<FakeSearch>> searches_;
};

TEST_F(SearchRegistryTest, SearchesBeginInOrderAsOthersEnd) {
  FakeSearch& first = New();
  EXPECT_EQ(Admit(first), Admission::kNow);
  FakeSearch& second = New();
  EXPECT_EQ(Admit(second), Admission::kLater);
  FakeSearch& third = New();
  EXPECT_EQ(Admit(third), Admission::kLater);
  EXPECT_EQ(Admit(New()), Admission::kRefused);
  first.End();
  EXPECT_TRUE(second.begun);
  EXPECT_FALSE(third.begun);
}

TEST_F(SearchRegistryTest, AWaitingSearchThatIsCanceledGivesItsPlaceAway) {
  FakeSearch& first = New();
  EXPECT_EQ(Admit(first), Admission::kNow);
  FakeSearch& second = New();
  EXPECT_EQ(Admit(second), Admission::kLater);
  FakeSearch& third = New();
  EXPECT_EQ(Admit(third), Admission::kLater);
  second.Cancel();
  first.End();
  EXPECT_TRUE(third.begun);
}

TEST_F(SearchRegistryTest, APausedSearchLetsTheNextBegin) {
  FakeSearch& first = New();
  EXPECT_EQ(Admit(first), Admission::kNow);
  FakeSearch& second = New();
  EXPECT_EQ(Admit(second), Admission::kLater);
  EXPECT_TRUE(first.Pause());
  EXPECT_TRUE(second.begun);
}

TEST_F(SearchRegistryTest, TheLongestPausedMakesWay) {
  FakeSearch& stalled = New();
  FakeSearch& slow = New();
  EXPECT_TRUE(slow.Pause());
  EXPECT_TRUE(stalled.Pause());
  slow.Resume();
  EXPECT_TRUE(slow.Pause());  // it got on, so it is now the younger one
  EXPECT_TRUE(New().Pause());
  EXPECT_TRUE(stalled.ended);
  EXPECT_FALSE(slow.ended);
}

TEST_F(SearchRegistryTest, WhatGoesOnIsNotEnded) {
  FakeSearch& first = New();
  FakeSearch& second = New();
  EXPECT_TRUE(first.Pause());
  EXPECT_TRUE(second.Pause());
  first.Resume();
  second.Resume();
  EXPECT_FALSE(New().Pause());
  EXPECT_FALSE(first.ended);
  EXPECT_FALSE(second.ended);
}

TEST(SearchRegistryLimitsTest, LeaveAQuarterToShortRequests) {
  const auto limits = SearchRegistry::LimitsFor(512);
  EXPECT_EQ(limits.running, 128u);
  EXPECT_EQ(limits.paused, 256u);
}

}  // namespace
}  // namespace twintree::directory
