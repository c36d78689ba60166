// An import into a store on disk that is killed, or reads what another store wrote.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <memory>
#include <string>
#include <vector>

#include "storage/sqlite/sqlite_entry_store.h"
#include "tests/unit/services/import/import_fixture.h"

namespace twintree::import {
namespace {

class SqliteImportTest : public ::testing::Test {
 protected:
  std::shared_ptr<storage::EntryStore> Open() {
    storage::SqliteOptions options;
    options.directory = folder_ / "data";
    auto store = storage::SqliteEntryStore::Open(options, schema_);
    EXPECT_TRUE(store.ok()) << store.error().message;
    return store.ok() ? std::shared_ptr<storage::EntryStore>(std::move(store).value()) : nullptr;
  }

  ImportReport Import(const std::shared_ptr<storage::EntryStore>& store, const std::string& text,
                      ImportHandlers handlers = {}) {
    ImportOptions options;
    options.chunk_bytes = 4 << 10;
    return Importer(schema_, store, options, std::move(handlers)).Run(TextInput(text));
  }

  // Imports in another process, which kills itself at the first progress for which `when` holds.
  void ImportAndDie(const std::string& text, bool (*when)(const ImportProgress&)) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      ImportHandlers handlers;
      handlers.on_progress = [when](const ImportProgress& progress) {
        if (when(progress)) raise(SIGKILL);
      };
      Import(Open(), text, handlers);
      _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << "it was not killed";
  }

  std::size_t CountProblems(storage::EntryStore& store) {
    std::size_t problems = 0;
    EXPECT_TRUE(store.Check(false, 100, [&](const storage::StoreProblem&) { ++problems; }).ok());
    return problems;
  }

  static std::string Records(int from, int to) {
    std::string records;
    for (int i = from; i < to; ++i) records += PersonRecord(std::to_string(i));
    return records;
  }

  const TemporaryFolder folder_;
  std::shared_ptr<const model::Schema> schema_ = model::Schema::Standard();
};

TEST_F(SqliteImportTest, IsThereAfterTheStoreWasOpenedAgain) {
  {
    const auto store = Open();
    ASSERT_TRUE(Import(store, WithTop(Records(0, 500))).ok());
    store->Close();
  }
  const auto store = Open();
  EXPECT_EQ(ExportOf(*store, *schema_), "version: 1\n\n" + WithTop(Records(0, 500)));
  EXPECT_EQ(CountProblems(*store), 0u);
}

TEST_F(SqliteImportTest, AddsToAStoreThatHasEntries) {
  const auto store = Open();
  ASSERT_TRUE(Import(store, WithTop(Records(0, 300))).ok());
  ASSERT_TRUE(Import(store, Records(300, 600)).ok());
  EXPECT_EQ(ExportOf(*store, *schema_), "version: 1\n\n" + WithTop(Records(0, 600)));
  EXPECT_EQ(CountProblems(*store), 0u);
}

TEST_F(SqliteImportTest, LeavesNothingWhenItIsKilledWhileItLoads) {
  ImportAndDie(WithTop(Records(0, 3000)),
               [](const ImportProgress& progress) { return progress.entries > 2000; });
  const auto store = Open();
  EXPECT_EQ(ExportOf(*store, *schema_), "version: 1\n\n");
  EXPECT_EQ(CountProblems(*store), 0u);
}

TEST_F(SqliteImportTest, LeavesTheOldStateWhenItIsKilledWhileItLoads) {
  {
    const auto store = Open();
    ASSERT_TRUE(Import(store, WithTop(Records(0, 100))).ok());
    store->Close();
  }
  ImportAndDie(Records(100, 3000),
               [](const ImportProgress& progress) { return progress.entries > 2000; });
  const auto store = Open();
  EXPECT_EQ(ExportOf(*store, *schema_), "version: 1\n\n" + WithTop(Records(0, 100)));
  EXPECT_EQ(CountProblems(*store), 0u);
}

TEST_F(SqliteImportTest, LeavesAllOrNothingWhenItIsKilledWhileItFinishes) {
  ImportAndDie(WithTop(Records(0, 2000)),
               [](const ImportProgress& progress) { return progress.finishing.has_value(); });
  const auto store = Open();
  const std::string found = ExportOf(*store, *schema_);
  EXPECT_TRUE(found == "version: 1\n\n" || found == "version: 1\n\n" + WithTop(Records(0, 2000)));
  EXPECT_EQ(CountProblems(*store), 0u);
}

TEST_F(SqliteImportTest, ComesBackUnchangedFromMemory) {
  const auto memory = NewMemoryStore(*schema_);
  ASSERT_TRUE(Import(memory, WithTop(Records(0, 200))).ok());
  const std::string text = ExportOf(*memory, *schema_, {"", true});
  const auto store = Open();
  ASSERT_TRUE(Import(store, text).ok());
  EXPECT_EQ(ExportOf(*store, *schema_, {"", true}), text);
}

}  // namespace
}  // namespace twintree::import
