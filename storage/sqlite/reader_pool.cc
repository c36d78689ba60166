#include "storage/sqlite/reader_pool.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "storage/sqlite/file_reads.h"
#include "storage/sqlite/read_view.h"

namespace twintree::storage::sqlite {

using model::Error;
using model::OkStatus;
using model::ResultCode;

namespace {

constexpr std::int64_t kReaderCacheBytes = 1 << 20;
// Of the connections beyond those that are kept: they serve searches that wait for their clients,
// and there may be hundreds.
constexpr std::int64_t kSpareCacheBytes = 128 << 10;

// A number for each thread, so that threads spread over the slots.
std::size_t ThreadNumber() {
  static std::atomic<std::size_t> next{0};
  thread_local const std::size_t kNumber = next.fetch_add(1, std::memory_order_relaxed);
  return kNumber;
}

class SqliteReadTransaction final : public ReadTransaction {
 public:
  SqliteReadTransaction(std::shared_ptr<ReaderPool> pool, ReaderSlot* slot)
      : pool_(std::move(pool)),
        slot_(slot),
        view_(pool_->context(), *slot->tables, slot->state.version) {}
  ~SqliteReadTransaction() override { pool_->Release(slot_); }

  ChangeNumber version() const override { return slot_->state.version; }
  ChangeNumber hierarchy_version() const override { return slot_->state.hierarchy_version; }

  Result<EntryId> FindChild(EntryId parent, std::string_view rdn_key) override {
    return view_.FindChild(parent, rdn_key);
  }
  Result<StoredEntryPtr> Get(EntryId id) override { return view_.Get(id); }
  Result<EntryId> ParentOf(EntryId id) override { return view_.ParentOf(id); }
  Status Children(EntryId parent, EntryId after, std::size_t limit,
                  std::vector<EntryId>* ids) override {
    return view_.Children(parent, after, limit, ids);
  }
  Result<std::uint64_t> CountChildren(EntryId parent, std::uint64_t at_most) override {
    return view_.CountChildren(parent, at_most);
  }
  Status Scan(EntryId after, const ScanLimit& limit,
              std::vector<StoredEntryPtr>* entries) override {
    return view_.Scan(after, limit, entries);
  }
  Result<std::uint64_t> EstimateEntries() override { return slot_->state.entries; }
  Result<LookupState> Lookup(const IndexQuery& query, std::size_t limit,
                             std::vector<EntryId>* ids) override {
    return view_.Lookup(query, limit, ids);
  }
  Status ReadChanges(ChangeNumber after, std::size_t limit, std::vector<Change>* changes) override {
    TT_RETURN_IF_ERROR(CheckLogReaches(slot_->state, after));
    return slot_->tables->changes.Read(after, limit, changes);
  }
  Result<std::optional<std::string>> GetSetting(std::string_view name) override {
    return slot_->tables->settings.Get(name);
  }

