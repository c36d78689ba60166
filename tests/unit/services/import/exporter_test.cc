#include "services/import/exporter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "services/model/dn.h"
#include "services/model/ldif.h"
#include "tests/unit/services/import/import_fixture.h"

namespace twintree::import {
namespace {

using model::ResultCode;
using ::testing::HasSubstr;
using ::testing::Not;

class ExporterTest : public ImportFixture {
 protected:
  // Exports, imports that into a store of its own, and exports again.
  std::string ThereAndBack(bool operational) {
    const std::string first = Export(operational);
    store_ = NewMemoryStore(*schema_);
    EXPECT_TRUE(Import(first).ok());
    EXPECT_EQ(Export(operational), first);
    return first;
  }

  // A tree of odd names and values.
  std::string OddTree(unsigned seed);
};

std::string OddValue(std::mt19937& random) {
  static const std::vector<std::string> kPieces = {
      "a", "Z", " ", ",", "+", "\"",       "\\",           "<",
      ">", ";", "=", "#", ":", "\xc3\xbc", "\xe6\xbc\xa2", "\xf0\x9f\x8c\xb2",
      "0", "-", "'"};
  std::string value = "v" + std::to_string(random());  // no two are alike
  for (unsigned i = random() % 30; i > 0; --i) value += kPieces[random() % kPieces.size()];
  return value + "x";
}

std::string Octets(std::mt19937& random, std::size_t size) {
  std::string octets(size, '\0');
  for (char& octet : octets) octet = static_cast<char>(random());
  return octets;
}

std::string ExporterTest::OddTree(unsigned seed) {
  std::mt19937 random(seed);
  std::string text(kTop);
  std::vector<std::string> parents = {"dc=example,dc=com"};
  for (int i = 0; i < 200; ++i) {
    const std::string cn = OddValue(random);
    const std::string sn = OddValue(random);
    std::string rdn = "cn=" + model::EscapeDnValue(cn);
    if (i % 5 == 0) rdn += "+sn=" + model::EscapeDnValue(sn);
    const std::string dn = rdn + "," + parents[random() % parents.size()];
    std::vector<model::RawAttribute> attributes = {
        {"objectClass", {"top", "inetOrgPerson"}},
        {"CN", {OddValue(random), cn}},
        {"sn", {sn}},
        {"description;lang-de;x-odd", {OddValue(random), OddValue(random)}},
        {"jpegPhoto", {Octets(random, random() % 3000)}},
        {"userPassword", {Octets(random, 1 + random() % 20), " leading", "trailing "}}};
    model::AppendLdifEntry(dn, attributes, &text);
    if (i % 3 == 0) parents.push_back(dn);
  }
  return text;
}

TEST_F(ExporterTest, WritesParentsFirstAndSiblingsInOrder) {
  ASSERT_TRUE(Import(WithTop(PersonRecord("b") + PersonRecord("a") +
                             "dn: cn=c,cn=b,dc=example,dc=com\nobjectClass: person\nsn: x\n"))
                  .ok());
  EXPECT_EQ(Export(), "version: 1\n\n" + std::string(kTop) + PersonRecord("b") +
                          "dn: cn=c,cn=b,dc=example,dc=com\nobjectClass: person\nsn: x\ncn: c\n\n" +
                          PersonRecord("a"));
}

TEST_F(ExporterTest, WritesOperationalAttributesOnRequestOnly) {
  ASSERT_TRUE(Import(kTop).ok());
  EXPECT_THAT(Export(false), Not(HasSubstr("entryUUID")));
  EXPECT_THAT(Export(true), HasSubstr("\nentryUUID: "));
  EXPECT_THAT(Export(true), HasSubstr("\ncreatorsName: cn=import\n"));
  EXPECT_THAT(Export(true), Not(HasSubstr("entryDN")));
}

TEST_F(ExporterTest, ComesBackUnchangedWithOddNamesAndValues) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    store_ = NewMemoryStore(*schema_);
    ASSERT_TRUE(Import(OddTree(seed)).ok()) << seed;
    ThereAndBack(false);
    ThereAndBack(true);
  }
}

