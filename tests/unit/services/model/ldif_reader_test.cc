#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "services/model/base64.h"
#include "services/model/ldif.h"

namespace twintree::model {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Reads records one by one and keeps what Next() said last.
class LdifText {
 public:
  explicit LdifText(std::string text, LdifOptions options = {})
      : input_(std::move(text)), reader_(input_, options) {}

  // The next record; the test fails if there is none.
  LdifRecord Record() {
    Result<std::optional<LdifRecord>> next = reader_.Next();
    if (!next.ok() || !next->has_value()) {
      ADD_FAILURE() << (next.ok() ? "end of input" : next.error().message);
      return {};
    }
    return **std::move(next);
  }
  bool AtEnd() {
    const Result<std::optional<LdifRecord>> next = reader_.Next();
    return next.ok() && !next->has_value();
  }
  // The line of the error that comes next; 0 if none does, or if the parts of it disagree.
  std::uint64_t ErrorLine() {
    const Result<std::optional<LdifRecord>> next = reader_.Next();
    if (next.code() != ResultCode::kProtocolError) return 0;
    message_ = next.error().message;
    const std::string prefix = "line " + std::to_string(reader_.error_line()) + ": ";
    return message_.starts_with(prefix) ? reader_.error_line() : 0;
  }
  const std::string& message() const { return message_; }

