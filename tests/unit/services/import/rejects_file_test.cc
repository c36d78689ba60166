#include "services/import/rejects_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "tests/unit/services/import/import_fixture.h"

namespace twintree::import {
namespace {

ImportProblem Problem(std::string record) {
  ImportProblem problem;
  problem.input = "a.ldif";
  problem.line = 3;
  problem.dn = "cn=a";
  problem.error = {model::ResultCode::kNoSuchObject, "no parent", ""};
  problem.record = std::move(record);
  return problem;
}

TEST(RejectsFileTest, WritesTheRecordBelowItsReason) {
  EXPECT_EQ(RejectedRecordText(Problem("\n\ndn: cn=a\nsn: x\n\n")),
            "# a.ldif:3: cn=a: no parent (noSuchObject)\ndn: cn=a\nsn: x\n\n");
}

TEST(RejectsFileTest, KeepsARecordThatStartsWithABlankOutOfTheComment) {
  EXPECT_EQ(RejectedRecordText(Problem(" x\ndn: cn=a\n")),
            "# a.ldif:3: cn=a: no parent (noSuchObject)\n\n x\ndn: cn=a\n\n");
}

TEST(RejectsFileTest, EscapesLineEndsInTheReason) {
  ImportProblem problem = Problem("dn: cn=a\n");
  problem.error.message = "bad\ndn: cn=evil\x1b";
  EXPECT_EQ(RejectedRecordText(problem),
            "# a.ldif:3: cn=a: bad\\x0adn: cn=evil\\x1b (noSuchObject)\ndn: cn=a\n\n");
}

TEST(RejectsFileTest, SaysSoWhenTheRecordWasTooLong) {
  ImportProblem problem = Problem("dn: cn=a\nsn: half");
  problem.record_complete = false;
  EXPECT_EQ(RejectedRecordText(problem),
            "# a.ldif:3: cn=a: no parent (noSuchObject)\n# the record is too long to be kept\n\n");
}

TEST(RejectsFileTest, AppearsWhenItIsComplete) {
  const TemporaryFolder folder;
  auto file = RejectsFile::Open(folder / "bad.ldif");
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE(file->Write(Problem("dn: cn=a\n")).ok());
  ASSERT_TRUE(file->Commit().ok());
  std::ifstream stream(folder / "bad.ldif");
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_EQ(text, RejectedRecordText(Problem("dn: cn=a\n")));
}

}  // namespace
}  // namespace twintree::import
