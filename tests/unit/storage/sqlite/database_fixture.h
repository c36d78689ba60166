// A database with the store's tables, in memory.
#ifndef TWINTREE_TESTS_UNIT_STORAGE_SQLITE_DATABASE_FIXTURE_H_
#define TWINTREE_TESTS_UNIT_STORAGE_SQLITE_DATABASE_FIXTURE_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "storage/sqlite/connection.h"
#include "storage/sqlite/migration.h"

namespace twintree::storage::sqlite {

class DatabaseFixture : public testing::Test {
 protected:
  void SetUp() override {
    auto connection = Connection::Open(":memory:", Connection::Access::kCreate, {});
    ASSERT_TRUE(connection.ok());
    connection_ = std::move(connection).value();
    ASSERT_TRUE(Migrate(*connection_).ok());
    ASSERT_TRUE(RecreateIndexTables(*connection_).ok());
  }

  std::unique_ptr<Connection> connection_;
};

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_TESTS_UNIT_STORAGE_SQLITE_DATABASE_FIXTURE_H_
