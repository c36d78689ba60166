#include "services/cli/exit_watch.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>

namespace twintree::cli {
namespace {

TEST(ExitWatchTest, EndsAProcessThatIsStuck) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        ExitWithin(std::chrono::milliseconds(10));
        for (;;) pause();
      },
      testing::ExitedWithCode(1), "drain_took_too_long");
}

TEST(ExitWatchTest, LeavesAloneWhatEndsByItself) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        ExitWithin(std::chrono::hours(1));
        exit(0);
      },
      testing::ExitedWithCode(0), "^$");
}

}  // namespace
}  // namespace twintree::cli
