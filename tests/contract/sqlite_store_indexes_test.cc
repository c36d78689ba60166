// Indexes of the SQLite store that change, are missing or are damaged.
#include <string>
#include <vector>

#include "tests/contract/sqlite_store_fixture.h"

namespace twintree::storage {
namespace {

using model::ResultCode;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST_F(SqliteStoreFiles, BuildsIndexesAnewWhenTheyChange) {
  Fill(500);
  options_.indexes = std::vector<IndexSpec>{{"sn", kEqualityIndex | kPresenceIndex}};
  std::vector<double> parts;
  options_.rebuild_progress = [&](double part) { parts.push_back(part); };
  Open();
  ASSERT_FALSE(parts.empty());
  EXPECT_EQ(parts.back(), 1.0);
  EXPECT_EQ(store_->indexes().attributes().size(), 1U);
  EXPECT_EQ(LookUp(*Read(), EqualQuery(*store_, "sn", "sn499")).size(), 1U);
  EXPECT_EQ(LookUp(*Read(), QueryOn(*store_, "sn", IndexQuery::Kind::kPresent)).size(), 500U);
  EXPECT_THAT(ProblemsOf(*store_), IsEmpty());
  parts.clear();
  Open();
  EXPECT_THAT(parts, IsEmpty());
}

TEST_F(SqliteStoreFiles, KeepsItsIndexesWhenNoneAreNamed) {
  Fill(1);
  const std::string fingerprint = store_->indexes().Fingerprint();
  options_.indexes.reset();
  Open();
  EXPECT_EQ(store_->indexes().Fingerprint(), fingerprint);
}

TEST_F(SqliteStoreFiles, TellsThatItsIndexesChange) {
  options_.indexes = {{"cn", kEqualityIndex}};
  Open();
  std::vector<std::string> told;
  options_.index_change = [&](const std::string& kept, const std::string& wanted) {
    told = {kept, wanted};
  };
  Open();
  EXPECT_THAT(told, IsEmpty());
  options_.indexes = {{"sn", kEqualityIndex}, {"cn", kPresenceIndex}};
  Open();
  EXPECT_THAT(told, ElementsAre("cn=eq", "cn=pres sn=eq"));
}

TEST_F(SqliteStoreFiles, HasTheDefaultIndexesWhenItIsNew) {
  options_.indexes.reset();
  Open();
  EXPECT_EQ(store_->indexes().Fingerprint(),
            IndexSet::Make(DefaultIndexes(), *TestSchema()).value().Fingerprint());
}

TEST_F(SqliteStoreFiles, BuildsMissingIndexTables) {
  Fill(100);
  store_.reset();
  RunSql(data_, "DROP TABLE term");
  Open();
  EXPECT_EQ(LookUp(*Read(), EqualQuery(*store_, "sn", "sn42")).size(), 1U);
  EXPECT_THAT(ProblemsOf(*store_), IsEmpty());
}

TEST_F(SqliteStoreFiles, RefusesAnIndexThatTheSchemaDoesNotAllow) {
  options_.indexes = std::vector<IndexSpec>{{"jpegPhoto", kSubstringIndex}};
  EXPECT_EQ(TryOpen().code(), ResultCode::kInappropriateMatching);
}

// Each is one way in which a database can be wrong, and what the check must say of it.
struct Damage {
  const char* sql;
  const char* expected;
};

class SqliteStoreDamage : public SqliteStoreFiles, public testing::WithParamInterface<Damage> {};

TEST_P(SqliteStoreDamage, IsFound) {
  Fill(500);  // more than what waits before it reaches the tables of the indexes
  store_.reset();
  RunSql(data_, GetParam().sql);
  Open();
  EXPECT_THAT(ProblemsOf(*store_), testing::Contains(HasSubstr(GetParam().expected)));
}

INSTANTIATE_TEST_SUITE_P(
    Each, SqliteStoreDamage,
    testing::Values(
        Damage{"UPDATE entry SET data=x'ff' WHERE id=5", "entry 5 is damaged"},
        Damage{"UPDATE entry SET parent=777 WHERE id=5", "entry 777, which does not exist"},
        Damage{"UPDATE entry SET parent=6 WHERE id=5; UPDATE entry SET parent=5 WHERE id=6",
               "is below itself"},
        Damage{"DELETE FROM entry WHERE id=5", "entry 5 is wrongly in the equality index of cn"},
        Damage{"DELETE FROM term WHERE key=CAST('n3' AS BLOB)",
               "entry 5 is missing in the equality index of cn"},
        Damage{"UPDATE term SET first=7 WHERE key=CAST('n3' AS BLOB)",
               "entry 7 is wrongly in the equality index of cn"},
        Damage{"UPDATE term SET rest=x'80' WHERE key=CAST('n3' AS BLOB)", "damaged"},
        Damage{"INSERT INTO substring(rowid, text) VALUES(5, 'abc')",
               "entry 5 is wrongly in the substring index"},
        Damage{"INSERT INTO substring(substring) VALUES('delete-all')",
               "entry 5 is missing in the substring index"},
        Damage{"DELETE FROM substring_data WHERE id>10", "malformed"},
        Damage{"UPDATE state SET entries=3", "were counted"},
        Damage{"UPDATE state SET log_records=3", "changes in the log"},
        Damage{"UPDATE state SET last_id=3", "id not given yet"}));

TEST_F(SqliteStoreFiles, FindsDamageAmongPendingTerms) {
  Fill(20);
  store_.reset();
  RunSql(data_, "DELETE FROM term_pending");
  Open();
  EXPECT_THAT(ProblemsOf(*store_),
              testing::Contains(HasSubstr("entry 5 is missing in the equality index of cn")));
  store_.reset();
  RunSql(data_, "INSERT INTO term_pending VALUES(1, x'ff')");
  Open();
  EXPECT_THAT(ProblemsOf(*store_),
              testing::Contains(HasSubstr("changes that wait for an index are damaged")));
}

TEST_F(SqliteStoreFiles, FindsDamageAmongPendingSubstrings) {
  Fill(20);
  store_.reset();
  RunSql(data_, "DELETE FROM substring_pending WHERE id=5");
  Open();
  EXPECT_THAT(ProblemsOf(*store_),
              testing::Each(HasSubstr("entry 5 is missing in the substring index")));
}

TEST_F(SqliteStoreFiles, RepairsIndexes) {
  Fill(500);
  store_.reset();
  RunSql(data_, "DELETE FROM term WHERE first%3=0");
  Open();
  std::vector<std::string> problems;
  auto report = [&](const StoreProblem& problem) { problems.push_back(problem.what); };
  EXPECT_THAT(LookUp(*Read(), EqualQuery(*store_, "cn", "n1")), IsEmpty());
  ASSERT_TRUE(store_->Check(true, 5, report).ok());
  EXPECT_EQ(problems.size(), 5U);
  EXPECT_THAT(LookUp(*Read(), EqualQuery(*store_, "cn", "n1")), ElementsAre(3U));
  EXPECT_THAT(ProblemsOf(*store_), IsEmpty());
}

}  // namespace
}  // namespace twintree::storage
