#include "tests/contract/directory/local_factories.h"

namespace twintree::directory {

INSTANTIATE_TEST_SUITE_P(LocalMemory, DirectoryContract, testing::Values(LocalMemoryFactory()),
                         FactoryName);

}  // namespace twintree::directory
