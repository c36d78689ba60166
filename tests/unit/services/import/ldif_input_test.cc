#include "services/import/ldif_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "services/import/output_file.h"
#include "tests/unit/services/import/import_fixture.h"

namespace twintree::import {
namespace {

using ::testing::HasSubstr;

void WriteFile(const std::string& name, const std::string& octets) {
  std::ofstream(name, std::ios::binary) << octets;
}

std::string ReadFile(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void WriteCompressed(const std::string& name, const std::string& octets) {
  auto file = OutputFile::Open(name);
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE((*file)->Write(octets).ok());
  ASSERT_TRUE((*file)->Commit().ok());
}

// Everything, or the error's text.
std::string ReadAll(const std::string& name) {
  auto source = OpenByteSource(name);
  if (!source.ok()) return source.error().message;
  std::string all;
  std::string piece(1000, '\0');
  for (;;) {
    const auto got = (*source)->Read(piece.data(), piece.size());
    if (!got.ok()) return got.error().message;
    if (*got == 0) return all;
    all.append(piece, 0, *got);
  }
}

std::string Repeated(int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += "line " + std::to_string(i) + "\n";
  return text;
}

TEST(LdifInputTest, ReadsAPlainFile) {
  const TemporaryFolder folder;
  WriteFile(folder / "a.ldif", Repeated(5000));
  EXPECT_EQ(ReadAll(folder / "a.ldif"), Repeated(5000));
}

TEST(LdifInputTest, DecompressesByName) {
  const TemporaryFolder folder;
  WriteCompressed(folder / "a.ldif.gz", Repeated(50000));
  ASSERT_LT(ReadFile(folder / "a.ldif.gz").size(), Repeated(50000).size() / 2);
  EXPECT_EQ(ReadAll(folder / "a.ldif.gz"), Repeated(50000));
}

TEST(LdifInputTest, ReadsAllMembersOfAGzipFile) {
  const TemporaryFolder folder;
  WriteCompressed(folder / "a.gz", "first\n");
  WriteCompressed(folder / "b.gz", "second\n");
  WriteFile(folder / "both.gz", ReadFile(folder / "a.gz") + ReadFile(folder / "b.gz"));
  EXPECT_EQ(ReadAll(folder / "both.gz"), "first\nsecond\n");
}

TEST(LdifInputTest, RefusesAGzipFileThatWasCutAtAnyPlace) {
  const TemporaryFolder folder;
  WriteCompressed(folder / "a.gz", Repeated(100));
  const std::string whole = ReadFile(folder / "a.gz");
  for (std::size_t size = 1; size < whole.size(); ++size) {
    WriteFile(folder / "cut.gz", whole.substr(0, size));
    EXPECT_THAT(ReadAll(folder / "cut.gz"), HasSubstr("end too early")) << size;
  }
}

TEST(LdifInputTest, RefusesDamagedGzipData) {
  const TemporaryFolder folder;
  WriteCompressed(folder / "a.gz", Repeated(100));
  std::string octets = ReadFile(folder / "a.gz");
  octets[octets.size() / 2] = static_cast<char>(octets[octets.size() / 2] ^ 0x55);
  WriteFile(folder / "bad.gz", octets);
  EXPECT_THAT(ReadAll(folder / "bad.gz"), HasSubstr("damaged gzip data"));
}

TEST(LdifInputTest, RefusesTextThatIsCalledGzip) {
  const TemporaryFolder folder;
  WriteFile(folder / "a.gz", "dn: dc=example\n");
  EXPECT_THAT(ReadAll(folder / "a.gz"), HasSubstr("damaged gzip data: incorrect header check"));
}

TEST(LdifInputTest, NamesAFileThatIsMissing) {
  const TemporaryFolder folder;
  EXPECT_EQ(ReadAll(folder / "none.ldif"),
            "cannot read '" + (folder / "none.ldif") + "': No such file or directory");
}

TEST(LdifInputTest, NamesAFolderThatIsGivenAsAFile) {
  const TemporaryFolder folder;
  EXPECT_THAT(ReadAll(folder / ""), HasSubstr("Is a directory"));
}

}  // namespace
}  // namespace twintree::import