 private:
  const std::shared_ptr<ReaderPool> pool_;
  ReaderSlot* const slot_;
  ReadView view_;
};

}  // namespace

Result<std::unique_ptr<ReadTransaction>> ReaderPool::Read() {
  ReaderSlot* slot = Claim();
  while (slot == nullptr && secluded_.load()) {
    secluded_.wait(true);
    slot = Claim();
  }
  if (slot == nullptr) return Error{ResultCode::kBusy, "too many snapshots are open", ""};
  if (IsCurrent(slot)) {
    return std::unique_ptr<ReadTransaction>(
        std::make_unique<SqliteReadTransaction>(shared_from_this(), slot));
  }
  Status status = Renew(slot);
  if (!status.ok()) {
    EndSnapshot(slot);
    slot->tables.reset();
    slot->busy.store(false, std::memory_order_release);
    return std::move(status).error();
  }
  return std::unique_ptr<ReadTransaction>(
      std::make_unique<SqliteReadTransaction>(shared_from_this(), slot));
}

// Another process that writes does not publish here, so its store is always looked at anew.
bool ReaderPool::IsCurrent(const ReaderSlot* slot) const {
  return slot->snapshot_open && !context_->options.read_only &&
         slot->state.version >= context_->published() &&
         slot->epoch == epoch_.load(std::memory_order_relaxed) &&
         !closed_.load(std::memory_order_relaxed);
}

ReaderSlot* ReaderPool::Claim() {
  const std::size_t kept = std::clamp<std::size_t>(context_->options.readers, 1, slots_.size());
  const std::size_t preferred = ThreadNumber() % kept;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    // First round the kept slots, then through the others.
    ReaderSlot& slot = slots_[i < kept ? (preferred + i) % kept : i];
    if (slot.busy.load(std::memory_order_relaxed)) continue;
    if (slot.busy.exchange(true, std::memory_order_acquire)) continue;
    // Nobody else writes it meanwhile.
    slot.reads.store(slot.reads.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    return &slot;
  }
  return nullptr;
}

Status ReaderPool::Renew(ReaderSlot* slot) {
  EndSnapshot(slot);
  if (closed_.load()) return Error{ResultCode::kUnavailable, "the store is closed", ""};
  // Another process may have put a new file in the place of the one that is open.
  if (slot->tables != nullptr && context_->options.read_only &&
      slot->tables->connection->HasMoved()) {
    slot->tables.reset();
  }
  const bool opened = slot->tables == nullptr;
  if (opened) {
    TT_ASSIGN_OR_RETURN(slot->tables,
                        IsKept(slot)
                            ? context_->OpenTables(context_->read_access, kReaderCacheBytes)
                            : context_->OpenSmallTables(context_->read_access, kSpareCacheBytes));
  }
  slot->epoch = epoch_.load();
  TT_RETURN_IF_ERROR(Query(slot->tables->begin).Run());
  slot->snapshot_open = true;
  TT_ASSIGN_OR_RETURN(slot->state, slot->tables->state.Read());
  // The read has made the map that the advice is for.
  if (opened && IsKept(slot) && context_->options.random_reads) AdviseRandomReads(context_->path);
  if (context_->options.read_only) {
    TT_RETURN_IF_ERROR(context_->Discover(slot->state.version, *slot->tables->connection));
  }
  return OkStatus();
}

void ReaderPool::EndSnapshot(ReaderSlot* slot) {
  if (!std::exchange(slot->snapshot_open, false)) return;
  // Ending a transaction that only read cannot fail in a way that matters; one that an error has
  // ended already is not there.
  if (slot->tables->connection->in_transaction()) {
    static_cast<void>(Query(slot->tables->commit).Run());
  }
}

bool ReaderPool::IsKept(const ReaderSlot* slot) const {
  return static_cast<std::size_t>(slot - slots_.data()) < context_->options.readers;
}

void ReaderPool::Release(ReaderSlot* slot) {
  const bool closed = closed_.load();
  if (closed || !IsKept(slot) || context_->options.read_only ||
      !slot->tables->connection->in_transaction()) {
    EndSnapshot(slot);
  }
  if (closed || !IsKept(slot)) slot->tables.reset();
  slot->busy.store(false, std::memory_order_release);
  // Close() may have passed this slot while it was busy.
  if (!closed && closed_.load()) Close();
}

void ReaderPool::EndIdleSnapshots() {
  epoch_.fetch_add(1);
  for (ReaderSlot& slot : slots_) {
    if (slot.busy.load(std::memory_order_relaxed)) continue;
    if (slot.busy.exchange(true, std::memory_order_acquire)) continue;
    EndSnapshot(&slot);
    slot.busy.store(false, std::memory_order_release);
  }
}

bool ReaderPool::Seclude() {
  secluded_.store(true);
  std::size_t claimed = 0;
  while (claimed < slots_.size() && !slots_[claimed].busy.exchange(true)) ++claimed;
  const bool alone = claimed == slots_.size();
  for (ReaderSlot& slot : std::span(slots_).first(claimed)) {
    if (alone) {
      EndSnapshot(&slot);
      slot.tables.reset();
    } else {
      slot.busy.store(false);
    }
  }
  if (!alone) EndSeclusion();
  return alone;
}

void ReaderPool::Admit() {
  for (ReaderSlot& slot : slots_) slot.busy.store(false);
  EndSeclusion();
}

void ReaderPool::EndSeclusion() {
  secluded_.store(false);
  secluded_.notify_all();
}

void ReaderPool::Close() {
  closed_.store(true);
  for (ReaderSlot& slot : slots_) {
    if (slot.busy.exchange(true, std::memory_order_acquire)) continue;
    EndSnapshot(&slot);
    slot.tables.reset();
    slot.busy.store(false, std::memory_order_release);
  }
}

std::uint64_t ReaderPool::CountOpen() const {
  return static_cast<std::uint64_t>(std::count_if(
      slots_.begin(), slots_.end(),
      [](const ReaderSlot& slot) { return slot.busy.load(std::memory_order_relaxed); }));
}

std::uint64_t ReaderPool::CountReads() const {
  std::uint64_t reads = 0;
  for (const ReaderSlot& slot : slots_) reads += slot.reads.load(std::memory_order_relaxed);
  return reads;
}

}  // namespace twintree::storage::sqlite
