// The store port: what must be kept, and how it is read and written.
//
// A store keeps entries in a hierarchy of parent ids, index terms of each entry, and a change log.
// It knows nothing about schema, access or DNs as a whole. The engine gives it the index terms of
// an entry; the store gives back candidates, which hold every match and may hold more: the caller
// applies the exact filter.
//
// Reading is by snapshot: a ReadTransaction sees one state, whatever is written meanwhile, and
// never waits for the writer. Writing is by submission: each piece of work is applied in its own
// savepoint by the store's only writer, together with whatever else waits, committed once, durably,
// and then reported. Another process may write the same store (a later engine for many machines).
//
// Source: design.md "Decisions on speed" 3-6.
#ifndef TWINTREE_STORAGE_ENTRY_STORE_H_
#define TWINTREE_STORAGE_ENTRY_STORE_H_

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "services/model/entry.h"
#include "services/model/latency_buckets.h"
#include "services/model/matching_rule.h"
#include "services/model/result.h"
#include "storage/index.h"

namespace twintree::storage {

using model::Result;
using model::Status;

// Identifies an entry for its whole life, also across renames. Ascending in the order of creation.
using EntryId = std::uint64_t;
inline constexpr EntryId kNoEntry = 0;

// Numbers the changes of a store in the order of commits; 0 is the empty store. Each record of the
// change log has its own number; work that changed something without a record takes one too. There
// may be gaps.
using ChangeNumber = std::uint64_t;
inline constexpr ChangeNumber kUnsettledHierarchy = ~ChangeNumber{0};

// An entry as it is kept. Immutable and shared between caches, readers and answers.
//
// Shape: `rdn` in the spelling given, `rdn_key` as DnKey::rdn() gives it. The entry of a naming
// context has parent kNoEntry, and its rdn and rdn_key are its whole name ("dc=example,dc=com").
struct StoredEntry {
  EntryId id = kNoEntry;
  EntryId parent = kNoEntry;
  std::string rdn;
  std::string rdn_key;
  model::Entry entry;
};
using StoredEntryPtr = std::shared_ptr<const StoredEntry>;

enum class ChangeKind { kAdd = 1, kModify = 2, kDelete = 3, kRename = 4 };

// One record of the change log. `number` and `commit_time` are given by the store.
struct Change {
  ChangeNumber number = 0;
  std::chrono::system_clock::time_point commit_time;
  ChangeKind kind = ChangeKind::kModify;
  EntryId id = kNoEntry;
  std::string entry_uuid;  // 36 characters
  std::string dn;          // before the change
  std::string new_dn;      // kRename only
  std::string actor_dn;
  std::string payload;  // kAdd: the entry's stored form; kModify: BER of the modifications
};

// What an index is asked. Keys are those that IndexTerms (index.h) makes.
struct IndexQuery {
  enum class Kind { kEqual, kPrefix, kRange, kPresent, kSubstring };
  Kind kind = Kind::kEqual;
  AttributeNumber attribute = 0;
  std::string key;                  // kEqual, kPrefix
  std::optional<std::string> low;   // kRange, inclusive; nullopt: open
  std::optional<std::string> high;  // kRange, inclusive
  model::SubstringKeys pieces;      // kSubstring
};

// What an index answered.
enum class LookupState {
  kComplete,    // `ids` holds every candidate, ascending, each once
  kTooMany,     // more than the limit; `ids` is unspecified
  kNotIndexed,  // the store has no index that can answer
};

// How much one Scan() appends: it stops behind the entry with which one of the limits is reached.
struct ScanLimit {
  std::size_t entries = 0;
  std::size_t bytes = static_cast<std::size_t>(-1);  // of the entries' stored forms
};

// A snapshot of the store.
//
// Errors of all calls: kUnavailable when the storage fails (I/O), kOther when it is damaged.
// Thread-safety: confined (one thread at a time; may move between threads).
class ReadTransaction {
 public:
  virtual ~ReadTransaction() = default;

  // The last change that the snapshot holds. In a WriteTransaction, after AppendChange(), the
  // number which that record was given.
  virtual ChangeNumber version() const = 0;
  // The last change in the snapshot that renamed or moved an entry with children; names derived
  // from the hierarchy under one value stay valid for every snapshot with the same value.
  // In a WriteTransaction that has itself moved such an entry: kUnsettledHierarchy, under which
  // nothing may be kept.
  virtual ChangeNumber hierarchy_version() const = 0;

  // The child of `parent` with this RDN key; kNoEntry when there is none. Parent kNoEntry looks
  // among the naming contexts by whole name.
  virtual Result<EntryId> FindChild(EntryId parent, std::string_view rdn_key) = 0;
  // Null when there is no such entry.
  virtual Result<StoredEntryPtr> Get(EntryId id) = 0;
  // The parent of `id`, without reading the entry when a cache knows it; kNoEntry for a naming
  // context or a missing entry.
  virtual Result<EntryId> ParentOf(EntryId id) = 0;

  // Appends ids of children of `parent`, ascending, that are above `after`; at most `limit`.
  virtual Status Children(EntryId parent, EntryId after, std::size_t limit,
                          std::vector<EntryId>* ids) = 0;
  // Children counted up to `at_most`.
  virtual Result<std::uint64_t> CountChildren(EntryId parent, std::uint64_t at_most) = 0;
  // Appends entries in ascending id above `after`.
  virtual Status Scan(EntryId after, const ScanLimit& limit,
                      std::vector<StoredEntryPtr>* entries) = 0;
  // An upper estimate, cheap.
  virtual Result<std::uint64_t> EstimateEntries() = 0;

