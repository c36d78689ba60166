#include "services/import/entry_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace twintree::import {
namespace {

using model::RawAttribute;
using model::ResultCode;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::SizeIs;
using ::testing::StartsWith;

class EntryBuilderTest : public ::testing::Test {
 protected:
  model::Result<PreparedEntry> Build(const std::string& dn, std::vector<RawAttribute> attributes,
                                     std::uint64_t number = 0) {
    return builder_.Build(dn, std::move(attributes), number);
  }

  static std::vector<std::string> Values(const PreparedEntry& entry, std::string_view description) {
    std::vector<std::string> values;
    for (const model::StoredAttribute& attribute : entry.entry.attributes()) {
      if (attribute.description() != description) continue;
      for (const std::string_view value : attribute.values()) values.emplace_back(value);
    }
    return values;
  }

  static EntryBuilderOptions Options() {
    return {"cn=import", std::chrono::system_clock::time_point(std::chrono::seconds(1767323045)),
            std::nullopt};
  }

  std::shared_ptr<const model::Schema> schema_ = model::Schema::Standard();
  EntryBuilder builder_{*schema_, Options()};
};

std::vector<RawAttribute> Person(std::vector<RawAttribute> more = {}) {
  std::vector<RawAttribute> attributes = {
      {"objectClass", {"person"}}, {"cn", {"ann"}}, {"sn", {"x"}}};
  for (RawAttribute& one : more) attributes.push_back(std::move(one));
  return attributes;
}

TEST_F(EntryBuilderTest, MakesOperationalAttributesThatAreMissing) {
  const auto entry = Build("cn=ann,dc=x", Person(), 5);
  ASSERT_TRUE(entry.ok());
  EXPECT_THAT(Values(*entry, "structuralObjectClass"), ElementsAre("person"));
  EXPECT_THAT(Values(*entry, "createTimestamp"), ElementsAre("20260102030405Z"));
  EXPECT_THAT(Values(*entry, "modifyTimestamp"), ElementsAre("20260102030405Z"));
  EXPECT_THAT(Values(*entry, "creatorsName"), ElementsAre("cn=import"));
  EXPECT_THAT(Values(*entry, "modifiersName"), ElementsAre("cn=import"));
  EXPECT_THAT(Values(*entry, "entryCSN"), ElementsAre("20260102030405.000000Z#000005#000#000000"));
  EXPECT_THAT(Values(*entry, "entryUUID"), ElementsAre(entry->entry_uuid));
  EXPECT_THAT(entry->entry_uuid, MatchesRegex("[0-9a-f-]{36}"));
}

TEST_F(EntryBuilderTest, GivesChangeSequenceNumbersBeyondTheRangeOfTheCount) {
  const auto entry = Build("cn=ann,dc=x", Person(), 0x2000001);
  ASSERT_TRUE(entry.ok());
  EXPECT_THAT(Values(*entry, "entryCSN"), ElementsAre("20260102030405.000002Z#000001#000#000000"));
}

TEST_F(EntryBuilderTest, KeepsOperationalAttributesThatAreGiven) {
  const std::string uuid = "0f0e0d0c-0b0a-4908-8706-050403020100";
  const auto entry =
      Build("cn=ann,dc=x", Person({{"entryUUID", {uuid}},
                                   {"createTimestamp", {"20010203040506Z"}},
                                   {"creatorsName", {"cn=Manager,dc=x"}},
                                   {"modifyTimestamp", {"20020203040506Z"}},
                                   {"modifiersName", {"cn=ann,dc=x"}},
                                   {"entryCSN", {"20020203040506.123456Z#00000a#001#000000"}}}));
  ASSERT_TRUE(entry.ok());
  EXPECT_EQ(entry->entry_uuid, uuid);
  EXPECT_THAT(Values(*entry, "createTimestamp"), ElementsAre("20010203040506Z"));
  EXPECT_THAT(Values(*entry, "creatorsName"), ElementsAre("cn=Manager,dc=x"));
  EXPECT_THAT(Values(*entry, "modifyTimestamp"), ElementsAre("20020203040506Z"));
  EXPECT_THAT(Values(*entry, "modifiersName"), ElementsAre("cn=ann,dc=x"));
  EXPECT_THAT(Values(*entry, "entryCSN"), ElementsAre("20020203040506.123456Z#00000a#001#000000"));
}

TEST_F(EntryBuilderTest, RefusesOperationalAttributesThatAreNotValid) {
  EXPECT_EQ(Build("cn=ann,dc=x", Person({{"entryUUID", {"no"}}})).code(),
            ResultCode::kInvalidAttributeSyntax);
  EXPECT_EQ(Build("cn=ann,dc=x", Person({{"createTimestamp", {"yesterday"}}})).code(),
            ResultCode::kInvalidAttributeSyntax);
  EXPECT_EQ(
      Build("cn=ann,dc=x", Person({{"createTimestamp", {"20010203040506Z", "20020203040506Z"}}}))
          .code(),
      ResultCode::kConstraintViolation);
}

TEST_F(EntryBuilderTest, MakesTheStructuralClassAnew) {
  const auto entry = Build("cn=ann,dc=x", Person({{"structuralObjectClass", {"inetOrgPerson"}}}));
  ASSERT_TRUE(entry.ok());
  EXPECT_THAT(Values(*entry, "structuralObjectClass"), ElementsAre("person"));
}

TEST_F(EntryBuilderTest, IgnoresDerivedAttributes) {
  const auto entry = Build("cn=ann,dc=x", Person({{"entryDN", {"cn=other"}},
                                                  {"hasSubordinates", {"TRUE"}},
                                                  {"subschemaSubentry", {"cn=Subschema"}},
                                                  {"contextCSN", {"whatever"}}}));
  ASSERT_TRUE(entry.ok());
  EXPECT_THAT(Values(*entry, "entryDN"), IsEmpty());
  EXPECT_THAT(Values(*entry, "hasSubordinates"), IsEmpty());
  EXPECT_THAT(Values(*entry, "subschemaSubentry"), IsEmpty());
}

TEST_F(EntryBuilderTest, AddsNamingValuesThatAreMissing) {
  const auto entry = Build("cn=anna+description=d\\2Ce,dc=x", Person());
  ASSERT_TRUE(entry.ok());
  EXPECT_THAT(Values(*entry, "cn"), ElementsAre("ann", "anna"));
  EXPECT_THAT(Values(*entry, "description"), ElementsAre("d,e"));
}

TEST_F(EntryBuilderTest, DoesNotAddANamingValueThatIsThereInAnotherSpelling) {
  const auto entry = Build("2.5.4.3=\\20ANN,dc=x", Person());
  ASSERT_TRUE(entry.ok());
  EXPECT_THAT(Values(*entry, "cn"), ElementsAre("ann"));
}

TEST_F(EntryBuilderTest, JoinsOneAttributeUnderTwoNames) {
  const auto entry = Build("cn=ann,dc=x", Person({{"commonName", {"b"}}, {"2.5.4.3", {"c"}}}));
  ASSERT_TRUE(entry.ok());
  EXPECT_THAT(Values(*entry, "cn"), ElementsAre("ann", "b", "c"));
}

TEST_F(EntryBuilderTest, KeepsFirstNamesWhateverIsGiven) {
  const auto entry = Build("commonName=ann,dc=x", {{"OBJECTCLASS", {"inetOrgPerson"}},
                                                   {"surname", {"x"}},
                                                   {"rfc822Mailbox", {"n@m"}},
                                                   {"USERID", {"nm"}}});
  ASSERT_TRUE(entry.ok());
  std::vector<std::string> names;
  for (const auto& attribute : entry->entry.attributes()) {
    names.emplace_back(attribute.description());
  }
  names.resize(5);
  EXPECT_THAT(names, ElementsAre("objectClass", "sn", "mail", "uid", "cn"));
  EXPECT_EQ(entry->dn, "commonName=ann,dc=x");
}

TEST_F(EntryBuilderTest, KeepsOptions) {
  const auto entry = Build("cn=ann,dc=x", Person({{"description;lang-de", {"eins"}}}));
  ASSERT_TRUE(entry.ok());
  EXPECT_THAT(Values(*entry, "description;lang-de"), ElementsAre("eins"));
}

TEST_F(EntryBuilderTest, AppliesTheRulesOfAnAdd) {
  EXPECT_EQ(Build("cn=ann,dc=x", {{"objectClass", {"person"}}, {"cn", {"ann"}}}).code(),
            ResultCode::kObjectClassViolation);
  EXPECT_EQ(Build("cn=ann,dc=x", {{"cn", {"ann"}}, {"sn", {"x"}}}).code(),
            ResultCode::kObjectClassViolation);
  EXPECT_EQ(Build("cn=ann,dc=x", Person({{"mail", {"a@b"}}})).code(),
            ResultCode::kObjectClassViolation);
  EXPECT_EQ(Build("cn=ann,dc=x", Person({{"noSuchAttribute", {"1"}}})).code(),
            ResultCode::kUndefinedAttributeType);
  EXPECT_EQ(Build("cn=ann,dc=x", Person({{"description", {"a", "A"}}})).code(),
            ResultCode::kAttributeOrValueExists);
  EXPECT_EQ(Build("cn=ann,dc=x", Person({{"seeAlso", {"no name"}}})).code(),
            ResultCode::kInvalidAttributeSyntax);
  EXPECT_EQ(Build("cn=ann,,dc=x", Person()).code(), ResultCode::kInvalidDnSyntax);
  EXPECT_EQ(Build("nosuch=ann,dc=x", Person()).code(), ResultCode::kInvalidDnSyntax);
  EXPECT_EQ(Build("", Person()).code(), ResultCode::kUnwillingToPerform);
}

TEST_F(EntryBuilderTest, RefusesALanguageRange) {
  EXPECT_EQ(Build("cn=ann,dc=x", Person({{"description;lang-en-", {"a"}}})).code(),
            ResultCode::kUndefinedAttributeType);
}

TEST_F(EntryBuilderTest, KeepsPasswordsAsTheyAre) {
  const auto entry = Build("cn=ann,dc=x", Person({{"userPassword", {"secret", "{SSHA}x"}}}));
  ASSERT_TRUE(entry.ok());
  EXPECT_THAT(Values(*entry, "userPassword"), ElementsAre("secret", "{SSHA}x"));
}

TEST_F(EntryBuilderTest, HashesClearPasswordsOnRequest) {
  EntryBuilderOptions options = Options();
  options.hash_passwords = passwords::Scheme::kSsha512;
  const EntryBuilder builder(*schema_, options);
  const auto entry =
      builder.Build("cn=ann,dc=x", Person({{"userPassword", {"secret", "{X-OTHER}x"}}}), 0);
  ASSERT_TRUE(entry.ok());
  const std::vector<std::string> values = Values(*entry, "userPassword");
  ASSERT_THAT(values, ElementsAre(StartsWith("{SSHA512}"), "{X-OTHER}x"));
  EXPECT_TRUE(passwords::Verify(values[0], model::Secret("secret")));
}

TEST_F(EntryBuilderTest, KeepsWhatAPasswordPolicyWrote) {
  const auto entry =
      Build("cn=ann,dc=x",
            Person({{"pwdChangedTime", {"20260102030405Z"}},
                    {"pwdAccountLockedTime", {"000001010000Z"}},
                    {"pwdFailureTime", {"20260102030405.000001Z", "20260102030406.000001Z"}},
                    {"pwdHistory", {"20260102030405Z#1.3.6.1.4.1.1466.115.121.1.40#8#{SSHA}xx"}},
                    {"pwdGraceUseTime", {"20260102030405Z"}},
                    {"pwdReset", {"TRUE"}},
                    {"pwdPolicySubentry", {"cn=default,dc=x"}},
                    {"pwdLastSuccess", {"20260102030405Z"}}}));
  ASSERT_TRUE(entry.ok()) << entry.error().message;
  EXPECT_THAT(Values(*entry, "pwdFailureTime"), SizeIs(2));
  EXPECT_THAT(Values(*entry, "pwdAccountLockedTime"), ElementsAre("000001010000Z"));
}

TEST_F(EntryBuilderTest, TakesPasswordPolicies) {
  const auto entry = Build("cn=default,dc=x", {{"objectClass", {"device", "pwdPolicy"}},
                                               {"cn", {"default"}},
                                               {"pwdAttribute", {"userPassword"}},
                                               {"pwdMaxAge", {"7776000"}},
                                               {"pwdLockout", {"TRUE"}}});
  EXPECT_TRUE(entry.ok()) << entry.error().message;
}

TEST_F(EntryBuilderTest, LeavesOutMemberOf) {
  const auto entry =
      Build("cn=ann,dc=x", Person({{"memberOf", {"cn=a,dc=x"}}, {"MEMBEROF", {"cn=b,dc=x"}}}));
  ASSERT_TRUE(entry.ok());
  EXPECT_THAT(Values(*entry, "memberOf"), IsEmpty());
  EXPECT_EQ(entry->left_out_values, 2u);
}

TEST_F(EntryBuilderTest, CountsHashesThatCannotBeVerified) {
  model::LdifRecord record;
  record.attributes =
      Person({{"userPassword", {"{SSHA}x", "{PBKDF2-SHA256}x", "clear", "{CRYPT}$6$salt$hash"}}});
  const PasswordCounts counts = builder_.CountPasswords(record);
  EXPECT_EQ(counts.unverifiable, 2u);
  EXPECT_EQ(counts.clear, 1u);
}

TEST_F(EntryBuilderTest, CountsClearPasswords) {
  model::LdifRecord record;
  record.attributes = Person({{"userPassword", {"a", "{SSHA}x"}}, {"userPassword;x-o", {"b"}}});
  EXPECT_EQ(builder_.CountPasswords(record).clear, 2u);
  model::LdifRecord change;
  change.modifications = {{model::ModificationKind::kReplace, {"2.5.4.35", {"a"}}},
                          {model::ModificationKind::kDelete, {"userPassword", {"old"}}}};
  EXPECT_EQ(builder_.CountPasswords(change).clear, 1u);
}

}  // namespace
}  // namespace twintree::import
