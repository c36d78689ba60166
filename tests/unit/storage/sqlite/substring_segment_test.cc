// Segments that were written at once, read and changed by FTS5.
#include "storage/sqlite/substring_segment.h"

#include <map>
#include <random>
#include <set>

#include "storage/sqlite/prepared_terms.h"
#include "storage/sqlite/trigram_lists.h"
#include "tests/unit/storage/sqlite/database_fixture.h"
#include "tests/unit/storage/sqlite/prepared_terms_builder.h"

namespace twintree::storage::sqlite {
namespace {

using Postings = std::map<std::string, std::set<EntryId>>;

class SubstringSegmentTest : public DatabaseFixture {
 protected:
  void SetUp() override {
    DatabaseFixture::SetUp();
    const std::vector<IndexSpec> specs = {{"cn", kSubstringIndex}, {"sn", kSubstringIndex}};
    alphabet_ = std::make_unique<SubstringAlphabet>(
        IndexSet::Make(specs, *model::Schema::Standard()).value());
  }

  std::vector<IndexTerm> Terms(const std::string& cn, const std::string& sn) {
    return {{0, kSubstringIndex, cn}, {1, kSubstringIndex, sn}};
  }
  // Loads entries with ids from `first` on, in one segment.
  void Load(EntryId first, const std::vector<std::string>& names, std::size_t memory = 1 << 20,
            std::size_t page_bytes = SubstringSegment::kPageBytes) {
    TrigramLists lists(testing::TempDir(), memory);
    for (const std::string& name : names) {
      const std::vector<IndexTerm> terms = Terms(name, "x" + name);
      std::vector<std::uint64_t> trigrams = alphabet_->PackedTrigrams(terms);
      std::sort(trigrams.begin(), trigrams.end());
      trigrams.erase(std::unique(trigrams.begin(), trigrams.end()), trigrams.end());
      const std::vector<EntryTerms> entry = {{first, BuildPreparedTerms(trigrams, {})}};
      ASSERT_TRUE(lists.Add(entry).ok());
      Expect(first++, terms);
    }
    SubstringSegment segment(*connection_, page_bytes);
    ASSERT_TRUE(segment.Begin().ok());
    ASSERT_TRUE(lists
                    .Finish([&](std::uint64_t trigram, std::span<const EntryId> ids) {
                      return segment.Add(SubstringAlphabet::UnpackTrigram(trigram), ids);
                    })
                    .ok());
    ASSERT_TRUE(segment.Finish(lists.entries(), lists.text_trigrams()).ok());
  }
  void Expect(EntryId id, const std::vector<IndexTerm>& terms) {
    for (const auto& trigram : SubstringAlphabet::Trigrams(alphabet_->Text(terms))) {
      expected_[trigram].insert(id);
    }
  }
  void ExpectAllFound() {
    SubstringTable table(*connection_);
    EXPECT_TRUE(table.CheckStructure().ok());
    Postings stored;
    ASSERT_TRUE(table
                    .VisitAll([&](std::string_view trigram, EntryId id) {
                      EXPECT_TRUE(stored[std::string(trigram)].insert(id).second);
                    })
                    .ok());
    EXPECT_EQ(stored, expected_);
  }
  std::int64_t Count(const std::string& what) {
    return connection_->QueryInt("SELECT count(*) FROM " + what).value();
  }
  static std::vector<std::string> RandomNames(std::size_t count) {
    std::mt19937 random(7);
    std::vector<std::string> names(count);
    for (std::string& name : names) {
      for (int i = 0; i < 9; ++i) name.push_back(static_cast<char>('a' + random() % 26));
    }
    return names;
  }

