// What waits in the gateway while the directory works on a message.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "services/rpc/gateway_limits.h"
#include "services/rpc/remote_directory.h"
#include "tests/unit/services/rpc/gateway_stream_fixture.h"

namespace twintree::rpc {
namespace {

using directory::RequestContext;
using model::ResultCode;
using std::chrono::steady_clock;

class GatewayWaitingTest : public GatewayStreamTest {
 protected:
  // Until Release() the directory works on a message, the delete of "cn=first". This delete and
  // those behind it are given to `handle`, and succeed.
  void KeepBusy(std::function<void(const std::string& dn)> handle) {
    directory_->on_delete = [this, handle = std::move(handle)](
                                const auto&, const directory::DeleteRequest& request,
                                const auto& done) {
      if (request.dn == "cn=first") {
        begun_.Set(true);
        released_.Get();
      }
      handle(request.dn);
      done({});
    };
    StartServer();
    remote_ = Connect();
    Delete("cn=first");
    ASSERT_TRUE(begun_.Get().has_value());
  }
  void Release() { released_.Set(true); }

  void Delete(const std::string& dn, const RequestContext& context = {}) {
    ++asked_;
    remote_->Delete(context, {dn, {}}, [this](const auto&) { ++answered_; });
  }
  void ExpectAllAnswered() const {
    const auto give_up = steady_clock::now() + kPatience;
    while (answered_ < asked_ && steady_clock::now() < give_up) std::this_thread::yield();
    EXPECT_EQ(answered_, asked_);
  }

  std::unique_ptr<RemoteDirectory> remote_;

 private:
  Later<bool> begun_;
  Later<bool> released_;
  std::size_t asked_ = 0;
  std::atomic<std::size_t> answered_ = 0;
};

RequestContext ContextOf(std::uint64_t client) {
  RequestContext context;
  context.client = client;
  return context;
}

// What comes gathers, but not without end.
TEST_F(GatewayWaitingTest, OperationsGather) {
  std::atomic<int> handled = 0;
  KeepBusy([&](const auto&) { ++handled; });
  for (int i = 0; i < 200; ++i) Delete("cn=a");
  EXPECT_EQ(handled, 0);
  Release();
  ExpectAllAnswered();
}

TEST_F(GatewayWaitingTest, ASearchThatIsAbandonedBeforeItLeavesMakesNoWork) {
  GenerateEntries(1, OneAttribute("cn", "a"));
  KeepBusy([](const auto&) {});
  for (int i = 0; i < 50; ++i) {
    const auto sink = std::make_shared<KeepingSink>();
    remote_->Search({}, SearchFor("dc=a"), sink)->Cancel();
    EXPECT_EQ(sink->Outcome()->code, ResultCode::kCanceled);
  }
  Release();
  EXPECT_EQ(DeleteAndWait(*remote_, "cn=a").code, ResultCode::kSuccess);
  EXPECT_EQ(FirstSearch(), nullptr);
}

// One with many requests that wait does not keep others from their turn.
TEST_F(GatewayWaitingTest, ClientsTakeTurns) {
  constexpr std::size_t kMany = 1000;
  std::atomic<std::size_t> handled = 0;
  Later<std::size_t> turn;
  KeepBusy([&](const std::string& dn) {
    if (dn == "cn=other") turn.Set(handled);
    ++handled;
  });
  for (std::size_t i = 0; i < kMany; ++i) Delete("cn=a", ContextOf(1));
  Delete("cn=other", ContextOf(2));
  Release();
  EXPECT_LE(turn.Get().value_or(kMany), (kMaxMessagesAhead + 1) * kMaxGatheredOperations);
  ExpectAllAnswered();
}

TEST_F(GatewayWaitingTest, ABindThatNobodyWaitsForDoesNotLeaveButAnUpdateDoes) {
  std::atomic<int> binds = 0;
  std::atomic<int> updates = 0;
  directory_->on_bind = [&](const auto&, const auto&, const auto& done) {
    ++binds;
    done({});
  };
  KeepBusy([&](const std::string& dn) { updates += dn == "cn=update" ? 1 : 0; });
  for (int i = 0; i < 300; ++i) {
    const auto interest = std::make_shared<directory::SingleInterest>();
    RequestContext asked;
    asked.interest = interest;
    std::optional<ResultCode> code;
    remote_->Bind(asked, {"cn=a", model::Secret("x")},
                  [&code](const directory::BindOutcome& outcome) { code = outcome.code; });
    const auto update_interest = std::make_shared<directory::SingleInterest>();
    asked.interest = update_interest;
    if (i % 100 == 0) Delete("cn=update", asked);
    interest->Lose();
    update_interest->Lose();
    EXPECT_EQ(code, ResultCode::kCanceled);
  }
  Release();
  EXPECT_EQ(DeleteAndWait(*remote_, "cn=a").code, ResultCode::kSuccess);
  EXPECT_EQ(binds, 0);
  EXPECT_EQ(updates, 3);
}

}  // namespace
}  // namespace twintree::rpc
