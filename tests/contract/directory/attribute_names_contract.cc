// Attributes under other names than their first, certificates, and what is not kept.
#include <gmock/gmock.h>

#include "tests/contract/directory_contract.h"
#include "tests/unit/services/model/x509_values.h"

namespace twintree::directory {
namespace {

using model::MakeCertificate;
using model::RawAttribute;
using model::ResultCode;

using Values = std::vector<std::string>;

constexpr std::string_view kName = "cn=p,dc=example,dc=com";

std::vector<RawAttribute> Person(std::vector<RawAttribute> more = {}) {
  std::vector<RawAttribute> attributes{{"objectClass", {"inetOrgPerson"}}, {"sn", {"x"}}};
  attributes.insert(attributes.end(), more.begin(), more.end());
  return attributes;
}

TEST_P(DirectoryContract, AttributesHaveTheirFirstNames) {
  EXPECT_EQ(admin()
                .Add("commonName=p,dc=example,dc=com", {{"OBJECTCLASS", {"inetOrgPerson"}},
                                                        {"surname", {"x"}},
                                                        {"commonName", {"p"}},
                                                        {"2.5.4.3", {"q"}},
                                                        {"rfc822Mailbox", {"n@m"}}})
                .code,
            ResultCode::kSuccess);
  EXPECT_EQ(
      admin()
          .Modify(kName, {AddValues("userid", {"nm"}), ReplaceValues("CommonName;lang-DE", {"r"}),
                          AddValues("0.9.2342.19200300.100.1.3", {"o@m"})})
          .code,
      ResultCode::kSuccess);
  EXPECT_EQ(admin().Rename(kName, "commonName=s", false).code, ResultCode::kSuccess);
  const Found found = admin().Search("cn=s,dc=example,dc=com", Scope::kBase, "(userid=NM)");
  EXPECT_THAT(found.dns(), testing::ElementsAre("commonName=s,dc=example,dc=com"));
  const AttributeMap& entry = found.entries.at(0).attributes;
  EXPECT_EQ(entry.at("cn"), (Values{"p", "q", "s"}));
  EXPECT_EQ(entry.at("mail"), (Values{"n@m", "o@m"}));
  EXPECT_EQ(entry.at("uid"), Values{"nm"});
  EXPECT_EQ(entry.at("cn;lang-de"), Values{"r"});
  EXPECT_EQ(entry.size(), 6u);
}

TEST_P(DirectoryContract, AValueUnderTwoNamesIsGivenTwice) {
  EXPECT_EQ(admin().Add(kName, Person({{"cn", {"p"}}, {"commonName", {"P"}}})).code,
            ResultCode::kAttributeOrValueExists);
}

TEST_P(DirectoryContract, CertificatesAreAddedAndDeletedOneByOne) {
  const std::string one = MakeCertificate("\x01", "CA");
  const std::string two = MakeCertificate("\x02", "CA");
  ASSERT_EQ(admin().Add(kName, Person({{"userCertificate;binary", {one}}})).code,
            ResultCode::kSuccess);
  const auto modify = [&](model::Modification modification) {
    return admin().Modify(kName, {std::move(modification)}).code;
  };
  EXPECT_EQ(modify(AddValues("userCertificate;binary", {two})), ResultCode::kSuccess);
  EXPECT_EQ(modify(AddValues("userCertificate;binary", {MakeCertificate("\x02", "ca", "other")})),
            ResultCode::kAttributeOrValueExists);
  EXPECT_EQ(admin().Compare(kName, "userCertificate;binary", two).code, ResultCode::kCompareTrue);
  EXPECT_EQ(admin()
                .Compare(kName, "userCertificate",
                         "{ serialNumber 2, issuer rdnSequence:\"cn=CA,c=DE\" }")
                .code,
            ResultCode::kCompareTrue);
  EXPECT_EQ(modify(DeleteValues("userCertificate;binary", {one})), ResultCode::kSuccess);
  EXPECT_EQ(modify(DeleteValues("userCertificate;binary", {one})), ResultCode::kNoSuchAttribute);
  EXPECT_EQ(admin().Get(kName).at("usercertificate;binary"), Values{two});
}

TEST_P(DirectoryContract, CertificatesAreKeptAsBinaryEvenIfNobodySaysSo) {
  const std::string one = MakeCertificate("\x01", "CA");
  const std::string two = MakeCertificate("\x02", "CA");
  ASSERT_EQ(admin().Add(kName, Person({{"userCertificate", {one}}})).code, ResultCode::kSuccess);
  EXPECT_EQ(admin().Modify(kName, {AddValues("userCertificate;binary", {two})}).code,
            ResultCode::kSuccess);
  EXPECT_EQ(admin().Modify(kName, {DeleteValues("userCertificate", {one})}).code,
            ResultCode::kSuccess);
  const AttributeMap entry = admin().Get(kName, {"userCertificate"});
  EXPECT_EQ(entry.at("usercertificate;binary"), Values{two});
  EXPECT_EQ(entry.size(), 1u);
}

TEST_P(DirectoryContract, WhatIsNoCertificateIsRefused) {
  const auto add = [&](std::string description, std::string value) {
    return admin().Add(kName, Person({{std::move(description), {std::move(value)}}})).code;
  };
  EXPECT_EQ(add("userCertificate;binary", "x"), ResultCode::kInvalidAttributeSyntax);
  EXPECT_EQ(add("userCertificate", "-----BEGIN CERTIFICATE-----"),
            ResultCode::kInvalidAttributeSyntax);
  EXPECT_EQ(add("cn;binary", "x"), ResultCode::kUndefinedAttributeType);
  EXPECT_EQ(add("jpegPhoto;binary", "x"), ResultCode::kUndefinedAttributeType);
  EXPECT_FALSE(admin().Exists(kName));
}

TEST_P(DirectoryContract, NobodyWritesMemberOf) {
  EXPECT_EQ(admin().Add(kName, Person({{"memberOf", {"cn=g,dc=example,dc=com"}}})).code,
            ResultCode::kConstraintViolation);
  ASSERT_EQ(admin().Add(kName, Person()).code, ResultCode::kSuccess);
  for (const model::Modification& modification :
       {AddValues("memberOf", {"cn=g,dc=example,dc=com"}), ReplaceValues("MEMBEROF")}) {
    EXPECT_EQ(admin().Modify(kName, {modification}).code, ResultCode::kConstraintViolation);
  }
}

}  // namespace
}  // namespace twintree::directory
