#include "services/import/output_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "tests/unit/services/import/import_fixture.h"

namespace twintree::import {
namespace {

using ::testing::HasSubstr;

std::string ReadFile(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(OutputFileTest, WritesPiecesOfAnySize) {
  const TemporaryFolder folder;
  auto file = OutputFile::Open(folder / "out");
  ASSERT_TRUE(file.ok());
  std::string expected;
  for (const std::size_t size : {1u, 100'000u, 200'000u, 700'000u, 3u}) {
    expected.append(size, static_cast<char>('a' + size % 26));
    ASSERT_TRUE((*file)->Write(std::string(size, static_cast<char>('a' + size % 26))).ok());
  }
  ASSERT_TRUE((*file)->Commit().ok());
  EXPECT_EQ(ReadFile(folder / "out"), expected);
}

TEST(OutputFileTest, KeepsWhatWasThereUntilItIsComplete) {
  const TemporaryFolder folder;
  std::ofstream(folder / "out") << "before";
  auto file = OutputFile::Open(folder / "out");
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE((*file)->Write("after").ok());
  EXPECT_EQ(ReadFile(folder / "out"), "before");
  ASSERT_TRUE((*file)->Commit().ok());
  EXPECT_EQ(ReadFile(folder / "out"), "after");
}

TEST(OutputFileTest, LeavesNothingBehindWithoutCommit) {
  const TemporaryFolder folder;
  {
    auto file = OutputFile::Open(folder / "out");
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE((*file)->Write("half").ok());
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder / ""));
}

TEST(OutputFileTest, IsReadableForItsOwnerOnly) {
  const TemporaryFolder folder;
  auto file = OutputFile::Open(folder / "out");
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE((*file)->Commit().ok());
  struct stat status {};
  ASSERT_EQ(stat((folder / "out").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST(OutputFileTest, TakesNoFileThatOthersMayReadAlong) {
  const TemporaryFolder folder;
  const std::string partial = (folder / "out") + ".partial";
  std::ofstream(partial) << "left";
  ASSERT_EQ(chmod(partial.c_str(), 0644), 0);
  std::ifstream reading_along(partial);
  auto file = OutputFile::Open(folder / "out");
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE((*file)->Write("secret").ok() && (*file)->Commit().ok());
  struct stat status {};
  ASSERT_EQ(stat((folder / "out").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  std::string seen;
  reading_along >> seen;
  EXPECT_EQ(seen, "left");
}

TEST(OutputFileTest, TellsOfAFullDisk) {
  auto file = OutputFile::Open("/dev/full");
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE((*file)->Write("x").ok());
  const model::Status status = (*file)->Commit();
  ASSERT_EQ(status.code(), model::ResultCode::kOther);
  EXPECT_EQ(status.error().message, "cannot write '/dev/full': No space left on device");
}

TEST(OutputFileTest, TellsOfAFullDiskBeforeTheEnd) {
  auto file = OutputFile::Open("/dev/full");
  ASSERT_TRUE(file.ok());
  EXPECT_EQ((*file)->Write(std::string(1'000'000, 'x')).code(), model::ResultCode::kOther);
}

TEST(OutputFileTest, NamesAFileThatCannotBeMade) {
  const TemporaryFolder folder;
  const auto file = OutputFile::Open(folder / "none/out");
  ASSERT_EQ(file.code(), model::ResultCode::kOther);
  EXPECT_THAT(file.error().message, HasSubstr("No such file or directory"));
}

}  // namespace
}  // namespace twintree::import
