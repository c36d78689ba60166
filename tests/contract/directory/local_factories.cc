#include "tests/contract/directory/local_factories.h"

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "services/access/access.h"
#include "services/directory/executor.h"
#include "storage/memory/memory_entry_store.h"
#include "storage/sqlite/sqlite_entry_store.h"

namespace twintree::directory {
namespace {

template <typename T>
T ValueOrThrow(model::Result<T> result) {
  if (!result.ok()) throw std::runtime_error(result.error().message);
  return std::move(result).value();
}

class LocalUnderTest final : public DirectoryUnderTest {
 public:
  LocalUnderTest(const DirectorySettings& settings, const StoreMaker& make_store) {
    const auto schema = model::Schema::Standard();
    store_ = make_store(settings.indexes);
    executor_ = MakeThreadPool(2, 1000);
    LocalDirectory::Parts parts;
    parts.schema = schema;
    parts.store = store_;
    parts.access = settings.access_rules.empty()
                       ? access::AccessPolicy::Open(schema)
                       : ValueOrThrow(access::AccessPolicy::Parse(settings.access_rules, schema));
    parts.executor = executor_;
    directory_ = ValueOrThrow(LocalDirectory::Make(std::move(parts), settings.engine));
  }

  ~LocalUnderTest() override {
    directory_ = nullptr;
    executor_->Stop();
    store_->Close();
  }

  Directory& directory() override { return *directory_; }

 private:
  std::shared_ptr<storage::EntryStore> store_;
  std::shared_ptr<Executor> executor_;
  std::unique_ptr<LocalDirectory> directory_;
};

// A folder that is gone with its object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = std::filesystem::temp_directory_path() / "twintree-XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

class SqliteUnderTest final : public DirectoryUnderTest {
 public:
  explicit SqliteUnderTest(const DirectorySettings& settings)
      : local_(MakeLocalUnderTest(settings, [this](const auto& specs) {
          storage::SqliteOptions options;
          options.directory = folder_.path();
          options.indexes = specs;
          options.durable = false;  // nothing here is about power loss
          return std::shared_ptr<storage::EntryStore>(
              ValueOrThrow(storage::SqliteEntryStore::Open(options, model::Schema::Standard())));
        })) {}

  Directory& directory() override { return local_->directory(); }

 private:
  TemporaryFolder folder_;
  std::unique_ptr<DirectoryUnderTest> local_;
};

}  // namespace

std::unique_ptr<DirectoryUnderTest> MakeLocalUnderTest(const DirectorySettings& settings,
                                                       const StoreMaker& make_store) {
  return std::make_unique<LocalUnderTest>(settings, make_store);
}

DirectoryFactory LocalMemoryFactory() {
  return {"LocalMemory", [](const DirectorySettings& settings) {
            return MakeLocalUnderTest(settings, [](const std::vector<storage::IndexSpec>& specs) {
              return std::shared_ptr<storage::EntryStore>(storage::MakeMemoryEntryStore(
                  ValueOrThrow(storage::IndexSet::Make(specs, *model::Schema::Standard()))));
            });
          }};
}

DirectoryFactory LocalSqliteFactory() {
  return {"LocalSqlite", [](const DirectorySettings& settings) {
            return std::make_unique<SqliteUnderTest>(settings);
          }};
}

}  // namespace twintree::directory
