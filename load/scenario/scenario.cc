#include "load/scenario/scenario.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace twintree::load {
namespace {

constexpr int kManyConnections = 32;
constexpr int kFewConnections = 8;
constexpr int kAdders = 2;
// Look-ups between two binds of the scenario `addressing`.
constexpr std::uint64_t kLookupsPerBind = 5;

constexpr std::string_view kPrepare = "prepare";
constexpr std::string_view kCleanUp = "clean up";

}  // namespace

const std::vector<ScenarioInfo>& AllScenarios() {
  static const std::vector<ScenarioInfo> scenarios = {
      {"search-base", "read a person by DN, all attributes", kManyConnections, 0, false, false,
       false},
      {"search-eq", "subtree search (uid=...), 1 entry, all attributes", kManyConnections, 0, false,
       false, false},
      {"search-one", "one-level search (cn=User 123*), about 11 entries", kManyConnections, 0,
       false, false, false},
      {"search-sub", "subtree search (cn=User 123*), about 11 entries", kManyConnections, 0, false,
       false, false},
      {"search-infix", "subtree search (cn=*123*), 0.3 % of all people", kFewConnections, 0, false,
       false, false},
      {"search-suffix", "subtree search (cn=*123), 0.1 % of all people", kFewConnections, 0, false,
       false, false},
      {"search-all", "subtree search that returns all people", 1, 0, false, false, false},
      {"messaging", "exact look-ups by mail and uid for what routes mail", kFewConnections, 0,
       false, false, false},
      {"messaging+add", "messaging, while 2 more connections add people", kFewConnections, kAdders,
       false, true, false},
      {"addressing", "address book: a bind, then 5 exact and wildcard look-ups", kFewConnections, 0,
       true, false, false},
      {"mix-29-71", "71 % searches by uid, 21 % modifies, 4 % adds, 4 % deletes", kManyConnections,
       0, false, true, false},
      {"bind", "bind with a person's password", kManyConnections, 0, true, false, false},
      {"auth", "search a person by uid, then bind as it", kManyConnections, 0, true, false, false},
      {"modify", "replace a person's description", kManyConnections, 0, false, false, false},
      {"add", "add a person", kManyConnections, 0, false, true, false},
      {"delete", "delete people that were added before", kManyConnections, 0, false, true, true},
      {"rename", "give people that were added before another RDN", kManyConnections, 0, false, true,
       false},
      {"compare", "compare a person's mail, which is true", kManyConnections, 0, false, false,
       false},
      {"empty", "nothing: read the root DSE's name, or a gRPC health check", kManyConnections, 0,
       false, false, false},
  };
  return scenarios;
}

const ScenarioInfo* FindScenario(std::string_view name) {
  const auto& all = AllScenarios();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [name](const ScenarioInfo& info) { return info.name == name; });
  return found == all.end() ? nullptr : &*found;
}

// How each scenario's main work is made.
struct Scenario::Recipe {
  std::string_view name;
  std::vector<Choice> (Scenario::*choices)();
};

const Scenario::Recipe* Scenario::FindRecipe(std::string_view name) {
  static constexpr Recipe kRecipes[] = {
      {"search-base", &Scenario::SearchBase},
      {"search-eq", &Scenario::SearchEq},
      {"search-one", &Scenario::SearchOne},
      {"search-sub", &Scenario::SearchSub},
      {"search-infix", &Scenario::SearchInfix},
      {"search-suffix", &Scenario::SearchSuffix},
      {"search-all", &Scenario::SearchAll},
      {"messaging", &Scenario::Messaging},
      {"messaging+add", &Scenario::Messaging},
      {"addressing", &Scenario::Addressing},
      {"mix-29-71", &Scenario::Mix},
      {"bind", &Scenario::Bind},
      {"auth", &Scenario::Auth},
      {"modify", &Scenario::Modify},
      {"add", &Scenario::Add},
      {"delete", &Scenario::Delete},
      {"rename", &Scenario::Rename},
      {"compare", &Scenario::Compare},
      {"empty", &Scenario::Empty},
  };
  return std::find_if(std::begin(kRecipes), std::end(kRecipes),
                      [name](const Recipe& recipe) { return recipe.name == name; });
}

Scenario::Scenario(const ScenarioInfo& info, Options options)
    : info_(info),
      options_(std::move(options)),
      actions_(options_.population.base, options_.container) {
  DrawnWorkload::Options drawn;
  if (info.name == "addressing") {
    drawn.first = Choice{actions_.Bind(), Subject::kPerson};
    drawn.period = kLookupsPerBind;
  }
  const Recipe* recipe = FindRecipe(info.name);
  groups_.push_back({NewWorkload((this->*recipe->choices)(), std::move(drawn)), 0, true});
  if (info.adders != 0) groups_.push_back({NewWorkload(Add()), info.adders, false});
}

