#include "services/directory/engine/planner.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace twintree::directory {
namespace {

using model::AttributeType;
using model::CompiledFilter;
using model::FilterKind;
using model::Result;
using model::Status;
using storage::EntryId;
using storage::IndexQuery;

using Ids = std::vector<EntryId>;

// In an AND, sets this small are not worth narrowing down.
constexpr std::size_t kSmallEnough = 64;
constexpr std::size_t kFirstBranchLimit = 32;
constexpr std::size_t kBranchLimitGrowth = 16;
// The dearest rank that RankOf gives, see there.
constexpr int kWorstRank = 5;

// How soon a branch of an AND is asked, best first: what is likely to be selective and cheap.
int RankOf(const CompiledFilter& filter) {
  switch (filter.kind) {
    case FilterKind::kEquality:
    case FilterKind::kApprox:
    case FilterKind::kExtensible: return filter.object_class == nullptr ? 0 : kWorstRank;
    case FilterKind::kSubstrings: return 1;
    case FilterKind::kAnd: return 2;
    case FilterKind::kOr: return 3;
    case FilterKind::kGreaterOrEqual:
    case FilterKind::kLessOrEqual: return 4;
    case FilterKind::kPresent:
    case FilterKind::kNot: return kWorstRank;
  }
  return kWorstRank;
}

void UniteSorted(const Ids& more, Ids* ids) {
  if (ids->empty()) {
    *ids = more;
    return;
  }
  Ids united;
  united.reserve(ids->size() + more.size());
  std::set_union(ids->begin(), ids->end(), more.begin(), more.end(), std::back_inserter(united));
  *ids = std::move(united);
}

void IntersectSorted(const Ids& other, Ids* ids) {
  Ids common;
  std::set_intersection(ids->begin(), ids->end(), other.begin(), other.end(),
                        std::back_inserter(common));
  *ids = std::move(common);
}

}  // namespace

Result<PlanState> Planner::Candidates(const CompiledFilter& filter, std::size_t limit,
                                      std::size_t max_lookups, Ids* ids) {
  ids->clear();
  lookups_left_ = max_lookups;
  return Collect(filter, limit, ids);
}

Result<PlanState> Planner::Collect(const CompiledFilter& filter, std::size_t limit, Ids* ids) {
  ids->clear();
  switch (filter.kind) {
    case FilterKind::kAnd: return CollectAnd(filter, limit, ids);
    case FilterKind::kOr: return CollectOr(filter, limit, ids);
    case FilterKind::kNot:
      // NOT of an item that is never anything but Undefined is Undefined.
      return filter.children.front().undefined ? PlanState::kFound : PlanState::kNotIndexed;
    default: return filter.undefined ? PlanState::kFound : CollectItem(filter, limit, ids);
  }
}

Result<PlanState> Planner::CollectAnd(const CompiledFilter& filter, std::size_t limit, Ids* ids) {
  PlanState state = PlanState::kNotIndexed;
  for (std::size_t step = std::min(kFirstBranchLimit, limit);;
       step = std::min(step * kBranchLimitGrowth, limit)) {
    const CompiledFilter* branch = nullptr;
    TT_ASSIGN_OR_RETURN(state, SmallestBranch(filter, step, &branch, ids));
    if (state == PlanState::kFound) {
      if (ids->size() > kSmallEnough) TT_RETURN_IF_ERROR(Narrow(filter, branch, ids));
      return PlanState::kFound;
    }
    if (state == PlanState::kNotIndexed || step == limit || lookups_left_ == 0) break;
  }
  if (state == PlanState::kTooMany && lookups_left_ > 0) {
    return CollectClosedRange(filter, limit, ids);
  }
  return state;
}

// The first branch in order of rank that has at most `limit` candidates.
Result<PlanState> Planner::SmallestBranch(const CompiledFilter& filter, std::size_t limit,
                                          const CompiledFilter** branch, Ids* ids) {
  PlanState outcome = PlanState::kNotIndexed;
  for (int rank = 0; rank <= kWorstRank; ++rank) {
    for (const CompiledFilter& child : filter.children) {
      if (RankOf(child) != rank) continue;
      TT_ASSIGN_OR_RETURN(const PlanState state, Collect(child, limit, ids));
      if (state == PlanState::kFound) {
        *branch = &child;
        return state;
      }
      if (state == PlanState::kTooMany) outcome = state;
    }
  }
  return outcome;
}

// Intersects with the other branches that have not many more candidates.
Status Planner::Narrow(const CompiledFilter& filter, const CompiledFilter* taken, Ids* ids) {
  Ids other;
  for (const CompiledFilter& child : filter.children) {
    if (&child == taken || ids->size() <= kSmallEnough) continue;
    TT_ASSIGN_OR_RETURN(const PlanState state, Collect(child, 4 * ids->size(), &other));
    if (state == PlanState::kFound) IntersectSorted(other, ids);
  }
  return {};
}

