// What the parts of one request share: the state it reads, who asks, and what they may know.
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_REQUEST_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_REQUEST_H_

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "services/access/access.h"
#include "services/directory/directory.h"
#include "services/directory/engine/names.h"
#include "services/model/dn.h"
#include "storage/entry_store.h"

namespace twintree::directory {

class Engine;
class EntryTarget;

// Where a name leads.
struct Location {
  bool in_tree = false;                          // within a naming context
  storage::EntryId id = storage::kNoEntry;       // the entry; kNoEntry: there is none
  storage::EntryId nearest = storage::kNoEntry;  // the entry itself or its nearest ancestor
  std::size_t missing = 0;                       // RDNs below `nearest` that do not exist

  bool found() const { return id != storage::kNoEntry; }
};

// Thread-safety: confined.
class Request {
 public:
  enum class Names {
    kCached,    // a snapshot: names are shared with other requests
    kUncached,  // a write transaction, whose hierarchy nobody else may see yet
  };

  // All three must outlive the request.
  Request(Engine& engine, storage::ReadTransaction& reader, const Subject& subject, Names names);
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  Engine& engine() const { return engine_; }
  storage::ReadTransaction& reader() const { return reader_; }
  const Subject& subject() const { return subject_; }
  bool unrestricted() const { return unrestricted_; }
  // REQUIRES: !unrestricted()
  access::RequestAccess& access();

  // Walks down from the naming context.
  model::Result<Location> Locate(const model::DnKey& key);
  // Reads an entry that must be there.
  model::Result<storage::StoredEntryPtr> Get(storage::EntryId id);
  // The name of an entry that must be there and have children.
  model::Result<EntryNamePtr> NameOf(storage::EntryId id);

  // noSuchObject for a name that was not found: no naming context holds it, or the entry of its
  // naming context has not been added yet, or else as below.
  model::Error NotFound(const model::DnKey& key, const Location& location);
  // noSuchObject with the nearest of `nearest` and its ancestors that the subject may know of.
  model::Error NoSuchObject(storage::EntryId nearest);
  // What a subject gets who lacks a right on the entry shown: insufficientAccessRights, or
  // noSuchObject when they may not even know of the entry.
  model::Error Refusal(EntryTarget& target, storage::EntryId parent, std::string_view what);

 private:
  model::Result<std::string> DisclosedName(storage::EntryId id);
  model::Result<EntryNamePtr> FindName(storage::EntryId id);
  // The entry with this normalised name; kNoEntry unless it was found lately.
  storage::EntryId KnownId(std::string_view key) const;
  void KeepId(std::string_view key, storage::EntryId id) const;

  Engine& engine_;
  storage::ReadTransaction& reader_;
  const Subject& subject_;
  const bool cached_names_;
  const bool unrestricted_;
  std::unique_ptr<access::RequestAccess> access_;  // made when first needed
  storage::EntryId last_id_ = storage::kNoEntry;
  EntryNamePtr last_name_;
};

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_REQUEST_H_