  // Candidates by an index, at most `limit` of them; replaces what `ids` held.
  virtual Result<LookupState> Lookup(const IndexQuery& query, std::size_t limit,
                                     std::vector<EntryId>* ids) = 0;

  // Appends changes with numbers above `after`, ascending, at most `limit`.
  // Errors: kNoSuchObject when the log no longer reaches back to `after`.
  virtual Status ReadChanges(ChangeNumber after, std::size_t limit,
                             std::vector<Change>* changes) = 0;

  // Small settings that belong to the data; nullopt when not set.
  virtual Result<std::optional<std::string>> GetSetting(std::string_view name) = 0;
};

struct NewEntry {
  EntryId parent = kNoEntry;
  std::string rdn;
  std::string rdn_key;
  model::Entry entry;
};

// Changes, and reads that see them. Exists only while a submitted piece of work runs.
//
// Thread-safety: confined to the writer.
class WriteTransaction : public ReadTransaction {
 public:
  // Errors: kEntryAlreadyExists when the parent has a child with that RDN key.
  virtual Result<EntryId> Insert(NewEntry entry) = 0;
  // Replaces the attributes. REQUIRES: the entry exists.
  virtual Status Replace(EntryId id, model::Entry entry) = 0;
  // Gives the entry a new parent, RDN and attributes in one step; its subtree follows.
  // Errors: kEntryAlreadyExists. REQUIRES: the new parent is not below the entry.
  virtual Status Move(EntryId id, NewEntry entry) = 0;
  // REQUIRES: the entry exists and has no children.
  virtual Status Remove(EntryId id) = 0;
  virtual Status AppendChange(Change change) = 0;
  virtual Status PutSetting(std::string_view name, std::string_view value) = 0;
};

// Fills a store quickly: keys are sorted and indexes built in order at the end.
//
// While a load runs nothing else may write. Destroying it without Finish() leaves the store as it
// was before the load.
class BulkLoad {
 public:
  virtual ~BulkLoad() = default;
  // As WriteTransaction::Insert; the parent must be known. Reading back is possible for FindChild.
  // `index_terms`: of EntryStore::PrepareTerms(), when that was called for the entry; else empty.
  virtual Result<EntryId> Insert(NewEntry entry, std::string index_terms) = 0;
  Result<EntryId> Insert(NewEntry entry) { return Insert(std::move(entry), std::string()); }
  virtual Result<EntryId> FindChild(EntryId parent, std::string_view rdn_key) = 0;
  // Writes everything durably and builds the indexes. `progress` (may be empty) is called now and
  // then with a fraction between 0 and 1.
  virtual Status Finish(std::function<void(double)> progress) = 0;
};

struct StoreStatistics {
  std::uint64_t entries = 0;
  std::uint64_t data_bytes = 0;  // the database file, or memory
  std::uint64_t wal_bytes = 0;
  struct Cache {
    std::string name;  // "entry", "child", "children", "equality"
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
    std::uint64_t bytes = 0;
    std::uint64_t items = 0;
    std::uint64_t evictions = 0;
  };
  std::vector<Cache> caches;
  std::uint64_t commits = 0;         // durable commits
  std::uint64_t committed_work = 0;  // pieces of work in them
  std::uint64_t failed_commits = 0;
  std::uint64_t queued_work = 0;  // waiting now
  double commit_seconds = 0;      // total time in commits, the failed ones too
  // Commits by the time they took: a counter for each of kLatencyBuckets, and one for those above.
  std::array<std::uint64_t, model::kLatencyBuckets.size() + 1> commit_durations{};
  ChangeNumber last_change = 0;
  std::uint64_t open_snapshots = 0;
};

// One finding of a check.
struct StoreProblem {
  std::string what;
};

// A store.
//
// Thread-safety: safe.
class EntryStore {
 public:
  using Work = std::function<Status(WriteTransaction&)>;
  // Called once, on the writer's thread; must not block.
  using Done = std::function<void(Status)>;

  virtual ~EntryStore() = default;

  // Errors: kBusy when max_snapshots() are open.
  virtual Result<std::unique_ptr<ReadTransaction>> Read() = 0;
  virtual std::size_t max_snapshots() const = 0;

  // Queues `work`. If it returns an error its changes are undone and `done` gets that error; an
  // exception that escapes from it counts as kOther. After `done` with success the changes are on
  // disk and every later Read() sees them. If the commit fails every piece of work in it is undone
  // and gets kUnavailable (disk full, I/O) or kBusy. kBusy also when too much is queued and while
  // a load runs. After Close() `done` gets kUnavailable, on the caller's thread.
  virtual void Submit(Work work, Done done) = 0;

  // Errors: kUnwillingToPerform when a load is under way.
  virtual Result<std::unique_ptr<BulkLoad>> StartBulkLoad() = 0;
  // The part of a bulk load's work for one entry that needs no order, to be done on other threads
  // than the one that loads. The octets are for BulkLoad::Insert() of this store only.
  virtual std::string PrepareTerms(const model::Entry& entry) const = 0;

  // The indexes that exist, by attribute.
  virtual const IndexSet& indexes() const = 0;
  virtual StoreStatistics Statistics() = 0;

  // Compares entries, hierarchy and indexes; calls `report` for each problem, at most
  // `max_problems` times. With `rebuild`, builds the indexes anew.
  virtual Status Check(bool rebuild, std::size_t max_problems,
                       const std::function<void(const StoreProblem&)>& report) = 0;

  // A read and a (rolled back) write succeed: what readiness asks.
  virtual Status Probe() = 0;

  // Finishes what is queued and closes. Idempotent.
  virtual void Close() = 0;
};

}  // namespace twintree::storage

#endif  // TWINTREE_STORAGE_ENTRY_STORE_H_
