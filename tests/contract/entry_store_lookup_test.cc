// What every entry store keeps to: lookups by index give every match.
#include <algorithm>
#include <random>

#include "services/model/matching_rule.h"
#include "storage/entry_store.h"
#include "tests/contract/entry_store_fixture.h"

namespace twintree::storage {
namespace {

using model::OkStatus;
using testing::ElementsAre;
using testing::IsEmpty;

class EntryStoreLookup : public EntryStoreContract {
 protected:
  IndexQuery Equal(const char* name, const std::string& value) {
    return EqualQuery(*store_, name, value);
  }
  IndexQuery Substring(const char* name, model::SubstringKeys pieces) {
    IndexQuery query = QueryOn(*store_, name, IndexQuery::Kind::kSubstring);
    query.pieces = std::move(pieces);
    return query;
  }
  IndexQuery Prefix(const char* name, const std::string& key) {
    IndexQuery query = QueryOn(*store_, name, IndexQuery::Kind::kPrefix);
    query.key = key;
    return query;
  }
  IndexQuery Range(std::optional<int> low, std::optional<int> high) {
    IndexQuery query = QueryOn(*store_, "uidNumber", IndexQuery::Kind::kRange);
    auto key = [](int n) {
      return TestSchema()->FindAttributeType("uidNumber")->EqualityKey(std::to_string(n)).value();
    };
    if (low) query.low = key(*low);
    if (high) query.high = key(*high);
    return query;
  }
  LookupState StateOf(const IndexQuery& query, std::size_t limit) {
    std::vector<EntryId> ids;
    return Read()->Lookup(query, limit, &ids).value();
  }
};

TEST_P(EntryStoreLookup, FindsByEquality) {
  const EntryId ann = Add("Ann", {{"sn", {"Smith"}}});
  const EntryId bob = Add("Bob", {{"sn", {"Smith"}}});
  EXPECT_THAT(LookUp(*Read(), Equal("sn", "SMITH")), ElementsAre(ann, bob));
  EXPECT_THAT(LookUp(*Read(), Equal("sn", "smit")), IsEmpty());
}

TEST_P(EntryStoreLookup, FindsValuesWithOptionsUnderTheirType) {
  const EntryId ann = Add("Ann", {{"sn;lang-de", {"Schmidt"}}});
  EXPECT_THAT(LookUp(*Read(), Equal("sn", "schmidt")), ElementsAre(ann));
}

TEST_P(EntryStoreLookup, KeepsATermThatAnotherValueStillHas) {
  const EntryId ann = Add("Ann", {{"sn", {"Smith"}}, {"sn;lang-en", {"SMITH"}}});
  ASSERT_TRUE(Write(*store_, [&](WriteTransaction& t) {
                return t.Replace(ann, Person(suffix_, "Ann", {{"sn;lang-en", {"SMITH"}}}).entry);
              }).ok());
  EXPECT_THAT(LookUp(*Read(), Equal("sn", "smith")), ElementsAre(ann));
}

TEST_P(EntryStoreLookup, FindsByPresence) {
  const EntryId ann = Add("ann", {{"sn", {"x"}}});
  Add("bob");
  EXPECT_THAT(LookUp(*Read(), QueryOn(*store_, "sn", IndexQuery::Kind::kPresent)),
              ElementsAre(ann));
  ASSERT_TRUE(Write(*store_, [&](WriteTransaction& t) {
                return t.Replace(ann, Person(suffix_, "ann").entry);
              }).ok());
  EXPECT_THAT(LookUp(*Read(), QueryOn(*store_, "sn", IndexQuery::Kind::kPresent)), IsEmpty());
}

TEST_P(EntryStoreLookup, FindsByPrefix) {
  const EntryId smith = Add("a", {{"sn", {"smith"}}});
  const EntryId smythe = Add("b", {{"sn", {"smythe"}}});
  Add("c", {{"sn", {"taylor"}}});
  EXPECT_THAT(LookUp(*Read(), Prefix("sn", "sm")), ElementsAre(smith, smythe));
  EXPECT_THAT(LookUp(*Read(), Prefix("sn", "smi")), ElementsAre(smith));
}

TEST_P(EntryStoreLookup, FindsIntegersInARange) {
  std::vector<EntryId> ids;
  for (const int number : {-5, 3, 20, 100, 3000}) {
    const std::string text = std::to_string(number);
    ids.push_back(Add("n" + text, {{"uidNumber", {text}}}));
  }
  EXPECT_THAT(LookUp(*Read(), Range(3, 100)), ElementsAre(ids[1], ids[2], ids[3]));
  EXPECT_THAT(LookUp(*Read(), Range(std::nullopt, 3)), ElementsAre(ids[0], ids[1]));
  EXPECT_THAT(LookUp(*Read(), Range(21, std::nullopt)), ElementsAre(ids[3], ids[4]));
}

TEST_P(EntryStoreLookup, FindsSubstrings) {
  const EntryId ann = Add("ann", {{"sn", {"Bartholomew"}}});
  const EntryId bob = Add("bob", {{"sn", {"Thompson"}}});
  EXPECT_THAT(LookUp(*Read(), Substring("sn", {"", {"tho"}, ""})), ElementsAre(ann, bob));
  EXPECT_THAT(LookUp(*Read(), Substring("sn", {"tho", {}, ""})), ElementsAre(bob));
  EXPECT_THAT(LookUp(*Read(), Substring("sn", {"", {}, "mew"})), ElementsAre(ann));
  EXPECT_THAT(LookUp(*Read(), Substring("sn", {"bar", {"tho", "lom"}, "ew"})), ElementsAre(ann));
  EXPECT_THAT(LookUp(*Read(), Substring("sn", {"", {"xyz"}, ""})), IsEmpty());
}

TEST_P(EntryStoreLookup, FindsSubstringsOfOneOrTwoCharacters) {
  const EntryId ann = Add("ann", {{"sn", {"Bo"}}});
  const EntryId bob = Add("bob", {{"sn", {"o"}}});
  EXPECT_THAT(LookUp(*Read(), Substring("sn", {"", {"o"}, ""})), ElementsAre(ann, bob));
  EXPECT_THAT(LookUp(*Read(), Substring("sn", {"b", {}, ""})), ElementsAre(ann));
  EXPECT_THAT(LookUp(*Read(), Substring("sn", {"", {}, "o"})), ElementsAre(ann, bob));
  EXPECT_THAT(LookUp(*Read(), Substring("sn", {"", {"bo"}, ""})), ElementsAre(ann));
  EXPECT_THAT(LookUp(*Read(), Substring("sn", {"bo", {}, ""})), ElementsAre(ann));
}

TEST_P(EntryStoreLookup, DoesNotMixSubstringsOfTwoAttributes) {
  Add("ann", {{"sn", {"other"}}});
  const EntryId bob = Add("bob", {{"sn", {"ann"}}});
  EXPECT_THAT(LookUp(*Read(), Substring("sn", {"", {"ann"}, ""})), ElementsAre(bob));
}

TEST_P(EntryStoreLookup, FindsSubstringsBeyondASCII) {
  const EntryId id = Add("ann", {{"sn", {"Müller-Łukasz 北京市"}}});
  const std::string key =
      TestSchema()->FindAttributeType("sn")->EqualityKey("Müller-Łukasz 北京市").value();
  for (std::size_t start = 0; start < key.size(); ++start) {
    for (std::size_t length = 1; start + length <= key.size(); ++length) {
      EXPECT_THAT(LookUp(*Read(), Substring("sn", {"", {key.substr(start, length)}, ""})),
                  ElementsAre(id));
    }
  }
}

TEST_P(EntryStoreLookup, ForgetsSubstringsOfOldValues) {
  const EntryId ann = Add("ann", {{"sn", {"before"}}});
  ASSERT_TRUE(Write(*store_, [&](WriteTransaction& t) {
                return t.Replace(ann, Person(suffix_, "ann", {{"sn", {"after"}}}).entry);
              }).ok());
  EXPECT_THAT(LookUp(*Read(), Substring("sn", {"", {"before"}, ""})), IsEmpty());
  EXPECT_THAT(LookUp(*Read(), Substring("sn", {"", {"after"}, ""})), ElementsAre(ann));
}

TEST_P(EntryStoreLookup, FindsValuesLongerThanAKey) {
  const std::string value(1000, 'x');
  const EntryId id = Add("ann", {{"sn", {value}}});
  EXPECT_THAT(LookUp(*Read(), Equal("sn", value)), ElementsAre(id));
  EXPECT_THAT(LookUp(*Read(), Prefix("sn", std::string(500, 'x'))), ElementsAre(id));
  EXPECT_THAT(LookUp(*Read(), Substring("sn", {"", {std::string(900, 'x')}, ""})), ElementsAre(id));
}

TEST_P(EntryStoreLookup, SaysWhenThereIsNoIndex) {
  EXPECT_EQ(StateOf(QueryOn(*store_, "member", IndexQuery::Kind::kPresent), 10),
            LookupState::kNotIndexed);
  EXPECT_EQ(StateOf(Substring("uidNumber", {"a", {}, ""}), 10), LookupState::kNotIndexed);
  IndexQuery range = QueryOn(*store_, "cn", IndexQuery::Kind::kRange);
  EXPECT_EQ(StateOf(range, 10), LookupState::kNotIndexed);
  IndexQuery unknown;
  unknown.attribute = 999;
  EXPECT_EQ(StateOf(unknown, 10), LookupState::kNotIndexed);
}

TEST_P(EntryStoreLookup, SaysWhenThereIsTooMuch) {
  for (int i = 0; i < 5; ++i) {
    Add("n" + std::to_string(i), {{"sn", {"smith"}}, {"uidNumber", {std::to_string(i)}}});
  }
  for (const IndexQuery& query :
       {Equal("sn", "smith"), Prefix("sn", "sm"), Substring("sn", {"", {"mit"}, ""}),
        Substring("sn", {"", {"m"}, ""}), Range(0, 10),
        QueryOn(*store_, "sn", IndexQuery::Kind::kPresent)}) {
    EXPECT_EQ(StateOf(query, 4), LookupState::kTooMany);
    EXPECT_EQ(StateOf(query, 5), LookupState::kComplete);
    EXPECT_EQ(StateOf(query, 4), LookupState::kTooMany);
  }
}

TEST_P(EntryStoreLookup, GivesAnIdOnceThatHasSeveralKeys) {
  const EntryId id = Add("ann", {{"sn", {"sma", "smb", "smc"}}});
  EXPECT_THAT(LookUp(*Read(), Prefix("sn", "sm"), 1), ElementsAre(id));
  EXPECT_THAT(LookUp(*Read(), Substring("sn", {"", {"m"}, ""}), 1), ElementsAre(id));
}

// Terms that thousands of entries share take several rows in a store that packs ids.
TEST_P(EntryStoreLookup, KeepsLongListsRightUnderRandomChanges) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  std::vector<EntryId> expected;
  std::vector<EntryId> all;
  ASSERT_TRUE(Write(*store_, [&](WriteTransaction& t) -> Status {
                for (int i = 0; i < 3000; ++i) {
                  TT_ASSIGN_OR_RETURN(const EntryId id,
                                      t.Insert(Person(suffix_, "n" + std::to_string(i))));
                  all.push_back(id);
                }
                return OkStatus();
              }).ok());
  std::vector<bool> has(all.size(), false);
  for (int round = 0; round < 6; ++round) {
    ASSERT_TRUE(Write(*store_, [&](WriteTransaction& t) -> Status {
                  for (std::size_t i = 0; i < all.size(); ++i) {
                    if (random() % 3 != 0) continue;
                    has[i] = !has[i];
                    const std::string cn = "n" + std::to_string(i);
                    const Values sn = has[i] ? Values{{"sn", {"common"}}} : Values{};
                    TT_RETURN_IF_ERROR(t.Replace(all[i], Person(suffix_, cn, sn).entry));
                  }
                  return OkStatus();
                }).ok());
    expected.clear();
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (has[i]) expected.push_back(all[i]);
    }
    ASSERT_EQ(LookUp(*Read(), Equal("sn", "common")), expected);
  }
  EXPECT_THAT(ProblemsOf(*store_), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Sqlite, EntryStoreLookup, testing::Values(kSqliteKind));
INSTANTIATE_TEST_SUITE_P(Packing, EntryStoreLookup, testing::Values(kPackingKind));
INSTANTIATE_TEST_SUITE_P(Memory, EntryStoreLookup, testing::Values(kMemoryKind));

}  // namespace
}  // namespace twintree::storage