// (&(a>=x)(a<=y)) is one range, if no entry can hold the two in different values: then the first
// such pair is looked up.
Result<PlanState> Planner::CollectClosedRange(const CompiledFilter& filter, std::size_t limit,
                                              Ids* ids) {
  const auto is_low = [this](const CompiledFilter& child) {
    return child.kind == FilterKind::kGreaterOrEqual && !child.undefined &&
           HoldsOneValue(*child.description.type);
  };
  const auto low = std::find_if(filter.children.begin(), filter.children.end(), is_low);
  if (low == filter.children.end()) return PlanState::kTooMany;
  const AttributeType& type = *low->description.type;
  const auto is_high = [&type](const CompiledFilter& child) {
    return child.kind == FilterKind::kLessOrEqual && !child.undefined &&
           child.description.type == &type;
  };
  const auto high = std::find_if(filter.children.begin(), filter.children.end(), is_high);
  if (high == filter.children.end()) return PlanState::kTooMany;
  IndexQuery query;
  query.kind = IndexQuery::Kind::kRange;
  query.low = storage::CutIndexKey(low->key);
  query.high = storage::CutIndexKey(high->key);
  return LookupSubtypes(type, storage::kOrderingIndex, &AttributeType::ordering, std::move(query),
                        limit, ids);
}

// Never more than one value in an entry, descriptions with options and subtypes included: only the
// server sets it.
bool Planner::HoldsOneValue(const AttributeType& type) const {
  return type.single_value && type.no_user_modification && relations_.SubtypesOf(type).size() == 1;
}

