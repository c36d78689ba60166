// What a thread last found out about entries that others are below.
//
// Most requests of one thread ask for entries below the same few, so these are kept where no lock
// and no look-up in a shared cache is needed: each of those would be shared by all threads.
//
// Thread-safety: safe; each thread has its own.
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_RECENT_PARENTS_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_RECENT_PARENTS_H_

#include <cstdint>
#include <string_view>

#include "services/directory/engine/names.h"
#include "storage/entry_store.h"

namespace twintree::directory {

// Of one engine's snapshots of one version.
class RecentParents {
 public:
  // `engine`: a number that no other engine of this process has or had.
  RecentParents(std::uint64_t engine, storage::ChangeNumber version)
      : engine_(engine), version_(version) {}

  // The entry with this normalised name; kNoEntry: not known here.
  storage::EntryId FindId(std::string_view key) const;
  void KeepId(std::string_view key, storage::EntryId id) const;

  // Null: not known here. The pointer is good until this thread keeps another name.
  const EntryNamePtr* FindName(storage::EntryId id) const;
  void KeepName(storage::EntryId id, const EntryNamePtr& name) const;

 private:
  const std::uint64_t engine_;
  const storage::ChangeNumber version_;
};

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_RECENT_PARENTS_H_
