#include "tests/contract/directory/local_factories.h"

namespace twintree::directory {

INSTANTIATE_TEST_SUITE_P(LocalSqlite, DirectoryContract, testing::Values(LocalSqliteFactory()),
                         FactoryName);

}  // namespace twintree::directory
