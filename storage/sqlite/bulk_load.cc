#include "storage/sqlite/bulk_load.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "storage/sqlite/dictionary_samples.h"
#include "storage/sqlite/index_builder.h"
#include "storage/sqlite/prepared_terms.h"
#include "storage/sqlite/replacement.h"

namespace twintree::storage::sqlite {

using model::Error;
using model::OkStatus;
using model::ResultCode;

namespace {

class SqliteBulkLoad final : public BulkLoad {
 public:
  // REQUIRES: the writer is paused.
  SqliteBulkLoad(std::shared_ptr<StoreContext> context, std::shared_ptr<Writer> writer)
      : context_(std::move(context)), writer_(std::move(writer)) {}
  ~SqliteBulkLoad() override {
    RollBack();
    builder_.reset();
    tables_.reset();
    if (replaces_) DiscardReplacement(*context_);
    writer_->Resume();
  }

  Status Begin();
  Result<EntryId> Insert(NewEntry entry, std::string index_terms) override;
  Result<EntryId> FindChild(EntryId parent, std::string_view rdn_key) override {
    TT_RETURN_IF_ERROR(CheckUsable());
    return tables_->entries.FindChild(parent, rdn_key);
  }
  Status Finish(std::function<void(double)> progress) override;

 private:
  Status CheckUsable() const;
  Status CheckParent(EntryId parent);
  Status WriteAll(const std::function<void(double)>& progress);
  void RollBack();

  const std::shared_ptr<StoreContext> context_;
  const std::shared_ptr<Writer> writer_;
  std::unique_ptr<Tables> tables_;
  std::unique_ptr<IndexBuilder> builder_;
  bool replaces_ = false;  // what is filled is a new file (replacement.h)
  std::optional<SampleCollector> samples_;
  StoreState state_;
  EntryId first_id_ = kNoEntry;  // the first that this load gives
  EntryId known_parent_ = kNoEntry;
  Status failure_;  // what ended the load
};

Status SqliteBulkLoad::Begin() {
  const auto cache_bytes = static_cast<std::int64_t>(context_->options.bulk_memory_bytes / 2);
  TT_ASSIGN_OR_RETURN(tables_, context_->OpenTables(Connection::Access::kWrite, cache_bytes));
  TT_RETURN_IF_ERROR(Query(tables_->begin_write).Run());
  TT_ASSIGN_OR_RETURN(state_, tables_->state.Read());
  if (state_.last_id == 0) {
    replaces_ = true;
    TT_ASSIGN_OR_RETURN(auto replacement, MakeReplacement(*context_, *tables_, cache_bytes));
    RollBack();
    tables_ = std::move(replacement);
  }
  first_id_ = state_.last_id + 1;
  builder_ = std::make_unique<IndexBuilder>(*context_, *tables_);
  TT_ASSIGN_OR_RETURN(const bool has_dictionary, tables_->packing.HasDictionary());
  samples_.emplace(context_->options.dictionary_samples, has_dictionary);
  return OkStatus();
}

Status SqliteBulkLoad::CheckUsable() const {
  if (!failure_.ok()) return failure_;
  if (tables_ != nullptr && tables_->connection->in_transaction()) return OkStatus();
  return Error{ResultCode::kUnwillingToPerform, "the bulk load has ended", ""};
}

// Entries come parent by parent, so the last parent is mostly the next one.
Status SqliteBulkLoad::CheckParent(EntryId parent) {
  if (parent == kNoEntry || parent == known_parent_) return OkStatus();
  // Nothing leaves during a load, so what it has given is there.
  if (parent < first_id_ || parent > state_.last_id) {
    Statement statement(*tables_->connection, "SELECT 1 FROM entry WHERE id=?");
    Query query(statement);
    query.Bind(parent);
    TT_ASSIGN_OR_RETURN(const bool found, query.Step());
    if (!found) {
      return Error{ResultCode::kOther, "there is no entry " + std::to_string(parent), ""};
    }
  }
  known_parent_ = parent;
  return OkStatus();
}

Result<EntryId> SqliteBulkLoad::Insert(NewEntry entry, std::string index_terms) {
  TT_RETURN_IF_ERROR(CheckUsable());
  TT_RETURN_IF_ERROR(CheckParent(entry.parent));
  const EntryId id = state_.last_id + 1;
  const StoredEntry stored{id, entry.parent, std::move(entry.rdn), std::move(entry.rdn_key),
                           std::move(entry.entry)};
  Status status = tables_->entries.Insert(stored);
  if (status.code() == ResultCode::kEntryAlreadyExists) return std::move(status).error();
  if (status.ok()) {
    if (index_terms.empty()) {
      index_terms = PrepareTerms(stored.entry, context_->indexes, context_->alphabet);
    }
    status = builder_->Add(id, std::move(index_terms));
  }
  if (status.ok() && samples_->Offer(stored.entry)) {
    status = tables_->packing.AddDictionary(samples_->Take());
  }
  if (!status.ok()) {
    failure_ = status;
    return std::move(status).error();
  }
  state_.last_id = id;
  ++state_.entries;
  return id;
}

Status SqliteBulkLoad::WriteAll(const std::function<void(double)>& progress) {
  TT_RETURN_IF_ERROR(builder_->Finish(progress));
  state_.version = std::max(state_.version, writer_->used_versions()) + 1;
  state_.log_floor = state_.version;
  state_.log_records = 0;
  TT_RETURN_IF_ERROR(tables_->connection->Execute("DELETE FROM change"));
  TT_RETURN_IF_ERROR(tables_->state.Write(state_));
  context_->caches.InvalidateAll(state_.version);
  TT_RETURN_IF_ERROR(Query(tables_->commit).Run());
  if (!replaces_) return OkStatus();
  builder_.reset();
  tables_.reset();
  return InstallReplacement(*context_, *writer_);
}

Status SqliteBulkLoad::Finish(std::function<void(double)> progress) {
  TT_RETURN_IF_ERROR(CheckUsable());
  Status status = WriteAll(progress);
  if (status.ok()) {
    context_->Publish(state_.version);
  } else {
    failure_ = status;
    RollBack();
    context_->caches.Settle(context_->published());
  }
  return status;
}

void SqliteBulkLoad::RollBack() {
  if (tables_ == nullptr || !tables_->connection->in_transaction()) return;
  static_cast<void>(Query(tables_->rollback).Run());
}

}  // namespace

Result<std::unique_ptr<BulkLoad>> StartBulkLoad(std::shared_ptr<StoreContext> context,
                                                std::shared_ptr<Writer> writer) {
  TT_RETURN_IF_ERROR(writer->Pause());
  auto load = std::make_unique<SqliteBulkLoad>(std::move(context), std::move(writer));
  TT_RETURN_IF_ERROR(load->Begin());
  return std::unique_ptr<BulkLoad>(std::move(load));
}

}  // namespace twintree::storage::sqlite
