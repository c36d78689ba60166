// An empty store in memory, and short ways to import into it and to look at what is there.
#ifndef TWINTREE_TESTS_UNIT_SERVICES_IMPORT_IMPORT_FIXTURE_H_
#define TWINTREE_TESTS_UNIT_SERVICES_IMPORT_IMPORT_FIXTURE_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "services/import/exporter.h"
#include "services/import/importer.h"
#include "services/model/schema.h"
#include "storage/index.h"
#include "storage/memory/memory_entry_store.h"

namespace twintree::import {

inline constexpr std::string_view kTop =
    "dn: dc=example,dc=com\nobjectClass: dcObject\nobjectClass: organization\ndc: example\n"
    "o: Example\n\n";

// A container record and nothing else, then `records`.
inline std::string WithTop(std::string_view records) { return std::string(kTop).append(records); }

inline std::string PersonRecord(std::string_view name) {
  const std::string cn(name);
  return "dn: cn=" + cn + ",dc=example,dc=com\nobjectClass: person\ncn: " + cn + "\nsn: x\n\n";
}

inline std::vector<ImportInput> TextInput(std::string_view text) {
  std::vector<ImportInput> inputs;
  inputs.push_back({"test.ldif", MakeStringSource(std::string(text))});
  return inputs;
}

// The export of a store; an empty text when it fails, which is a failure of the test.
inline std::string ExportOf(storage::EntryStore& store, const model::Schema& schema,
                            ExportOptions options = {}) {
  auto reader = store.Read();
  EXPECT_TRUE(reader.ok());
  if (!reader.ok()) return {};
  std::string text;
  Exporter exporter(schema, reader->get(), std::move(options));
  const auto entries = exporter.Run(
      [&text](std::string_view piece) {
        text.append(piece);
        return model::OkStatus();
      },
      {});
  EXPECT_TRUE(entries.ok());
  return entries.ok() ? text : std::string();
}

inline std::shared_ptr<storage::EntryStore> NewMemoryStore(const model::Schema& schema) {
  auto indexes = storage::IndexSet::Make(storage::DefaultIndexes(), schema);
  EXPECT_TRUE(indexes.ok());
  return storage::MakeMemoryEntryStore(std::move(indexes).value());
}

// A folder that goes away with the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "twintree-XXXXXX").string();
    EXPECT_NE(mkdtemp(pattern.data()), nullptr);
    path_ = pattern;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string operator/(std::string_view name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

class ImportFixture : public ::testing::Test {
 protected:
  ImportReport Import(std::string_view text, ImportOptions options = {}) {
    return Import(TextInput(text), std::move(options));
  }
  ImportReport Import(std::vector<ImportInput> inputs, ImportOptions options = {}) {
    problems_.clear();
    ImportHandlers handlers;
    handlers.on_problem = [this](const ImportProblem& problem) {
      problems_.push_back(problem);
      return model::OkStatus();
    };
    return Importer(schema_, store_, std::move(options), handlers).Run(std::move(inputs));
  }

  std::string Export(bool operational = false) {
    return ExportOf(*store_, *schema_, {"", operational});
  }

  // The entry, or null.
  storage::StoredEntryPtr Find(std::string_view dn) {
    auto reader = store_->Read();
    auto key = schema_->NormalizeDn(dn);
    if (!reader.ok() || !key.ok()) return nullptr;
    storage::EntryId id = storage::kNoEntry;
    std::size_t at = 0;
    for (; at < key->size(); ++at) {
      id = *(*reader)->FindChild(storage::kNoEntry, key->suffix(at));
      if (id != storage::kNoEntry) break;
    }
    for (; at > 0 && id != storage::kNoEntry; --at)
      id = *(*reader)->FindChild(id, key->rdn(at - 1));
    return id == storage::kNoEntry ? nullptr : *(*reader)->Get(id);
  }
  bool Has(std::string_view dn) { return Find(dn) != nullptr; }

  // The values of one attribute (with options as they were given); empty when there are none.
  std::vector<std::string> Values(std::string_view dn, std::string_view description) {
    std::vector<std::string> values;
    const storage::StoredEntryPtr entry = Find(dn);
    if (entry == nullptr) return values;
    for (const model::StoredAttribute& attribute : entry->entry.attributes()) {
      if (attribute.description() != description) continue;
      for (const std::string_view value : attribute.values()) values.emplace_back(value);
    }
    return values;
  }

  std::shared_ptr<const model::Schema> schema_ = model::Schema::Standard();
  std::shared_ptr<storage::EntryStore> store_ = NewMemoryStore(*schema_);
  std::vector<ImportProblem> problems_;  // of the last import
};

}  // namespace twintree::import

#endif  // TWINTREE_TESTS_UNIT_SERVICES_IMPORT_IMPORT_FIXTURE_H_