  std::unique_ptr<SubstringAlphabet> alphabet_;
  Postings expected_;
};

TEST_F(SubstringSegmentTest, PackedTrigramsAreThoseOfTheText) {
  const std::vector<IndexTerm> terms = Terms(std::string("a\0\xff", 3), "bcd");
  std::set<std::string> packed;
  std::string last;
  auto trigrams = alphabet_->PackedTrigrams(terms);
  std::sort(trigrams.begin(), trigrams.end());
  for (const std::uint64_t trigram : trigrams) {
    const std::string octets = SubstringAlphabet::UnpackTrigram(trigram);
    EXPECT_LE(last, octets);
    packed.insert(last = octets);
  }
  const auto expected = SubstringAlphabet::Trigrams(alphabet_->Text(terms));
  EXPECT_EQ(packed, std::set<std::string>(expected.begin(), expected.end()));
}

TEST_F(SubstringSegmentTest, AnEmptyOneLeavesNoTrace) {
  Load(1, {});
  ExpectAllFound();
}

TEST_F(SubstringSegmentTest, HoldsManyTerms) {
  Load(1, RandomNames(2000));
  EXPECT_GT(Count("substring_idx"), 20);
  ExpectAllFound();
}

TEST_F(SubstringSegmentTest, HoldsListsOfManyPages) {
  Load(1, std::vector<std::string>(30'000, "same"));
  EXPECT_GT(Count("substring_idx WHERE pgno & 1"), 0);
  ExpectAllFound();
}

TEST_F(SubstringSegmentTest, HoldsListsWhoseIndexHasManyPages) {
  Load(1, std::vector<std::string>(30'000, "same"), 1 << 20, 40);
  // Pages of the index two levels above its leaves.
  EXPECT_GT(Count("substring_data WHERE (id >> 36) & 1 AND (id >> 31) & 31 = 2"), 0);
  ExpectAllFound();
  SubstringTable table(*connection_);
  const auto terms = Terms("same", "other");
  ASSERT_TRUE(table.Apply({{40'000, "", alphabet_->Text(terms)}}).ok());
  ASSERT_TRUE(table.Optimize().ok());
  const model::SubstringKeys same{"sam", {}, ""};
  const model::SubstringKeys other{"oth", {}, ""};
  auto pattern = alphabet_->PatternOf(0, same);
  for (const auto& trigram : alphabet_->PatternOf(1, other).trigrams) {
    pattern.trigrams.push_back(trigram);
  }
  std::vector<EntryId> ids;  // found by seeking in the long list
  EXPECT_TRUE(table.Find(pattern, 10, &ids).value());
  EXPECT_EQ(ids, std::vector<EntryId>{40'000});
}

TEST_F(SubstringSegmentTest, GathersWhatDidNotFitIntoMemory) {
  Load(1, RandomNames(3000), 1);
  ExpectAllFound();
}

TEST_F(SubstringSegmentTest, StandsBesideOthers) {
  SubstringTable table(*connection_);
  const auto terms = Terms("online", "online");
  ASSERT_TRUE(table.Apply({{1, "", alphabet_->Text(terms)}}).ok());
  ASSERT_TRUE(table.Optimize().ok());
  Expect(1, terms);
  Load(2, RandomNames(100));
  Load(102, RandomNames(100));
  ExpectAllFound();
}

TEST_F(SubstringSegmentTest, CanBeChangedByFts5) {
  const std::vector<std::string> names = RandomNames(3000);
  Load(1, names);
  SubstringTable table(*connection_);
  for (EntryId id = 1; id <= 1500; ++id) {
    const auto terms = Terms(names[id - 1], "x" + names[id - 1]);
    ASSERT_TRUE(table.Apply({{id, alphabet_->Text(terms), ""}}).ok());
    for (auto& [trigram, ids] : expected_) ids.erase(id);
  }
  std::erase_if(expected_, [](const auto& one) { return one.second.empty(); });
  ExpectAllFound();
  ASSERT_TRUE(table.Optimize().ok());
  ExpectAllFound();
}

TEST_F(SubstringSegmentTest, RefusesAFormatItDoesNotKnow) {
  ASSERT_TRUE(connection_->Execute("UPDATE substring_config SET v=5 WHERE k='version'").ok());
  EXPECT_EQ(SubstringSegment(*connection_).Begin().code(), model::ResultCode::kOther);
}

}  // namespace
}  // namespace twintree::storage::sqlite
