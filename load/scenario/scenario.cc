#include "load/scenario/scenario.h"

#include <algorithm>
#include <utility>

namespace twintree::load {
namespace {

constexpr int kManyConnections = 32;
constexpr int kFewConnections = 8;
constexpr int kAdders = 2;
// What the generator gives a person beside the password, which nobody may read.
constexpr std::size_t kPersonAttributes = 26;
// Look-ups between two binds of the scenario `addressing`.
constexpr std::uint64_t kLookupsPerBind = 5;

constexpr std::string_view kPerson = "uid=user.{n},ou=People";
constexpr std::string_view kPeople = "ou=People";

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
  };
  return scenarios;
}

const ScenarioInfo* FindScenario(std::string_view name) {
  const auto& all = AllScenarios();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [name](const ScenarioInfo& info) { return info.name == name; });
  return found == all.end() ? nullptr : &*found;
}

Scenario::Scenario(const ScenarioInfo& info, Options options)
    : info_(info), options_(std::move(options)) {
  Build();
}

void Scenario::Build() {
  const std::string_view name = info_.name;
  if (name == "search-base") {
    Action* action = NewSearch("search", kPerson, Scope::kBase);
    action->expected = {Pattern(Below(kPerson)), "", kPersonAttributes};
    AddGroup({{action, Subject::kPerson}});
  } else if (name == "search-eq") {
    AddGroup(
        {{NewPersonSearch("search", FilterKind::kEqual, "uid", "user.{n}"), Subject::kPerson}});
  } else if (name == "search-one" || name == "search-sub") {
    Action* action = NewPersonSearch("search", FilterKind::kPrefix, "cn", "User {n}");
    if (name == "search-one") {
      action->scope = Scope::kOne;
      action->dn = Pattern(Below(kPeople));
    }
    AddGroup({{action, Subject::kPrefix}});
  } else if (name == "search-infix") {
    AddGroup({{NewPersonSearch("search", FilterKind::kInfix, "cn", "{n}"), Subject::kInfix}});
  } else if (name == "search-suffix") {
    AddGroup({{NewPersonSearch("search", FilterKind::kSuffix, "cn", "{n}"), Subject::kSuffix}});
  } else if (name == "search-all") {
    Action* action = NewSearch("search", kPeople, Scope::kSubtree);
    action->expected = {Pattern(), Below(kPeople), 1};
    AddGroup({{action, Subject::kEverybody}});
  } else if (name == "messaging") {
    AddGroup(Messaging());
  } else if (name == "messaging+add") {
    AddGroup(Messaging());
    groups_.push_back({NewWorkload({{NewAdd(), Subject::kNewEntry}}), info_.adders, false});
  } else if (name == "addressing") {
    AddGroup(Addressing(), {Choice{NewBind(), Subject::kPerson}, kLookupsPerBind, 0});
  } else if (name == "mix-29-71") {
    AddGroup(Mix());
  } else if (name == "bind") {
    AddGroup({{NewBind(), Subject::kPerson}});
  } else if (name == "auth") {
    Action* action = NewPersonSearch("auth", FilterKind::kEqual, "uid", "user.{n}");
    action->attributes = {"1.1"};
    action->expected.attributes = 0;
    action->then = NewBind();
    AddGroup({{action, Subject::kPerson}});
  } else if (name == "modify") {
    AddGroup({{NewModify(), Subject::kPerson}});
  } else if (name == "add") {
    AddGroup({{NewAdd(), Subject::kNewEntry}});
  } else if (name == "delete") {
    AddGroup({{NewDelete(), Subject::kOwnEntry}});
  } else if (name == "rename") {
    Action* action =
        NewAction("rename", OperationKind::kRename, "uid=load.{n},ou=" + options_.container);
    action->value = Pattern("uid=load.{v}");
    AddGroup({{action, Subject::kRenamed}});
  } else {
    Action* action = NewAction("compare", OperationKind::kCompare, kPerson);
    action->attribute = "mail";
    action->value = Pattern("user.{n}@example.com");
    AddGroup({{action, Subject::kPerson}});
  }
}

std::vector<Scenario::Step> Scenario::Prepare() {
  if (!info_.own_entries) return {};
  Action* container = NewAction("prepare", OperationKind::kAdd, "ou=" + options_.container);
  container->new_entry = NewEntryKind::kContainer;
  std::vector<Step> steps = {{NewWorkload({{container, Subject::kContainer}}, {{}, 0, 1}), true}};
  if (options_.prepared != 0) {
    Action* add = NewAdd();
    add->label = container->label;
    steps.push_back({NewWorkload({{add, Subject::kNewEntry}}, {{}, 0, options_.prepared}), false});
  }
  return steps;
}

