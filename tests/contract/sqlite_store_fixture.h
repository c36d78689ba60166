// A SQLite store in a directory of its own, for what it promises of its files.
#ifndef TWINTREE_TESTS_CONTRACT_SQLITE_STORE_FIXTURE_H_
#define TWINTREE_TESTS_CONTRACT_SQLITE_STORE_FIXTURE_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "storage/sqlite/sqlite_entry_store.h"
#include "tests/contract/entry_store_fixture.h"

namespace twintree::storage {

class SqliteStoreFiles : public testing::Test {
 protected:
  Result<std::unique_ptr<EntryStore>> TryOpen() {
    return SqliteEntryStore::Open(options_, TestSchema());
  }
  // A store that only reads, as that of another process.
  std::unique_ptr<EntryStore> OpenReader() const {
    SqliteOptions options = options_;
    options.read_only = true;
    return SqliteEntryStore::Open(options, TestSchema()).value();
  }
  void Open() {
    store_.reset();
    auto store = TryOpen();
    ASSERT_TRUE(store.ok()) << store.error().message;
    store_ = std::move(store).value();
  }
  // A store with a suffix and so many people.
  void Fill(int people) {
    Open();
    suffix_ = Insert(*store_, &Suffix);
    ASSERT_TRUE(
        Write(*store_, [&](WriteTransaction& t) -> Status {
          for (int i = 0; i < people; ++i) {
            const std::string number = std::to_string(i);
            TT_RETURN_IF_ERROR(
                t.Insert(Person(suffix_, "n" + number, {{"sn", {"sn" + number}}})).status());
          }
          return model::OkStatus();
        }).ok());
  }
  std::unique_ptr<ReadTransaction> Read() { return store_->Read().value(); }
  // Number 0 is the suffix, which gets id 1; the others are below it.
  static NewEntry Numbered(int number) {
    const std::string text = std::to_string(number);
    return number == 0 ? Suffix() : Person(1, "n" + text, {{"sn", {"sn" + text}}});
  }
  void Load(int entries) {
    auto load = store_->StartBulkLoad().value();
    for (int i = 0; i < entries; ++i) ASSERT_TRUE(load->Insert(Numbered(i)).ok());
    const Status status = load->Finish(nullptr);
    ASSERT_TRUE(status.ok()) << status.error().message;
  }
  void ExpectLoaded(std::uint64_t entries) {
    EXPECT_EQ(Read()->EstimateEntries().value(), entries);
    EXPECT_EQ(LookUp(*Read(), EqualQuery(*store_, "sn", "sn9")),
              std::vector<EntryId>{Read()->FindChild(1, "cn=n9").value()});
    EXPECT_THAT(ProblemsOf(*store_), testing::IsEmpty());
  }

  TemporaryDirectory directory_;
  std::string data_ = directory_.path() + "/data";
  SqliteOptions options_ = SqliteTestOptions(data_);
  std::unique_ptr<EntryStore> store_;
  EntryId suffix_ = kNoEntry;
};

}  // namespace twintree::storage

#endif  // TWINTREE_TESTS_CONTRACT_SQLITE_STORE_FIXTURE_H_
