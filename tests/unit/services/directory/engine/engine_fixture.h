// A memory store with entries, and parts to make an engine of it.
#ifndef TWINTREE_TESTS_UNIT_SERVICES_DIRECTORY_ENGINE_ENGINE_FIXTURE_H_
#define TWINTREE_TESTS_UNIT_SERVICES_DIRECTORY_ENGINE_ENGINE_FIXTURE_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "services/directory/engine/local_directory.h"
#include "services/model/schema.h"
#include "storage/entry_store.h"
#include "storage/memory/memory_entry_store.h"

namespace twintree::directory {

// "cn: a" lines to attributes; every line a value.
std::vector<model::Attribute> ParseAttributes(std::string_view lines, const model::Schema& schema);

std::shared_ptr<storage::EntryStore> MakeMemoryStore(
    const std::vector<storage::IndexSpec>& indexes = storage::DefaultIndexes());

// Puts an entry into the store, unchecked; its id.
storage::EntryId Insert(storage::EntryStore& store, storage::EntryId parent, std::string rdn,
                        std::string_view attribute_lines);

LocalDirectory::Parts MakeParts(std::shared_ptr<storage::EntryStore> store,
                                std::shared_ptr<Executor> executor);
// Suffix dc=example,dc=com.
EngineOptions MakeOptions();

}  // namespace twintree::directory

#endif  // TWINTREE_TESTS_UNIT_SERVICES_DIRECTORY_ENGINE_ENGINE_FIXTURE_H_
