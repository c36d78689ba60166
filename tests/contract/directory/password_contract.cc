#include "tests/contract/directory_contract.h"

namespace twintree::directory {
namespace {

using model::ResultCode;

constexpr std::string_view kUser = "cn=u,dc=example,dc=com";
constexpr std::string_view kUsers = R"(dn: cn=u,dc=example,dc=com
objectClass: person
cn: u
sn: x
userPassword: old

dn: cn=v,dc=example,dc=com
objectClass: person
cn: v
sn: x
userPassword: old
)";

TEST_P(DirectoryContract, PasswordChangeOfOneself) {
  Load(kUsers);
  DirectoryClient user = ClientOf(kUser);
  EXPECT_EQ(user.SetPassword("", "wrong", "new").code, ResultCode::kInvalidCredentials);
  EXPECT_EQ(user.SetPassword("", "old", "new").code, ResultCode::kSuccess);
  EXPECT_EQ(user.Bind(kUser, "new").code, ResultCode::kSuccess);
  EXPECT_EQ(user.Bind(kUser, "old").code, ResultCode::kInvalidCredentials);
  EXPECT_EQ(user.SetPassword("dn:CN=U,dc=example,dc=com", std::nullopt, "newer").code,
            ResultCode::kSuccess);
  EXPECT_EQ(user.Bind(kUser, "newer").code, ResultCode::kSuccess);
}

TEST_P(DirectoryContract, PasswordChangeOfOthersNeedsTheRight) {
  Load(kUsers);
  EXPECT_EQ(ClientOf(kUser).SetPassword("cn=v,dc=example,dc=com", "old", "new").code,
            ResultCode::kInsufficientAccessRights);
  EXPECT_EQ(admin().SetPassword("cn=v,dc=example,dc=com", std::nullopt, "new").code,
            ResultCode::kSuccess);
  EXPECT_EQ(admin().Bind("cn=v,dc=example,dc=com", "new").code, ResultCode::kSuccess);
}

TEST_P(DirectoryContract, PasswordChangeMakesOneUp) {
  Load(kUsers);
  const Outcome outcome = admin().SetPassword(kUser, std::nullopt, std::nullopt);
  ASSERT_EQ(outcome.code, ResultCode::kSuccess);
  ASSERT_TRUE(outcome.generated_password.has_value());
  EXPECT_EQ(admin().Bind(kUser, outcome.generated_password->Reveal()).code, ResultCode::kSuccess);
}

TEST_P(DirectoryContract, PasswordHashesThatAreTooCostlyAreRefused) {
  Load(kUsers);
  const std::string costly = "{CRYPT}$6$rounds=999999999$abcdefgh$" + std::string(86, 'a');
  const Outcome added = ClientOf(kUser).Modify(kUser, {AddValues("userPassword", {costly})});
  EXPECT_EQ(added.code, ResultCode::kConstraintViolation);
  EXPECT_NE(added.diagnostic.find("1000000 rounds"), std::string::npos) << added.diagnostic;
  EXPECT_EQ(admin()
                .Add("cn=w,dc=example,dc=com",
                     {{"objectClass", {"person"}}, {"sn", {"x"}}, {"userPassword", {costly}}})
                .code,
            ResultCode::kConstraintViolation);
}

TEST_P(DirectoryContract, PasswordsOfAnEntryAreFew) {
  Load(kUsers);
  const auto some = [](int first, int count) {
    std::vector<std::string> values;
    for (int i = 0; i < count; ++i) values.push_back("p" + std::to_string(first + i));
    return values;
  };
  const auto change = [&](std::vector<model::Modification> modifications) {
    return admin().Modify(kUser, std::move(modifications)).code;
  };
  EXPECT_EQ(change({ReplaceValues("userPassword", some(0, 3000))}),
            ResultCode::kConstraintViolation);
  EXPECT_EQ(
      change({ReplaceValues("userPassword", some(0, 5)), AddValues("userPassword", some(5, 4))}),
      ResultCode::kConstraintViolation);
  EXPECT_EQ(change({ReplaceValues("userPassword", some(0, 8))}), ResultCode::kSuccess);
  EXPECT_EQ(change({AddValues("userPassword", some(8, 1))}), ResultCode::kConstraintViolation);
  EXPECT_EQ(
      change({DeleteValues("userPassword", some(0, 1)), AddValues("userPassword", some(8, 1))}),
      ResultCode::kSuccess);
  EXPECT_EQ(admin()
                .Add("cn=w,dc=example,dc=com",
                     {{"objectClass", {"person"}}, {"sn", {"x"}}, {"userPassword", some(0, 9)}})
                .code,
            ResultCode::kConstraintViolation);
}

TEST_P(DirectoryContract, PasswordChangeRefusals) {
  Load(kUsers);
  EXPECT_EQ(ClientOf("").SetPassword("", std::nullopt, "new").code,
            ResultCode::kUnwillingToPerform);
  EXPECT_EQ(admin().SetPassword("", std::nullopt, "new").code, ResultCode::kUnwillingToPerform);
  EXPECT_EQ(admin().SetPassword(kUser, std::nullopt, "").code, ResultCode::kUnwillingToPerform);
  EXPECT_EQ(admin().SetPassword("cn=none,dc=example,dc=com", std::nullopt, "new").code,
            ResultCode::kNoSuchObject);
  EXPECT_EQ(admin().SetPassword("no name", std::nullopt, "new").code, ResultCode::kInvalidDnSyntax);
}

TEST_P(DirectoryContract, PasswordChangeVerifiesExpensiveHashes) {
  DirectorySettings settings;
  settings.engine.password_scheme = passwords::Scheme::kArgon2;
  Start(settings);
  Load(kUsers);
  EXPECT_EQ(ClientOf(kUser).SetPassword("", "wrong", "new").code, ResultCode::kInvalidCredentials);
  EXPECT_EQ(ClientOf(kUser).SetPassword("", "old", "new").code, ResultCode::kSuccess);
  EXPECT_EQ(admin().Bind(kUser, "new").code, ResultCode::kSuccess);
}

}  // namespace
}  // namespace twintree::directory
