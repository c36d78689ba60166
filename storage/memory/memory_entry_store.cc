#include "storage/memory/memory_entry_store.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "storage/memory/memory_state.h"

namespace twintree::storage {

namespace {

using model::Error;
using model::OkStatus;
using model::ResultCode;

Error Closed() { return Error{ResultCode::kUnavailable, "the store is closed", ""}; }

// Reads a state; the base says whose interface it fills.
template <typename Base>
class StateReader : public Base {
 public:
  StateReader(MemoryState state, const IndexSet& indexes)
      : state_(std::move(state)), indexes_(indexes) {}

  ChangeNumber version() const override { return state_.version; }
  ChangeNumber hierarchy_version() const override { return state_.hierarchy_version; }
  Result<EntryId> FindChild(EntryId parent, std::string_view rdn_key) override {
    return state_.FindChild(parent, rdn_key);
  }
  Result<StoredEntryPtr> Get(EntryId id) override { return state_.Get(id); }
  Result<EntryId> ParentOf(EntryId id) override {
    const StoredEntryPtr entry = state_.Get(id);
    return entry == nullptr ? kNoEntry : entry->parent;
  }
  Status Children(EntryId parent, EntryId after, std::size_t limit,
                  std::vector<EntryId>* ids) override {
    if (limit == 0) return OkStatus();
    state_.by_parent.VisitFrom({parent, after + 1}, [&](const auto& key, const auto&) {
      if (key.first != parent) return false;
      ids->push_back(key.second);
      return --limit != 0;
    });
    return OkStatus();
  }
  Result<std::uint64_t> CountChildren(EntryId parent, std::uint64_t at_most) override {
    std::vector<EntryId> ids;
    TT_RETURN_IF_ERROR(Children(parent, kNoEntry, at_most, &ids));
    return std::uint64_t{ids.size()};
  }
  Status Scan(EntryId after, const ScanLimit& limit,
              std::vector<StoredEntryPtr>* entries) override {
    if (limit.entries == 0 || limit.bytes == 0) return OkStatus();
    std::size_t count = 0;
    std::size_t bytes = 0;
    state_.entries.VisitFrom(after + 1, [&](const EntryId&, const StoredEntryPtr& entry) {
      entries->push_back(entry);
      bytes += entry->entry.octets().size();
      return ++count < limit.entries && bytes < limit.bytes;
    });
    return OkStatus();
  }
  Result<std::uint64_t> EstimateEntries() override { return std::uint64_t{state_.entries.size()}; }
  Result<LookupState> Lookup(const IndexQuery& query, std::size_t limit,
                             std::vector<EntryId>* ids) override {
    return state_.Lookup(indexes_, query, limit, ids);
  }
  Status ReadChanges(ChangeNumber after, std::size_t limit, std::vector<Change>* changes) override {
    return state_.ReadChanges(after, limit, changes);
  }
  Result<std::optional<std::string>> GetSetting(std::string_view name) override {
    const std::string* value = state_.settings.Find(std::string(name));
    return value == nullptr ? std::nullopt : std::optional<std::string>(*value);
  }

 protected:
  MemoryState state_;
  const IndexSet& indexes_;
};

class MemoryReadTransaction final : public StateReader<ReadTransaction> {
 public:
  MemoryReadTransaction(MemoryState state, const IndexSet& indexes, std::atomic<int>* open)
      : StateReader(std::move(state), indexes), open_(open) {
    ++*open_;
  }
  ~MemoryReadTransaction() override { --*open_; }

 private:
  std::atomic<int>* open_;
};

class MemoryWriteTransaction final : public StateReader<WriteTransaction> {
 public:
  using StateReader::StateReader;

  ChangeNumber hierarchy_version() const override {
    return moved_ ? kUnsettledHierarchy : state_.hierarchy_version;
  }
  Result<EntryId> Insert(NewEntry entry) override {
    TT_ASSIGN_OR_RETURN(const EntryId id, state_.Insert(std::move(entry), indexes_));
    changed_ = true;
    return id;
  }
  Status Replace(EntryId id, model::Entry entry) override {
    TT_RETURN_IF_ERROR(state_.Replace(id, std::move(entry), indexes_));
    changed_ = true;
    return OkStatus();
  }
  Status Move(EntryId id, NewEntry entry) override {
    TT_RETURN_IF_ERROR(state_.Move(id, std::move(entry), indexes_));
    changed_ = true;
    moved_ = moved_ || state_.HasChildren(id);
    return OkStatus();
  }
  Status Remove(EntryId id) override {
    TT_RETURN_IF_ERROR(state_.Remove(id, indexes_));
    changed_ = true;
    return OkStatus();
  }
  Status AppendChange(Change change) override {
    change.number = ++state_.version;
    change.commit_time = std::chrono::system_clock::now();
    const ChangeNumber number = change.number;
    state_.changes.Put(number, std::move(change));
    appended_ = true;
    return OkStatus();
  }
  Status PutSetting(std::string_view name, std::string_view value) override {
    changed_ = true;
    state_.settings.Put(std::string(name), std::string(value));
    return OkStatus();
  }

