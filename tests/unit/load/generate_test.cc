#include "load/generate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <array>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace twintree::load {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::StartsWith;

std::string Generate(const GenerateOptions& options) {
  std::string ldif;
  EXPECT_TRUE(WriteDirectory(options, [&ldif](std::string_view piece) {
    ldif += piece;
    return true;
  }));
  return ldif;
}

using Record = std::multimap<std::string, std::string>;

std::vector<Record> Records(const std::string& ldif) {
  std::vector<Record> records;
  Record record;
  std::istringstream lines(ldif.substr(ldif.find("\n\n") + 2));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) {
      records.push_back(std::move(record));
      record.clear();
      continue;
    }
    const auto colon = line.find(": ");
    EXPECT_NE(colon, std::string::npos) << line;
    record.emplace(line.substr(0, colon), line.substr(colon + 2));
  }
  EXPECT_TRUE(record.empty()) << "the last record has no empty line behind it";
  return records;
}

std::vector<std::string> Values(const Record& record, const std::string& name) {
  std::vector<std::string> values;
  const auto [first, last] = record.equal_range(name);
  for (auto it = first; it != last; ++it) values.push_back(it->second);
  return values;
}

std::string Value(const Record& record, const std::string& name) {
  const auto values = Values(record, name);
  EXPECT_EQ(values.size(), 1U) << name;
  return values.empty() ? "" : values.front();
}

Record Person(std::uint64_t number, PasswordForm passwords = PasswordForm::kHashed) {
  std::string ldif = "version: 1\n\n";
  PersonWriter(1, passwords).AppendTo(number, ldif);
  return Records(ldif).at(0);
}

TEST(GenerateTest, GivesTheSameOctetsForTheSameOptions) {
  const GenerateOptions options{.entries = 300, .seed = 42};
  EXPECT_EQ(Generate(options), Generate(options));
}

// The octets are part of the contract: published measurements name the number of entries and the
// seed only. Made with: twintree-load generate --entries 1000 --seed 1 | openssl dgst -sha256
TEST(GenerateTest, GivesTheSameOctetsOnEveryMachine) {
  const std::string ldif = Generate({.entries = 1000, .seed = 1});
  std::array<unsigned char, 32> digest;
  ASSERT_EQ(EVP_Digest(ldif.data(), ldif.size(), digest.data(), nullptr, EVP_sha256(), nullptr), 1);
  std::string hex;
  for (const unsigned char octet : digest) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    hex += kDigits[octet >> 4];
    hex += kDigits[octet & 15];
  }
  EXPECT_EQ(hex, "218220eacdcec9c96668ab7ec65591bfd8558bc3686cf2eacbbd12ef9a4c0a0c");
}

TEST(GenerateTest, ChangesValuesWithTheSeed) {
  EXPECT_NE(Generate({.entries = 10, .seed = 1}), Generate({.entries = 10, .seed = 2}));
}

TEST(GenerateTest, MakesAPersonTheSameWhateverTheNumberOfEntries) {
  const std::string few = Generate({.entries = 10, .seed = 5});
  const std::string many = Generate({.entries = 1000, .seed = 5});
  const auto people = few.find("dn: uid=user.0,");
  const auto groups = few.find("dn: ou=Groups,");
  EXPECT_EQ(few.substr(people, groups - people), many.substr(people, groups - people));
}

TEST(GenerateTest, WritesSuperiorsBeforeTheirSubordinates) {
  const auto records = Records(Generate({.entries = 2}));
  ASSERT_EQ(records.size(), 1U + 1 + 2 + 1 + 100);
  EXPECT_EQ(Value(records[0], "dn"), "dc=example,dc=com");
  EXPECT_EQ(Value(records[1], "dn"), "ou=People,dc=example,dc=com");
  EXPECT_EQ(Value(records[2], "dn"), "uid=user.0,ou=People,dc=example,dc=com");
  EXPECT_EQ(Value(records[3], "dn"), "uid=user.1,ou=People,dc=example,dc=com");
  EXPECT_EQ(Value(records[4], "dn"), "ou=Groups,dc=example,dc=com");
  EXPECT_EQ(Value(records[104], "dn"), "cn=group.99,ou=Groups,dc=example,dc=com");
}

TEST(GenerateTest, NamesAPersonByNumber) {
  const Record person = Person(1234);
  EXPECT_EQ(Value(person, "uid"), "user.1234");
  EXPECT_EQ(Value(person, "cn"), "User 1234");
  EXPECT_EQ(Value(person, "mail"), "user.1234@example.com");
  EXPECT_EQ(Value(person, "uidNumber"), "11234");
  EXPECT_EQ(Value(person, "homeDirectory"), "/home/user.1234");
  EXPECT_THAT(Value(person, "displayName"), EndsWith(" " + Value(person, "sn")));
}

