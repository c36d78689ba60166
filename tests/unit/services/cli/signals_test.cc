#include "services/cli/signals.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>

namespace twintree::cli {
namespace {

TEST(SignalsTest, AFileThatMayNotGrowDoesNotEndTheProcess) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        BlockSignals();
        const int file = memfd_create("limited", 0);
        const rlimit none{};
        setrlimit(RLIMIT_FSIZE, &none);
        const bool refused = write(file, "x", 1) == -1 && errno == EFBIG;
        _exit(refused ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace twintree::cli
