#include "storage/sqlite/writer.h"

#include <sqlite3.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <future>
#include <string>
#include <utility>

#include "storage/sqlite/migration.h"

namespace twintree::storage::sqlite {

using model::Error;
using model::OkStatus;
using model::ResultCode;

namespace {

// A commit takes at most this many pieces of work, and begins no new one after this time.
constexpr std::size_t kMaxBatch = 512;
constexpr auto kMaxBatchTime = std::chrono::milliseconds(50);

// A commit costs processor time that those who read want. While they keep the processors busy and
// several clients write, commits begin at least so long one after the other.
constexpr auto kGatheringTime = std::chrono::microseconds(1500);
constexpr std::size_t kEnoughGathered = 128;

// The log is emptied into the database file when it has this many pages; when a reader's snapshot
// is in the way, again after each further lot. How long short reads are waited for: 10 ms.
constexpr int kCheckpointPages = 4000;
constexpr int kRetryPages = 1000;
constexpr int kMaxWaits = 40;
constexpr auto kWait = std::chrono::microseconds(250);

// A sixth of the processor time that a reading thread gets where both want more than there is.
// With more niceness, writes would take too long beside searches that keep all processors busy.
constexpr int kNiceness = 8;

constexpr auto kProbeTimeout = std::chrono::seconds(5);

Error Closed() { return Error{ResultCode::kUnavailable, "the store is closed", ""}; }

Error Refusal(ResultCode code, const char* message) { return Error{code, message, ""}; }

int NotePages(void* pages, sqlite3*, const char*, int count) {
  *static_cast<int*>(pages) = count;
  return SQLITE_OK;
}

int WaitForReaders(void* pool, int waits) {
  if (waits >= kMaxWaits) return 0;
  static_cast<ReaderPool*>(pool)->EndIdleSnapshots();
  std::this_thread::sleep_for(kWait);
  return 1;
}

// Many readers wait for less each than the writer takes for one commit. A thread of a process that
// may not lower its own priority goes on as it is.
void LetReadersGoFirst() {
  const auto self = static_cast<id_t>(gettid());
  const int niceness = getpriority(PRIO_PROCESS, self);
  static_cast<void>(setpriority(PRIO_PROCESS, self, niceness + kNiceness));
}

}  // namespace

Writer::Writer(std::shared_ptr<StoreContext> context, std::shared_ptr<ReaderPool> pool,
               std::unique_ptr<StoreLock> lock, std::unique_ptr<Tables> tables,
               const StoreState& committed)
    : context_(std::move(context)),
      pool_(std::move(pool)),
      lock_(std::move(lock)),
      tables_(std::move(tables)),
      batch_(std::in_place, *context_, *tables_),
      committed_(committed),
      used_versions_(committed.version),
      next_checkpoint_pages_(kCheckpointPages) {
  sqlite3_wal_hook(tables_->connection->handle(), NotePages, &wal_pages_);
  context_->Publish(committed.version);
  thread_ = std::thread([this] { Run(); });
}

void Writer::Submit(EntryStore::Work work, EntryStore::Done done) {
  Enqueue(Item{std::move(work), nullptr, std::move(done), OkStatus()});
}

void Writer::Enqueue(Item item) {
  {
    std::lock_guard lock(mutex_);
    if (!closed_) {
      if (paused_) {
        item.result = Refusal(ResultCode::kBusy, "a bulk load is under way");
      } else if (queue_.size() - refused_ >= context_->options.max_queued_work) {
        item.result = Refusal(ResultCode::kBusy, "too many writes are waiting");
      }
      if (!item.result.ok()) ++refused_;
      queue_.push_back(std::move(item));
      if (!gathering_ || queue_.size() >= kEnoughGathered) wake_.notify_one();
      return;
    }
  }
  item.done(Closed());
}

std::future<Status> Writer::EnqueueTask(Task task) {
  auto promise = std::make_shared<std::promise<Status>>();
  std::future<Status> future = promise->get_future();
  Enqueue(Item{nullptr, std::move(task),
               [promise](Status status) { promise->set_value(std::move(status)); }, OkStatus()});
  return future;
}

Status Writer::RunTask(std::function<Status(Tables&)> task) {
  return EnqueueTask(std::move(task)).get();
}

Status Writer::Probe() {
  std::future<Status> future = EnqueueTask([this](Tables& tables) { return TryToWrite(tables); });
  if (future.wait_for(kProbeTimeout) != std::future_status::ready) {
    return Refusal(ResultCode::kBusy, "the writer does not get round to a probe");
  }
  return future.get();
}

Status Writer::Pause() {
  std::unique_lock lock(mutex_);
  if (closed_) return Closed();
  if (paused_) return Refusal(ResultCode::kUnwillingToPerform, "a bulk load is under way");
  paused_ = true;
  idle_.wait(lock, [this] { return queue_.empty() && !running_ && !reload_; });
  return OkStatus();
}

void Writer::Resume() {
  bool closed = false;
  {
    std::lock_guard lock(mutex_);
    paused_ = false;
    reload_ = !closed_;
    closed = closed_;
    wake_.notify_one();
  }
  if (closed) Release();
}

void Writer::Disconnect() {
  batch_.reset();
  tables_.reset();
}

// What cannot be opened cannot be written to.
Status Writer::Connect() {
  auto tables = context_->OpenTables(Connection::Access::kWrite, kCacheBytes);
  if (!tables.ok()) {
    std::lock_guard lock(mutex_);
    closed_ = true;
    wake_.notify_all();
    return std::move(tables).error();
  }
  tables_ = std::move(tables).value();
  batch_.emplace(*context_, *tables_);
  sqlite3_wal_hook(tables_->connection->handle(), NotePages, &wal_pages_);
  return OkStatus();
}

// What somebody else wrote is in the log, so that is emptied too.
void Writer::Reload() {
  auto state = tables_->state.Read();
  if (state.ok()) committed_ = *state;
  used_versions_ = std::max(used_versions_, committed_.version);
  wal_pages_ = next_checkpoint_pages_;
  Checkpoint();
}

Writer::Counts Writer::counts() const {
  std::lock_guard lock(mutex_);
  Counts counts = counts_;
  counts.queued_work = queue_.size() - refused_;
  return counts;
}

void Writer::Close() {
  std::lock_guard closing(close_mutex_);
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
    wake_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void Writer::Release() {
  std::lock_guard closing(close_mutex_);
  {
    std::lock_guard lock(mutex_);
    if (paused_) return;
  }
  Disconnect();
  lock_.reset();
}

void Writer::Run() {
  LetReadersGoFirst();
  std::vector<Item> items;
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return closed_ || reload_ || !queue_.empty(); });
    if (queue_.empty() && !reload_) return;
    while (!queue_.empty() && items.size() < kMaxBatch) {
      if (!queue_.front().result.ok()) --refused_;
      items.push_back(std::move(queue_.front()));
      queue_.pop_front();
    }
    running_ = true;
    const Clock::time_point begin = Clock::now();
    const bool several = items.size() > 1;
    const bool reload = std::exchange(reload_, false);
    const bool paused = paused_;
    lock.unlock();
    if (reload) Reload();
    RunBatch(&items);
    // What an item holds goes with its answer.
    for (Item& item : items) {
      Item answered = std::move(item);
      answered.done(std::move(answered.result));
    }
    items.clear();
    // After the answers, so that nobody waits for it who has been served.
    if (!paused) Checkpoint();
    JudgeLoad();
    lock.lock();
    running_ = false;
    if (queue_.empty()) idle_.notify_all();
    if (load_.high() && (several || !queue_.empty())) Gather(&lock, begin + kGatheringTime);
  }
}

