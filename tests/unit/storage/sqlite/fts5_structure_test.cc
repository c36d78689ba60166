#include "storage/sqlite/fts5_structure.h"

#include <gtest/gtest.h>

namespace twintree::storage::sqlite {
namespace {

std::string Record(const std::vector<std::uint64_t>& numbers) {
  std::string octets("cook");
  for (const std::uint64_t number : numbers) AppendVarint(number, &octets);
  return octets;
}

TEST(VarintTest, KeepsNumbersOfAnySize) {
  std::string octets;
  std::vector<std::uint64_t> numbers = {0, 1, ~std::uint64_t{0}};
  for (int bits = 6; bits < 64; ++bits) {
    for (const std::uint64_t number : {(std::uint64_t{1} << bits) - 1, std::uint64_t{1} << bits}) {
      numbers.push_back(number);
    }
  }
  for (const std::uint64_t number : numbers) AppendVarint(number, &octets);
  std::string_view rest = octets;
  for (const std::uint64_t number : numbers) {
    std::uint64_t read = 0;
    ASSERT_TRUE(ReadVarint(&rest, &read));
    EXPECT_EQ(read, number);
  }
  std::uint64_t read = 0;
  EXPECT_FALSE(ReadVarint(&rest, &read));
}

TEST(VarintTest, IsThatOfSqlite) {
  std::string octets;
  AppendVarint(0x81, &octets);
  AppendVarint(~std::uint64_t{0}, &octets);
  EXPECT_EQ(octets, "\x81\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff");
}

TEST(Fts5StructureTest, KeepsWhatItDecodes) {
  const std::string record = Record({2, 3, 77, 2, 2, 4, 1, 9, 5, 1, 300, 0, 1, 1, 7, 20000});
  auto structure = Fts5Structure::Decode(record);
  ASSERT_TRUE(structure.has_value());
  EXPECT_EQ(structure->Encode(), record);
  EXPECT_EQ(structure->FreeSegment(), 2U);
}

TEST(Fts5StructureTest, PutsASegmentWhereItsSizeBelongs) {
  auto structure = Fts5Structure::Decode(Record({1, 1, 0, 0, 1, 1, 1, 1}));
  structure->Add({2, 1, 17});
  EXPECT_EQ(structure->Encode(), Record({3, 2, 0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 2, 1, 17}));
}

TEST(Fts5StructureTest, PutsNothingBehindTheResultOfAMerge) {
  auto structure = Fts5Structure::Decode(Record({2, 2, 0, 1, 1, 1, 1, 1, 0, 1, 2, 1, 1}));
  structure->Add({3, 1, 4});
  EXPECT_EQ(structure->Encode(), Record({3, 3, 0, 1, 1, 1, 1, 1, 0, 1, 2, 1, 1, 0, 1, 3, 1, 4}));
}

TEST(Fts5StructureTest, RefusesWhatItDoesNotKnow) {
  const std::string record = Record({1, 1, 0, 0, 1, 1, 1, 1});
  for (std::size_t size = 0; size < record.size(); ++size) {
    EXPECT_FALSE(Fts5Structure::Decode(record.substr(0, size)).has_value()) << size;
  }
  EXPECT_FALSE(Fts5Structure::Decode(record + '\0').has_value());
  const std::string later_format = std::string("cook\xff\0\0\1", 8) + record.substr(4);
  EXPECT_FALSE(Fts5Structure::Decode(later_format).has_value());
}

}  // namespace
}  // namespace twintree::storage::sqlite
