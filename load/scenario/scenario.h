// The scenarios that `twintree-load run` knows, made ready for one population.
//
// Entries that a scenario adds stand below a container of its own, so that they can be removed
// again and never count among the population's: Prepare() workloads come first, in order; then
// groups(), together; then Clean(), in order.
//
// Thread-safety: compatible; the workloads are safe
#ifndef TWINTREE_LOAD_SCENARIO_SCENARIO_H_
#define TWINTREE_LOAD_SCENARIO_SCENARIO_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "load/scenario/actions.h"
#include "load/scenario/operation.h"
#include "load/scenario/population.h"
#include "load/scenario/workload.h"

namespace twintree::load {

struct ScenarioInfo {
  std::string_view name;
  std::string_view summary;
  int connections;   // unless the user asks for another number
  int adders;        // connections beyond those that only add, in a closed loop
  bool binds;        // changes who is bound, so only one operation a connection at a time
  bool own_entries;  // needs a container
  bool consumes;     // ends when the prepared entries are used up
};

const std::vector<ScenarioInfo>& AllScenarios();
// Null when there is none of that name.
const ScenarioInfo* FindScenario(std::string_view name);

class Scenario {
 public:
  struct Options {
    Population population;
    // RDN value of the container.
    std::string container;
    // Entries to add before, for scenarios that delete or rename.
    std::uint64_t prepared = 0;
  };

  // Connections that do the same.
  struct Group {
    Workload* workload;
    int connections;  // 0: as many as the user asks for
    bool paced;       // starts operations at the user's rate, if there is one
  };

  Scenario(const ScenarioInfo& info, Options options);

  const ScenarioInfo& info() const { return info_; }
  const std::vector<Group>& groups() const { return groups_; }
  // What operations are counted under, by Action::label.
  const std::vector<std::string>& labels() const { return actions_.labels(); }
  const Population& population() const { return options_.population; }

  // A step of making ready or of tidying up; it ends by itself.
  struct Step {
    Workload* workload;
    bool single;  // one client only
  };
  std::vector<Step> Prepare();
  std::vector<Step> Clean();
  // Entries added that still exist, as far as answers tell.
  std::size_t own_entries() const { return own_.size(); }
  // The container's DN.
  std::string container_dn() const { return actions_.container_dn(); }

 private:
  struct Recipe;
  static const Recipe* FindRecipe(std::string_view name);

  Workload* NewWorkload(std::vector<Choice> choices, DrawnWorkload::Options options = {});
  std::vector<Choice> SearchBase();
  std::vector<Choice> SearchEq();
  std::vector<Choice> SearchOne();
  std::vector<Choice> SearchSub();
  std::vector<Choice> SearchInfix();
  std::vector<Choice> SearchSuffix();
  std::vector<Choice> SearchAll();
  std::vector<Choice> Messaging();
  std::vector<Choice> Addressing();
  std::vector<Choice> Mix();
  std::vector<Choice> Bind();
  std::vector<Choice> Auth();
  std::vector<Choice> Modify();
  std::vector<Choice> Add();
  std::vector<Choice> Delete();
  std::vector<Choice> Rename();
  std::vector<Choice> Compare();
  std::vector<Choice> Empty();

  const ScenarioInfo& info_;
  const Options options_;
  Actions actions_;
  OwnEntries own_;
  std::vector<std::unique_ptr<Workload>> workloads_;
  std::vector<Group> groups_;
};

}  // namespace twintree::load

#endif  // TWINTREE_LOAD_SCENARIO_SCENARIO_H_
