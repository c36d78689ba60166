#include "storage/sqlite/term_table.h"

#include <map>
#include <random>
#include <set>

#include "tests/unit/storage/sqlite/database_fixture.h"

namespace twintree::storage::sqlite {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class TermTableTest : public DatabaseFixture {
 protected:
  void SetUp() override {
    DatabaseFixture::SetUp();
    table_ = std::make_unique<TermTable>(*connection_);
  }
  void TearDown() override { table_.reset(); }

  void Change(std::uint32_t space, const std::string& key, const std::vector<EntryId>& ids,
              bool add) {
    std::vector<TermChange> changes;
    for (const EntryId id : ids) changes.push_back({space, key, id, add});
    ASSERT_TRUE(table_->Apply(changes).ok());
  }
  std::vector<EntryId> Find(std::uint32_t space, const std::string& key) {
    std::vector<EntryId> ids;
    EXPECT_TRUE(table_->FindEqual(space, key, 1'000'000, &ids).value());
    return ids;
  }

  std::unique_ptr<TermTable> table_;
};

TEST_F(TermTableTest, KeepsSpacesAndKeysApart) {
  Change(2, "a", {1, 5}, true);
  Change(2, "ab", {2}, true);
  Change(4, "a", {3}, true);
  EXPECT_THAT(Find(2, "a"), ElementsAre(1, 5));
  EXPECT_THAT(Find(2, "ab"), ElementsAre(2));
  EXPECT_THAT(Find(4, "a"), ElementsAre(3));
  EXPECT_THAT(Find(6, "a"), IsEmpty());
}

TEST_F(TermTableTest, AddsAndRemovesTwiceWithoutHarm) {
  Change(2, "a", {1, 2, 3}, true);
  Change(2, "a", {2}, true);
  Change(2, "a", {1}, false);
  Change(2, "a", {1, 9}, false);
  EXPECT_THAT(Find(2, "a"), ElementsAre(2, 3));
}

TEST_F(TermTableTest, LeavesNoRowBehind) {
  Change(2, "a", {1, 2, 3}, true);
  Change(2, "a", {1, 2, 3}, false);
  EXPECT_EQ(connection_->QueryInt("SELECT count(*) FROM term").value(), 0);
}

TEST_F(TermTableTest, KeepsKeysOfAnyOctets) {
  const std::string zero("\0\0", 2);
  Change(2, "", {1}, true);
  Change(2, zero, {2}, true);
  Change(2, "\xff\xff", {3}, true);
  EXPECT_THAT(Find(2, ""), ElementsAre(1));
  EXPECT_THAT(Find(2, zero), ElementsAre(2));
  EXPECT_THAT(Find(2, "\xff\xff"), ElementsAre(3));
}

TEST_F(TermTableTest, AppendsListsAboveWhatIsThere) {
  std::vector<EntryId> old_ids;
  std::vector<EntryId> new_ids;
  for (EntryId id = 1; id <= 1000; ++id) old_ids.push_back(id);
  for (EntryId id = 1001; id <= 3000; ++id) new_ids.push_back(id);
  Change(2, "a", old_ids, true);
  const std::vector<PostingRow> encoded = EncodePostings(new_ids);
  std::vector<TermTable::Row> rows;
  for (const PostingRow& row : encoded) rows.push_back({2, "a", row.first, row.rest});
  ASSERT_TRUE(table_->Append(rows).ok());
  EXPECT_EQ(Find(2, "a").size(), 3000U);
}

TEST_F(TermTableTest, AppendsManyRowsAtOnce) {
  std::vector<std::string> keys;
  for (int i = 100; i < 200; ++i) keys.push_back("k" + std::to_string(i));
  std::vector<TermTable::Row> rows;
  for (std::size_t i = 0; i < keys.size(); ++i) rows.push_back({2, keys[i], i + 1, "\x05"});
  ASSERT_TRUE(table_->Append(rows).ok());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    EXPECT_THAT(Find(2, keys[i]), ElementsAre(i + 1, i + 6));
  }
  EXPECT_FALSE(table_->Append(rows).ok());  // they are there
}

// Compares with sets, with lists long enough to take many rows.
TEST_F(TermTableTest, SaysWhatSetsSayUnderRandomChanges) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  std::map<std::string, std::set<EntryId>> model;
  for (int round = 0; round < 60; ++round) {
    std::map<std::pair<std::string, EntryId>, bool> changes;
    const std::size_t count = random() % 3 == 0 ? 1000 : 5;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string key(1, static_cast<char>('a' + random() % 3));
      changes[{key, 1 + random() % 4000}] = random() % 3 != 0;
    }
    std::vector<TermChange> sorted;
    for (const auto& [place, add] : changes) {
      sorted.push_back({2, place.first, place.second, add});
      add ? static_cast<void>(model[place.first].insert(place.second))
          : static_cast<void>(model[place.first].erase(place.second));
    }
    ASSERT_TRUE(table_->Apply(sorted).ok());
    for (const auto& [key, ids] : model) {
      ASSERT_EQ(Find(2, key), std::vector<EntryId>(ids.begin(), ids.end()));
    }
  }
}

}  // namespace
}  // namespace twintree::storage::sqlite
