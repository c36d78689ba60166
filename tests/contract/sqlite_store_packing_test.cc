// What a SQLite store makes smaller, and when.
#include <filesystem>
#include <string>

#include "tests/contract/sqlite_store_fixture.h"

namespace twintree::storage {
namespace {

using model::OkStatus;
using testing::IsEmpty;

class SqliteStorePacking : public SqliteStoreFiles {
 protected:
  void SetUp() override { options_.dictionary_samples = 200; }

  std::int64_t QueryInt(const std::string& sql) {
    sqlite3* database = nullptr;
    sqlite3_stmt* statement = nullptr;
    std::int64_t number = -1;
    EXPECT_EQ(sqlite3_open((data_ + "/twintree.db").c_str(), &database), SQLITE_OK);
    sqlite3_busy_timeout(database, 60'000);  // the writer may be emptying its log
    EXPECT_EQ(sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr), SQLITE_OK);
    if (sqlite3_step(statement) == SQLITE_ROW) number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return number;
  }
  std::int64_t Dictionaries() { return QueryInt("SELECT count(*) FROM dictionary"); }
  std::int64_t PackedEntries() {
    return QueryInt("SELECT count(*) FROM entry WHERE substr(data, 1, 1)>=x'80'");
  }
  void Touch(const std::string& rdn_key) {
    const Status status = Write(*store_, [&](WriteTransaction& transaction) -> Status {
      TT_ASSIGN_OR_RETURN(const EntryId id, transaction.FindChild(1, rdn_key));
      TT_ASSIGN_OR_RETURN(const StoredEntryPtr entry, transaction.Get(id));
      return transaction.Replace(
          id, model::Entry::Encode(entry->entry.ToAttributes(*TestSchema()), *TestSchema()));
    });
    EXPECT_TRUE(status.ok());
  }
};

TEST_F(SqliteStorePacking, ALoadPacksWhatComesAfterItsSamples) {
  Open();
  Load(900);
  EXPECT_EQ(Dictionaries(), 1);
  EXPECT_EQ(PackedEntries(), 700);
  ExpectLoaded(900);
}

TEST_F(SqliteStorePacking, ALargeLoadMakesAnotherDictionary) {
  Open();
  Load(1500);
  EXPECT_EQ(Dictionaries(), 2);
  ExpectLoaded(1500);
}

TEST_F(SqliteStorePacking, ALaterLoadPacksFromItsFirstEntryOn) {
  Open();
  Load(1000);
  auto load = store_->StartBulkLoad().value();
  ASSERT_TRUE(load->Insert(Person(1, "late", {{"sn", {"late"}}})).ok());
  ASSERT_TRUE(load->Finish(nullptr).ok());
  load.reset();
  EXPECT_EQ(PackedEntries(), 801);
  ExpectLoaded(1001);
}

TEST_F(SqliteStorePacking, AStoreWithFewEntriesIsNotPacked) {
  Fill(100);
  Open();
  EXPECT_EQ(Dictionaries(), 0);
  EXPECT_EQ(PackedEntries(), 0);
}

TEST_F(SqliteStorePacking, AStoreThatHasGrownIsPackedAsItIsWritten) {
  Fill(400);
  EXPECT_EQ(Dictionaries(), 0);
  Open();
  EXPECT_EQ(Dictionaries(), 1);
  EXPECT_EQ(PackedEntries(), 0);
  Touch("cn=n9");
  EXPECT_EQ(PackedEntries(), 1);
  ExpectLoaded(401);
  Open();
  EXPECT_EQ(Dictionaries(), 1);
}

TEST_F(SqliteStorePacking, AddedEntriesArePackedInTheChangeLogToo) {
  Open();
  Load(1000);
  const NewEntry entry = Person(1, "new", {{"sn", {"new"}}});
  ASSERT_TRUE(Write(*store_, [&](WriteTransaction& transaction) -> Status {
                Change change;
                change.kind = ChangeKind::kAdd;
                change.payload = entry.entry.octets();
                return transaction.AppendChange(change);
              }).ok());
  EXPECT_EQ(QueryInt("SELECT count(*) FROM change WHERE substr(payload, 1, 1)>=x'80'"), 1);
  const auto transaction = Read();
  std::vector<Change> changes;
  ASSERT_TRUE(transaction->ReadChanges(transaction->version() - 1, 10, &changes).ok());
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].payload, entry.entry.octets());
}

TEST_F(SqliteStorePacking, AnotherProcessReadsIt) {
  Open();
  Load(1000);
  const auto reader = OpenReader();
  const auto transaction = reader->Read().value();
  const EntryId id = transaction->FindChild(1, "cn=n777").value();
  EXPECT_EQ(ValuesOf(*transaction->Get(id).value(), "sn"), std::vector<std::string>{"sn777"});
}

TEST_F(SqliteStorePacking, AMissingDictionaryIsDamage) {
  Open();
  Load(1000);
  store_.reset();
  RunSql(data_, "DELETE FROM dictionary");
  Open();
  EXPECT_THAT(ProblemsOf(*store_), testing::Contains(testing::HasSubstr(
                                       "entry 201 is damaged: packed octets are damaged: there is "
                                       "no dictionary 1")));
}

TEST_F(SqliteStorePacking, AReadOnlyDirectoryKeepsNobodyFromReading) {
  Fill(400);
  store_.reset();
  const auto reader = OpenReader();
  EXPECT_EQ(reader->Read().value()->EstimateEntries().value(), 401U);
  EXPECT_EQ(Dictionaries(), 0);
}

}  // namespace
}  // namespace twintree::storage