  // The state after the work, with its version settled.
  MemoryState Finish(std::size_t change_log_limit) && {
    if (changed_ && !appended_) ++state_.version;
    if (moved_) state_.hierarchy_version = state_.version;
    state_.Trim(change_log_limit);
    return std::move(state_);
  }

 private:
  bool changed_ = false;
  bool appended_ = false;
  bool moved_ = false;
};

class MemoryEntryStore final : public EntryStore {
 public:
  MemoryEntryStore(IndexSet indexes, MemoryOptions options)
      : indexes_(std::move(indexes)), options_(options), writer_([this] { RunWriter(); }) {}
  ~MemoryEntryStore() override { Close(); }

  Result<std::unique_ptr<ReadTransaction>> Read() override {
    std::lock_guard lock(mutex_);
    if (closed_) return Closed();
    return std::unique_ptr<ReadTransaction>(
        std::make_unique<MemoryReadTransaction>(state_, indexes_, &open_snapshots_));
  }

  void Submit(Work work, Done done) override;
  Result<std::unique_ptr<BulkLoad>> StartBulkLoad() override;
  std::size_t max_snapshots() const override { return static_cast<std::size_t>(-1); }
  std::string PrepareTerms(const model::Entry&) const override { return {}; }
  const IndexSet& indexes() const override { return indexes_; }
  StoreStatistics Statistics() override;
  Status Check(bool rebuild, std::size_t max_problems,
               const std::function<void(const StoreProblem&)>& report) override;
  Status Probe() override {
    std::lock_guard lock(mutex_);
    return closed_ ? Status(Closed()) : OkStatus();
  }
  void Close() override;

 private:
  friend class MemoryBulkLoad;
  struct Item {
    Work work;
    Done done;
    Status refused;  // set: only `done` is called, with this
  };

  void RunWriter();
  void RunItem(Item item);
  MemoryState Snapshot() {
    std::lock_guard lock(mutex_);
    return state_;
  }
  // A commit that began at `begun`.
  void Publish(MemoryState state, std::chrono::steady_clock::time_point begun) {
    std::lock_guard lock(mutex_);
    state_ = std::move(state);
    ++commits_;
    const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - begun;
    ++commit_durations_[model::LatencyBucket(took)];
    commit_seconds_ += std::chrono::duration<double>(took).count();
  }

  const IndexSet indexes_;
  const MemoryOptions options_;
  std::atomic<int> open_snapshots_{0};

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable idle_;
  MemoryState state_;
  std::deque<Item> queue_;
  bool busy_ = false;
  bool loading_ = false;
  bool closed_ = false;
  std::uint64_t commits_ = 0;
  double commit_seconds_ = 0;
  decltype(StoreStatistics::commit_durations) commit_durations_{};

  std::mutex close_mutex_;  // held while closing, so that every Close() returns after it is done
  std::thread writer_;
};

class MemoryBulkLoad final : public BulkLoad {
 public:
  MemoryBulkLoad(MemoryEntryStore* store, MemoryState state)
      : store_(store), state_(std::move(state)) {}
  ~MemoryBulkLoad() override {
    std::lock_guard lock(store_->mutex_);
    store_->loading_ = false;
  }

  Result<EntryId> Insert(NewEntry entry, std::string) override {
    return state_.Insert(std::move(entry), store_->indexes_);
  }
  Result<EntryId> FindChild(EntryId parent, std::string_view rdn_key) override {
    return state_.FindChild(parent, rdn_key);
  }
  Status Finish(std::function<void(double)> progress) override {
    const auto begun = std::chrono::steady_clock::now();
    ++state_.version;
    // The log says nothing about what was loaded, so nobody can follow across it.
    state_.changes = {};
    state_.log_floor = state_.version;
    store_->Publish(state_, begun);
    if (progress) progress(1.0);
    return OkStatus();
  }

