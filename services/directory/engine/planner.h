// Chooses the entries that a search has to look at.
//
// A plan holds every entry that the filter can match, and may hold more: the filter is evaluated
// exactly on each. So an item that no index answers spoils an OR, but not an AND.
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_PLANNER_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_PLANNER_H_

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "services/directory/engine/relations.h"
#include "services/model/compiled_filter.h"
#include "services/model/schema.h"
#include "storage/entry_store.h"

namespace twintree::directory {

enum class PlanState {
  kFound,       // `ids` holds every candidate, ascending, each once
  kTooMany,     // more than the limit, or more index look-ups than allowed
  kNotIndexed,  // the indexes cannot answer
};

// Thread-safety: confined.
class Planner {
 public:
  // Finds an entry by its name; kNoEntry: there is none.
  using Locator = std::function<model::Result<storage::EntryId>(const model::DnKey& name)>;

  // All must outlive the planner, and what `locate` refers to. Without it, names are not indexed.
  Planner(const model::Schema& schema, const SchemaRelations& relations,
          const storage::IndexSet& indexes, storage::ReadTransaction& reader,
          Locator locate = nullptr)
      : schema_(schema),
        relations_(relations),
        indexes_(indexes),
        reader_(reader),
        locate_(std::move(locate)) {}

  // Candidates by the indexes, at most `limit`, with at most `max_lookups` index look-ups.
  // Errors: those of the store.
  model::Result<PlanState> Candidates(const model::CompiledFilter& filter, std::size_t limit,
                                      std::size_t max_lookups, std::vector<storage::EntryId>* ids);

 private:
  using Ids = std::vector<storage::EntryId>;

  model::Result<PlanState> Collect(const model::CompiledFilter& filter, std::size_t limit,
                                   Ids* ids);
  model::Result<PlanState> CollectAnd(const model::CompiledFilter& filter, std::size_t limit,
                                      Ids* ids);
  model::Result<PlanState> SmallestBranch(const model::CompiledFilter& filter, std::size_t limit,
                                          const model::CompiledFilter** branch, Ids* ids);
  model::Status Narrow(const model::CompiledFilter& filter, const model::CompiledFilter* taken,
                       Ids* ids);
  model::Result<PlanState> CollectOr(const model::CompiledFilter& filter, std::size_t limit,
                                     Ids* ids);
  model::Result<PlanState> CollectItem(const model::CompiledFilter& item, std::size_t limit,
                                       Ids* ids);
  model::Result<PlanState> CollectEquality(const model::CompiledFilter& item, std::size_t limit,
                                           Ids* ids);
  model::Result<PlanState> CollectNamed(const model::CompiledFilter& item, Ids* ids);
  model::Result<PlanState> CollectClass(const model::ObjectClass& object_class, std::size_t limit,
                                        Ids* ids);
  model::Result<PlanState> CollectSubstrings(const model::CompiledFilter& item, std::size_t limit,
                                             Ids* ids);
  model::Result<PlanState> CollectClosedRange(const model::CompiledFilter& filter,
                                              std::size_t limit, Ids* ids);
  bool HoldsOneValue(const model::AttributeType& type) const;

  // Asks the index of the type and of each subtype, with `query` completed by the attribute. Every
  // one must have an index of `kind` and share `rule` with the type.
  using Rule = const model::MatchingRule* model::AttributeType::*;
  model::Result<PlanState> LookupSubtypes(const model::AttributeType& type, storage::IndexKind kind,
                                          Rule rule, storage::IndexQuery query, std::size_t limit,
                                          Ids* ids);
  // Adds what one query finds to `ids`.
  model::Result<PlanState> LookupInto(const storage::IndexQuery& query, std::size_t limit,
                                      Ids* ids);

  const model::Schema& schema_;
  const SchemaRelations& relations_;
  const storage::IndexSet& indexes_;
  storage::ReadTransaction& reader_;
  const Locator locate_;
  std::size_t lookups_left_ = 0;
};

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_PLANNER_H_
