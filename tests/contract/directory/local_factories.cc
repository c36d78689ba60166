#include "tests/contract/directory/local_factories.h"

#include <stdexcept>
#include <utility>

#include "services/access/access.h"
#include "services/directory/executor.h"
#include "storage/memory/memory_entry_store.h"

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
    store_ = make_store(ValueOrThrow(storage::IndexSet::Make(settings.indexes, *schema)));
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

}  // namespace

std::unique_ptr<DirectoryUnderTest> MakeLocalUnderTest(const DirectorySettings& settings,
                                                       const StoreMaker& make_store) {
  return std::make_unique<LocalUnderTest>(settings, make_store);
}

DirectoryFactory LocalMemoryFactory() {
  return {"LocalMemory", [](const DirectorySettings& settings) {
            return MakeLocalUnderTest(settings, [](storage::IndexSet indexes) {
              return std::shared_ptr<storage::EntryStore>(
                  storage::MakeMemoryEntryStore(std::move(indexes)));
            });
          }};
}

}  // namespace twintree::directory