 private:
  MemoryEntryStore* store_;
  MemoryState state_;
};

void MemoryEntryStore::Submit(Work work, Done done) {
  Status refused;
  {
    std::lock_guard lock(mutex_);
    if (!closed_) {
      if (loading_) {
        refused = Error{ResultCode::kBusy, "a bulk load is under way", ""};
      } else if (queue_.size() >= options_.max_queued_work) {
        refused = Error{ResultCode::kBusy, "too many writes are waiting", ""};
      }
      queue_.push_back({std::move(work), std::move(done), std::move(refused)});
      wake_.notify_one();
      return;
    }
  }
  done(Closed());
}

void MemoryEntryStore::RunWriter() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return closed_ || !queue_.empty(); });
    if (queue_.empty()) return;
    Item item = std::move(queue_.front());
    queue_.pop_front();
    busy_ = true;
    lock.unlock();
    RunItem(std::move(item));
    lock.lock();
    busy_ = false;
    idle_.notify_all();
  }
}

void MemoryEntryStore::RunItem(Item item) {
  if (!item.refused.ok()) return item.done(std::move(item.refused));
  MemoryWriteTransaction transaction(Snapshot(), indexes_);
  Status status;
  try {
    status = item.work(transaction);
  } catch (const std::exception& e) {
    status = Error{ResultCode::kOther, std::string("a write failed: ") + e.what(), ""};
  } catch (...) {
    status = Error{ResultCode::kOther, "a write failed", ""};
  }
  const auto begun = std::chrono::steady_clock::now();
  if (status.ok()) Publish(std::move(transaction).Finish(options_.change_log_limit), begun);
  item.done(std::move(status));
}

Result<std::unique_ptr<BulkLoad>> MemoryEntryStore::StartBulkLoad() {
  std::unique_lock lock(mutex_);
  if (closed_) return Closed();
  if (loading_) return Error{ResultCode::kUnwillingToPerform, "a bulk load is under way", ""};
  loading_ = true;
  idle_.wait(lock, [this] { return queue_.empty() && !busy_; });
  return std::unique_ptr<BulkLoad>(std::make_unique<MemoryBulkLoad>(this, state_));
}

StoreStatistics MemoryEntryStore::Statistics() {
  std::lock_guard lock(mutex_);
  StoreStatistics statistics;
  statistics.entries = state_.entries.size();
  statistics.last_change = state_.version;
  state_.entries.VisitFrom(0, [&](const EntryId&, const StoredEntryPtr& entry) {
    statistics.data_bytes += entry->entry.memory_size();
    return true;
  });
  statistics.commits = commits_;
  statistics.commit_seconds = commit_seconds_;
  statistics.commit_durations = commit_durations_;
  statistics.committed_work = commits_;
  statistics.queued_work = queue_.size();
  statistics.open_snapshots = static_cast<std::uint64_t>(open_snapshots_.load());
  return statistics;
}

Status MemoryEntryStore::Check(bool rebuild, std::size_t max_problems,
                               const std::function<void(const StoreProblem&)>& report) {
  // Entries, names and terms change together and only here, so the terms are compared as a whole.
  const MemoryState state = Snapshot();
  PersistentMap<MemoryState::TermKey, MemoryState::Nothing> expected;
  state.entries.VisitFrom(0, [&](const EntryId& id, const StoredEntryPtr& entry) {
    for (IndexTerm& term : IndexTerms(entry->entry, indexes_)) expected.Put({term, id}, {});
    return true;
  });
  bool sound = expected.size() == state.terms.size();
  expected.VisitFrom({}, [&](const MemoryState::TermKey& key, const auto&) {
    return sound = sound && state.terms.Find(key) != nullptr;
  });
  if (!sound && max_problems != 0) report({"the indexes do not agree with the entries"});
  if (!sound && rebuild) {
    std::lock_guard lock(mutex_);
    state_.terms = expected;
  }
  return OkStatus();
}

void MemoryEntryStore::Close() {
  std::lock_guard closing(close_mutex_);
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
    wake_.notify_all();
  }
  if (writer_.joinable()) writer_.join();
}

}  // namespace

std::unique_ptr<EntryStore> MakeMemoryEntryStore(IndexSet indexes, MemoryOptions options) {
  return std::make_unique<MemoryEntryStore>(std::move(indexes), options);
}

}  // namespace twintree::storage
