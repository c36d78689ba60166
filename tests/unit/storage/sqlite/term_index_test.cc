#include "storage/sqlite/term_index.h"

#include <map>
#include <random>
#include <set>
#include <tuple>

#include "tests/unit/storage/sqlite/database_fixture.h"

namespace twintree::storage::sqlite {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::size_t kNoLimit = 1'000'000;

std::vector<TermChange> Changes(std::uint32_t space, const std::string& key,
                                const std::vector<EntryId>& ids, bool add) {
  std::vector<TermChange> changes;
  for (const EntryId id : ids) changes.push_back({space, key, id, add});
  return changes;
}

class TermIndexTest : public DatabaseFixture {
 protected:
  void SetUp() override {
    DatabaseFixture::SetUp();
    index_ = std::make_unique<TermIndex>(*connection_);
  }
  void TearDown() override { index_.reset(); }

  void Change(std::uint32_t space, const std::string& key, const std::vector<EntryId>& ids,
              bool add) {
    ASSERT_TRUE(index_->Apply(++version_, Changes(space, key, ids, add)).ok());
    ASSERT_TRUE(index_->SetVersion(version_).ok());
  }
  // Makes everything that waits go to the table.
  void WriteThrough() {
    std::vector<EntryId> ids;
    for (EntryId id = 1; id <= PendingTermTable::kMaxChanges + 1; ++id) ids.push_back(id);
    Change(1000, "", ids, true);
    ASSERT_EQ(Pending(), 0);
  }
  std::vector<EntryId> Find(std::uint32_t space, const std::string& key) {
    std::vector<EntryId> ids;
    EXPECT_TRUE(index_->FindEqual(space, key, kNoLimit, &ids).value());
    return ids;
  }
  std::vector<EntryId> FindRange(std::uint32_t space, const std::string& low,
                                 const std::optional<std::string>& high) {
    std::vector<EntryId> ids;
    EXPECT_TRUE(index_->FindRange(space, low, high, kNoLimit, &ids).value());
    return ids;
  }
  bool IsComplete(const std::string& key, std::size_t limit) {
    std::vector<EntryId> ids;
    return index_->FindEqual(2, key, limit, &ids).value();
  }
  std::int64_t Pending() {
    return connection_->QueryInt("SELECT count(*) FROM term_pending").value();
  }
  std::int64_t Rows() { return connection_->QueryInt("SELECT count(*) FROM term").value(); }

