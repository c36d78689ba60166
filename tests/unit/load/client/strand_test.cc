#include "load/client/strand.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <vector>

namespace twintree::load {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

// Gives out the same operation up to `limit` times and notes how each ended.
class FakeWorkload : public Workload {
 public:
  explicit FakeWorkload(const Action* action, int limit = 1000) : action_(action), left_(limit) {}
  bool Next(Client&, Operation* operation) override {
    *operation = {action_, 7, 0, 1};
    return left_-- > 0;
  }
  void Done(const Operation&, bool succeeded) override { ends.push_back(succeeded); }

  std::vector<bool> ends;

 private:
  const Action* action_;
  int left_;
};

class StrandTest : public ::testing::Test {
 protected:
  StrandTest() {
    bind_.name = "bind";
    bind_.kind = OperationKind::kBind;
    search_.name = "find";
    search_.kind = OperationKind::kSearch;
    search_.expected = {Pattern("uid={n}"), "", 1};
    control_.window = {100, 1000};
    recorder_.SetWindow(control_.window);
  }
  StrandDriver Driver(const Pacer& pacer = Pacer::ClosedLoop()) {
    StrandDriver driver(&control_, &recorder_, pacer);
    driver.Begin(0);
    return driver;
  }
  Tally Counted() {
    std::vector<Tally> tallies(1);
    recorder_.AddTo(&tallies);
    return tallies[0];
  }
  WrongAnswers Wrong() {
    WrongAnswers wrong;
    recorder_.AddTo(&wrong);
    return wrong;
  }

  Action bind_{};
  Action search_{};
  PhaseControl control_;
  Recorder recorder_{1};
  FakeWorkload workload_{&search_};
  Strand strand_{&workload_, true, Random(1, 1)};
};

TEST_F(StrandTest, CountsARightAnswer) {
  StrandDriver driver = Driver();
  ASSERT_EQ(driver.TryStart(&strand_, 200), StrandDriver::Start::kStarted);
  EXPECT_TRUE(strand_.busy);
  driver.FoundEntry(&strand_, "uid=7", 1, 210);
  EXPECT_FALSE(driver.Finished(&strand_, 0, 220));
  EXPECT_FALSE(strand_.busy);
  EXPECT_EQ(Counted().operations, 1U);
  EXPECT_EQ(Counted().entries, 1U);
  EXPECT_EQ(Counted().latency.max(), 20);
  EXPECT_THAT(workload_.ends, ElementsAre(true));
}

TEST_F(StrandTest, DoesNotCountAWrongAnswer) {
  StrandDriver driver = Driver();
  ASSERT_EQ(driver.TryStart(&strand_, 200), StrandDriver::Start::kStarted);
  driver.FoundEntry(&strand_, "uid=8", 1, 210);
  EXPECT_FALSE(driver.Finished(&strand_, 0, 220));
  EXPECT_EQ(Counted().operations, 0U);
  EXPECT_THAT(Wrong(), ElementsAre(Pair("find: wrong entry", 1)));
  EXPECT_THAT(workload_.ends, ElementsAre(false));
}

TEST_F(StrandTest, TakesTheLatencyFromTheIntendedStart) {
  StrandDriver driver = Driver(Pacer::AtRate(1e7, 0, 1));  // every 100 ns
  driver.TryStart(&strand_, 100);                          // the moment 0
  driver.FoundEntry(&strand_, "uid=7", 1, 450);
  driver.Finished(&strand_, 0, 450);
  driver.TryStart(&strand_, 450);  // the moment 100
  EXPECT_EQ(strand_.intended, 100);
}

TEST_F(StrandTest, WaitsForItsMoment) {
  StrandDriver driver = Driver(Pacer::AtRate(1e7, 0, 1));
  EXPECT_EQ(driver.TryStart(&strand_, 0), StrandDriver::Start::kStarted);
  EXPECT_EQ(driver.TryStart(&strand_, 99), StrandDriver::Start::kLater);
  EXPECT_EQ(driver.next(), 100);
}

TEST_F(StrandTest, GoesOnWithTheSecondRequest) {
  search_.then = &bind_;
  StrandDriver driver = Driver();
  driver.TryStart(&strand_, 200);
  driver.FoundEntry(&strand_, "uid=7", 1, 210);
  ASSERT_TRUE(driver.Finished(&strand_, 0, 210));
  EXPECT_EQ(strand_.operation.action, &bind_);
  EXPECT_EQ(Counted().operations, 0U);
  EXPECT_FALSE(driver.Finished(&strand_, 0, 230));
  EXPECT_EQ(Counted().operations, 1U);
  EXPECT_EQ(Counted().latency.max(), 30);
}

TEST_F(StrandTest, DoesNotGoOnAfterAWrongAnswer) {
  search_.then = &bind_;
  StrandDriver driver = Driver();
  driver.TryStart(&strand_, 200);
  EXPECT_FALSE(driver.Finished(&strand_, 0, 210));
  EXPECT_THAT(Wrong(), ElementsAre(Pair("find: too few entries", 1)));
}

TEST_F(StrandTest, EndsWithTheWindow) {
  StrandDriver driver = Driver();
  EXPECT_EQ(driver.TryStart(&strand_, 1000), StrandDriver::Start::kFinished);
}

TEST_F(StrandTest, EndsWhenItIsStopped) {
  std::atomic<bool> stop{false};
  control_.stop = &stop;
  StrandDriver driver = Driver();
  EXPECT_FALSE(driver.IsOver(200));
  stop = true;
  EXPECT_EQ(driver.TryStart(&strand_, 200), StrandDriver::Start::kFinished);
}

TEST_F(StrandTest, EndsWithTheBudgetOfTheWindow) {
  control_.budget = 2;
  StrandDriver driver = Driver();
  for (const Nanoseconds now : {50, 150, 160}) {  // the first is warm-up
    ASSERT_EQ(driver.TryStart(&strand_, now), StrandDriver::Start::kStarted);
    driver.Failed(&strand_, "x");
  }
  EXPECT_EQ(driver.TryStart(&strand_, 170), StrandDriver::Start::kFinished);
}

TEST_F(StrandTest, EndsWithTheWork) {
  FakeWorkload little(&search_, 0);
  Strand strand(&little, true, Random(1, 1));
  StrandDriver driver = Driver();
  EXPECT_EQ(driver.TryStart(&strand, 200), StrandDriver::Start::kFinished);
}

TEST_F(StrandTest, CountsMomentsThatPassedUnused) {
  StrandDriver driver = Driver(Pacer::AtRate(1e7, 0, 1));
  driver.TryStart(&strand_, 0);
  EXPECT_EQ(driver.CountMissed(), 9U);  // 100 to 900
  EXPECT_THAT(Wrong(), IsEmpty());
}

TEST_F(StrandTest, KeepsTheRateOnlyWhereAsked) {
  Strand unpaced(&workload_, false, Random(1, 1));
  StrandDriver driver = Driver(Pacer::AtRate(1, 0, 1));
  driver.TryStart(&strand_, 0);
  EXPECT_EQ(driver.TryStart(&unpaced, 150), StrandDriver::Start::kStarted);
  EXPECT_EQ(unpaced.intended, 150);
}

}  // namespace
}  // namespace twintree::load
