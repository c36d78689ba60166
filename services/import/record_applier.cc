#include "services/import/record_applier.h"

#include <algorithm>
#include <functional>
#include <future>
#include <utility>

#include "services/access/access.h"
#include "services/model/quotation.h"

namespace twintree::import {

using model::DnKey;
using model::Error;
using model::LdifChange;
using model::LdifRecord;
using model::OkStatus;
using model::Result;
using model::ResultCode;
using model::Status;
using storage::EntryId;
using storage::kNoEntry;

namespace {

constexpr std::size_t kMaxParents = 100'000;
constexpr std::string_view kManageDsaIt = "2.16.840.1.113730.3.4.2";

Error MissingParent(const std::string& dn) {
  Error error{ResultCode::kNoSuchObject, "its parent does not exist", ""};
  const Result<model::Dn> name = model::Dn::Parse(dn);
  if (!name.ok()) return error;
  std::string parent;
  for (std::size_t i = 1; i < name->size(); ++i) {
    if (i > 1) parent.push_back(',');
    parent.append(name->rdn(i).text);
  }
  error.message = "its parent '" + parent + "' does not exist";
  return error;
}

// What the directory honours of a record's controls.
Result<directory::Controls> ControlsOf(const LdifRecord& record) {
  directory::Controls controls;
  for (const model::LdifControl& control : record.controls) {
    if (control.oid == kManageDsaIt) {
      controls.manage_dsa_it = true;
    } else if (control.critical) {
      return Error{ResultCode::kUnavailableCriticalExtension,
                   "the critical control " + control.oid + " is not supported in an import", ""};
    }
  }
  return controls;
}

Status StatusOf(directory::Outcome outcome) {
  if (outcome.code == ResultCode::kSuccess) return OkStatus();
  return Error{outcome.code, std::move(outcome.diagnostic), std::move(outcome.matched_dn)};
}

// Waits until the function that `start` is given has been called, and returns what with.
template <typename StartFunction>
Status Wait(StartFunction start) {
  // Shared: the caller may go on while set_value() is still on its way back.
  const auto promise = std::make_shared<std::promise<Status>>();
  std::future<Status> future = promise->get_future();
  start([promise](Status status) { promise->set_value(std::move(status)); });
  return future.get();
}

}  // namespace

bool IsStoreFailure(ResultCode code) {
  return code == ResultCode::kUnavailable || code == ResultCode::kBusy ||
         code == ResultCode::kOther || code == ResultCode::kOperationsError;
}

RecordApplier::RecordApplier(std::shared_ptr<const model::Schema> schema,
                             std::shared_ptr<storage::EntryStore> store, ApplierOptions options)
    : schema_(std::move(schema)), store_(std::move(store)), options_(std::move(options)) {}

RecordApplier::~RecordApplier() {
  directory_ = nullptr;
  if (executor_ != nullptr) executor_->Stop();
}

Status RecordApplier::Start() {
  TT_ASSIGN_OR_RETURN(const DnKey actor_key, schema_->NormalizeDn(options_.actor_dn));
  request_context_.subject = {directory::Subject::Kind::kRoot, options_.actor_dn, actor_key.text()};
  TT_ASSIGN_OR_RETURN(std::unique_ptr<storage::ReadTransaction> reader, store_->Read());
  constexpr std::size_t kMaxContexts = 10'000;
  std::vector<EntryId> ids;
  TT_RETURN_IF_ERROR(reader->Children(kNoEntry, kNoEntry, kMaxContexts, &ids));
  store_has_entries_ = !ids.empty();
  for (const EntryId id : ids) {
    TT_ASSIGN_OR_RETURN(const storage::StoredEntryPtr entry, reader->Get(id));
    if (entry != nullptr) TT_RETURN_IF_ERROR(AddContext(entry->rdn));
  }
  for (const std::string& suffix : options_.suffixes) TT_RETURN_IF_ERROR(AddContext(suffix));
  return OkStatus();
}

Status RecordApplier::AddContext(const std::string& dn) {
  TT_ASSIGN_OR_RETURN(const model::Dn name, model::Dn::Parse(dn));
  TT_ASSIGN_OR_RETURN(DnKey key, schema_->NormalizeDn(name));
  if (key.empty()) return Error{ResultCode::kInvalidDnSyntax, "an empty name is no suffix", ""};
  if (IsContext(key)) return OkStatus();
  for (const Context& other : contexts_) {
    if (!key.IsWithin(other.key) && !other.key.IsWithin(key)) continue;
    return Error{ResultCode::kUnwillingToPerform,
                 "suffix '" + dn + "' lies within or above the naming context '" + other.text + "'",
                 ""};
  }
  contexts_.push_back({name.ToString(), std::move(key)});
  return OkStatus();
}

const RecordApplier::Context* RecordApplier::ContextOf(const DnKey& key) const {
  const auto found = std::find_if(contexts_.begin(), contexts_.end(), [&](const Context& context) {
    return key.IsWithin(context.key);
  });
  return found == contexts_.end() ? nullptr : &*found;
}

std::string RecordApplier::ContextNames() const {
  constexpr std::size_t kMostNames = 5;
  std::string names;
  for (std::size_t i = 0; i < std::min(contexts_.size(), kMostNames); ++i) {
    names += (i == 0 ? "" : ", ") + model::Quoted(contexts_[i].text, model::kMaxQuotedName);
  }
  return names + (contexts_.size() > kMostNames ? ", ..." : "");
}

bool RecordApplier::IsContext(const DnKey& key) const {
  return std::any_of(contexts_.begin(), contexts_.end(),
                     [&](const Context& context) { return context.key == key; });
}

Status RecordApplier::Apply(ImportRecord* record) {
  if (record->IsNewEntry()) {
    TT_RETURN_IF_ERROR(ControlsOf(record->record));
    TT_RETURN_IF_ERROR(CheckUuid(*record->entry));
    return directory_ == nullptr ? LoadEntry(&*record->entry, std::move(record->index_terms))
                                 : InsertEntry(&*record->entry);
  }
  if (directory_ == nullptr) TT_RETURN_IF_ERROR(SwitchToChanges());
  return Change(&record->record);
}

Status RecordApplier::Finish(const std::function<void(double)>& progress) {
  if (load_ == nullptr) return OkStatus();
  TT_RETURN_IF_ERROR(load_->Finish(progress));
  load_ = nullptr;
  return OkStatus();
}

// Loading.

Status RecordApplier::LoadEntry(PreparedEntry* entry, std::string index_terms) {
  if (load_ == nullptr) {
    TT_ASSIGN_OR_RETURN(load_, store_->StartBulkLoad());
  }
  if (contexts_.empty()) contexts_.push_back({entry->dn, entry->key});
  TT_ASSIGN_OR_RETURN(const EntryId parent, FindParent(*entry));
  const bool is_context = parent == kNoEntry;
  TT_RETURN_IF_ERROR(
      load_
          ->Insert({parent, is_context ? std::move(entry->dn) : std::move(entry->rdn),
                    is_context ? entry->key.text() : std::string(entry->key.rdn(0)),
                    std::move(entry->entry)},
                   std::move(index_terms))
          .status());
  if (entry->has_own_uuid) loaded_uuids_.Insert(entry->entry_uuid);
  return OkStatus();
}

Status RecordApplier::CheckUuid(const PreparedEntry& entry) {
  if (!entry.has_own_uuid) return OkStatus();
  bool taken = loaded_uuids_.Contains(entry.entry_uuid);
  if (!taken && store_has_entries_) {
    TT_ASSIGN_OR_RETURN(taken, IsUuidStored(entry.entry_uuid));
  }
  if (!taken) return OkStatus();
  // An entry that is there already is the plainer reason.
  TT_ASSIGN_OR_RETURN(const bool is_there, HasEntry(entry));
  if (is_there) {
    return Error{
        ResultCode::kEntryAlreadyExists,
        "an entry named " + model::Quoted(entry.dn, model::kMaxQuotedName) + " is already there",
        ""};
  }
  return Error{ResultCode::kConstraintViolation,
               "another entry has the entryUUID " + entry.entry_uuid, ""};
}

Result<bool> RecordApplier::HasEntry(const PreparedEntry& entry) {
  if (load_ != nullptr) {
    return HasEntry(entry, [this](EntryId above, std::string_view rdn_key) {
      return load_->FindChild(above, rdn_key);
    });
  }
  TT_ASSIGN_OR_RETURN(const std::unique_ptr<storage::ReadTransaction> reader, store_->Read());
  return HasEntry(entry, [&reader](EntryId above, std::string_view rdn_key) {
    return reader->FindChild(above, rdn_key);
  });
}

Result<bool> RecordApplier::HasEntry(const PreparedEntry& entry, const FindChild& find) {
  const Result<EntryId> parent = FindParent(entry, find);
  if (parent.code() == ResultCode::kNoSuchObject) return false;
  if (!parent.ok()) return parent.error();
  const std::string_view name =
      *parent == kNoEntry ? std::string_view(entry.key.text()) : entry.key.rdn(0);
  TT_ASSIGN_OR_RETURN(const EntryId id, find(*parent, name));
  return id != kNoEntry;
}

Result<bool> RecordApplier::IsUuidStored(const std::string& uuid) {
  const model::AttributeType& type = *schema_->well_known().entry_uuid;
  const storage::IndexedAttribute* const index = store_->indexes().Find(type);
  if (index == nullptr || (index->kinds & storage::kEqualityIndex) == 0) return false;
  storage::IndexQuery query;
  query.attribute = index->number;
  TT_ASSIGN_OR_RETURN(query.key, type.EqualityKey(uuid));
  TT_ASSIGN_OR_RETURN(const std::unique_ptr<storage::ReadTransaction> reader, store_->Read());
  std::vector<EntryId> ids;
  TT_ASSIGN_OR_RETURN(const storage::LookupState state, reader->Lookup(query, 1, &ids));
  // A key of 16 octets is never cut, so a candidate is a match.
  return state == storage::LookupState::kTooMany ||
         (state == storage::LookupState::kComplete && !ids.empty());
}

// The parent's id; kNoEntry for the entry of a naming context.
Result<EntryId> RecordApplier::FindParent(const PreparedEntry& entry) {
  const std::string_view parent = entry.key.parent();
  if (last_parent_id_ != kNoEntry && parent == last_parent_) return last_parent_id_;
  TT_ASSIGN_OR_RETURN(const EntryId id,
                      FindParent(entry, [this](EntryId above, std::string_view rdn_key) {
                        return load_->FindChild(above, rdn_key);
                      }));
  if (id != kNoEntry) {
    last_parent_ = parent;
    last_parent_id_ = id;
  }
  return id;
}

// Goes up to the nearest ancestor that is known, and from there down with `find`.
Result<EntryId> RecordApplier::FindParent(const PreparedEntry& entry, const FindChild& find) {
  const DnKey& key = entry.key;
  const Context* const context = ContextOf(key);
  if (context == nullptr) {
    return Error{ResultCode::kNoSuchObject,
                 "it lies in no naming context; there are " + ContextNames(), ""};
  }
  const std::size_t top = key.size() - context->key.size();  // the RDN where the context starts
  if (top == 0) return kNoEntry;
  EntryId id = kNoEntry;
  std::size_t at = 1;  // where the name of `id` starts
  for (; at <= top; ++at) {
    const auto known = parents_.find(key.suffix(at));
    if (known == parents_.end()) continue;
    id = known->second;
    break;
  }
  if (id == kNoEntry) {
    at = top;
    TT_ASSIGN_OR_RETURN(id, find(kNoEntry, context->key.text()));
  }
  for (; at > 1 && id != kNoEntry; --at) {
    TT_ASSIGN_OR_RETURN(id, find(id, key.rdn(at - 1)));
  }
  if (id == kNoEntry) return MissingParent(entry.dn);
  Remember(key.parent(), id);
  return id;
}

void RecordApplier::Remember(std::string_view parent, EntryId id) {
  if (directory_ != nullptr) return;  // changes may move it
  if (parents_.size() >= kMaxParents) parents_.clear();
  parents_.emplace(parent, id);
}

// Changes.

Status RecordApplier::SwitchToChanges() {
  if (contexts_.empty()) {
    return Error{ResultCode::kNoSuchObject, "the store has no entries, and no suffix was given",
                 ""};
  }
  TT_RETURN_IF_ERROR(Finish({}));
  parents_.clear();
  // From here on the store knows them, and which of them are deleted.
  loaded_uuids_.Clear();
  store_has_entries_ = true;
  constexpr std::size_t kMaxQueued = 16;
  executor_ = directory::MakeThreadPool(1, kMaxQueued);
  directory::EngineOptions engine_options;
  for (const Context& context : contexts_) engine_options.suffixes.push_back(context.text);
  engine_options.root_dn = options_.actor_dn;
  engine_options.password_scheme = options_.password_scheme;
  TT_ASSIGN_OR_RETURN(
      directory_,
      directory::LocalDirectory::Make(
          {schema_, store_, access::AccessPolicy::Secure(schema_), executor_, {}, nullptr},
          std::move(engine_options)));
  return OkStatus();
}

// Not through the directory, which lets nobody set operational attributes.
Status RecordApplier::InsertEntry(PreparedEntry* entry) {
  return Wait([&](storage::EntryStore::Done done) {
    store_->Submit(
        [this, entry](storage::WriteTransaction& transaction) {
          return InsertIn(entry, transaction);
        },
        std::move(done));
  });
}

Status RecordApplier::InsertIn(PreparedEntry* entry, storage::WriteTransaction& transaction) {
  TT_ASSIGN_OR_RETURN(const EntryId parent,
                      FindParent(*entry, [&](EntryId above, std::string_view rdn_key) {
                        return transaction.FindChild(above, rdn_key);
                      }));
  storage::Change change;
  change.kind = storage::ChangeKind::kAdd;
  change.entry_uuid = entry->entry_uuid;
  change.dn = entry->dn;
  change.actor_dn = options_.actor_dn;
  change.payload = entry->entry.octets();
  const bool is_context = parent == kNoEntry;
  TT_ASSIGN_OR_RETURN(change.id, transaction.Insert({parent, is_context ? entry->dn : entry->rdn,
                                                     is_context ? entry->key.text()
                                                                : std::string(entry->key.rdn(0)),
                                                     std::move(entry->entry)}));
  return transaction.AppendChange(std::move(change));
}

Status RecordApplier::Change(LdifRecord* record) {
  TT_ASSIGN_OR_RETURN(directory::Controls controls, ControlsOf(*record));
  return Wait([&](std::function<void(Status)> finish) {
    const auto done = [finish = std::move(finish)](directory::Outcome outcome) {
      finish(StatusOf(std::move(outcome)));
    };
    switch (record->change) {
      case LdifChange::kModify:
        directory_->Modify(request_context_,
                           {std::move(record->dn), std::move(record->modifications), controls},
                           done);
        return;
      case LdifChange::kModifyDn:
        directory_->ModifyDn(request_context_,
                             {std::move(record->dn), std::move(record->new_rdn),
                              record->delete_old_rdn, std::move(record->new_superior), controls},
                             done);
        return;
      default:
        directory_->Delete(request_context_, {std::move(record->dn), controls}, done);
        return;
    }
  });
}

}  // namespace twintree::import