  std::unique_ptr<TermIndex> index_;
  ChangeNumber version_ = 0;
};

TEST_F(TermIndexTest, FindsWhatWaits) {
  Change(2, "a", {1, 5}, true);
  Change(2, "ab", {2}, true);
  Change(4, "a", {3}, true);
  EXPECT_EQ(Rows(), 0);
  EXPECT_EQ(Pending(), 3);
  EXPECT_THAT(Find(2, "a"), ElementsAre(1, 5));
  EXPECT_THAT(Find(4, "a"), ElementsAre(3));
  EXPECT_THAT(Find(6, "a"), IsEmpty());
  EXPECT_THAT(FindRange(2, "a", "b"), ElementsAre(1, 2, 5));
  EXPECT_THAT(FindRange(2, "aa", std::nullopt), ElementsAre(2));
}

TEST_F(TermIndexTest, WhatWaitsComesBeforeTheTable) {
  Change(2, "a", {1, 2, 3}, true);
  Change(2, "b", {2}, true);
  WriteThrough();
  Change(2, "a", {2}, false);
  Change(2, "a", {3, 7}, true);
  EXPECT_THAT(Find(2, "a"), ElementsAre(1, 3, 7));
  EXPECT_THAT(FindRange(2, "a", "a"), ElementsAre(1, 3, 7));
  EXPECT_THAT(FindRange(2, "a", std::nullopt), ElementsAre(1, 2, 3, 7));  // 2 has "b" as well
  Change(2, "a", {2}, true);
  Change(2, "a", {7}, false);
  EXPECT_THAT(Find(2, "a"), ElementsAre(1, 2, 3));
  WriteThrough();
  EXPECT_THAT(Find(2, "a"), ElementsAre(1, 2, 3));
}

TEST_F(TermIndexTest, TheLimitCountsWhatIsLeft) {
  Change(2, "a", {1, 2, 3, 4}, true);
  WriteThrough();
  Change(2, "a", {1, 2}, false);
  EXPECT_TRUE(IsComplete("a", 2));
  EXPECT_FALSE(IsComplete("a", 1));
  Change(2, "a", {9}, true);
  EXPECT_FALSE(IsComplete("a", 2));
  EXPECT_TRUE(IsComplete("a", SIZE_MAX));
  std::vector<EntryId> ids;
  EXPECT_FALSE(index_->FindRange(2, "a", std::nullopt, 2, &ids).value());
}

TEST_F(TermIndexTest, FindsByPrefixToTheEndOfTheAlphabet) {
  Change(2, "\xfe", {1}, true);
  Change(2, "\xff", {2}, true);
  Change(3, "", {4}, true);
  WriteThrough();
  Change(2, "\xff\xff", {3}, true);
  std::vector<EntryId> ids;
  EXPECT_TRUE(index_->FindPrefix(2, "\xff", 10, &ids).value());
  EXPECT_THAT(ids, ElementsAre(2, 3));
}

TEST_F(TermIndexTest, ManyChangesGoToTheTable) {
  for (EntryId id = 1; id <= PendingTermTable::kMaxChanges; ++id) Change(2, "a", {id}, true);
  EXPECT_EQ(Rows(), 0);
  Change(2, "a", {PendingTermTable::kMaxChanges + 1}, true);
  EXPECT_EQ(Pending(), 0);
  EXPECT_GT(Rows(), 0);
  EXPECT_EQ(Find(2, "a").size(), PendingTermTable::kMaxChanges + 1);
}

TEST_F(TermIndexTest, LongKeysDoNotWaitForLong) {
  const std::string key(PendingTermTable::kMaxBytes / 2, 'x');
  Change(2, key + "a", {1}, true);
  EXPECT_EQ(Pending(), 1);
  Change(2, key + "b", {2}, true);
  EXPECT_EQ(Pending(), 0);
  EXPECT_THAT(FindRange(2, "x", std::nullopt), ElementsAre(1, 2));
}

// What was written through in a transaction that is undone waits again.
TEST_F(TermIndexTest, FollowsWhatIsUndone) {
  Change(2, "a", {1}, true);
  ASSERT_TRUE(connection_->Execute("BEGIN").ok());
  WriteThrough();
  ASSERT_TRUE(index_->SetVersion(std::nullopt).ok());
  EXPECT_THAT(Find(2, "a"), ElementsAre(1));
  ASSERT_TRUE(connection_->Execute("ROLLBACK").ok());
  EXPECT_EQ(Pending(), 1);
  ASSERT_TRUE(index_->SetVersion(1).ok());
  EXPECT_THAT(Find(2, "a"), ElementsAre(1));
  Change(2, "a", {1}, false);
  EXPECT_THAT(Find(2, "a"), IsEmpty());
}

TEST_F(TermIndexTest, AReaderFollowsTheWriter) {
  TermIndex reader(*connection_);
  auto found = [&] {
    EXPECT_TRUE(reader.SetVersion(version_).ok());
    std::vector<EntryId> ids;
    EXPECT_TRUE(reader.FindEqual(2, "a", kNoLimit, &ids).value());
    return ids;
  };
  Change(2, "a", {1}, true);
  EXPECT_THAT(found(), ElementsAre(1));
  Change(2, "a", {2}, true);
  EXPECT_THAT(found(), ElementsAre(1, 2));
  WriteThrough();
  Change(2, "a", {1}, false);
  EXPECT_THAT(found(), ElementsAre(2));
  WriteThrough();
  EXPECT_THAT(found(), ElementsAre(2));
}

TEST_F(TermIndexTest, VisitsEveryPostingOnce) {
  Change(2, "a", {1, 2}, true);
  WriteThrough();
  Change(2, "a", {2, 3}, true);
  Change(2, "a", {1}, false);
  Change(4, "b", {7}, true);
  std::multiset<std::tuple<std::uint32_t, std::string, EntryId>> visited;
  const Status status = index_->VisitAll(
      [&](std::uint32_t space, std::string_view key, std::span<const EntryId> ids) -> Status {
        for (const EntryId id : ids) {
          if (space != 1000) visited.emplace(space, key, id);
        }
        return model::OkStatus();
      });
  EXPECT_TRUE(status.ok());
  EXPECT_THAT(visited,
              ElementsAre(std::tuple(2, "a", 2), std::tuple(2, "a", 3), std::tuple(4, "b", 7)));
}

TEST_F(TermIndexTest, RefusesADamagedRow) {
  Change(2, "a", {1}, true);
  for (const char* const damaged : {"x'05'", "x'0541'", "x'0503'", "x'050161'", "x'0501618080'"}) {
    ASSERT_TRUE(
        connection_->Execute(std::string("UPDATE term_pending SET changes=") + damaged).ok());
    TermIndex other(*connection_);
    EXPECT_EQ(other.SetVersion(1).code(), model::ResultCode::kOther) << damaged;
  }
}

// Compares with sets, with what waits and what is in the table in every mixture.
TEST_F(TermIndexTest, SaysWhatSetsSayUnderRandomChanges) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  std::map<std::string, std::set<EntryId>> model;
  for (int round = 0; round < 300; ++round) {
    std::map<std::pair<std::string, EntryId>, bool> changes;
    const std::size_t count = random() % 20 == 0 ? 1500 : 1 + random() % 40;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string key(1, static_cast<char>('a' + random() % 5));
      changes[{key, 1 + random() % 2000}] = random() % 2 != 0;
    }
    std::vector<TermChange> sorted;
    for (const auto& [place, add] : changes) {
      sorted.push_back({2, place.first, place.second, add});
      add ? static_cast<void>(model[place.first].insert(place.second))
          : static_cast<void>(model[place.first].erase(place.second));
    }
    ASSERT_TRUE(index_->Apply(++version_, sorted).ok());
    ASSERT_TRUE(index_->SetVersion(version_).ok());
    std::set<EntryId> in_range;
    for (const auto& [key, ids] : model) {
      ASSERT_EQ(Find(2, key), std::vector<EntryId>(ids.begin(), ids.end()));
      if (key >= "b" && key <= "d") in_range.insert(ids.begin(), ids.end());
    }
    ASSERT_EQ(FindRange(2, "b", "d"), std::vector<EntryId>(in_range.begin(), in_range.end()));
  }
}

}  // namespace
}  // namespace twintree::storage::sqlite
