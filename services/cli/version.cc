#include "services/cli/version.h"

#include "revision.h"

namespace twintree::cli {

std::string Version() { return TWINTREE_VERSION; }

std::string Revision() { return TWINTREE_REVISION; }

std::string Compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#else
  return "g++ " __VERSION__;
#endif
}

std::string VersionText() {
  return "twintree " + Version() + " (" + Revision() + ", " + Compiler() + ")";
}

}  // namespace twintree::cli