 private:
  std::istringstream input_;
  LdifReader reader_;
  std::string message_;
};

std::uint64_t ErrorLineOf(std::string text) { return LdifText(std::move(text)).ErrorLine(); }

MATCHER_P2(IsAttribute, description, values, "") {
  return arg.description == description &&
         testing::ExplainMatchResult(values, arg.values, result_listener);
}

TEST(LdifReaderTest, ReadsCrlfFoldsCommentsAndBase64) {
  LdifText ldif(
      "version: 1\r\n# a comment that is\r\n  folded: cn=evil\r\ndn: cn=fold,\r\n ou=box\r\n"
      "objectClass: inetOrgPerson\r\ncn: fold\r\nsn: a  \r\n b\r\ndescription:: aGVsbG8g\r\n"
      " d29ybGQ=\r\njpegPhoto:: /9j/\r\n 4AAQSkZJRg==\r\n"
      "labeledURI: http://www.example.com/a:b?c=d\r\n# trailing comment\r\n\r\n\r\n"
      "# between records\r\n\r\ndn:: " +
      EncodeBase64("cn=J\xc3\xbcrgen,ou=box") +
      "\r\nobjectClass: person\r\ncn:: SsO8cmdlbg==\r\nsn: x");
  const LdifRecord first = ldif.Record();
  EXPECT_EQ(first.dn, "cn=fold,ou=box");
  EXPECT_EQ(first.line, 4u);
  EXPECT_EQ(first.change, LdifChange::kContent);
  EXPECT_THAT(
      first.attributes,
      ElementsAre(IsAttribute("objectClass", ElementsAre("inetOrgPerson")),
                  IsAttribute("cn", ElementsAre("fold")), IsAttribute("sn", ElementsAre("a  b")),
                  IsAttribute("description", ElementsAre("hello world")),
                  IsAttribute("jpegPhoto", ElementsAre(*DecodeBase64("/9j/4AAQSkZJRg=="))),
                  IsAttribute("labeledURI", ElementsAre("http://www.example.com/a:b?c=d"))));
  const LdifRecord second = ldif.Record();
  EXPECT_EQ(second.dn, "cn=J\xc3\xbcrgen,ou=box");
  EXPECT_EQ(second.line, 20u);
  EXPECT_THAT(second.attributes[1], IsAttribute("cn", ElementsAre("J\xc3\xbcrgen")));
  EXPECT_TRUE(ldif.AtEnd());
}

TEST(LdifReaderTest, ReadsChangeRecordsOfAllTypes) {
  LdifText ldif(
      "version: 1\n\ndn: cn=a\nchangetype: add\nobjectClass: inetOrgPerson\ndescription: one\n"
      "description: two\n\ndn: cn=a\nchangetype: modify\nadd: mail\nmail: a@example.com\n"
      "mail: b@example.com\n-\ndelete: description\ndescription: one\n-\nreplace: title\n-\n"
      "replace: sn\nsn: y\n\ndn: cn=a\nchangetype: modrdn\nnewrdn: cn=b\ndeleteoldrdn: 1\n\n"
      "dn: cn=gone\nchangetype: delete\n");
  const LdifRecord add = ldif.Record();
  EXPECT_EQ(add.change, LdifChange::kAdd);
  EXPECT_THAT(add.attributes[1], IsAttribute("description", ElementsAre("one", "two")));
  const LdifRecord modify = ldif.Record();
  EXPECT_EQ(modify.change, LdifChange::kModify);
  EXPECT_EQ(modify.line, 9u);
  ASSERT_EQ(modify.modifications.size(), 4u);
  EXPECT_EQ(modify.modifications[0].kind, ModificationKind::kAdd);
  EXPECT_THAT(modify.modifications[0].attribute,
              IsAttribute("mail", ElementsAre("a@example.com", "b@example.com")));
  EXPECT_EQ(modify.modifications[1].kind, ModificationKind::kDelete);
  EXPECT_EQ(modify.modifications[2].kind, ModificationKind::kReplace);
  EXPECT_THAT(modify.modifications[2].attribute, IsAttribute("title", IsEmpty()));
  EXPECT_THAT(modify.modifications[3].attribute, IsAttribute("sn", ElementsAre("y")));
  const LdifRecord rename = ldif.Record();
  EXPECT_EQ(rename.change, LdifChange::kModifyDn);
  EXPECT_EQ(rename.new_rdn, "cn=b");
  EXPECT_TRUE(rename.delete_old_rdn);
  EXPECT_EQ(rename.new_superior, std::nullopt);
  EXPECT_EQ(ldif.Record().change, LdifChange::kDelete);
  EXPECT_TRUE(ldif.AtEnd());
}

TEST(LdifReaderTest, ReadsAMove) {
  LdifText ldif(
      "dn: cn=b\nChangeType: ModDN \nnewrdn: cn=c\ndeleteoldrdn: 0 \nnewsuperior: ou=o\n");
  const LdifRecord move = ldif.Record();
  EXPECT_EQ(move.change, LdifChange::kModifyDn);
  EXPECT_FALSE(move.delete_old_rdn);
  EXPECT_EQ(move.new_superior, "ou=o");
}

TEST(LdifReaderTest, ReadsIncrementAndAnEmptyModify) {
  LdifText ldif(
      "dn: cn=b\nchangetype: modify\nincrement: uidNumber\nuidNumber: 1\n-\n\n"
      "dn: cn=c\nchangetype: modify\n");
  EXPECT_EQ(ldif.Record().modifications[0].kind, ModificationKind::kIncrement);
  EXPECT_THAT(ldif.Record().modifications, IsEmpty());
}

TEST(LdifReaderTest, ReadsControls) {
  LdifText ldif(
      "dn: cn=a\ncontrol: 1.2.840.113556.1.4.805 true\ncontrol: 1.2.3 false: plain\n"
      "control: 1.2.4:: /w==\ncontrol:1.2.5\nchangetype: delete\n");
  const LdifRecord record = ldif.Record();
  ASSERT_EQ(record.controls.size(), 4u);
  EXPECT_EQ(record.controls[0].oid, "1.2.840.113556.1.4.805");
  EXPECT_TRUE(record.controls[0].critical);
  EXPECT_EQ(record.controls[0].value, std::nullopt);
  EXPECT_FALSE(record.controls[1].critical);
  EXPECT_EQ(record.controls[1].value, "plain");
  EXPECT_EQ(record.controls[2].value, "\xff");
  EXPECT_EQ(record.controls[3].oid, "1.2.5");
}

TEST(LdifReaderTest, GathersValuesOfOneDescription) {
  LdifText ldif("dn: cn=a\ncn: 1\nsn: 2\nCN: 3\ncn;lang-de: 4\nsn: 5\n");
  EXPECT_THAT(ldif.Record().attributes, ElementsAre(IsAttribute("cn", ElementsAre("1", "3")),
                                                    IsAttribute("sn", ElementsAre("2", "5")),
                                                    IsAttribute("cn;lang-de", ElementsAre("4"))));
}

TEST(LdifReaderTest, ReadsEmptyAndSpacedValues) {
  LdifText ldif("dn:\ncn:\nsn:   x y \ndescription::\ntitle: a:b::c\n");
  const LdifRecord record = ldif.Record();
  EXPECT_EQ(record.dn, "");
  EXPECT_THAT(record.attributes, ElementsAre(IsAttribute("cn", ElementsAre("")),
                                             IsAttribute("sn", ElementsAre("x y ")),
                                             IsAttribute("description", ElementsAre("")),
                                             IsAttribute("title", ElementsAre("a:b::c"))));
}

TEST(LdifReaderTest, AcceptsPlainUtf8AndConcatenatedFiles) {
  LdifText ldif("version: 1\ndn: cn=a\ncn: \xc3\xbc\n\nversion: 1\n\ndn: cn=b\nsn: x\n");
  EXPECT_THAT(ldif.Record().attributes[0], IsAttribute("cn", ElementsAre("\xc3\xbc")));
  EXPECT_EQ(ldif.Record().dn, "cn=b");
  EXPECT_TRUE(ldif.AtEnd());
}

TEST(LdifReaderTest, NothingButCommentsIsTheEnd) {
  EXPECT_TRUE(LdifText("").AtEnd());
  EXPECT_TRUE(LdifText("\n# nothing\n\nversion: 1\n").AtEnd());
}

TEST(LdifReaderTest, ReportsTheLineOfABrokenOne) {
  EXPECT_EQ(ErrorLineOf("dn: cn=bad4\ncn bad\nsn: x\n"), 2u) << "no colon";
  EXPECT_EQ(ErrorLineOf("dn: cn=bad2\nobjectClass: person\ncn: bad2\nsn: x\n: value\n"), 5u);
  EXPECT_EQ(ErrorLineOf("dn: cn=bad3\nobjectClass: person\ncn: bad3\nsn:: ab*c\n"), 4u);
  EXPECT_EQ(ErrorLineOf(" cn=lost\ndn: cn=bad4\nobjectClass: person\n"), 1u);
  EXPECT_EQ(ErrorLineOf("dn: cn=bad5\nchangetype: frobnicate\nsn: x\n"), 2u);
  EXPECT_EQ(ErrorLineOf("objectClass: person\ncn: bad6\nsn: x\n"), 1u);
  EXPECT_EQ(ErrorLineOf("version: 2\ndn: cn=a\nsn: x\n"), 1u);
  EXPECT_EQ(ErrorLineOf("dn: cn=a\ns n: x\n"), 2u);
  EXPECT_EQ(ErrorLineOf("dn: cn=a\nsn: x\ndn: cn=b\n"), 3u);
  EXPECT_EQ(ErrorLineOf("dn: cn=a\nsn: x\nchangetype: delete\n"), 3u);
  EXPECT_EQ(ErrorLineOf("dn: cn=a\nsn: x\ncn: \n 1\n 2\nbad\n"), 6u) << "folded lines count";
  EXPECT_EQ(ErrorLineOf("# c\n\n# c\ndn: cn=a\nsn: x\n# c\n c\nsn:: %\n"), 8u) << "comments count";
  EXPECT_EQ(ErrorLineOf(std::string("dn: cn=a\nsn: x\0y\n", 17)), 2u) << "NUL";
}

TEST(LdifReaderTest, ReportsTheLineInChangeRecords) {
  EXPECT_EQ(ErrorLineOf("dn: cn=a\n"), 1u) << "no attributes";
  EXPECT_EQ(ErrorLineOf("dn: cn=a\nchangetype: add\n"), 2u);
  EXPECT_EQ(ErrorLineOf("dn: cn=a\nchangetype: delete\nsn: x\n"), 3u);
  EXPECT_EQ(ErrorLineOf("dn: cn=a\nchangetype: modify\nsn: x\n"), 3u);
  EXPECT_EQ(ErrorLineOf("dn: cn=a\nchangetype: modify\n-\n"), 3u);
  EXPECT_EQ(ErrorLineOf("dn: cn=a\nchangetype: modify\nadd: sn\ncn: x\n-\n"), 4u);
  EXPECT_EQ(ErrorLineOf("dn: cn=a\nchangetype: modify\nadd: s n\n"), 3u);
  EXPECT_EQ(ErrorLineOf("dn: cn=a\nchangetype: modrdn\nnewrdn: cn=b\n"), 3u);
  EXPECT_EQ(ErrorLineOf("dn: cn=a\nchangetype: modrdn\ndeleteoldrdn: 1\n"), 3u);
  EXPECT_EQ(ErrorLineOf("dn: cn=a\nchangetype: modrdn\nnewrdn: cn=b\ndeleteoldrdn: 2\n"), 4u);
  EXPECT_EQ(ErrorLineOf("dn: cn=a\nchangetype: modrdn\nnewrdn: cn=b\ndeleteoldrdn: 1\nsn: x\n"),
            5u);
  EXPECT_EQ(ErrorLineOf("dn: cn=a\ncontrol: 1.2.3 true\nsn: x\n"), 3u);
  EXPECT_EQ(ErrorLineOf("dn: cn=a\ncontrol: what\nchangetype: delete\n"), 2u);
  EXPECT_EQ(ErrorLineOf("dn: cn=a\ncontrol: 1.2 maybe\nchangetype: delete\n"), 2u);
}

TEST(LdifReaderTest, GoesOnWithTheRecordAfterAnError) {
  LdifText ldif(
      "dn: cn=ok1\nsn: x\n\ndn: cn=bad1\nobjectClass: person\ncn bad1\nsn: x\n\n"
      "dn: cn=bad2\nchangetype: modrdn\n\ndn: cn=ok2\nsn: x\n");
  EXPECT_EQ(ldif.Record().dn, "cn=ok1");
  EXPECT_EQ(ldif.ErrorLine(), 6u);
  EXPECT_EQ(ldif.ErrorLine(), 10u);
  EXPECT_THAT(ldif.message(), HasSubstr("newrdn"));
  EXPECT_EQ(ldif.Record().dn, "cn=ok2");
  EXPECT_TRUE(ldif.AtEnd());
}

TEST(LdifReaderTest, LimitsTheRecord) {
  // The name, the value and the cost of a value.
  LdifOptions options;
  options.max_record_bytes = 4 + 2 + kLdifValueCost + 2 + 50 + kLdifValueCost;
  const std::string fits = "dn: cn=a\ncn: \nsn: " + std::string(50, 'x') + "\n\n";
  const std::string too_long = "dn: cn=a\ncn: \nsn: " + std::string(51, 'x') + "\n\n";
  LdifText ldif(
      fits + too_long + "dn: cn=b\nsn:: " + EncodeBase64(std::string(5000, 'x')) + "\n\n" + fits,
      options);
  EXPECT_EQ(ldif.Record().dn, "cn=a");
  EXPECT_EQ(ldif.ErrorLine(), 7u);
  EXPECT_EQ(ldif.ErrorLine(), 10u);
  EXPECT_THAT(ldif.message(), HasSubstr("too long"));
  EXPECT_EQ(ldif.Record().dn, "cn=a");
}

TEST(LdifReaderTest, ABadStreamIsAnErrorForGood) {
  std::istringstream input("dn: cn=a\nsn: x\n");
  input.setstate(std::ios::badbit);
  LdifReader reader(input, {});
  EXPECT_EQ(reader.Next().code(), ResultCode::kOther);
  EXPECT_EQ(reader.Next().code(), ResultCode::kOther);
  EXPECT_EQ(reader.error_line(), 1u);
}

class LdifUrlTest : public testing::Test {
 public:
  ~LdifUrlTest() override { std::filesystem::remove_all(folder_); }

