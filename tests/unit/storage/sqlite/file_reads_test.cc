#include "storage/sqlite/file_reads.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace twintree::storage::sqlite {
namespace {

constexpr std::size_t kPages = 64;

class FileReadsTest : public testing::Test {
 protected:
  void SetUp() override {
    path_ = testing::TempDir() + "twintree-reads-XXXXXX";
    fd_ = mkstemp(path_.data());
    ASSERT_GE(fd_, 0);
    const std::string octets(size_, 'x');
    ASSERT_EQ(write(fd_, octets.data(), octets.size()), static_cast<ssize_t>(octets.size()));
    ASSERT_EQ(fsync(fd_), 0);
    map_ = mmap(nullptr, size_, PROT_READ, MAP_SHARED, fd_, 0);
    ASSERT_NE(map_, MAP_FAILED);
  }
  void TearDown() override {
    munmap(map_, size_);
    close(fd_);
    unlink(path_.c_str());
  }

  // The kernel's flags of the map, such as "rd sh mr mw".
  std::string MapFlags() const {
    std::ifstream maps("/proc/self/smaps");
    bool ours = false;
    for (std::string line; std::getline(maps, line);) {
      if (line.find('-') < line.find(' ')) ours = line.ends_with(path_);
      if (ours && line.starts_with("VmFlags:")) return line;
    }
    return "none";
  }
  std::size_t PagesInMemory() const {
    std::vector<unsigned char> pages(kPages);
    EXPECT_EQ(mincore(map_, size_, pages.data()), 0);
    std::size_t count = 0;
    for (const unsigned char page : pages) count += page & 1;
    return count;
  }
  void DropFromMemory() const {
    ASSERT_EQ(madvise(map_, size_, MADV_DONTNEED), 0);
    ASSERT_EQ(posix_fadvise(fd_, 0, 0, POSIX_FADV_DONTNEED), 0);
  }

  const std::size_t size_ = kPages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::string path_;
  int fd_ = -1;
  void* map_ = nullptr;
};

TEST_F(FileReadsTest, MapsOfTheFileAreReadPageByPage) {
  ASSERT_EQ(MapFlags().find(" rr"), std::string::npos) << MapFlags();
  AdviseRandomReads(path_);
  EXPECT_NE(MapFlags().find(" rr"), std::string::npos) << MapFlags();
}

TEST_F(FileReadsTest, DescriptorsOfTheFileAreReadPageByPage) {
  constexpr std::size_t kRead = 8;
  AdviseRandomReads(path_);
  DropFromMemory();
  if (PagesInMemory() == kPages) GTEST_SKIP() << "files here are always in memory";
  const std::size_t page_size = size_ / kPages;
  std::string page(page_size, ' ');
  for (std::size_t i = 0; i < kRead; ++i) {
    ASSERT_EQ(pread(fd_, page.data(), page_size, static_cast<off_t>(i * page_size)),
              static_cast<ssize_t>(page_size));
  }
  EXPECT_EQ(PagesInMemory(), kRead);
}

TEST_F(FileReadsTest, OtherMapsStayAsTheyAre) {
  AdviseRandomReads("/proc/self/exe");
  EXPECT_EQ(MapFlags().find(" rr"), std::string::npos) << MapFlags();
}

TEST_F(FileReadsTest, AFileThatIsSmallEnoughIsReadIntoMemory) {
  DropFromMemory();
  if (PagesInMemory() == kPages) GTEST_SKIP() << "files here are always in memory";
  const Prefetch prefetch(path_, size_);
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (PagesInMemory() < kPages && std::chrono::steady_clock::now() < give_up) {
    std::this_thread::yield();
  }
  EXPECT_EQ(PagesInMemory(), kPages);
}

TEST_F(FileReadsTest, ALargerFileIsLeftAlone) {
  DropFromMemory();
  const std::size_t before = PagesInMemory();
  { const Prefetch prefetch(path_, size_ - 1); }
  EXPECT_EQ(PagesInMemory(), before);
}

TEST_F(FileReadsTest, AMissingFileIsNoProblem) {
  AdviseRandomReads(path_ + ".none");
  const Prefetch prefetch(path_ + ".none", size_);
}

}  // namespace
}  // namespace twintree::storage::sqlite
