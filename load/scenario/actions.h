// The actions of a scenario, made for one directory.
//
// Thread-safety: compatible; the actions live as long as this
#ifndef TWINTREE_LOAD_SCENARIO_ACTIONS_H_
#define TWINTREE_LOAD_SCENARIO_ACTIONS_H_

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "load/scenario/operation.h"

namespace twintree::load {

class Actions {
 public:
  // `base` is the directory's suffix, `container` the RDN value of what added entries stand below.
  Actions(std::string base, std::string container);

  // Operations of actions that share a name are counted together.
  Action* SearchBase();
  // Below the suffix: people whose attribute has the value, all their attributes.
  Action* SearchPeople(std::string_view name, FilterKind filter, std::string_view attribute,
                       std::string_view value);
  // The same, one level below the entry that holds all people.
  Action* SearchOneLevel(std::string_view name, FilterKind filter, std::string_view attribute,
                         std::string_view value);
  // Returns only these attributes, which every entry must have.
  static void Select(Action* search, std::vector<std::string> attributes);
  Action* SearchEverybody();
  // Finds a person, then binds as it.
  Action* FindAndBind();
  Action* Bind();
  Action* Compare();
  Action* Modify();
  Action* Add(std::string_view name = "add");
  Action* Delete(std::string_view name = "delete");
  Action* Rename();
  Action* Empty();
  Action* AddContainer(std::string_view name);
  Action* DeleteContainer(std::string_view name);

  const std::vector<std::string>& labels() const { return labels_; }
  std::string container_dn() const { return Below("ou=" + container_); }

 private:
  Action* New(std::string_view name, OperationKind kind, const std::string& dn);
  std::string Below(std::string_view rdns) const { return std::string(rdns) + "," + base_; }

  const std::string base_;
  const std::string container_;
  std::vector<std::string> labels_;
  std::deque<Action> actions_;  // addresses stay
};

}  // namespace twintree::load

#endif  // TWINTREE_LOAD_SCENARIO_ACTIONS_H_
