// Writes that wait for the store's writer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "services/directory/engine/local_directory.h"
#include "tests/contract/directory_client.h"
#include "tests/unit/services/directory/engine/engine_fixture.h"

namespace twintree::directory {
namespace {

using model::ResultCode;

class WriteLimitsTest : public testing::Test {
 protected:
  WriteLimitsTest() {
    EngineOptions options = MakeOptions();
    options.max_waiting_write_bytes = 20000;
    directory_ = LocalDirectory::Make(MakeParts(store_, executor_), options).value();
    DirectoryClient(*directory_, RootSubject())
        .Load("dn: dc=example,dc=com\nobjectClass: domain\ndc: example\n");
  }
  ~WriteLimitsTest() override {
    directory_.reset();
    executor_->Stop();
  }

  // Keeps the writer busy until the promise is kept.
  std::promise<void> HoldWriter() {
    std::promise<void> released;
    store_->Submit(
        [wait = released.get_future().share()](storage::WriteTransaction&) {
          wait.wait();
          return model::OkStatus();
        },
        [](const model::Status&) {});
    return released;
  }
  std::future<Outcome> Add(const std::string& name, std::size_t bytes) {
    auto answer = std::make_shared<std::promise<Outcome>>();
    AddRequest request;
    request.dn = "cn=" + name + ",dc=example,dc=com";
    request.attributes = {
        {"objectClass", {"person"}}, {"sn", {"x"}}, {"description", {std::string(bytes, 'd')}}};
    directory_->Add({RootSubject()}, std::move(request),
                    [answer](Outcome outcome) { answer->set_value(std::move(outcome)); });
    return answer->get_future();
  }
  // Of modifies of the suffix's entry.
  std::future<Outcome> Modify(model::Modification modification) {
    auto answer = std::make_shared<std::promise<Outcome>>();
    directory_->Modify({RootSubject()}, {"dc=example,dc=com", {std::move(modification)}, {}},
                       [answer](Outcome outcome) { answer->set_value(std::move(outcome)); });
    return answer->get_future();
  }

  std::shared_ptr<storage::EntryStore> store_ = MakeMemoryStore();
  std::shared_ptr<Executor> executor_ = MakeThreadPool(1, 100);
  std::unique_ptr<LocalDirectory> directory_;
};

bool IsAnswered(const std::future<Outcome>& answer) {
  return answer.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

TEST_F(WriteLimitsTest, LargeWritesThatWaitShareABudget) {
  std::promise<void> writer = HoldWriter();
  std::future<Outcome> first = Add("first", 15000);
  std::future<Outcome> second = Add("second", 15000);
  const bool refused = IsAnswered(second);
  writer.set_value();
  EXPECT_TRUE(refused);
  const Outcome outcome = second.get();
  EXPECT_EQ(outcome.code, ResultCode::kBusy);
  EXPECT_THAT(outcome.diagnostic, testing::HasSubstr("large writes"));
  EXPECT_EQ(first.get().code, ResultCode::kSuccess);
  EXPECT_EQ(Add("second", 15000).get().code, ResultCode::kSuccess);
}

TEST_F(WriteLimitsTest, SmallWritesDoNotNeedTheBudget) {
  std::promise<void> writer = HoldWriter();
  std::future<Outcome> large = Add("large", 1 << 20);
  std::future<Outcome> small = Add("small", 1000);
  writer.set_value();
  EXPECT_EQ(large.get().code, ResultCode::kSuccess);
  EXPECT_EQ(small.get().code, ResultCode::kSuccess);
}

TEST_F(WriteLimitsTest, EmptyValuesCountToo) {
  std::promise<void> writer = HoldWriter();
  std::future<Outcome> first = Add("first", 15000);
  const model::RawAttribute names{"sn", std::vector<std::string>(1000)};
  std::future<Outcome> second = Modify({model::ModificationKind::kDelete, names});
  const bool refused = IsAnswered(second);
  writer.set_value();
  EXPECT_TRUE(refused);
  EXPECT_EQ(second.get().code, ResultCode::kBusy);
  EXPECT_EQ(first.get().code, ResultCode::kSuccess);
}

TEST_F(WriteLimitsTest, WhatIsRefusedGivesItsShareBack) {
  std::promise<void> writer = HoldWriter();
  EXPECT_EQ(Modify(AddValues("noSuchType", {std::string(15000, 'd')})).get().code,
            ResultCode::kUndefinedAttributeType);
  std::future<Outcome> next = Add("next", 15000);
  writer.set_value();
  EXPECT_EQ(next.get().code, ResultCode::kSuccess);
}

}  // namespace
}  // namespace twintree::directory
