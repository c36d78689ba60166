#include "load/scenario/actions.h"

#include <algorithm>
#include <utility>

namespace twintree::load {
namespace {

// What the generator gives a person beside the password, which nobody may read.
constexpr std::size_t kPersonAttributes = 26;

constexpr std::string_view kPerson = "uid=user.{n},ou=People";
constexpr std::string_view kPeople = "ou=People";
constexpr const char* kNoAttributes = "1.1";

}  // namespace

Actions::Actions(std::string base, std::string container)
    : base_(std::move(base)), container_(std::move(container)) {}

Action* Actions::SearchBase() {
  Action* action = New("search", OperationKind::kSearch, Below(kPerson));
  action->expected = {Pattern(Below(kPerson)), "", kPersonAttributes};
  return action;
}

Action* Actions::SearchPeople(std::string_view name, FilterKind filter, std::string_view attribute,
                              std::string_view value) {
  Action* action = New(name, OperationKind::kSearch, base_);
  action->scope = Scope::kSubtree;
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

Action* Actions::SearchOneLevel(std::string_view name, FilterKind filter,
                                std::string_view attribute, std::string_view value) {
  Action* action = SearchPeople(name, filter, attribute, value);
  action->dn = Pattern(Below(kPeople));
  action->scope = Scope::kOne;
  return action;
}

void Actions::Select(Action* search, std::vector<std::string> attributes) {
  search->attributes = std::move(attributes);
  search->expected.attributes = search->attributes.size();
}

Action* Actions::SearchEverybody() {
  Action* action = New("search", OperationKind::kSearch, Below(kPeople));
  action->scope = Scope::kSubtree;
  action->expected = {Pattern(), Below(kPeople), 1};
  return action;
}

Action* Actions::FindAndBind() {
  Action* action = SearchPeople("auth", FilterKind::kEqual, "uid", "user.{n}");
  action->attributes = {kNoAttributes};
  action->expected.attributes = 0;
  Action* bind = Bind();
  bind->name = action->name;
  bind->label = action->label;
  action->then = bind;
  return action;
}

Action* Actions::Bind() {
  Action* action = New("bind", OperationKind::kBind, Below(kPerson));
  action->value = Pattern("password{n}");
  return action;
}

Action* Actions::Compare() {
  Action* action = New("compare", OperationKind::kCompare, Below(kPerson));
  action->attribute = "mail";
  action->value = Pattern("user.{n}@example.com");
  return action;
}

Action* Actions::Modify() {
  Action* action = New("modify", OperationKind::kModify, Below(kPerson));
  action->attribute = "description";
  action->value = Pattern("Entry {n}, version {v}");
  return action;
}

Action* Actions::Add(std::string_view name) {
  return New(name, OperationKind::kAdd, "uid=load.{n}," + container_dn());
}

Action* Actions::Delete(std::string_view name) {
  return New(name, OperationKind::kDelete, "uid=load.{n}," + container_dn());
}

Action* Actions::Rename() {
  Action* action = New("rename", OperationKind::kRename, "uid=load.{n}," + container_dn());
  action->value = Pattern("uid=load.{v}");
  return action;
}

Action* Actions::Empty() {
  Action* action = New("empty", OperationKind::kEmpty, "");
  action->attributes = {kNoAttributes};
  action->expected = {Pattern(), "", 0};
  return action;
}

Action* Actions::AddContainer(std::string_view name) {
  Action* action = New(name, OperationKind::kAdd, container_dn());
  action->new_entry = NewEntryKind::kContainer;
  return action;
}

Action* Actions::DeleteContainer(std::string_view name) {
  return New(name, OperationKind::kDelete, container_dn());
}

Action* Actions::New(std::string_view name, OperationKind kind, const std::string& dn) {
  auto label = std::find(labels_.begin(), labels_.end(), name);
  if (label == labels_.end()) label = labels_.emplace(labels_.end(), name);
  Action& action = actions_.emplace_back();
  action.name = name;
  action.label = static_cast<std::size_t>(label - labels_.begin());
  action.kind = kind;
  action.dn = Pattern(dn);
  return &action;
}

}  // namespace twintree::load