TEST_F(ExporterTest, ComesBackUnchangedWithLargeValues) {
  std::mt19937 random(7);
  std::string text(kTop);
  const std::vector<model::RawAttribute> attributes = {
      {"objectClass", {"inetOrgPerson"}},
      {"sn", {"x"}},
      {"jpegPhoto", {Octets(random, 5 << 20), Octets(random, 1 << 20)}},
      {"description", {std::string(5 << 20, 'd')}}};
  model::AppendLdifEntry("cn=big,dc=example,dc=com", attributes, &text);
  ASSERT_TRUE(Import(text).ok());
  EXPECT_GT(ThereAndBack(true).size(), std::size_t{11} << 20);
}

TEST_F(ExporterTest, KeepsOperationalAttributesOverAnImport) {
  ASSERT_TRUE(Import(WithTop(PersonRecord("a"))).ok());
  const auto uuid = Values("cn=a,dc=example,dc=com", "entryUUID");
  ThereAndBack(true);
  EXPECT_EQ(Values("cn=a,dc=example,dc=com", "entryUUID"), uuid);
}

TEST_F(ExporterTest, WritesAllNamingContexts) {
  ImportOptions options;
  options.suffixes = {"o=Other", "dc=example,dc=com"};
  const std::string other = "dn: o=Other\nobjectClass: organization\no: Other\n\n";
  ASSERT_TRUE(Import(WithTop(other), options).ok());
  EXPECT_EQ(Export(), "version: 1\n\n" + std::string(kTop) + other);
}

TEST_F(ExporterTest, WritesASubtreeUnderTheNamesThatItsAncestorsHave) {
  ASSERT_TRUE(Import(WithTop("dn: OU=People,dc=example,dc=com\nobjectClass: organizationalUnit\n"
                             "ou: People\n\n"
                             "dn: cn=a,ou=PEOPLE,dc=example,dc=com\nobjectClass: person\ncn: a\n"
                             "sn: x\n\n" +
                             PersonRecord("b")))
                  .ok());
  EXPECT_EQ(ExportOf(*store_, *schema_, {"cn=A,ou=people,DC=example,dc=com", false}),
            "version: 1\n\ndn: cn=a,OU=People,dc=example,dc=com\nobjectClass: person\ncn: a\n"
            "sn: x\n\n");
}

TEST_F(ExporterTest, WritesMoreSiblingsThanAreReadAtOnce) {
  std::string records;
  for (int i = 0; i < 1000; ++i) records += PersonRecord(std::to_string(i));
  ASSERT_TRUE(Import(WithTop(records)).ok());
  EXPECT_EQ(Export(), "version: 1\n\n" + WithTop(records));
}

TEST_F(ExporterTest, FailsForABaseThatDoesNotExist) {
  ASSERT_TRUE(Import(kTop).ok());
  const auto reader = store_->Read();
  const auto code = [&](const std::string& base) {
    return Exporter(*schema_, reader->get(), {base, false})
        .Run([](std::string_view) { return model::OkStatus(); }, {})
        .code();
  };
  EXPECT_EQ(code("cn=none,dc=example,dc=com"), ResultCode::kNoSuchObject);
  EXPECT_EQ(code("dc=com"), ResultCode::kNoSuchObject);
  EXPECT_EQ(code("no name"), ResultCode::kInvalidDnSyntax);
}

TEST_F(ExporterTest, EndsWithTheErrorOfTheSink) {
  ASSERT_TRUE(Import(kTop).ok());
  const auto reader = store_->Read();
  Exporter exporter(*schema_, reader->get(), {});
  const auto result = exporter.Run(
      [](std::string_view) -> model::Status {
        return model::Error{ResultCode::kOther, "full", ""};
      },
      {});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message, "full");
}

}  // namespace
}  // namespace twintree::import
