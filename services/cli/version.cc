#include "services/cli/version.h"

namespace twintree::cli {

std::string Version() { return TWINTREE_VERSION; }

std::string Compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#else
  return "g++ " __VERSION__;
#endif
}

std::string VersionText() { return "twintree " + Version() + " (" + Compiler() + ")"; }

}  // namespace twintree::cli
