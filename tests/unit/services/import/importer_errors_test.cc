// What an import does with records that are wrong, and with inputs and stores that fail.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "services/import/importer.h"
#include "services/import/rejects_file.h"
#include "tests/unit/services/import/import_fixture.h"

namespace twintree::import {
namespace {

using model::ResultCode;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

class ImporterErrorsTest : public ImportFixture {
 protected:
  static ImportOptions Continue() {
    ImportOptions options;
    options.continue_on_error = true;
    options.keep_rejected = true;
    return options;
  }
};

constexpr std::string_view kBad =
    "dn: cn=bad,dc=example,dc=com\nobjectClass: person\ncn bad\nsn: x\n\n";

TEST_F(ImporterErrorsTest, StopsAtTheFirstBadRecordAndKeepsTheGoodOnesBefore) {
  const ImportReport report =
      Import(WithTop(PersonRecord("a") + std::string(kBad) + PersonRecord("b")));
  EXPECT_FALSE(report.ok());
  EXPECT_EQ(report.entries, 2u);
  EXPECT_EQ(report.rejected, 1u);
  ASSERT_TRUE(report.stopped_at);
  EXPECT_EQ(report.stopped_at->line, 14u);
  EXPECT_TRUE(Has("cn=a,dc=example,dc=com"));
  EXPECT_FALSE(Has("cn=bad,dc=example,dc=com"));
  EXPECT_FALSE(Has("cn=b,dc=example,dc=com"));
}

TEST_F(ImporterErrorsTest, GoesOnBehindABadRecordWhenTold) {
  const ImportReport report =
      Import(WithTop(PersonRecord("a") + std::string(kBad) + PersonRecord("b")), Continue());
  EXPECT_FALSE(report.ok());
  EXPECT_EQ(report.entries, 3u);
  EXPECT_EQ(report.rejected, 1u);
  EXPECT_FALSE(report.stopped_at);
  EXPECT_TRUE(Has("cn=b,dc=example,dc=com"));
}

TEST_F(ImporterErrorsTest, FindsABadRecordAtEveryPosition) {
  constexpr int kRecords = 150;  // more than a batch
  for (int bad = 0; bad < kRecords; bad += 7) {
    store_ = NewMemoryStore(*schema_);
    std::string text(kTop);
    for (int i = 0; i < kRecords; ++i) {
      text += i == bad ? "dn: cn=bad,dc=example,dc=com\nobjectClass: person\ncn: bad\n\n"
                       : PersonRecord(std::to_string(i));
    }
    ImportOptions options;
    options.chunk_bytes = 1000;
    options.threads = 3;
    const ImportReport report = Import(text, options);
    EXPECT_EQ(report.entries, 1u + static_cast<std::uint64_t>(bad)) << bad;
    ASSERT_TRUE(report.stopped_at) << bad;
    EXPECT_EQ(report.stopped_at->dn, "cn=bad,dc=example,dc=com");
    EXPECT_EQ(report.stopped_at->line, 7u + 5u * static_cast<std::uint64_t>(bad));
    EXPECT_EQ(report.stopped_at->error.code, ResultCode::kObjectClassViolation);
  }
}

TEST_F(ImporterErrorsTest, NamesFileLineAndRecord) {
  Import(WithTop("dn: cn=a,dc=example,dc=com\nobjectClass: person\n\n"));
  ASSERT_THAT(problems_, SizeIs(1));
  EXPECT_EQ(problems_[0].ToString(),
            "test.ldif:7: cn=a,dc=example,dc=com: object class person requires sn "
            "(objectClassViolation)");
}

TEST_F(ImporterErrorsTest, NamesTheLineOfAValueThatCannotBeCompared) {
  Import(
      WithTop(PersonRecord("a") +
              "dn: cn=b,dc=example,dc=com\nobjectClass: person\nsn: x\nseeAlso: noSuchType=x\n"));
  ASSERT_THAT(problems_, SizeIs(1));
  EXPECT_EQ(problems_[0].error.code, ResultCode::kInvalidAttributeSyntax);
  EXPECT_THAT(problems_[0].ToString(), HasSubstr("b,dc=example,dc=com: seeAlso: "));
  EXPECT_THAT(problems_[0].ToString(), HasSubstr("noSuchType"));
  EXPECT_EQ(problems_[0].line, 12u);
}

TEST_F(ImporterErrorsTest, NamesTheLineOfWhatIsNoLdif) {
  Import(WithTop(kBad));
  ASSERT_THAT(problems_, SizeIs(1));
  EXPECT_THAT(problems_[0].ToString(), StartsWith("test.ldif:9: "));
}

TEST_F(ImporterErrorsTest, NamesTheMissingParent) {
  Import(WithTop("dn: cn=a,ou=Not\\, Here,dc=example,dc=com\nobjectClass: person\nsn: x\n"));
  ASSERT_THAT(problems_, SizeIs(1));
  EXPECT_EQ(problems_[0].error.code, ResultCode::kNoSuchObject);
  EXPECT_EQ(problems_[0].error.message,
            "its parent 'ou=Not\\, Here,dc=example,dc=com' does not exist");
}

TEST_F(ImporterErrorsTest, RefusesAnEntryThatExists) {
  ASSERT_TRUE(Import(WithTop(PersonRecord("a"))).ok());
  const ImportReport report =
      Import(PersonRecord("A") + PersonRecord("b") + PersonRecord("b"), Continue());
  EXPECT_EQ(report.entries, 1u);
  EXPECT_EQ(report.rejected, 2u);
  ASSERT_THAT(problems_, SizeIs(2));
  EXPECT_EQ(problems_[0].error.code, ResultCode::kEntryAlreadyExists);
  EXPECT_EQ(problems_[1].error.code, ResultCode::kEntryAlreadyExists);
}

TEST_F(ImporterErrorsTest, KeepsChangesBeforeABadOne) {
  ASSERT_TRUE(Import(WithTop(PersonRecord("a") + PersonRecord("b"))).ok());
  const ImportReport report = Import(
      "dn: cn=a,dc=example,dc=com\nchangetype: delete\n\n"
      "dn: cn=none,dc=example,dc=com\nchangetype: delete\n\n"
      "dn: cn=b,dc=example,dc=com\nchangetype: delete\n");
  EXPECT_EQ(report.changes, 1u);
  EXPECT_EQ(report.rejected, 1u);
  ASSERT_THAT(problems_, SizeIs(1));
  EXPECT_EQ(problems_[0].error.code, ResultCode::kNoSuchObject);
  EXPECT_EQ(problems_[0].line, 4u);
  EXPECT_FALSE(Has("cn=a,dc=example,dc=com"));
  EXPECT_TRUE(Has("cn=b,dc=example,dc=com"));
}

TEST_F(ImporterErrorsTest, RefusesFileUrlsUnlessTheyAreAllowed) {
  const TemporaryFolder folder;
  std::ofstream(folder / "value") << "from a file";
  const std::string record =
      "dn: cn=a,dc=example,dc=com\nobjectClass: person\nsn: x\n"
      "description:< file://" +
      (folder / "value") + "\n";
  EXPECT_EQ(Import(WithTop(record)).rejected, 1u);
  store_ = NewMemoryStore(*schema_);
  ImportOptions options;
  options.ldif.allow_file_urls = true;
  EXPECT_TRUE(Import(WithTop(record), options).ok());
  EXPECT_THAT(Values("cn=a,dc=example,dc=com", "description"), ElementsAre("from a file"));
}

// Gives some octets, then fails.
class BreakingSource final : public ByteSource {
 public:
  explicit BreakingSource(std::string octets) : octets_(std::move(octets)) {}
  model::Result<std::size_t> Read(char* out, std::size_t size) override {
    if (octets_.empty()) {
      return model::Error{ResultCode::kOther, "cannot read 'b.ldif': it broke", ""};
    }
    const std::size_t count = octets_.copy(out, size);
    octets_.erase(0, count);
    return count;
  }

