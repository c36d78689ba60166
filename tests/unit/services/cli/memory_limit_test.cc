#include "services/cli/memory_limit.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace twintree::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMiB = std::size_t{1} << 20;

// A root with the files that a test writes.
class MemoryLimitTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "twintree-memory-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
    Write("proc/meminfo", "MemFree: 1 kB\nMemTotal:  8388608 kB\nBuffers: 2 kB\n");
  }
  void TearDown() override { fs::remove_all(root_); }

  void Write(const std::string& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }

  fs::path root_;
};

TEST_F(MemoryLimitTest, IsTheMachinesMemoryWithoutGroups) {
  EXPECT_EQ(MemoryLimit(root_), 8192 * kMiB);
}

TEST_F(MemoryLimitTest, IsTheLeastOfTheGroupsAbove) {
  Write("proc/self/cgroup", "0::/a/b\n");
  Write("sys/fs/cgroup/a/memory.max", "536870912\n");
  Write("sys/fs/cgroup/a/b/memory.max", "max\n");
  EXPECT_EQ(MemoryLimit(root_), 512 * kMiB);
}

TEST_F(MemoryLimitTest, IsThatOfTheMountInAContainer) {
  Write("proc/self/cgroup", "0::/../../elsewhere\n");
  Write("sys/fs/cgroup/memory.max", "268435456\n");
  EXPECT_EQ(MemoryLimit(root_), 256 * kMiB);
}

TEST_F(MemoryLimitTest, KnowsTheFirstVersionOfGroups) {
  Write("proc/self/cgroup", "9:name=systemd:/x\n4:memory:/box\n0::/\n");
  Write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  Write("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "1073741824\n");
  EXPECT_EQ(MemoryLimit(root_), 1024 * kMiB);
}

TEST_F(MemoryLimitTest, IsUnknownWithoutProc) { EXPECT_EQ(MemoryLimit(root_ / "none"), 0u); }

TEST_F(MemoryLimitTest, AnEighthIsForTheCachesWithinBounds) {
  EXPECT_EQ(DefaultCacheBytes(0), 16 * kMiB);
  EXPECT_EQ(DefaultCacheBytes(256 * kMiB), 32 * kMiB);
  EXPECT_EQ(DefaultCacheBytes(8192 * kMiB), 1024 * kMiB);
  EXPECT_EQ(DefaultCacheBytes(65536 * kMiB), 4096 * kMiB);
}

TEST_F(MemoryLimitTest, AnEighthIsForRequestsThatComeInWithinBounds) {
  EXPECT_EQ(DefaultTransportBytes(0), 128 * kMiB);
  EXPECT_EQ(DefaultTransportBytes(2048 * kMiB), 256 * kMiB);
  EXPECT_EQ(DefaultTransportBytes(65536 * kMiB), 512 * kMiB);
}

}  // namespace
}  // namespace twintree::cli