Result<PlanState> Planner::CollectOr(const CompiledFilter& filter, std::size_t limit, Ids* ids) {
  Ids found;
  Ids all;
  for (const CompiledFilter& child : filter.children) {
    TT_ASSIGN_OR_RETURN(const PlanState state, Collect(child, limit, &found));
    if (state != PlanState::kFound) return state;
    all.insert(all.end(), found.begin(), found.end());
    // Sorted now and then only, so that many small branches stay cheap.
    if (all.size() > 2 * limit) {
      std::sort(all.begin(), all.end());
      all.erase(std::unique(all.begin(), all.end()), all.end());
      if (all.size() > limit) return PlanState::kTooMany;
    }
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  if (all.size() > limit) return PlanState::kTooMany;
  *ids = std::move(all);
  return PlanState::kFound;
}

Result<PlanState> Planner::CollectItem(const CompiledFilter& item, std::size_t limit, Ids* ids) {
  if (item.derived) return CollectNamed(item, ids);
  IndexQuery query;
  switch (item.kind) {
    case FilterKind::kEquality:
    case FilterKind::kApprox: return CollectEquality(item, limit, ids);
    case FilterKind::kSubstrings: return CollectSubstrings(item, limit, ids);
    case FilterKind::kExtensible:
      if (item.description.type == nullptr || item.dn_attributes ||
          item.rule != item.description.type->equality) {
        return PlanState::kNotIndexed;
      }
      return CollectEquality(item, limit, ids);
    case FilterKind::kPresent:
      query.kind = IndexQuery::Kind::kPresent;
      return LookupSubtypes(*item.description.type, storage::kPresenceIndex, nullptr,
                            std::move(query), limit, ids);
    case FilterKind::kGreaterOrEqual:
    case FilterKind::kLessOrEqual:
      query.kind = IndexQuery::Kind::kRange;
      (item.kind == FilterKind::kGreaterOrEqual ? query.low : query.high) =
          storage::CutIndexKey(item.key);
      return LookupSubtypes(*item.description.type, storage::kOrderingIndex,
                            &AttributeType::ordering, std::move(query), limit, ids);
    default: return PlanState::kNotIndexed;
  }
}

Result<PlanState> Planner::CollectEquality(const CompiledFilter& item, std::size_t limit,
                                           Ids* ids) {
  const AttributeType& type = *item.description.type;
  if (&type == schema_.well_known().object_class) {
    if (item.object_class == nullptr) return PlanState::kNotIndexed;
    return CollectClass(*item.object_class, limit, ids);
  }
  IndexQuery query;
  query.kind = IndexQuery::Kind::kEqual;
  query.key = storage::CutIndexKey(item.key);
  return LookupSubtypes(type, storage::kEqualityIndex, &AttributeType::equality, std::move(query),
                        limit, ids);
}

// Of what is derived, only the name leads to an entry. Each step of the way down counts as a
// look-up.
Result<PlanState> Planner::CollectNamed(const CompiledFilter& item, Ids* ids) {
  const bool is_equality = item.kind == FilterKind::kEquality || item.kind == FilterKind::kApprox;
  if (!is_equality || locate_ == nullptr ||
      item.description.type != schema_.well_known().entry_dn || !item.description.options.empty()) {
    return PlanState::kNotIndexed;
  }
  TT_ASSIGN_OR_RETURN(const model::DnKey name, schema_.NormalizeDn(item.key));
  if (lookups_left_ < name.size()) return PlanState::kTooMany;
  lookups_left_ -= name.size();
  TT_ASSIGN_OR_RETURN(const EntryId id, locate_(name));
  if (id != storage::kNoEntry) ids->push_back(id);
  return PlanState::kFound;
}

// An entry need not list the superclasses of its classes.
Result<PlanState> Planner::CollectClass(const model::ObjectClass& object_class, std::size_t limit,
                                        Ids* ids) {
  const storage::IndexedAttribute* const index = indexes_.Find(*schema_.well_known().object_class);
  if (index == nullptr || (index->kinds & storage::kEqualityIndex) == 0 ||
      &object_class == schema_.well_known().top) {
    return PlanState::kNotIndexed;
  }
  for (const std::string& key : relations_.KeysWithin(object_class)) {
    IndexQuery query;
    query.attribute = index->number;
    query.key = storage::CutIndexKey(key);
    TT_ASSIGN_OR_RETURN(const PlanState state, LookupInto(query, limit, ids));
    if (state != PlanState::kFound) return state;
  }
  return PlanState::kFound;
}

Result<PlanState> Planner::CollectSubstrings(const CompiledFilter& item, std::size_t limit,
                                             Ids* ids) {
  const AttributeType& type = *item.description.type;
  const model::SubstringKeys contained = model::ContainedPieces(item.pieces);
  PlanState prefix = PlanState::kNotIndexed;
  if (!contained.initial.empty() && type.equality != nullptr &&
      type.substring->SharesKeysWith(*type.equality)) {
    IndexQuery query;
    query.kind = IndexQuery::Kind::kPrefix;
    query.key = storage::CutIndexKey(contained.initial);
    TT_ASSIGN_OR_RETURN(prefix,
                        LookupSubtypes(type, storage::kEqualityIndex, &AttributeType::substring,
                                       std::move(query), limit, ids));
    if (prefix == PlanState::kFound) return prefix;
  }
  if (contained.initial.empty() && contained.any.empty() && contained.final_piece.empty()) {
    return prefix;  // spaces only: any value may match
  }
  IndexQuery query;
  query.kind = IndexQuery::Kind::kSubstring;
  query.pieces = contained;
  TT_ASSIGN_OR_RETURN(const PlanState pieces,
                      LookupSubtypes(type, storage::kSubstringIndex, &AttributeType::substring,
                                     std::move(query), limit, ids));
  return pieces == PlanState::kNotIndexed ? prefix : pieces;
}

Result<PlanState> Planner::LookupSubtypes(const AttributeType& type, storage::IndexKind kind,
                                          Rule rule, IndexQuery query, std::size_t limit,
                                          Ids* ids) {
  ids->clear();
  const std::vector<const AttributeType*>& subtypes = relations_.SubtypesOf(type);
  for (const AttributeType* subtype : subtypes) {
    const storage::IndexedAttribute* const index = indexes_.Find(*subtype);
    if (index == nullptr || (index->kinds & kind) == 0 || relations_.IsDerived(*subtype)) {
      return PlanState::kNotIndexed;
    }
    // Index keys are made by the subtype's own equality rule, and ranges are of those keys.
    if (rule != nullptr && (subtype->*rule != type.*rule || subtype->equality != type.equality)) {
      return PlanState::kNotIndexed;
    }
    if (kind == storage::kOrderingIndex &&
        (type.equality == nullptr || !type.ordering->SharesKeysWith(*type.equality))) {
      return PlanState::kNotIndexed;
    }
  }
  for (const AttributeType* subtype : subtypes) {
    query.attribute = indexes_.Find(*subtype)->number;
    TT_ASSIGN_OR_RETURN(const PlanState state, LookupInto(query, limit, ids));
    if (state != PlanState::kFound) return state;
  }
  return PlanState::kFound;
}

Result<PlanState> Planner::LookupInto(const IndexQuery& query, std::size_t limit, Ids* ids) {
  if (lookups_left_ == 0) return PlanState::kTooMany;
  --lookups_left_;
  Ids found;
  Ids* const out = ids->empty() ? ids : &found;
  TT_ASSIGN_OR_RETURN(const storage::LookupState state, reader_.Lookup(query, limit, out));
  switch (state) {
    case storage::LookupState::kTooMany: return PlanState::kTooMany;
    case storage::LookupState::kNotIndexed: return PlanState::kNotIndexed;
    case storage::LookupState::kComplete: break;
  }
  if (out == &found) UniteSorted(found, ids);
  return ids->size() > limit ? PlanState::kTooMany : PlanState::kFound;
}

}  // namespace twintree::directory
