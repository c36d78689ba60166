#include "load/scenario/scenario.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

namespace twintree::load {
namespace {

using ::testing::ElementsAre;

class ScenarioTest : public ::testing::Test {
 protected:
  static Scenario Make(std::string_view name, std::uint64_t prepared = 0) {
    return Scenario(*FindScenario(name), {{"dc=example,dc=com", 1000, 1}, "load-x", prepared});
  }
  Client client_{Random(1, 1)};
};

TEST_F(ScenarioTest, HasEveryNameOnce) {
  std::set<std::string_view> names;
  for (const ScenarioInfo& info : AllScenarios()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_EQ(FindScenario(info.name), &info);
  }
  EXPECT_EQ(FindScenario("search"), nullptr);
}

// Each is of another kind, so that none has come out as the one that is built last.
TEST_F(ScenarioTest, BuildsEachScenarioDifferently) {
  std::set<std::string> requests;
  for (const ScenarioInfo& info : AllScenarios()) {
    Scenario scenario = Make(info.name, 1);
    std::string request;
    for (const auto& group : scenario.groups()) {
      Operation operation;
      for (int i = 0; i < 200; ++i) {
        if (!group.workload->Next(client_, &operation)) continue;
        request += operation.action->name + operation.action->dn.Text(0) +
                   std::to_string(static_cast<int>(operation.action->scope)) +
                   std::to_string(static_cast<int>(operation.action->filter.kind)) +
                   operation.action->filter.value.Text(0) +
                   std::to_string(operation.action->attributes.size()) + "\n";
        group.workload->Done(operation, true);
      }
    }
    EXPECT_TRUE(info.consumes || info.name == "rename" || requests.insert(request).second)
        << info.name;
  }
}

TEST_F(ScenarioTest, ChecksMessagesAgainstThePopulation) {
  const Scenario scenario = Make("search-sub");
  Operation operation;
  ASSERT_TRUE(scenario.groups()[0].workload->Next(client_, &operation));
  EXPECT_EQ(operation.entries, CountWithPrefix(operation.number, 1000));
  EXPECT_EQ(operation.action->filter.value.Text(operation.number),
            "User " + std::to_string(operation.number));
}

TEST_F(ScenarioTest, MixesTwentyNineWritesIntoAHundred) {
  const Scenario scenario = Make("mix-29-71");
  std::map<OperationKind, int> counts;
  Operation operation;
  for (int i = 0; i < 100'000; ++i) {
    ASSERT_TRUE(scenario.groups()[0].workload->Next(client_, &operation));
    ++counts[operation.action->kind];
    scenario.groups()[0].workload->Done(operation, true);
  }
  EXPECT_NEAR(counts[OperationKind::kSearch], 71'000, 800);
  EXPECT_NEAR(counts[OperationKind::kModify], 21'000, 800);
  EXPECT_NEAR(counts[OperationKind::kAdd] + counts[OperationKind::kDelete], 8000, 500);
  EXPECT_EQ(static_cast<std::size_t>(counts[OperationKind::kAdd] - counts[OperationKind::kDelete]),
            scenario.own_entries());
}

TEST_F(ScenarioTest, BindsBeforeEveryFiveLookups) {
  const Scenario scenario = Make("addressing");
  Operation operation;
  for (int i = 0; i < 30; ++i) {
    ASSERT_TRUE(scenario.groups()[0].workload->Next(client_, &operation));
    EXPECT_EQ(operation.action->kind == OperationKind::kBind, i % 6 == 0) << i;
  }
}

TEST_F(ScenarioTest, BindsAsThePersonThatWasFound) {
  const Scenario scenario = Make("auth");
  Operation operation;
  ASSERT_TRUE(scenario.groups()[0].workload->Next(client_, &operation));
  ASSERT_NE(operation.action->then, nullptr);
  EXPECT_EQ(operation.action->then->dn.Text(operation.number),
            operation.action->expected.begins.Text(operation.number));
  EXPECT_EQ(operation.action->then->value.Text(3), "password3");
}

TEST_F(ScenarioTest, AddsBesideTheSearchesWithoutTheRate) {
  const Scenario scenario = Make("messaging+add");
  ASSERT_EQ(scenario.groups().size(), 2U);
  EXPECT_TRUE(scenario.groups()[0].paced);
  EXPECT_FALSE(scenario.groups()[1].paced);
  EXPECT_EQ(scenario.groups()[1].connections, 2);
  EXPECT_THAT(scenario.labels(), ElementsAre("search", "add"));
}

// Does a step as a server would that always succeeds; how many operations it was.
int DoAll(Workload& workload, Client& client) {
  int count = 0;
  Operation operation;
  while (workload.Next(client, &operation)) {
    workload.Done(operation, true);
    ++count;
  }
  return count;
}

TEST_F(ScenarioTest, PreparesWhatItDeletes) {
  Scenario scenario = Make("delete", 7);
  auto prepare = scenario.Prepare();
  ASSERT_EQ(prepare.size(), 2U);
  EXPECT_EQ(DoAll(*prepare[0].workload, client_), 1);
  EXPECT_EQ(DoAll(*prepare[1].workload, client_), 7);
  EXPECT_EQ(scenario.own_entries(), 7U);
  EXPECT_EQ(DoAll(*scenario.groups()[0].workload, client_), 7);
  EXPECT_EQ(scenario.own_entries(), 0U);
}

TEST_F(ScenarioTest, RemovesWhatItAddedAndThenTheContainer) {
  Scenario scenario = Make("add");
  Operation operation;
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(scenario.groups()[0].workload->Next(client_, &operation));
    scenario.groups()[0].workload->Done(operation, i != 1);
  }
  auto clean = scenario.Clean();
  ASSERT_EQ(clean.size(), 2U);
  EXPECT_EQ(DoAll(*clean[0].workload, client_), 2);
  ASSERT_TRUE(clean[1].workload->Next(client_, &operation));
  EXPECT_EQ(operation.action->dn.Text(0), "ou=load-x,dc=example,dc=com");
}

TEST_F(ScenarioTest, FollowsRenamedEntries) {
  Scenario scenario = Make("rename", 1);
  auto prepare = scenario.Prepare();
  DoAll(*prepare[1].workload, client_);
  Operation first;
  Operation second;
  ASSERT_TRUE(scenario.groups()[0].workload->Next(client_, &first));
  EXPECT_FALSE(scenario.groups()[0].workload->Next(client_, &second));
  scenario.groups()[0].workload->Done(first, true);
  ASSERT_TRUE(scenario.groups()[0].workload->Next(client_, &second));
  EXPECT_EQ(second.action->dn.Text(second.number, second.value),
            first.action->value.Text(first.number, first.value) + ",ou=load-x,dc=example,dc=com");
}

}  // namespace
}  // namespace twintree::load
