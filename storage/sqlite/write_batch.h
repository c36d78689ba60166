// A batch of pieces of work on its way to one commit, and the transaction that each of them sees.
#ifndef TWINTREE_STORAGE_SQLITE_WRITE_BATCH_H_
#define TWINTREE_STORAGE_SQLITE_WRITE_BATCH_H_

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "storage/entry_store.h"
#include "storage/sqlite/pending_index.h"
#include "storage/sqlite/read_view.h"
#include "storage/sqlite/store_context.h"
#include "storage/sqlite/tables.h"

namespace twintree::storage::sqlite {

// Everything a database transaction has changed so far, as the caches will have to know it.
//
//   Begin(); for each piece: BeginWork(), the work with this as its transaction, EndWork();
//   Finish(); Announce(); COMMIT; then publish the version, or Abandon().
//
// Thread-safety: confined to the writer.
class WriteBatch final : public WriteTransaction {
 public:
  WriteBatch(StoreContext& context, Tables& tables);

  // `committed`: the state that the transaction begins with. Versions begin above `used_versions`.
  void Begin(const StoreState& committed, ChangeNumber used_versions);
  // With `undoable` the work alone can be undone, by a savepoint.
  Status BeginWork(bool undoable);
  // Keeps the work, or undoes it. A failed storage operation in it makes it fail.
  Status EndWork(Status work);
  // True after a failure that leaves the whole batch to be rolled back.
  bool broken() const { return broken_; }
  // Writes what has gathered.
  Status Finish();
  // Takes what the batch changes out of the caches, before the commit.
  void Announce();
  // Puts new values into the caches, after the commit.
  void OfferToCaches();

  const StoreState& state() const { return state_; }
  bool changed() const { return batch_changed_; }

  ChangeNumber version() const override { return state_.version; }
  ChangeNumber hierarchy_version() const override {
    return work_.moved ? kUnsettledHierarchy : state_.hierarchy_version;
  }
  Result<EntryId> FindChild(EntryId parent, std::string_view rdn_key) override;
  Result<StoredEntryPtr> Get(EntryId id) override;
  Result<EntryId> ParentOf(EntryId id) override;
  Status Children(EntryId parent, EntryId after, std::size_t limit,
                  std::vector<EntryId>* ids) override;
  Result<std::uint64_t> CountChildren(EntryId parent, std::uint64_t at_most) override;
  Status Scan(EntryId after, const ScanLimit& limit, std::vector<StoredEntryPtr>* entries) override;
  Result<std::uint64_t> EstimateEntries() override { return state_.entries; }
  Result<LookupState> Lookup(const IndexQuery& query, std::size_t limit,
                             std::vector<EntryId>* ids) override;
  Status ReadChanges(ChangeNumber after, std::size_t limit, std::vector<Change>* changes) override;
  Result<std::optional<std::string>> GetSetting(std::string_view name) override;

  Result<EntryId> Insert(NewEntry entry) override;
  Status Replace(EntryId id, model::Entry entry) override;
  Status Move(EntryId id, NewEntry entry) override;
  Status Remove(EntryId id) override;
  Status AppendChange(Change change) override;
  Status PutSetting(std::string_view name, std::string_view value) override;

 private:
  // What must be known of the piece of work that runs, to end or undo it.
  struct WorkState {
    bool undoable = false;
    bool changed = false;
    bool appended = false;
    bool moved = false;
    StoreState state_before;
    PendingIndex::Mark mark;
    std::optional<PendingIndex> pending_before;  // set when the work had to write index changes
    std::vector<EntryId> touched;
    Status failure;
  };

  Result<StoredEntryPtr> GetExisting(EntryId id);
  Status Failed(Status status);
  void Touch(const StoredEntryPtr& value, EntryId id);
  void TouchName(EntryId parent, std::string_view rdn_key);
  void ChangeIndexes(const StoredEntry* before, const StoredEntry* after);
  Status WriteGathered();
  Status UndoWork();

  StoreContext& context_;
  Tables& tables_;

  StoreState state_;
  ReadView base_;  // the committed state, for what this batch has not touched
  PendingIndex pending_;
  WorkState work_;
  bool broken_ = false;
  bool batch_changed_ = false;

  // Entries that the batch has touched: the new value, null when it is gone; nothing when the
  // database must be asked.
  std::unordered_map<EntryId, std::optional<StoredEntryPtr>> entries_;
  std::unordered_map<std::string, NumberedText> names_;  // touched ones
  std::vector<NumberedText> terms_;                      // touched ones
};

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_WRITE_BATCH_H_
