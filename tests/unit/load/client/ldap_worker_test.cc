#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "load/client/ldap_answer.h"
#include "load/client/worker.h"
#include "tests/unit/load/client/fake_ldap_server.h"

namespace twintree::load {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

// Deletes uid=0, uid=1, ... so many times.
class DeleteWorkload : public Workload {
 public:
  explicit DeleteWorkload(std::uint64_t limit) : limit_(limit) {
    action_.name = "delete";
    action_.kind = OperationKind::kDelete;
    action_.dn = Pattern("uid={n}");
  }
  bool Next(Client&, Operation* operation) override {
    *operation = {&action_, next_++};
    return operation->number < limit_;
  }
  void Done(const Operation&, bool) override {}

 private:
  const std::uint64_t limit_;
  Action action_{};
  std::uint64_t next_ = 0;
};

struct Outcome {
  std::uint64_t operations = 0;
  WrongAnswers wrong;
};

Outcome RunWorker(const Target& target, std::uint64_t operations, int connections, int depth,
                  const Credentials& credentials = {}, Nanoseconds window = 300 * kMillisecond) {
  DeleteWorkload workload(operations);
  PhaseControl control;
  control.patience = 200 * kMillisecond;
  WorkerPlan plan{target, credentials, 1, {}};
  for (int i = 0; i < connections; ++i) plan.connections.push_back({&workload, true, depth, 0});
  const auto worker = MakeLdapWorker(plan, &control, 1);
  worker->Connect();
  control.window.end = Now() + window;
  worker->Run();
  std::vector<Tally> tallies(1);
  worker->recorder().AddTo(&tallies);
  Outcome outcome{tallies[0].all_operations, {}};
  worker->recorder().AddTo(&outcome.wrong);
  return outcome;
}

std::string AnswerAll(const std::vector<FakeRequest>& requests, int code = 0) {
  std::string answers;
  for (const FakeRequest& request : requests) {
    const ber::Tag tag = request.content.empty() || request.tag != ber::Application(0, true)
                             ? kDeleteResponse
                             : kBindResponse;
    answers += FakeResult(request.message_id, tag, code);
  }
  return answers;
}

TEST(LdapWorkerTest, DoesAllThereIsToDo) {
  FakeLdapServer server([](const auto& requests) { return AnswerAll(requests); });
  const Outcome outcome = RunWorker(server.target(), 100, 3, 1);
  EXPECT_EQ(outcome.operations, 100U);
  EXPECT_THAT(outcome.wrong, IsEmpty());
}

TEST(LdapWorkerTest, TakesAnswersInAnyOrder) {
  FakeLdapServer server([](std::vector<FakeRequest> requests) {
    std::reverse(requests.begin(), requests.end());
    return AnswerAll(requests);
  });
  const Outcome outcome = RunWorker(server.target(), 100, 2, 8);
  EXPECT_EQ(outcome.operations, 100U);
  EXPECT_THAT(outcome.wrong, IsEmpty());
}

TEST(LdapWorkerTest, ReusesEverySlotManyTimes) {
  FakeLdapServer server([](const auto& requests) { return AnswerAll(requests); });
  EXPECT_EQ(RunWorker(server.target(), 20'000, 1, 64, {}, 60 * kSecond).operations, 20'000U);
}

TEST(LdapWorkerTest, CountsWrongResults) {
  FakeLdapServer server([](const auto& requests) { return AnswerAll(requests, 51); });
  const Outcome outcome = RunWorker(server.target(), 10, 1, 1);
  EXPECT_EQ(outcome.operations, 0U);
  EXPECT_THAT(outcome.wrong, ElementsAre(Pair("delete: result 51 busy", 10)));
}

TEST(LdapWorkerTest, CountsAnswersOfAnotherKind) {
  FakeLdapServer server(
      [](const auto& requests) { return FakeResult(requests.at(0).message_id, kAddResponse, 0); });
  EXPECT_THAT(RunWorker(server.target(), 1, 1, 1).wrong,
              ElementsAre(Pair("delete: answer of another operation", 1)));
}

TEST(LdapWorkerTest, CountsAnswersThatNobodyAskedFor) {
  FakeLdapServer server([](const auto& requests) {
    return FakeResult(99, kDeleteResponse, 0) + AnswerAll(requests) + AnswerAll(requests);
  });
  const Outcome outcome = RunWorker(server.target(), 2, 1, 1);
  EXPECT_EQ(outcome.operations, 2U);
  EXPECT_THAT(outcome.wrong, Contains(Pair("answer that nobody asked for", ::testing::Ge(3U))));
}

TEST(LdapWorkerTest, ReportsALostConnection) {
  FakeLdapServer server([](const auto&) { return std::nullopt; });
  const Outcome outcome = RunWorker(server.target(), 100, 1, 4);
  EXPECT_THAT(outcome.wrong, ElementsAre(Pair("delete: connection lost: closed by the server", 4)));
}

TEST(LdapWorkerTest, LeavesAConnectionThatSendsNonsense) {
  FakeLdapServer server([](const auto&) { return "HTTP/1.1 400 Bad Request\r\n"; });
  EXPECT_THAT(RunWorker(server.target(), 100, 1, 1).wrong,
              ElementsAre(Pair("delete: connection lost: malformed message", 1)));
}

TEST(LdapWorkerTest, GivesUpWaiting) {
  FakeLdapServer server([](const auto&) { return ""; });
  EXPECT_THAT(RunWorker(server.target(), 100, 1, 2).wrong,
              ElementsAre(Pair("delete: no answer", 2)));
}

TEST(LdapWorkerTest, BindsFirst) {
  std::atomic<int> binds{0};
  FakeLdapServer server([&binds](const auto& requests) {
    for (const FakeRequest& request : requests) {
      if (request.tag == ber::Application(0, true)) ++binds;
    }
    return AnswerAll(requests);
  });
  EXPECT_EQ(RunWorker(server.target(), 10, 2, 1, {"cn=a", "b"}).operations, 10U);
  EXPECT_EQ(binds, 2);
}

TEST(LdapWorkerTest, SaysThatItCannotBind) {
  FakeLdapServer server([](const auto& requests) { return AnswerAll(requests, 49); });
  try {
    RunWorker(server.target(), 10, 1, 1, {"cn=a", "b"});
    FAIL() << "went on without a bind";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("bind as cn=a: result 49"));
  }
}

TEST(LdapWorkerTest, SaysThatItCannotConnect) {
  try {
    RunWorker(ParseTarget("ldapi:///nonexistent/socket"), 1, 1, 1);
    FAIL() << "connected to nothing";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("/nonexistent/socket: No such file or directory"));
  }
}

}  // namespace
}  // namespace twintree::load
