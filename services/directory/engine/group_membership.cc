#include "services/directory/engine/group_membership.h"

#include <algorithm>
#include <string>
#include <vector>

#include "services/directory/engine/engine.h"
#include "services/model/matching_rule.h"

namespace twintree::directory {
namespace {

constexpr std::size_t kMaxGroupsAsked = 1024;

// An index can rule membership out without looking through a large group.
bool RuledOutByIndex(Request& request, const model::AttributeType& type, const std::string& key,
                     storage::EntryId group) {
  const storage::IndexedAttribute* const index = request.engine().store().indexes().Find(type);
  if (index == nullptr || (index->kinds & storage::kEqualityIndex) == 0) return false;
  storage::IndexQuery query;
  query.attribute = index->number;
  query.key = storage::CutIndexKey(key);
  std::vector<storage::EntryId> ids;
  const auto state = request.reader().Lookup(query, kMaxGroupsAsked, &ids);
  return state.ok() && *state == storage::LookupState::kComplete &&
         !std::binary_search(ids.begin(), ids.end(), group);
}

bool HoldsName(Request& request, const storage::StoredEntry& group,
               const model::AttributeType& type, std::string_view name) {
  const model::StoredAttribute* const attribute = group.entry.Find(type);
  if (attribute == nullptr || type.equality == nullptr) return false;
  const model::Result<std::string> key = type.AssertionKey(name);
  if (!key.ok() || RuledOutByIndex(request, type, *key, group.id)) return false;
  const model::ValueRange values = attribute->values();
  return std::any_of(values.begin(), values.end(),
                     [&](std::string_view value) { return type.equality->Equals(value, *key); });
}

}  // namespace

bool IsGroupMember(Request& request, std::string_view group_key, std::string_view subject_key) {
  const model::Result<Location> location =
      request.Locate(model::DnKey::FromNormalized(std::string(group_key)));
  if (!location.ok() || !location->found()) return false;
  const model::Result<storage::StoredEntryPtr> group = request.Get(location->id);
  if (!group.ok()) return false;
  const model::Schema::WellKnown& known = request.engine().schema().well_known();
  return HoldsName(request, **group, *known.member, subject_key) ||
         HoldsName(request, **group, *known.unique_member, subject_key);
}

}  // namespace twintree::directory