 protected:
  LdifUrlTest()
      : folder_(std::filesystem::temp_directory_path() /
                ("twintree_ldif_url_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "a b.bin", std::ios::binary) << std::string("\x00\xff\n", 3);
  }
  std::string Text(const std::string& url) { return "dn: cn=a\nphoto:< " + url + "\n"; }

  std::filesystem::path folder_;
  LdifOptions allowed_ = {.allow_file_urls = true};
};

TEST_F(LdifUrlTest, ReadsALocalFileWhenAllowed) {
  for (const std::string prefix : {"file://", "file://localhost", "FILE:"}) {
    LdifText ldif(Text(prefix + folder_.string() + "/a%20b.bin"), allowed_);
    EXPECT_THAT(ldif.Record().attributes[0],
                IsAttribute("photo", ElementsAre(std::string("\x00\xff\n", 3))));
  }
}

TEST_F(LdifUrlTest, IsRefusedUnlessAllowed) {
  EXPECT_EQ(ErrorLineOf(Text("file://" + folder_.string() + "/a%20b.bin")), 2u);
}

TEST_F(LdifUrlTest, RefusesWhatIsNoLocalRegularFile) {
  for (const std::string& url :
       std::vector<std::string>{"http://example.com/a", "file:a", "file:///%zz", "file:///a%00b",
                                "file://other.example.com/a", "file:///nowhere/to/be/found",
                                "file://" + folder_.string(), "file:///dev/zero"}) {
    EXPECT_EQ(LdifText(Text(url), allowed_).ErrorLine(), 2u) << url;
  }
}

TEST_F(LdifUrlTest, SaysWhyAFileCannotBeRead) {
  std::filesystem::create_symlink("loop", folder_ / "loop");
  LdifText ldif(Text("file://" + folder_.string() + "/loop"), allowed_);
  EXPECT_EQ(ldif.ErrorLine(), 2u);
  EXPECT_THAT(ldif.message(), HasSubstr("loop: Too many levels of symbolic links"));
}

TEST_F(LdifUrlTest, RefusesAFileOverTheLimit) {
  LdifOptions options = allowed_;
  options.max_record_bytes = 4 + 5 + kLdifValueCost + 2;
  EXPECT_EQ(LdifText(Text("file://" + folder_.string() + "/a%20b.bin"), options).ErrorLine(), 2u);
}

}  // namespace
}  // namespace twintree::model