std::vector<Scenario::Step> Scenario::Clean() {
  if (!info_.own_entries) return {};
  Action* container = NewAction("clean up", OperationKind::kDelete, "ou=" + options_.container);
  Action* entry = NewDelete();
  entry->label = container->label;
  return {{NewWorkload({{entry, Subject::kOwnEntry}}), false},
          {NewWorkload({{container, Subject::kContainer}}, {{}, 0, 1}), true}};
}

std::string Scenario::container_dn() const { return Below("ou=" + options_.container); }

Action* Scenario::NewAction(std::string_view name, OperationKind kind, std::string_view dn) {
  auto label = std::find(labels_.begin(), labels_.end(), name);
  if (label == labels_.end()) label = labels_.emplace(labels_.end(), name);
  Action& action = actions_.emplace_back();
  action.name = name;
  action.label = static_cast<std::size_t>(label - labels_.begin());
  action.kind = kind;
  action.dn = Pattern(Below(dn));
  return &action;
}

Action* Scenario::NewSearch(std::string_view name, std::string_view base, Scope scope) {
  Action* action = NewAction(name, OperationKind::kSearch, base);
  action->scope = scope;
  return action;
}

Action* Scenario::NewPersonSearch(std::string_view name, FilterKind filter,
                                  std::string_view attribute, std::string_view value) {
  Action* action = NewSearch(name, "", Scope::kSubtree);
  action->filter = {filter, std::string(attribute), Pattern(value)};
  switch (filter) {
    case FilterKind::kEqual:
      action->expected = {Pattern(Below(kPerson)), "", kPersonAttributes};
      break;
    case FilterKind::kPrefix:
      action->expected = {Pattern("uid=user.{n}"), "," + Below(kPeople), kPersonAttributes};
      break;
    default:
      action->expected = {Pattern("uid=user."), "," + Below(kPeople), kPersonAttributes};
      break;
  }
  return action;
}

Action* Scenario::NewBind() {
  Action* action = NewAction("bind", OperationKind::kBind, kPerson);
  action->value = Pattern("password{n}");
  return action;
}

Action* Scenario::NewModify() {
  Action* action = NewAction("modify", OperationKind::kModify, kPerson);
  action->attribute = "description";
  action->value = Pattern("Entry {n}, version {v}");
  return action;
}

Action* Scenario::NewAdd() {
  return NewAction("add", OperationKind::kAdd, "uid=load.{n},ou=" + options_.container);
}

Action* Scenario::NewDelete() {
  return NewAction("delete", OperationKind::kDelete, "uid=load.{n},ou=" + options_.container);
}

Workload* Scenario::NewWorkload(std::vector<Choice> choices, DrawnWorkload::Options options) {
  return workloads_
      .emplace_back(std::make_unique<DrawnWorkload>(options_.population, std::move(choices), &own_,
                                                    std::move(options)))
      .get();
}

void Scenario::AddGroup(std::vector<Choice> choices, DrawnWorkload::Options options) {
  groups_.push_back({NewWorkload(std::move(choices), std::move(options)), 0, true});
}

std::vector<Choice> Scenario::Messaging() {
  std::vector<Choice> choices;
  for (const auto& [attribute, value] :
       {std::pair{"mail", "user.{n}@example.com"}, std::pair{"uid", "user.{n}"}}) {
    Action* action = NewPersonSearch("search", FilterKind::kEqual, attribute, value);
    action->attributes = {"mail", "uid", "homeDirectory", "uidNumber"};
    action->expected.attributes = action->attributes.size();
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
    Action* action = NewPersonSearch(lookup.label, lookup.filter, lookup.attribute, lookup.value);
    action->attributes = {"cn", "mail", "telephoneNumber"};
    action->expected.attributes = action->attributes.size();
    choices.push_back({action,
                       lookup.filter == FilterKind::kEqual ? Subject::kPerson : Subject::kPrefix,
                       lookup.weight});
  }
  return choices;
}

std::vector<Choice> Scenario::Mix() {
  Action* search = NewPersonSearch("search", FilterKind::kEqual, "uid", "user.{n}");
  Action* modify = NewModify();
  Action* add = NewAdd();
  Action* remove = NewDelete();
  return {{search, Subject::kPerson, 71},
          {modify, Subject::kPerson, 21},
          {add, Subject::kNewEntry, 4},
          {remove, Subject::kOwnEntry, 4, add}};
}

std::string Scenario::Below(std::string_view rdns) const {
  if (rdns.empty()) return options_.population.base;
  return std::string(rdns) + "," + options_.population.base;
}

}  // namespace twintree::load