void Writer::JudgeLoad() {
  const Clock::time_point now = Clock::now();
  if (!load_.IsDue(now)) return;
  // Nobody else counts work.
  load_.Judge(now, {pool_->CountReads(), counts_.committed_work, ReadLoad::ProcessorTime()});
}

// One client that waits for each answer never has two writes here.
void Writer::Gather(std::unique_lock<std::mutex>* lock, Clock::time_point until) {
  gathering_ = true;
  wake_.wait_until(*lock, until,
                   [this] { return closed_ || reload_ || queue_.size() >= kEnoughGathered; });
  gathering_ = false;
}

// Several database transactions when one breaks on the way or takes long.
void Writer::RunBatch(std::vector<Item>* items) {
  std::size_t first = 0;
  while (first < items->size()) first = RunWorks(items, first);
}

// Runs items from `first` on in one database transaction and gives back the first one that was not
// reached.
std::size_t Writer::RunWorks(std::vector<Item>* items, std::size_t first) {
  Item* const head = &(*items)[first];
  if (!head->result.ok()) return first + 1;
  if (head->task) {
    head->result = head->task(*tables_);
    return first + 1;
  }
  Status failure = Query(tables_->begin_write).Run();
  if (!failure.ok()) {
    // Nor will the others get the lock that this one has waited for.
    for (std::size_t i = first; i < items->size(); ++i) {
      if ((*items)[i].result.ok() && !(*items)[i].task) (*items)[i].result = failure;
    }
    return first + 1;
  }
  const std::size_t end = ApplyWorks(items, first);
  if (batch_->broken()) {
    failure = Error{ResultCode::kUnavailable,
                    "a write that was committed together with this one failed: " +
                        (*items)[end - 1].result.error().message,
                    ""};
    RollBack();
    last_commit_failed_ = true;
    std::lock_guard lock(mutex_);
    ++counts_.failed_commits;
  } else {
    failure = Commit();
  }
  NoteResults(std::span(*items).subspan(first, end - first), failure);
  return end;
}

