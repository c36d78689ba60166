#include "services/directory/engine/search_plan.h"

#include <utility>

#include "services/directory/engine/engine.h"
#include "services/directory/engine/planner.h"

namespace twintree::directory {
namespace {

using model::CompiledFilter;
using model::Result;
using storage::EntryId;
using storage::kNoEntry;

using Ids = std::vector<EntryId>;

// For PlanQuickly: candidates and index look-ups.
constexpr std::size_t kQuickLimit = 32;
constexpr std::size_t kQuickLookups = 16;

// For PlanThoroughly: each limit is tried with the indexes, then by walking, before the next one.
// The last bounds the memory of one search.
constexpr std::size_t kLimits[] = {1024, 16384, 262144};
constexpr std::size_t kMaxLookups = 20000;

Planner PlannerFor(Request& request) {
  Engine& engine = request.engine();
  const auto locate = [&request](const model::DnKey& name) -> Result<EntryId> {
    TT_ASSIGN_OR_RETURN(const Location location, request.Locate(name));
    return location.id;
  };
  return {engine.schema(), engine.relations(), engine.store().indexes(), request.reader(), locate};
}

SearchPlan OfWalkedIds(Ids ids) { return {CandidateStream::OfIds(std::move(ids)), true, false}; }

class ThoroughPlanner {
 public:
  ThoroughPlanner(Request& request, const SearchScope& scope, const CompiledFilter& filter)
      : request_(request),
        scope_(scope),
        filter_(filter),
        planner_(PlannerFor(request)),
        index_may_help_(!filter.MatchesEverything(request.engine().schema())) {}

  Result<SearchPlan> Run(const std::function<model::Status()>& go_on) {
    TT_ASSIGN_OR_RETURN(entries_, request_.reader().EstimateEntries());
    TT_ASSIGN_OR_RETURN(walking_may_help_, IsSmallPart());
    for (std::size_t limit : kLimits) {
      // Reading all entries in order beats picking half of them.
      if (limit > kLimits[0] && limit > entries_ / 2) break;
      TT_RETURN_IF_ERROR(go_on());
      TT_ASSIGN_OR_RETURN(std::optional<SearchPlan> plan, TryLimit(limit));
      if (plan) return *std::move(plan);
    }
    return Walking();
  }

 private:
  bool OneLevel() const {
    return scope_.only_base().has_value() && scope_.only_scope() == Scope::kOneLevel;
  }

  // A subtree that is a whole naming context is no small part of the tree.
  Result<bool> IsSmallPart() {
    const std::optional<EntryId> base = scope_.only_base();
    if (!base) return true;
    if (*base == kNoEntry) return false;
    TT_ASSIGN_OR_RETURN(const EntryId parent, request_.reader().ParentOf(*base));
    return parent != kNoEntry;
  }

  Result<std::optional<SearchPlan>> TryLimit(std::size_t limit) {
    if (index_may_help_) {
      Ids ids;
      TT_ASSIGN_OR_RETURN(const PlanState state,
                          planner_.Candidates(filter_, limit, kMaxLookups, &ids));
      if (state == PlanState::kFound) {
        return std::optional(SearchPlan{CandidateStream::OfIds(std::move(ids)), false, true});
      }
      index_may_help_ = state != PlanState::kNotIndexed;
    }
    return TryWalk(limit);
  }

  Result<std::optional<SearchPlan>> TryWalk(std::size_t limit) {
    if (OneLevel()) {
      TT_ASSIGN_OR_RETURN(const std::uint64_t children,
                          request_.reader().CountChildren(*scope_.only_base(), limit + 1));
      if (children > limit) return std::optional<SearchPlan>();
      return std::optional(Walking());
    }
    if (!walking_may_help_ || limit > entries_ / 4) return std::optional<SearchPlan>();
    TT_ASSIGN_OR_RETURN(std::optional<Ids> walked, scope_.Walk(request_.reader(), limit));
    if (!walked) return std::optional<SearchPlan>();
    return std::optional(OfWalkedIds(*std::move(walked)));
  }

  SearchPlan Walking() const {
    if (OneLevel()) return {CandidateStream::OfChildren(*scope_.only_base()), true, false};
    return {CandidateStream::OfAll(), scope_.only_base() == kNoEntry, false};
  }

  Request& request_;
  const SearchScope& scope_;
  const CompiledFilter& filter_;
  Planner planner_;
  bool index_may_help_;
  bool walking_may_help_ = false;
  std::uint64_t entries_ = 0;
};

}  // namespace

Result<std::optional<SearchPlan>> PlanQuickly(Request& request, const SearchScope& scope,
                                              const CompiledFilter& filter) {
  if (!filter.MatchesEverything(request.engine().schema())) {
    Planner planner = PlannerFor(request);
    Ids ids;
    TT_ASSIGN_OR_RETURN(const PlanState state,
                        planner.Candidates(filter, kQuickLimit, kQuickLookups, &ids));
    if (state == PlanState::kFound) {
      return std::optional(SearchPlan{CandidateStream::OfIds(std::move(ids)), false, true});
    }
  }
  TT_ASSIGN_OR_RETURN(std::optional<Ids> walked, scope.Walk(request.reader(), kQuickLimit));
  if (!walked) return std::optional<SearchPlan>();
  return std::optional(OfWalkedIds(*std::move(walked)));
}

Result<SearchPlan> PlanThoroughly(Request& request, const SearchScope& scope,
                                  const CompiledFilter& filter,
                                  const std::function<model::Status()>& go_on) {
  return ThoroughPlanner(request, scope, filter).Run(go_on);
}

}  // namespace twintree::directory
