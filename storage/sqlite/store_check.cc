#include "storage/sqlite/store_check.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "storage/sqlite/index_builder.h"
#include "storage/sqlite/index_check.h"

namespace twintree::storage::sqlite {

using model::OkStatus;
using model::ResultCode;

namespace {

constexpr std::int64_t kCheckCacheBytes = 64 << 20;

// Passes on so many problems and no more.
class Reporter {
 public:
  Reporter(std::size_t max_problems, const std::function<void(const StoreProblem&)>& report)
      : left_(max_problems), report_(report) {}

  void Report(std::string what) {
    if (left_ == 0) return;
    --left_;
    report_(StoreProblem{std::move(what)});
  }
  std::size_t left() const { return left_; }

 private:
  std::size_t left_;
  const std::function<void(const StoreProblem&)>& report_;
};

// The checks of one snapshot.
class Checker {
 public:
  Checker(const StoreContext& context, Tables& tables, Reporter* reporter)
      : context_(context), tables_(tables), reporter_(reporter) {}

  Status Run() {
    TT_RETURN_IF_ERROR(CheckFile());
    TT_RETURN_IF_ERROR(CheckState());
    TT_RETURN_IF_ERROR(CheckParents());
    TT_RETURN_IF_ERROR(CheckCycles());
    return CheckEntries();
  }

 private:
  Status CheckFile();
  Status CheckState();
  Status CheckParents();
  Status CheckCycles();
  Status CheckEntries();

