// What the tests of entry stores share: the stores under test, entries, and writes that wait.
#ifndef TWINTREE_TESTS_CONTRACT_ENTRY_STORE_FIXTURE_H_
#define TWINTREE_TESTS_CONTRACT_ENTRY_STORE_FIXTURE_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "services/model/entry.h"
#include "services/model/schema.h"
#include "storage/entry_store.h"
#include "storage/index.h"
#include "storage/memory/memory_entry_store.h"
#include "storage/sqlite/sqlite_entry_store.h"

namespace twintree::storage {

// A directory that goes with the test.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string path = testing::TempDir() + "twintree-store-XXXXXX";
    EXPECT_NE(mkdtemp(path.data()), nullptr);
    path_ = path;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

using Values = std::vector<std::pair<std::string, std::vector<std::string>>>;

inline std::shared_ptr<const model::Schema> TestSchema() { return model::Schema::Standard(); }

inline model::Entry MakeEntry(const Values& values) {
  const auto schema = TestSchema();
  std::vector<model::Attribute> attributes;
  for (const auto& [text, octets] : values) {
    auto description = model::AttributeDescription::Parse(text, *schema);
    EXPECT_TRUE(description.ok()) << text;
    if (description.ok()) attributes.push_back({std::move(description).value(), octets});
  }
  return model::Entry::Encode(attributes, *schema);
}

inline NewEntry Person(EntryId parent, const std::string& cn, const Values& more = {}) {
  Values values = {{"objectClass", {"top", "person"}}, {"cn", {cn}}};
  values.insert(values.end(), more.begin(), more.end());
  return NewEntry{parent, "cn=" + cn, "cn=" + cn, MakeEntry(values)};
}

inline NewEntry Suffix() {
  return NewEntry{kNoEntry, "dc=example,dc=com", "dc=example,dc=com",
                  MakeEntry({{"objectClass", {"domain"}}, {"dc", {"example"}}})};
}

// The values of an attribute as stored.
inline std::vector<std::string> ValuesOf(const StoredEntry& entry, std::string_view name) {
  std::vector<std::string> values;
  const model::StoredAttribute* found = entry.entry.Find(*TestSchema()->FindAttributeType(name));
  if (found == nullptr) return values;
  for (std::string_view value : found->values()) values.emplace_back(value);
  return values;
}

// Submits work and waits for its report.
inline Status Write(EntryStore& store, EntryStore::Work work) {
  auto promise = std::make_shared<std::promise<Status>>();
  std::future<Status> future = promise->get_future();
  store.Submit(std::move(work),
               [promise](Status status) { promise->set_value(std::move(status)); });
  return future.get();
}

// Inserts one entry; kNoEntry and a test failure when that fails.
inline EntryId Insert(EntryStore& store, std::function<NewEntry()> make) {
  EntryId id = kNoEntry;
  const Status status = Write(store, [&](WriteTransaction& transaction) -> Status {
    TT_ASSIGN_OR_RETURN(id, transaction.Insert(make()));
    return model::OkStatus();
  });
  EXPECT_TRUE(status.ok()) << status.error().message;
  return status.ok() ? id : kNoEntry;
}

inline std::vector<IndexSpec> TestIndexes() {
  constexpr std::uint8_t kName = kEqualityIndex | kPresenceIndex | kSubstringIndex;
  return {{"objectClass", kEqualityIndex},
          {"cn", kName},
          {"sn", kName},
          {"uidNumber", kEqualityIndex | kOrderingIndex},
          {"member", kEqualityIndex},
          {"mail", kSubstringIndex}};
}

struct StoreSettings {
  std::vector<IndexSpec> indexes = TestIndexes();
  std::size_t change_log_limit = 1000;
  std::size_t max_queued_work = 10'000;
  std::size_t cache_bytes = std::size_t{4} << 20;
};

// How a kind of store is opened on a directory.
struct StoreKind {
  const char* name;
  std::unique_ptr<EntryStore> (*open)(const std::string& directory, const StoreSettings& settings);
};

inline SqliteOptions SqliteTestOptions(const std::string& directory,
                                       const StoreSettings& settings = {}) {
  SqliteOptions options;
  options.directory = directory;
  options.indexes = settings.indexes;
  options.change_log_limit = settings.change_log_limit;
  options.max_queued_work = settings.max_queued_work;
  options.cache_bytes = settings.cache_bytes;
  options.readers = 4;
  options.bulk_memory_bytes = std::size_t{1} << 20;  // small, so that sorting needs files
  return options;
}

inline std::unique_ptr<EntryStore> OpenSqlite(const std::string& directory,
                                              const StoreSettings& settings) {
  auto store = SqliteEntryStore::Open(SqliteTestOptions(directory, settings), TestSchema());
  EXPECT_TRUE(store.ok()) << store.error().message;
  return store.ok() ? std::move(store).value() : nullptr;
}

// Runs statements on the database behind the store's back.
inline void RunSql(const std::string& directory, const std::string& sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open((directory + "/twintree.db").c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
      << sqlite3_errmsg(database);
  sqlite3_close(database);
}

// A store that packs from the first entry on: it has a dictionary, if not one made for it.
inline std::unique_ptr<EntryStore> OpenPacking(const std::string& directory,
                                               const StoreSettings& settings) {
  OpenSqlite(directory, settings);
  RunSql(directory,
         "INSERT INTO dictionary VALUES(1, CAST('objectClass top person cn sn n1 n2 n3 "
         "objectClass domain dc example mail member uidNumber' AS BLOB))");
  return OpenSqlite(directory, settings);
}

inline std::unique_ptr<EntryStore> OpenMemory(const std::string&, const StoreSettings& settings) {
  MemoryOptions options;
  options.change_log_limit = settings.change_log_limit;
  options.max_queued_work = settings.max_queued_work;
  return MakeMemoryEntryStore(IndexSet::Make(settings.indexes, *TestSchema()).value(), options);
}

inline constexpr StoreKind kSqliteKind{"Sqlite", &OpenSqlite};
inline constexpr StoreKind kPackingKind{"Packing", &OpenPacking};
inline constexpr StoreKind kMemoryKind{"Memory", &OpenMemory};

inline IndexQuery QueryOn(const EntryStore& store, std::string_view name, IndexQuery::Kind kind) {
  IndexQuery query;
  query.kind = kind;
  query.attribute = store.indexes().Find(*TestSchema()->FindAttributeType(name))->number;
  return query;
}

inline IndexQuery EqualQuery(const EntryStore& store, std::string_view name,
                             std::string_view value) {
  IndexQuery query = QueryOn(store, name, IndexQuery::Kind::kEqual);
  query.key = TestSchema()->FindAttributeType(name)->EqualityKey(value).value();
  return query;
}

inline std::vector<EntryId> LookUp(ReadTransaction& transaction, const IndexQuery& query,
                                   std::size_t limit = 1'000'000) {
  std::vector<EntryId> ids;
  auto state = transaction.Lookup(query, limit, &ids);
  EXPECT_TRUE(state.ok());
  EXPECT_EQ(state.ok() ? *state : LookupState::kNotIndexed, LookupState::kComplete);
  return ids;
}

inline std::vector<std::string> ProblemsOf(EntryStore& store) {
  std::vector<std::string> problems;
  const Status status = store.Check(
      false, 100, [&](const StoreProblem& problem) { problems.push_back(problem.what); });
  EXPECT_TRUE(status.ok()) << status.error().message;
  return problems;
}

// A store of the kind that the test is run for, with a suffix entry.
class EntryStoreContract : public testing::TestWithParam<StoreKind> {
 protected:
  void SetUp() override { Open({}); }

  void Open(const StoreSettings& settings) {
    store_.reset();
    directory_ = std::make_unique<TemporaryDirectory>();
    store_ = GetParam().open(directory_->path() + "/data", settings);
    ASSERT_NE(store_, nullptr);
    suffix_ = Insert(*store_, &Suffix);
  }

  EntryId Add(const std::string& cn, const Values& more = {}) {
    return Insert(*store_, [&] { return Person(suffix_, cn, more); });
  }
  std::unique_ptr<ReadTransaction> Read() { return store_->Read().value(); }

  std::unique_ptr<TemporaryDirectory> directory_;
  std::unique_ptr<EntryStore> store_;
  EntryId suffix_ = kNoEntry;
};

inline void PrintTo(const StoreKind& kind, std::ostream* out) { *out << kind.name; }

}  // namespace twintree::storage

#endif  // TWINTREE_TESTS_CONTRACT_ENTRY_STORE_FIXTURE_H_