 private:
  std::string octets_;
};

TEST_F(ImporterErrorsTest, EndsWhenAnInputFailsThoughToldToGoOn) {
  std::vector<ImportInput> inputs;
  inputs.push_back({"b.ldif", std::make_unique<BreakingSource>(WithTop(PersonRecord("a")))});
  inputs.push_back({"c.ldif", MakeStringSource(PersonRecord("c"))});
  const ImportReport report = Import(std::move(inputs), Continue());
  ASSERT_TRUE(report.failure);
  EXPECT_THAT(report.failure->message, HasSubstr("it broke"));
  EXPECT_EQ(report.entries, 2u);
  EXPECT_TRUE(Has("cn=a,dc=example,dc=com"));
  EXPECT_FALSE(Has("cn=c,dc=example,dc=com"));
}

TEST_F(ImporterErrorsTest, FailsWhenTheStoreIsClosed) {
  store_->Close();
  const ImportReport report = Import(kTop, Continue());
  ASSERT_TRUE(report.failure);
  EXPECT_EQ(report.failure->code, ResultCode::kUnavailable);
  EXPECT_EQ(report.entries, 0u);
}

TEST_F(ImporterErrorsTest, EndsWhenAProblemCannotBeTold) {
  ImportHandlers handlers;
  handlers.on_problem = [](const ImportProblem&) -> model::Status {
    return model::Error{ResultCode::kOther, "no room for rejects", ""};
  };
  const ImportReport report = Importer(schema_, store_, Continue(), handlers)
                                  .Run(TextInput(WithTop(std::string(kBad) + PersonRecord("a"))));
  ASSERT_TRUE(report.failure);
  EXPECT_EQ(report.failure->message, "no room for rejects");
  EXPECT_TRUE(Has("dc=example,dc=com"));
  EXPECT_FALSE(Has("cn=a,dc=example,dc=com"));
}

TEST_F(ImporterErrorsTest, KeepsTheTextOfRejectedRecords) {
  Import(WithTop(PersonRecord("a") + std::string(kBad) + PersonRecord("a") + PersonRecord("b")),
         Continue());
  ASSERT_THAT(problems_, SizeIs(2));
  EXPECT_EQ(problems_[0].record, kBad);
  EXPECT_EQ(problems_[1].record, PersonRecord("a"));
}

TEST_F(ImporterErrorsTest, SkipsARecordThatIsTooLong) {
  ImportOptions options = Continue();
  options.ldif.max_record_bytes = 1000;
  options.chunk_bytes = 100;
  std::string lines;
  for (int i = 0; i < 500; ++i) lines += "description: " + std::to_string(i) + "\n";
  const ImportReport report =
      Import(WithTop("dn: cn=long,dc=example,dc=com\nobjectClass: person\nsn: x\n" + lines + "\n" +
                     PersonRecord("a") + std::string(kBad)),
             options);
  EXPECT_EQ(report.entries, 2u);
  EXPECT_TRUE(Has("cn=a,dc=example,dc=com"));
  ASSERT_THAT(problems_, SizeIs(2));
  EXPECT_EQ(problems_[0].ToString(), "test.ldif:7: the record is too long");
  EXPECT_FALSE(problems_[0].record_complete);
  EXPECT_EQ(problems_[1].line, 7u + 3 + 500 + 1 + 5 + 2);
}

TEST_F(ImporterErrorsTest, RejectedRecordsCanBeMendedAndImported) {
  Import(WithTop("\n# who\n" + std::string(kBad) + "dn: cn=c,dc=example,dc=com\r\nsn: x\r\n\r\n"),
         Continue());
  std::string rejects;
  for (const ImportProblem& problem : problems_) rejects += RejectedRecordText(problem);
  std::string mended = rejects;
  mended.replace(mended.find("\ncn bad"), 7, "\ncn: bad");
  mended.replace(mended.rfind("sn: x\n"), 6, "sn: x\nobjectClass: person\n");
  const ImportReport report = Import(mended);
  EXPECT_TRUE(report.ok()) << mended;
  EXPECT_EQ(report.entries, 2u);
}

}  // namespace
}  // namespace twintree::import