// Applies works until something else comes, one breaks the batch, or it has taken long enough.
std::size_t Writer::ApplyWorks(std::vector<Item>* items, std::size_t first) {
  batch_->Begin(committed_, used_versions_);
  const Clock::time_point start = Clock::now();
  const bool alone = first + 1 == items->size();
  std::size_t end = first;
  while (end < items->size() && !batch_->broken()) {
    Item* item = &(*items)[end];
    if (!item->result.ok() || item->task) break;
    if (end != first && Clock::now() - start > kMaxBatchTime) break;
    item->result = batch_->BeginWork(!alone);
    if (item->result.ok()) RunWork(item);
    ++end;
  }
  return end;
}

// What succeeded shares the fate of the commit.
void Writer::NoteResults(std::span<Item> items, const Status& failure) {
  std::uint64_t succeeded = 0;
  for (Item& item : items) {
    if (!item.result.ok()) continue;
    ++succeeded;
    if (!failure.ok()) item.result = failure;
  }
  if (!failure.ok()) return;
  std::lock_guard lock(mutex_);
  counts_.committed_work += succeeded;
}

void Writer::RunWork(Item* item) {
  Status status;
  try {
    status = item->work(*batch_);
  } catch (const std::exception& e) {
    status = Error{ResultCode::kOther, std::string("a write failed: ") + e.what(), ""};
  } catch (...) {
    status = Error{ResultCode::kOther, "a write failed", ""};
  }
  item->result = batch_->EndWork(std::move(status));
}

// Commits the batch if it changed anything.
Status Writer::Commit() {
  if (!batch_->changed()) {
    RollBack();
    return OkStatus();
  }
  const Clock::time_point start = Clock::now();
  Status status = batch_->Finish();
  used_versions_ = batch_->state().version;
  batch_->Announce();
  if (status.ok()) status = Query(tables_->commit).Run();
  last_commit_failed_ = !status.ok();
  if (!status.ok()) {
    RollBack();
    context_->caches.Settle(committed_.version);
  } else {
    committed_ = batch_->state();
    batch_->OfferToCaches();
    context_->Publish(committed_.version);
  }
  const Clock::duration took = Clock::now() - start;
  std::lock_guard lock(mutex_);
  ++(status.ok() ? counts_.commits : counts_.failed_commits);
  ++counts_.commit_durations[model::LatencyBucket(took)];
  counts_.commit_seconds += std::chrono::duration<double>(took).count();
  return status;
}

void Writer::RollBack() {
  if (!tables_->connection->in_transaction()) return;
  static_cast<void>(Query(tables_->rollback).Run());
}

Status Writer::TryToWrite(Tables& tables) {
  TT_RETURN_IF_ERROR(Query(tables.begin_write).Run());
  // Another value each time: SQLite does not write a page that stays the same.
  const auto now = Clock::now().time_since_epoch().count();
  Status status = PutMeta(*tables.connection, "probed", std::to_string(now));
  if (status.ok() && last_commit_failed_) {
    status = Query(tables.commit).Run();
    last_commit_failed_ = !status.ok();
  }
  RollBack();
  return status;
}

// The log can only begin anew when it was copied to its end and nobody reads from it. Snapshots
// that readers keep for later are ended, short reads are waited for; one that takes long is left
// alone, and the log grows meanwhile.
void Writer::Checkpoint() {
  if (wal_pages_ < next_checkpoint_pages_) return;
  pool_->EndIdleSnapshots();
  sqlite3* const handle = tables_->connection->handle();
  sqlite3_busy_handler(handle, WaitForReaders, pool_.get());
  const int code =
      sqlite3_wal_checkpoint_v2(handle, nullptr, SQLITE_CHECKPOINT_RESTART, nullptr, nullptr);
  tables_->connection->SetBusyTimeout();
  next_checkpoint_pages_ = code == SQLITE_OK ? kCheckpointPages : wal_pages_ + kRetryPages;
  wal_pages_ = 0;
}

}  // namespace twintree::storage::sqlite