TEST(GenerateTest, MeetsItsObjectClasses) {
  const Record person = Person(0);
  EXPECT_THAT(Values(person, "objectClass"), ElementsAre("top", "person", "organizationalPerson",
                                                         "inetOrgPerson", "posixAccount"));
  for (const char* required : {"cn", "sn", "uid", "uidNumber", "gidNumber", "homeDirectory"}) {
    EXPECT_EQ(person.count(required), 1U) << required;
  }
  const std::set<std::string> allowed = {"dn",
                                         "objectClass",
                                         "uid",
                                         "cn",
                                         "sn",
                                         "givenName",
                                         "initials",
                                         "mail",
                                         "displayName",
                                         "telephoneNumber",
                                         "homePhone",
                                         "mobile",
                                         "pager",
                                         "employeeNumber",
                                         "employeeType",
                                         "title",
                                         "departmentNumber",
                                         "street",
                                         "description",
                                         "l",
                                         "st",
                                         "postalCode",
                                         "uidNumber",
                                         "postalAddress",
                                         "gidNumber",
                                         "homeDirectory",
                                         "loginShell",
                                         "userPassword"};
  for (const auto& [name, value] : person) EXPECT_THAT(allowed, Contains(name));
}

TEST(GenerateTest, WritesPersonsOf700To800Octets) {
  PersonWriter writer(1, PasswordForm::kHashed);
  for (const std::uint64_t number : {0ULL, 7ULL, 4321ULL, 511'999ULL, 3'999'999ULL}) {
    std::string record;
    writer.AppendTo(number, record);
    EXPECT_GE(record.size(), 700U) << record;
    EXPECT_LE(record.size(), 800U) << record;
  }
}

TEST(GenerateTest, WritesSevenBitTextOnly) {
  for (const char octet : Generate({.entries = 50})) {
    ASSERT_TRUE(octet == '\n' || (octet >= ' ' && octet <= '~')) << static_cast<int>(octet);
  }
}

TEST(GenerateTest, HashesPasswordsThatVerify) {
  const std::string value = Value(Person(17), "userPassword");
  ASSERT_THAT(value, StartsWith("{SSHA}"));
  const std::string base64 = value.substr(6);
  ASSERT_EQ(base64.size(), 40U);
  std::array<unsigned char, 30> octets;  // 28 and the two that padding stands for
  ASSERT_EQ(EVP_DecodeBlock(octets.data(), reinterpret_cast<const unsigned char*>(base64.data()),
                            static_cast<int>(base64.size())),
            30);
  const std::string salted = "password17" + std::string(octets.begin() + 20, octets.begin() + 28);
  std::array<unsigned char, 20> digest;
  ASSERT_EQ(EVP_Digest(salted.data(), salted.size(), digest.data(), nullptr, EVP_sha1(), nullptr),
            1);
  EXPECT_EQ(std::string(digest.begin(), digest.end()),
            std::string(octets.begin(), octets.begin() + 20));
}

TEST(GenerateTest, WritesClearPasswordsOnRequest) {
  EXPECT_EQ(Value(Person(17, PasswordForm::kClear), "userPassword"), "password17");
}

TEST(GenerateTest, FillsGroupsWithDifferentPeopleThatExist) {
  const auto records = Records(Generate({.entries = 60}));
  std::size_t largest = 0;
  for (std::size_t i = records.size() - 100; i < records.size(); ++i) {
    const auto members = Values(records[i], "member");
    EXPECT_GE(members.size(), 1U);
    EXPECT_LE(members.size(), 50U);
    largest = std::max(largest, members.size());
    EXPECT_EQ(std::set<std::string>(members.begin(), members.end()).size(), members.size());
    for (const auto& member : members) {
      const auto number = std::stoul(member.substr(std::string("uid=user.").size()));
      EXPECT_LT(number, 60U);
    }
  }
  EXPECT_GT(largest, 40U);
}

TEST(GenerateTest, MakesDoWithOnePerson) {
  const auto records = Records(Generate({.entries = 1}));
  EXPECT_THAT(Values(records.back(), "member"),
              ElementsAre("uid=user.0,ou=People,dc=example,dc=com"));
}

TEST(GenerateTest, StopsWhenTheSinkTakesNoMore) {
  int pieces = 0;
  EXPECT_FALSE(
      WriteDirectory({.entries = 10000}, [&pieces](std::string_view) { return ++pieces < 3; }));
  EXPECT_EQ(pieces, 3);
}

TEST(GenerateTest, HandsOnBoundedPieces) {
  std::size_t largest = 0;
  EXPECT_TRUE(WriteDirectory({.entries = 2000}, [&largest](std::string_view piece) {
    largest = std::max(largest, piece.size());
    return true;
  }));
  EXPECT_LT(largest, 128U * 1024);
}

}  // namespace
}  // namespace twintree::load
