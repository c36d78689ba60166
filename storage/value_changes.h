// What changes between two lists of values, octet by octet.
#ifndef TWINTREE_STORAGE_VALUE_CHANGES_H_
#define TWINTREE_STORAGE_VALUE_CHANGES_H_

#include <span>
#include <string_view>
#include <vector>

namespace twintree::storage {

// Views into the lists that were compared.
struct ValueChanges {
  std::vector<std::string_view> removed;
  std::vector<std::string_view> added;
};

// The values that only one of the lists holds. Quick where the values that stay keep their order,
// as they do in an entry that is modified, and near linear otherwise. A value that one list holds
// more often than the other may be among the changes too.
ValueChanges CompareValues(std::span<const std::string_view> before,
                           std::span<const std::string_view> after);

}  // namespace twintree::storage

#endif  // TWINTREE_STORAGE_VALUE_CHANGES_H_