  const StoreContext& context_;
  Tables& tables_;
  Reporter* const reporter_;
};

// SQLite's own check, which compares indexes with tables and sees keys that are there twice.
Status Checker::CheckFile() {
  Statement statement(*tables_.connection, "SELECT * FROM pragma_integrity_check(?)");
  Query query(statement);
  query.Bind(std::uint64_t{std::max<std::size_t>(reporter_->left(), 1)});
  while (true) {
    TT_ASSIGN_OR_RETURN(const bool row, query.Step());
    if (!row) return OkStatus();
    if (query.Blob(0) != "ok") reporter_->Report("the file: " + std::string(query.Blob(0)));
  }
}

Status Checker::CheckState() {
  TT_ASSIGN_OR_RETURN(const StoreState state, tables_.state.Read());
  Statement statement(*tables_.connection,
                      "SELECT (SELECT count(*) FROM entry), (SELECT max(id) FROM entry), "
                      "(SELECT max(number) FROM change), (SELECT min(number) FROM change), "
                      "(SELECT count(*) FROM change)");
  Query query(statement);
  TT_ASSIGN_OR_RETURN(const bool row, query.Step());
  if (!row) return OkStatus();
  if (query.Int(0) != state.entries) {
    reporter_->Report("there are " + std::to_string(query.Int(0)) + " entries, " +
                      std::to_string(state.entries) + " were counted");
  }
  if (query.Int(1) > state.last_id) {
    reporter_->Report("entry " + std::to_string(query.Int(1)) + " has an id not given yet");
  }
  if (query.Int(2) > state.version) {
    reporter_->Report("change " + std::to_string(query.Int(2)) + " is newer than the store");
  }
  if (!query.IsNull(3) && query.Int(3) <= state.log_floor) {
    reporter_->Report("change " + std::to_string(query.Int(3)) + " should have left the log");
  }
  if (query.Int(4) != state.log_records) {
    reporter_->Report("there are " + std::to_string(query.Int(4)) + " changes in the log, " +
                      std::to_string(state.log_records) + " were counted");
  }
  return OkStatus();
}

Status Checker::CheckParents() {
  Statement statement(*tables_.connection,
                      "SELECT id, parent FROM entry AS child WHERE parent<>0 AND NOT EXISTS "
                      "(SELECT 1 FROM entry WHERE id=child.parent)");
  Query query(statement);
  while (true) {
    TT_ASSIGN_OR_RETURN(const bool row, query.Step());
    if (!row) return OkStatus();
    reporter_->Report("entry " + std::to_string(query.Int(0)) + " is below entry " +
                      std::to_string(query.Int(1)) + ", which does not exist");
  }
}

// Ids ascend from parent to child but where an entry was moved, and no cycle can only ascend.
Status Checker::CheckCycles() {
  Statement statement(*tables_.connection, "SELECT id FROM entry WHERE parent>=id");
  Query query(statement);
  std::unordered_set<EntryId> sound;
  while (true) {
    TT_ASSIGN_OR_RETURN(const bool row, query.Step());
    if (!row) return OkStatus();
    std::unordered_set<EntryId> path;
    EntryId id = query.Int(0);
    while (id != kNoEntry && !sound.contains(id) && path.insert(id).second) {
      TT_ASSIGN_OR_RETURN(id, tables_.entries.ParentOf(id));
    }
    if (path.contains(id)) {
      reporter_->Report("entry " + std::to_string(query.Int(0)) + " is below itself");
    } else {
      sound.merge(path);
    }
  }
}

Status Checker::CheckEntries() {
  IndexCheck indexes(context_, tables_);
  bool all_decode = true;
  Statement statement(*tables_.connection, "SELECT id, data FROM entry ORDER BY id");
  Query query(statement);
  while (true) {
    TT_ASSIGN_OR_RETURN(const bool row, query.Step());
    if (!row) break;
    auto entry = tables_.entries.DecodeData(query.Int(0), query.Blob(1));
    if (entry.ok()) {
      indexes.Expect(query.Int(0), *entry);
    } else {
      all_decode = false;
      reporter_->Report(entry.error().message);
    }
  }
  // The terms of a damaged entry are not known, so the indexes cannot be judged.
  if (!all_decode || !context_.indexed) return OkStatus();
  return indexes.Compare([this](std::string what) { reporter_->Report(std::move(what)); });
}

Status CheckSnapshot(StoreContext& context, Reporter* reporter) {
  TT_ASSIGN_OR_RETURN(const auto tables, context.OpenTables(context.read_access, kCheckCacheBytes));
  TT_RETURN_IF_ERROR(Query(tables->begin).Run());
  return Checker(context, *tables, reporter).Run();
}

// A failed storage is an error, a damaged database is a finding.
Status ReportDamage(Status status, Reporter* reporter) {
  if (status.ok() || status.code() != ResultCode::kOther) return status;
  reporter->Report(status.error().message);
  return OkStatus();
}

// The rebuilt indexes are a new version: cached answers of the old ones end with the old version.
Status RebuildInTransaction(StoreContext& context, Tables& tables, ChangeNumber used_versions) {
  TT_RETURN_IF_ERROR(Query(tables.begin_write).Run());
  TT_RETURN_IF_ERROR(RebuildIndexes(context, tables, nullptr));
  TT_ASSIGN_OR_RETURN(StoreState state, tables.state.Read());
  state.version = std::max(state.version, used_versions) + 1;
  TT_RETURN_IF_ERROR(tables.state.Write(state));
  context.caches.InvalidateAll(state.version);
  TT_RETURN_IF_ERROR(Query(tables.commit).Run());
  context.Publish(state.version);
  return OkStatus();
}

Status Rebuild(StoreContext& context, Writer* writer) {
  const auto cache_bytes = static_cast<std::int64_t>(context.options.bulk_memory_bytes / 2);
  TT_ASSIGN_OR_RETURN(const auto tables,
                      context.OpenTables(Connection::Access::kWrite, cache_bytes));
  Status status = RebuildInTransaction(context, *tables, writer->used_versions());
  if (status.ok()) return status;
  if (tables->connection->in_transaction()) {
    static_cast<void>(Query(tables->rollback).Run());
  }
  context.caches.Settle(context.published());
  return status;
}

}  // namespace

Status CheckStore(StoreContext& context, Writer* writer, bool rebuild, std::size_t max_problems,
                  const std::function<void(const StoreProblem&)>& report) {
  Reporter reporter(max_problems, report);
  TT_RETURN_IF_ERROR(ReportDamage(CheckSnapshot(context, &reporter), &reporter));
  if (writer != nullptr) {
    TT_RETURN_IF_ERROR(ReportDamage(
        writer->RunTask([](Tables& tables) { return tables.substrings.CheckStructure(); }),
        &reporter));
  }
  if (!rebuild) return OkStatus();
  TT_RETURN_IF_ERROR(writer->Pause());
  Status status = Rebuild(context, writer);
  writer->Resume();
  return status;
}

}  // namespace twintree::storage::sqlite
