#include <gtest/gtest.h>

#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "services/model/ldif.h"

namespace twintree::model {
namespace {

using namespace std::string_view_literals;

std::string LineOf(std::string_view name, std::string_view value) {
  std::string out;
  AppendLdifLine(name, value, &out);
  return out;
}

TEST(AppendLdifLineTest, WritesSafeValuesAsTheyAre) {
  EXPECT_EQ(LineOf("cn", "a b:c<d"), "cn: a b:c<d\n");
  EXPECT_EQ(LineOf("cn", ""), "cn:\n");
  EXPECT_EQ(LineOf("cn", "tab\there"), "cn: tab\there\n");
}

TEST(AppendLdifLineTest, WritesUnsafeValuesInBase64) {
  EXPECT_EQ(LineOf("cn", " a"), "cn:: IGE=\n");
  EXPECT_EQ(LineOf("cn", "a "), "cn:: YSA=\n");
  EXPECT_EQ(LineOf("cn", ":a"), "cn:: OmE=\n");
  EXPECT_EQ(LineOf("cn", "<a"), "cn:: PGE=\n");
  EXPECT_EQ(LineOf("cn", "a\nb"), "cn:: YQpi\n");
  EXPECT_EQ(LineOf("cn", "a\rb"), "cn:: YQ1i\n");
  EXPECT_EQ(LineOf("cn", "a\0b"sv), "cn:: YQBi\n");
  EXPECT_EQ(LineOf("cn", "\xc3\xbc"), "cn:: w7w=\n");
}

TEST(AppendLdifLineTest, FoldsAtSeventySixColumns) {
  EXPECT_EQ(LineOf("cn", std::string(72, 'x')), "cn: " + std::string(72, 'x') + "\n");
  EXPECT_EQ(LineOf("cn", std::string(73, 'x')), "cn: " + std::string(72, 'x') + "\n x\n");
  EXPECT_EQ(LineOf("cn", std::string(72 + 76, 'x')),
            "cn: " + std::string(72, 'x') + "\n " + std::string(75, 'x') + "\n x\n");
}

TEST(AppendLdifEntryTest, WritesDnValuesAndAnEmptyLine) {
  std::string out = "version: 1\n\n";
  const std::vector<RawAttribute> attributes = {{"cn", {"a", "b"}}, {"sn", {}}, {"mail", {"x"}}};
  AppendLdifEntry("cn=a,o=b", attributes, &out);
  EXPECT_EQ(out, "version: 1\n\ndn: cn=a,o=b\ncn: a\ncn: b\nmail: x\n\n");
}

TEST(AppendLdifEntryTest, TheReaderGetsBackWhatWasWritten) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto random_value = [&random] {
    // Short values of few letters hit the special cases; long ones the folding.
    constexpr std::string_view kOctets = " :<-#\n\r\0ax\xc3\xbc"sv;
    std::string value(random() % (random() % 8 == 0 ? 300 : 4), '\0');
    for (char& octet : value) octet = kOctets[random() % kOctets.size()];
    return value;
  };
  std::string text;
  std::vector<std::vector<RawAttribute>> entries(200);
  std::vector<std::string> names;
  for (auto& entry : entries) {
    entry = {{"cn", {random_value(), random_value()}}, {"photo;binary", {random_value()}}};
    names.push_back(random_value());
    AppendLdifEntry(names.back(), entry, &text);
  }
  std::istringstream input(text);
  LdifReader reader(input, {});
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Result<std::optional<LdifRecord>> record = reader.Next();
    ASSERT_TRUE(record.ok()) << record.error().message;
    ASSERT_TRUE(record->has_value());
    EXPECT_EQ((*record)->dn, names[i]);
    ASSERT_EQ((*record)->attributes.size(), 2u);
    EXPECT_EQ((*record)->attributes[0].values, entries[i][0].values);
    EXPECT_EQ((*record)->attributes[1].values, entries[i][1].values);
  }
  EXPECT_FALSE(reader.Next()->has_value());
}

}  // namespace
}  // namespace twintree::model
