#include "storage/sqlite/substring_table.h"

#include <random>

#include "services/model/matching_rule.h"
#include "tests/unit/storage/sqlite/database_fixture.h"

namespace twintree::storage::sqlite {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class SubstringTableTest : public DatabaseFixture {
 protected:
  void SetUp() override {
    DatabaseFixture::SetUp();
    const std::vector<IndexSpec> specs = {{"cn", kSubstringIndex}, {"sn", kSubstringIndex}};
    alphabet_ = std::make_unique<SubstringAlphabet>(
        IndexSet::Make(specs, *model::Schema::Standard()).value());
    table_ = std::make_unique<SubstringTable>(*connection_);
  }
  void TearDown() override { table_.reset(); }

  std::string Text(const std::string& key, AttributeNumber attribute = 0) {
    const std::vector<IndexTerm> terms = {{attribute, kSubstringIndex, key}};
    return alphabet_->Text(terms);
  }
  void Add(EntryId id, const std::string& key, AttributeNumber attribute = 0) {
    Change(id, "", Text(key, attribute));
  }
  void Change(EntryId id, std::string before, std::string after) {
    ASSERT_TRUE(table_->Apply({{id, std::move(before), std::move(after)}}).ok());
  }
  std::size_t Pending() { return table_->CountPending().value(); }
  // Pairs of trigram and entry that FTS5 itself has.
  std::int64_t Told() {
    return connection_->QueryInt("SELECT count(*) FROM substring_terms").value();
  }
  std::vector<std::string> Shown(EntryId of) {
    std::vector<std::string> trigrams;
    auto note = [&](std::string_view trigram, EntryId id) {
      if (id == of) trigrams.emplace_back(trigram);
    };
    EXPECT_TRUE(table_->VisitAll(note).ok());
    std::sort(trigrams.begin(), trigrams.end());
    return trigrams;
  }
  std::vector<EntryId> Find(const model::SubstringKeys& pieces) {
    std::vector<EntryId> ids;
    auto found = table_->Find(alphabet_->PatternOf(0, pieces), 100'000, &ids);
    EXPECT_TRUE(found.ok() && *found);
    return ids;
  }

  std::unique_ptr<SubstringAlphabet> alphabet_;
  std::unique_ptr<SubstringTable> table_;
};

TEST_F(SubstringTableTest, KnowsWhereAValueBeginsAndEnds) {
  Add(1, "smith");
  Add(2, "blacksmiths");
  EXPECT_THAT(Find({"", {"smith"}, ""}), ElementsAre(1, 2));
  EXPECT_THAT(Find({"smith", {}, ""}), ElementsAre(1));
  EXPECT_THAT(Find({"", {}, "smith"}), ElementsAre(1));
  EXPECT_THAT(Find({"s", {}, ""}), ElementsAre(1));
  EXPECT_THAT(Find({"", {}, "s"}), ElementsAre(2));
}

TEST_F(SubstringTableTest, KeepsAttributesApart) {
  Add(1, "smith", 0);
  Add(2, "smith", 1);
  EXPECT_THAT(Find({"", {"smith"}, ""}), ElementsAre(1));
  EXPECT_THAT(Find({"", {"mi"}, ""}), ElementsAre(1));
}

TEST_F(SubstringTableTest, ForgetsARemovedText) {
  Add(1, "smith");
  ASSERT_TRUE(table_->Optimize().ok());
  Change(1, Text("smith"), "");
  EXPECT_THAT(Find({"", {"smith"}, ""}), IsEmpty());
  EXPECT_THAT(Find({"", {"m"}, ""}), IsEmpty());
}

TEST_F(SubstringTableTest, DoesNotTakeCaseOrQuotesForSyntax) {
  Add(1, "\"a\" AND *b*^");
  EXPECT_THAT(Find({"", {"\"a\" and"}, ""}), IsEmpty());
  EXPECT_THAT(Find({"", {"\"a\" AND *"}, ""}), ElementsAre(1));
}

TEST_F(SubstringTableTest, AsksForNothingWithoutPieces) {
  EXPECT_TRUE(alphabet_->PatternOf(0, {}).empty());
}

TEST_F(SubstringTableTest, SplitsATextAsFts5Does) {
  const std::string text = Text("some text, \xc3\xa9") + Text(std::string("\xff\0x", 3), 1);
  Change(1, "", text);
  ASSERT_TRUE(table_->Optimize().ok());
  EXPECT_EQ(Shown(1), SubstringAlphabet::Trigrams(text));
}

TEST_F(SubstringTableTest, FindsWhatFts5WasNotTold) {
  Add(1, "smith");
  Add(2, "smithers");
  EXPECT_EQ(Told(), 0);
  EXPECT_THAT(Find({"smith", {}, ""}), ElementsAre(1, 2));
  Change(1, Text("smith"), Text("jones"));
  EXPECT_THAT(Find({"smith", {}, ""}), ElementsAre(2));
  EXPECT_THAT(Find({"", {}, "es"}), ElementsAre(1));
  EXPECT_EQ(Shown(1), SubstringAlphabet::Trigrams(Text("jones")));
}

TEST_F(SubstringTableTest, TellsFts5ManyChangesAtOnce) {
  for (EntryId id = 1; id <= SubstringTable::kMaxPending; ++id) Add(id, "smith");
  EXPECT_EQ(Pending(), SubstringTable::kMaxPending);
  EXPECT_EQ(Told(), 0);
  Add(SubstringTable::kMaxPending + 1, "smith");
  EXPECT_EQ(Pending(), 0U);
  EXPECT_GT(Told(), 0);
  EXPECT_EQ(Find({"smith", {}, ""}).size(), SubstringTable::kMaxPending + 1);
}

TEST_F(SubstringTableTest, ALongTextDoesNotWait) {
  Add(1, "smith");
  Add(2, std::string(SubstringTable::kMaxPendingBytes, 's'));
  EXPECT_EQ(Pending(), 0U);
  EXPECT_THAT(Find({"s", {}, ""}), ElementsAre(1, 2));
}

// What FTS5 has must be taken back as it was told, whatever came between.
TEST_F(SubstringTableTest, ChangesOfOneEntryBecomeOne) {
  Add(1, "smith");
  ASSERT_TRUE(table_->Optimize().ok());
  Change(1, Text("smith"), Text("jones"));
  Change(1, Text("jones"), Text("baker"));
  EXPECT_EQ(Pending(), 1U);
  ASSERT_TRUE(table_->Optimize().ok());
  EXPECT_EQ(Shown(1), SubstringAlphabet::Trigrams(Text("baker")));
  Change(1, Text("baker"), Text("smith"));
  Change(1, Text("smith"), "");
  ASSERT_TRUE(table_->Optimize().ok());
  EXPECT_EQ(Told(), 0);
}

TEST_F(SubstringTableTest, CountsWhatIsPendingAgainstTheLimit) {
  Add(1, "smith");
  Add(2, "smith");
  ASSERT_TRUE(table_->Optimize().ok());
  Change(1, Text("smith"), Text("jones"));
  const model::SubstringKeys smith{"smith", {}, ""};
  std::vector<EntryId> ids;
  EXPECT_TRUE(table_->Find(alphabet_->PatternOf(0, smith), 1, &ids).value());
  EXPECT_THAT(ids, ElementsAre(2));
  Add(3, "smith");
  ids.clear();
  EXPECT_FALSE(table_->Find(alphabet_->PatternOf(0, smith), 1, &ids).value());
}

TEST_F(SubstringTableTest, ShowsAnEntryThatFts5WasToldWrongly) {
  Add(1, "smith");
  ASSERT_TRUE(connection_->Execute("INSERT INTO substring(rowid, text) VALUES(1, 'xyz')").ok());
  EXPECT_THAT(Shown(1), ElementsAre("xyz"));
}

// Keys of any octets, also NUL and what is no UTF-8: no match may be missed.
TEST_F(SubstringTableTest, FindsEveryMatchAmongRandomOctets) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const std::string octets(
      "\0\x01"
      "ab\x7f\x80\xc3\xa9\xff",
      9);
  auto word = [&](std::size_t longest) {
    std::string text;
    for (std::size_t i = random() % (longest + 1); i > 0; --i) {
      text.push_back(octets[random() % octets.size()]);
    }
    return text;
  };
  std::vector<std::string> keys;
  for (EntryId id = 0; id < 400; ++id) {
    keys.push_back(word(8));
    Add(id + 1, keys.back());
  }
  for (int i = 0; i < 500; ++i) {
    model::SubstringKeys pieces{word(2), {word(3), word(4)}, word(2)};
    std::erase(pieces.any, "");
    const auto pattern = alphabet_->PatternOf(0, pieces);
    if (pattern.empty()) continue;
    const std::vector<EntryId> found = Find(pieces);
    for (EntryId id = 1; id <= keys.size(); ++id) {
      if (!model::SubstringsMatch(keys[id - 1], pieces)) continue;
      EXPECT_TRUE(std::binary_search(found.begin(), found.end(), id));
      EXPECT_TRUE(pattern.Fits(Text(keys[id - 1])));
    }
  }
}

TEST(SubstringAlphabetTest, GivesManyAttributesTheirOwnCharacters) {
  const auto schema = model::Schema::Standard();
  std::vector<IndexSpec> specs;
  for (const auto& type : schema->attribute_types()) {
    if (type->substring != nullptr) specs.push_back({type->oid, kSubstringIndex});
  }
  const IndexSet indexes = IndexSet::Make(specs, *schema).value();
  const SubstringAlphabet alphabet(indexes);
  std::vector<std::string> all;
  for (const IndexedAttribute& attribute : indexes.attributes()) {
    const std::vector<IndexTerm> terms = {{attribute.number, kSubstringIndex, "abc"}};
    const auto trigrams = SubstringAlphabet::Trigrams(alphabet.Text(terms));
    EXPECT_EQ(trigrams.size(), 4U);
    all.insert(all.end(), trigrams.begin(), trigrams.end());
  }
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end());
}

}  // namespace
}  // namespace twintree::storage::sqlite
