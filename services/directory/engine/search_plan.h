// Where a search looks: chosen from what the indexes and the shape of the tree offer.
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_SEARCH_PLAN_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_SEARCH_PLAN_H_

#include <functional>
#include <optional>

#include "services/directory/engine/candidates.h"
#include "services/directory/engine/request.h"
#include "services/directory/engine/scope.h"
#include "services/model/compiled_filter.h"

namespace twintree::directory {

struct SearchPlan {
  CandidateStream candidates;
  bool all_in_scope = false;  // no candidate lies outside
  bool indexed = false;       // an index was used; else the scope is walked
};

// A plan with few candidates, found with little effort, fit for a thread that serves others too.
// nullopt: it takes more.
model::Result<std::optional<SearchPlan>> PlanQuickly(Request& request, const SearchScope& scope,
                                                     const model::CompiledFilter& filter);
// Always finds one, unless `go_on` returns an error, which is asked now and then.
model::Result<SearchPlan> PlanThoroughly(Request& request, const SearchScope& scope,
                                         const model::CompiledFilter& filter,
                                         const std::function<model::Status()>& go_on);

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_SEARCH_PLAN_H_
