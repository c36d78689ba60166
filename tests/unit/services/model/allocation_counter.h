// Counts what the program allocates. Linking allocation_counter.cc replaces operator new.
#ifndef TWINTREE_TESTS_UNIT_SERVICES_MODEL_ALLOCATION_COUNTER_H_
#define TWINTREE_TESTS_UNIT_SERVICES_MODEL_ALLOCATION_COUNTER_H_

#include <cstddef>

namespace twintree::model {

// Calls of operator new since the program started, of all threads.
std::size_t CountAllocations();

}  // namespace twintree::model

#endif  // TWINTREE_TESTS_UNIT_SERVICES_MODEL_ALLOCATION_COUNTER_H_
