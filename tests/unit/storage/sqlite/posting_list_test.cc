#include "storage/sqlite/posting_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace twintree::storage::sqlite {
namespace {

using model::ResultCode;

std::vector<EntryId> RoundTrip(const std::vector<EntryId>& ids) {
  std::vector<EntryId> decoded;
  for (const PostingRow& row : EncodePostings(ids)) {
    EXPECT_TRUE(DecodePostings(row.first, row.rest, &decoded).ok());
  }
  return decoded;
}

TEST(PostingListTest, KeepsIds) {
  const std::vector<EntryId> ids = {1, 2, 300, 70'000, 1ULL << 40, ~0ULL - 1, ~0ULL};
  EXPECT_EQ(RoundTrip(ids), ids);
}

TEST(PostingListTest, KeepsRandomLists) {
  std::mt19937_64 random(7);
  std::vector<EntryId> ids;
  EntryId id = 0;
  for (int i = 0; i < 5000; ++i) ids.push_back(id += 1 + random() % (i % 2 == 0 ? 3 : 100'000));
  EXPECT_EQ(RoundTrip(ids), ids);
}

TEST(PostingListTest, BoundsRows) {
  std::vector<EntryId> ids;
  for (EntryId id = 1; id <= 5000; ++id) ids.push_back(id);
  const auto rows = EncodePostings(ids);
  EXPECT_EQ(rows.size(), 11U);  // 481 ids a row
  for (const PostingRow& row : rows) EXPECT_LT(row.rest.size(), kFullPostingBytes + 10);
}

TEST(PostingListTest, HasNoRowsForNoIds) { EXPECT_TRUE(EncodePostings({}).empty()); }

TEST(PostingListTest, RefusesDamage) {
  std::vector<EntryId> ids;
  EXPECT_EQ(DecodePostings(1, "\x80", &ids).code(), ResultCode::kOther);
  EXPECT_EQ(DecodePostings(1, std::string(11, '\xff'), &ids).code(), ResultCode::kOther);
}

}  // namespace
}  // namespace twintree::storage::sqlite
