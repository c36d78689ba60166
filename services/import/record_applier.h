// Puts records into the store, in order: entries by a bulk load as long as nothing else comes, from
// the first change record on one by one.
//
// An entryUUID that a record brings must be new: among the entries of a load, and among those that
// the store had before when it has an index of entryUUID, which is one of the default set.
#ifndef TWINTREE_SERVICES_IMPORT_RECORD_APPLIER_H_
#define TWINTREE_SERVICES_IMPORT_RECORD_APPLIER_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "services/directory/directory.h"
#include "services/directory/engine/local_directory.h"
#include "services/directory/executor.h"
#include "services/import/import_record.h"
#include "services/import/uuid_set.h"
#include "services/model/dn.h"
#include "services/model/schema.h"
#include "services/passwords/passwords.h"
#include "storage/entry_store.h"

namespace twintree::import {

struct ApplierOptions {
  // Naming contexts besides those that the store has. With none at all the first entry makes one.
  std::vector<std::string> suffixes;
  // Who makes the changes.
  std::string actor_dn;
  // What clear-text passwords in changes become.
  passwords::Scheme password_scheme = passwords::Scheme::kClear;
};

// Is this failure the store's, and not that of the record which met it?
bool IsStoreFailure(model::ResultCode code);

// Thread-safety: confined.
class RecordApplier {
 public:
  RecordApplier(std::shared_ptr<const model::Schema> schema,
                std::shared_ptr<storage::EntryStore> store, ApplierOptions options);
  // What has not been finished is undone, except changes applied one by one.
  ~RecordApplier();

  // Learns the naming contexts. Errors: kInvalidDnSyntax for a suffix that is none,
  // kUnwillingToPerform when one lies within another; those of the store.
  model::Status Start();
  // Applies a record that is in order; it may take parts of it.
  // Errors: those of the operation; see IsStoreFailure.
  model::Status Apply(ImportRecord* record);
  // Is there a load which has not been finished?
  bool loading() const { return load_ != nullptr; }
  // Writes what was loaded. `progress` gets fractions between 0 and 1.
  model::Status Finish(const std::function<void(double)>& progress);

 private:
  struct Context {
    std::string text;
    model::DnKey key;
  };
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  using FindChild = std::function<model::Result<storage::EntryId>(storage::EntryId parent,
                                                                  std::string_view rdn_key)>;

  model::Status AddContext(const std::string& dn);
  const Context* ContextOf(const model::DnKey& key) const;
  std::string ContextNames() const;  // for messages
  bool IsContext(const model::DnKey& key) const;

  model::Status LoadEntry(PreparedEntry* entry, std::string index_terms);
  model::Result<storage::EntryId> FindParent(const PreparedEntry& entry);
  model::Result<storage::EntryId> FindParent(const PreparedEntry& entry, const FindChild& find);
  void Remember(std::string_view parent, storage::EntryId id);

  model::Status CheckUuid(const PreparedEntry& entry);
  model::Result<bool> HasEntry(const PreparedEntry& entry);
  model::Result<bool> HasEntry(const PreparedEntry& entry, const FindChild& find);
  model::Result<bool> IsUuidStored(const std::string& uuid);
  model::Status SwitchToChanges();
  model::Status InsertEntry(PreparedEntry* entry);
  model::Status InsertIn(PreparedEntry* entry, storage::WriteTransaction& transaction);
  model::Status Change(model::LdifRecord* record);

  const std::shared_ptr<const model::Schema> schema_;
  const std::shared_ptr<storage::EntryStore> store_;
  const ApplierOptions options_;
  std::vector<Context> contexts_;

  UuidSet loaded_uuids_;
  bool store_has_entries_ = false;

  std::unique_ptr<storage::BulkLoad> load_;  // null: none is under way
  // Parents by DnKey text, and the last one looked for.
  std::unordered_map<std::string, storage::EntryId, TextHash, std::equal_to<>> parents_;
  std::string last_parent_;
  storage::EntryId last_parent_id_ = storage::kNoEntry;

  std::shared_ptr<directory::Executor> executor_;
  std::unique_ptr<directory::LocalDirectory> directory_;  // not null: records go one by one
  directory::RequestContext request_context_;
};

}  // namespace twintree::import

#endif  // TWINTREE_SERVICES_IMPORT_RECORD_APPLIER_H_
