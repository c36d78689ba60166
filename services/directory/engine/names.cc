#include "services/directory/engine/names.h"

#include <utility>

namespace twintree::directory {
namespace {

std::string Join(std::string_view rdn, std::string_view parent) {
  std::string name;
  name.reserve(rdn.size() + 1 + parent.size());
  name.append(rdn).append(1, ',').append(parent);
  return name;
}

bool BeginsWithRdn(std::string_view dn, std::string_view rdn) {
  return dn.starts_with(rdn) && (dn.size() == rdn.size() || dn[rdn.size()] == ',');
}

}  // namespace

EntryName ChildName(const storage::StoredEntry& entry, const EntryName* parent) {
  if (parent == nullptr) return {entry.rdn, entry.rdn_key};
  return {Join(entry.rdn, parent->dn), Join(entry.rdn_key, parent->key)};
}

EntryNamePtr NameCache::Find(const storage::StoredEntry& entry,
                             storage::ChangeNumber hierarchy_version) {
  Shard& shard = ShardOf(entry.id);
  std::lock_guard lock(shard.mutex);
  const auto found = shard.items.find(entry.id);
  if (found == shard.items.end()) return nullptr;
  const Item& item = found->second;
  const bool valid = item.hierarchy_version == hierarchy_version && item.parent == entry.parent &&
                     BeginsWithRdn(item.name->dn, entry.rdn);
  return valid ? item.name : nullptr;
}

void NameCache::Put(const storage::StoredEntry& entry, storage::ChangeNumber hierarchy_version,
                    EntryNamePtr name) {
  Shard& shard = ShardOf(entry.id);
  std::lock_guard lock(shard.mutex);
  if (shard.items.size() >= kMaxItemsPerShard) shard.items.clear();
  Item& item = shard.items[entry.id];
  // A reader of an older snapshot must not take the place of a newer name.
  if (item.name != nullptr && item.hierarchy_version > hierarchy_version) return;
  item = {hierarchy_version, entry.parent, std::move(name)};
}

}  // namespace twintree::directory