std::vector<Scenario::Step> Scenario::Prepare() {
  if (!info_.own_entries) return {};
  const Choice container{actions_.AddContainer(kPrepare), Subject::kNothing};
  std::vector<Step> steps = {{NewWorkload({container}, {{}, 0, 1}), true}};
  if (options_.prepared != 0) {
    const Choice entry{actions_.Add(kPrepare), Subject::kNewEntry};
    steps.push_back({NewWorkload({entry}, {{}, 0, options_.prepared}), false});
  }
  return steps;
}

std::vector<Scenario::Step> Scenario::Clean() {
  if (!info_.own_entries) return {};
  const Choice entry{actions_.Delete(kCleanUp), Subject::kOwnEntry};
  const Choice container{actions_.DeleteContainer(kCleanUp), Subject::kNothing};
  return {{NewWorkload({entry}), false}, {NewWorkload({container}, {{}, 0, 1}), true}};
}

Workload* Scenario::NewWorkload(std::vector<Choice> choices, DrawnWorkload::Options options) {
  return workloads_
      .emplace_back(std::make_unique<DrawnWorkload>(options_.population, std::move(choices), &own_,
                                                    std::move(options)))
      .get();
}

std::vector<Choice> Scenario::SearchBase() { return {{actions_.SearchBase(), Subject::kPerson}}; }

std::vector<Choice> Scenario::SearchEq() {
  return {
      {actions_.SearchPeople("search", FilterKind::kEqual, "uid", "user.{n}"), Subject::kPerson}};
}

std::vector<Choice> Scenario::SearchOne() {
  return {
      {actions_.SearchOneLevel("search", FilterKind::kPrefix, "cn", "User {n}"), Subject::kPrefix}};
}

std::vector<Choice> Scenario::SearchSub() {
  return {
      {actions_.SearchPeople("search", FilterKind::kPrefix, "cn", "User {n}"), Subject::kPrefix}};
}

std::vector<Choice> Scenario::SearchInfix() {
  return {{actions_.SearchPeople("search", FilterKind::kInfix, "cn", "{n}"), Subject::kInfix}};
}

std::vector<Choice> Scenario::SearchSuffix() {
  return {{actions_.SearchPeople("search", FilterKind::kSuffix, "cn", "{n}"), Subject::kSuffix}};
}

std::vector<Choice> Scenario::SearchAll() {
  return {{actions_.SearchEverybody(), Subject::kEverybody}};
}

std::vector<Choice> Scenario::Messaging() {
  std::vector<Choice> choices;
  for (const auto& [attribute, value] :
       {std::pair{"mail", "user.{n}@example.com"}, std::pair{"uid", "user.{n}"}}) {
    Action* action = actions_.SearchPeople("search", FilterKind::kEqual, attribute, value);
    Actions::Select(action, {"mail", "uid", "homeDirectory", "uidNumber"});
    choices.push_back({action, Subject::kPerson});
  }
  return choices;
}

std::vector<Choice> Scenario::Addressing() {
  struct Lookup {
    std::string_view label;
    FilterKind filter;
    std::string_view attribute;
    std::string_view value;
    std::uint32_t weight;
  };
  static constexpr Lookup kLookups[] = {
      {"exact", FilterKind::kEqual, "mail", "user.{n}@example.com", 3},
      {"exact", FilterKind::kEqual, "cn", "User {n}", 3},
      {"wildcard", FilterKind::kPrefix, "cn", "User {n}", 2},
      {"wildcard", FilterKind::kPrefix, "mail", "user.{n}", 2},
  };
  std::vector<Choice> choices;
  for (const Lookup& lookup : kLookups) {
    Action* action =
        actions_.SearchPeople(lookup.label, lookup.filter, lookup.attribute, lookup.value);
    Actions::Select(action, {"cn", "mail", "telephoneNumber"});
    const bool exact = lookup.filter == FilterKind::kEqual;
    choices.push_back({action, exact ? Subject::kPerson : Subject::kPrefix, lookup.weight});
  }
  return choices;
}

std::vector<Choice> Scenario::Mix() {
  std::vector<Choice> choices = SearchEq();
  choices.front().weight = 71;
  choices.push_back({actions_.Modify(), Subject::kPerson, 21});
  Action* add = actions_.Add();
  choices.push_back({add, Subject::kNewEntry, 4});
  choices.push_back({actions_.Delete(), Subject::kOwnEntry, 4, add});
  return choices;
}

std::vector<Choice> Scenario::Bind() { return {{actions_.Bind(), Subject::kPerson}}; }

std::vector<Choice> Scenario::Auth() { return {{actions_.FindAndBind(), Subject::kPerson}}; }

std::vector<Choice> Scenario::Modify() { return {{actions_.Modify(), Subject::kPerson}}; }

std::vector<Choice> Scenario::Add() { return {{actions_.Add(), Subject::kNewEntry}}; }

std::vector<Choice> Scenario::Delete() { return {{actions_.Delete(), Subject::kOwnEntry}}; }

std::vector<Choice> Scenario::Rename() { return {{actions_.Rename(), Subject::kRenamed}}; }

std::vector<Choice> Scenario::Compare() { return {{actions_.Compare(), Subject::kPerson}}; }

std::vector<Choice> Scenario::Empty() { return {{actions_.Empty(), Subject::kNothing}}; }

}  // namespace twintree::load
