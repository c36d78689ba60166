// What this build is.
#ifndef TWINTREE_SERVICES_CLI_VERSION_H_
#define TWINTREE_SERVICES_CLI_VERSION_H_

#include <string>

namespace twintree::cli {

// "0.1.0"
std::string Version();
// "505d92c0a1b2", the commit it was built from; see cmake/Revision.cmake.
std::string Revision();
// "g++ 12.2.0"
std::string Compiler();
// One line for --version.
std::string VersionText();

}  // namespace twintree::cli

#endif  // TWINTREE_SERVICES_CLI_VERSION_H_
