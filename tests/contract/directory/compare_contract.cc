#include "tests/contract/directory_contract.h"

namespace twintree::directory {
namespace {

using model::ResultCode;

TEST_P(DirectoryContract, CompareTellsTrueFromFalse) {
  Load(R"(dn: cn=p,dc=example,dc=com
objectClass: person
cn: p
sn: Smith
)");
  const auto compare = [&](std::string_view attribute, std::string_view value) {
    return admin().Compare("cn=p,dc=example,dc=com", attribute, value).code;
  };
  EXPECT_EQ(compare("sn", "SMITH"), ResultCode::kCompareTrue);
  EXPECT_EQ(compare("surname", " smith "), ResultCode::kCompareTrue);
  EXPECT_EQ(compare("sn", "jones"), ResultCode::kCompareFalse);
  EXPECT_EQ(compare("name", "smith"), ResultCode::kCompareTrue);
  EXPECT_EQ(compare("objectClass", "top"), ResultCode::kCompareTrue);
  EXPECT_EQ(compare("objectClass", "account"), ResultCode::kCompareFalse);
  EXPECT_EQ(compare("hasSubordinates", "FALSE"), ResultCode::kCompareTrue);
  EXPECT_EQ(compare("entryDN", "CN=P,dc=example,dc=com"), ResultCode::kCompareTrue);
}

TEST_P(DirectoryContract, CompareGivesSpecificErrors) {
  AddPerson("p");
  const auto compare = [&](std::string_view attribute, std::string_view value) {
    return admin().Compare("cn=p,dc=example,dc=com", attribute, value).code;
  };
  EXPECT_EQ(compare("description", "x"), ResultCode::kNoSuchAttribute);
  EXPECT_EQ(compare("xNoSuchAttr", "x"), ResultCode::kUndefinedAttributeType);
  EXPECT_EQ(compare("jpegPhoto", "x"), ResultCode::kInappropriateMatching);
  EXPECT_EQ(compare("seeAlso", "no name"), ResultCode::kInvalidAttributeSyntax);
  EXPECT_EQ(admin().Compare("cn=q,dc=example,dc=com", "cn", "q").code, ResultCode::kNoSuchObject);
  EXPECT_EQ(admin().Compare("no name", "cn", "q").code, ResultCode::kInvalidDnSyntax);
}

TEST_P(DirectoryContract, CompareNeedsItsRight) {
  Load(R"(dn: cn=p,dc=example,dc=com
objectClass: person
cn: p
sn: x
userPassword: secret
)");
  EXPECT_EQ(ClientOf("").Compare("cn=p,dc=example,dc=com", "userPassword", "secret").code,
            ResultCode::kInsufficientAccessRights);
  EXPECT_EQ(ClientOf("").Compare("cn=p,dc=example,dc=com", "sn", "x").code,
            ResultCode::kCompareTrue);
}

}  // namespace
}  // namespace twintree::directory
