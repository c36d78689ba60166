#include "storage/sqlite/migration.h"

#include "tests/unit/storage/sqlite/database_fixture.h"

namespace twintree::storage::sqlite {
namespace {

using model::ResultCode;

using MigrationTest = DatabaseFixture;

TEST_F(MigrationTest, MarksTheFile) {
  EXPECT_EQ(connection_->QueryInt("PRAGMA application_id").value(), kApplicationId);
  EXPECT_EQ(connection_->QueryInt("PRAGMA user_version").value(), kLayoutVersion);
}

TEST_F(MigrationTest, LeavesACurrentStoreAlone) {
  ASSERT_TRUE(PutMeta(*connection_, "name", "value").ok());
  EXPECT_TRUE(Migrate(*connection_).ok());
  EXPECT_TRUE(CheckLayout(*connection_).ok());
  EXPECT_EQ(GetMeta(*connection_, "name").value(), "value");
}

TEST_F(MigrationTest, RefusesANewerVersion) {
  ASSERT_TRUE(
      connection_->Execute("PRAGMA user_version=" + std::to_string(kLayoutVersion + 1)).ok());
  EXPECT_EQ(Migrate(*connection_).code(), ResultCode::kUnwillingToPerform);
  EXPECT_EQ(CheckLayout(*connection_).code(), ResultCode::kUnwillingToPerform);
}

TEST_F(MigrationTest, RefusesAnOlderVersionForReading) {
  auto empty = Connection::Open(":memory:", Connection::Access::kCreate, {}).value();
  EXPECT_EQ(CheckLayout(*empty).code(), ResultCode::kUnwillingToPerform);
}

// The first layout had no table for what FTS5 was not told.
TEST_F(MigrationTest, BringsTheFirstLayoutUpToDate) {
  ASSERT_TRUE(PutMeta(*connection_, "name", "value").ok());
  ASSERT_TRUE(connection_
                  ->Execute("DROP TABLE substring_pending;DROP TABLE term_pending;"
                            "DROP TABLE dictionary;PRAGMA user_version=1")
                  .ok());
  EXPECT_EQ(CheckLayout(*connection_).code(), ResultCode::kUnwillingToPerform);
  ASSERT_TRUE(Migrate(*connection_).ok());
  EXPECT_TRUE(CheckLayout(*connection_).ok());
  EXPECT_EQ(connection_->QueryInt("SELECT count(*) FROM substring_pending").value(), 0);
  EXPECT_EQ(GetMeta(*connection_, "name").value(), "value");
}

// The second one had none for changes of terms that wait.
TEST_F(MigrationTest, BringsTheSecondLayoutUpToDate) {
  ASSERT_TRUE(
      connection_->Execute("DROP TABLE term_pending;DROP TABLE dictionary;PRAGMA user_version=2")
          .ok());
  EXPECT_EQ(CheckLayout(*connection_).code(), ResultCode::kUnwillingToPerform);
  ASSERT_TRUE(Migrate(*connection_).ok());
  EXPECT_TRUE(CheckLayout(*connection_).ok());
  EXPECT_EQ(connection_->QueryInt("SELECT count(*) FROM term_pending").value(), 0);
}

// The third one packed nothing.
TEST_F(MigrationTest, BringsTheThirdLayoutUpToDate) {
  ASSERT_TRUE(connection_->Execute("DROP TABLE dictionary;PRAGMA user_version=3").ok());
  EXPECT_EQ(CheckLayout(*connection_).code(), ResultCode::kUnwillingToPerform);
  ASSERT_TRUE(Migrate(*connection_).ok());
  EXPECT_TRUE(CheckLayout(*connection_).ok());
  EXPECT_EQ(connection_->QueryInt("SELECT count(*) FROM dictionary").value(), 0);
}

TEST_F(MigrationTest, UndoesAFailedStep) {
  auto other = Connection::Open(":memory:", Connection::Access::kCreate, {}).value();
  // A table of the name that the first step makes, in a file that looks like an old store.
  ASSERT_TRUE(other
                  ->Execute("CREATE TABLE setting(x);PRAGMA application_id=" +
                            std::to_string(kApplicationId))
                  .ok());
  EXPECT_EQ(Migrate(*other).code(), ResultCode::kOther);
  EXPECT_EQ(other->QueryInt("SELECT count(*) FROM sqlite_schema").value(), 1);
  EXPECT_FALSE(other->in_transaction());
}

TEST_F(MigrationTest, NoticesMissingIndexTables) {
  EXPECT_TRUE(HasIndexTables(*connection_).value());
  ASSERT_TRUE(connection_->Execute("DROP TABLE substring").ok());
  EXPECT_FALSE(HasIndexTables(*connection_).value());
}

TEST_F(MigrationTest, KeepsWhatItKnowsAboutItself) {
  EXPECT_EQ(GetMeta(*connection_, "name").value(), std::nullopt);
  for (const char* value : {"one", "two"}) {
    ASSERT_TRUE(PutMeta(*connection_, "name", value).ok());
    EXPECT_EQ(GetMeta(*connection_, "name").value(), value);
  }
}

}  // namespace
}  // namespace twintree::storage::sqlite
