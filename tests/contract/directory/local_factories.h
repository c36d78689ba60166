// The engine as a directory under test, over each store.
#ifndef TWINTREE_TESTS_CONTRACT_DIRECTORY_LOCAL_FACTORIES_H_
#define TWINTREE_TESTS_CONTRACT_DIRECTORY_LOCAL_FACTORIES_H_

#include <functional>
#include <memory>
#include <vector>

#include "storage/entry_store.h"
#include "tests/contract/directory_contract.h"

namespace twintree::directory {

using StoreMaker =
    std::function<std::shared_ptr<storage::EntryStore>(const std::vector<storage::IndexSpec>&)>;

// An engine with two executor threads over a new store.
std::unique_ptr<DirectoryUnderTest> MakeLocalUnderTest(const DirectorySettings& settings,
                                                       const StoreMaker& make_store);

DirectoryFactory LocalMemoryFactory();
// Each in a directory of its own under the system's temporary directory.
DirectoryFactory LocalSqliteFactory();

}  // namespace twintree::directory

#endif  // TWINTREE_TESTS_CONTRACT_DIRECTORY_LOCAL_FACTORIES_H_
