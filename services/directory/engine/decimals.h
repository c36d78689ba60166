// Integers of any size in their decimal spelling.
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_DECIMALS_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_DECIMALS_H_

#include <string>
#include <string_view>

namespace twintree::directory {

// The sum of two integers in their one decimal spelling, of any size.
std::string AddDecimals(std::string_view a, std::string_view b);

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_DECIMALS_H_
