// Names of entries, derived from the hierarchy and kept for the entries that have children.
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_NAMES_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_NAMES_H_

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "storage/entry_store.h"

namespace twintree::directory {

// The name of an entry in both forms.
struct EntryName {
  std::string dn;   // as it is shown: every RDN in the spelling it was given
  std::string key;  // model::DnKey::text()
};
using EntryNamePtr = std::shared_ptr<const EntryName>;

// The name of an entry whose parent is called `parent`; null for a naming context.
EntryName ChildName(const storage::StoredEntry& entry, const EntryName* parent);

// Names of entries with children, each good for the snapshots of one hierarchy version.
//
// Renaming an entry without children leaves the hierarchy version alone, and it may get children
// later: so a name is only found for an entry that still has the RDN and the parent it was made
// from. Its ancestors have children, so the version vouches for them.
//
// Bounded: a shard that is full starts anew.
// Thread-safety: safe.
class NameCache {
 public:
  // Null when it is not known for this version.
  EntryNamePtr Find(const storage::StoredEntry& entry, storage::ChangeNumber hierarchy_version);
  void Put(const storage::StoredEntry& entry, storage::ChangeNumber hierarchy_version,
           EntryNamePtr name);

 private:
  static constexpr std::size_t kShards = 16;
  static constexpr std::size_t kMaxItemsPerShard = 2048;

  struct Item {
    storage::ChangeNumber hierarchy_version = 0;
    storage::EntryId parent = storage::kNoEntry;
    EntryNamePtr name;
  };
  struct alignas(64) Shard {
    std::mutex mutex;
    std::unordered_map<storage::EntryId, Item> items;
  };

  Shard& ShardOf(storage::EntryId id) { return shards_[id % kShards]; }

  std::array<Shard, kShards> shards_;
};

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_NAMES_H_
