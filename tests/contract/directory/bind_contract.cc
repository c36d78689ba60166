#include "tests/contract/directory_contract.h"

namespace twintree::directory {
namespace {

using model::ResultCode;

constexpr std::string_view kUser = R"(dn: cn=u,dc=example,dc=com
objectClass: person
cn: u
sn: x
userPassword: first
userPassword: second

dn: cn=nopw,dc=example,dc=com
objectClass: person
cn: nopw
sn: x
)";

TEST_P(DirectoryContract, BindAnonymously) {
  const BindOutcome outcome = ClientOf("").Bind("", "");
  EXPECT_EQ(outcome.code, ResultCode::kSuccess);
  EXPECT_TRUE(outcome.subject.anonymous());
}

TEST_P(DirectoryContract, BindRefusesNameWithoutPassword) {
  Load(kUser);
  EXPECT_EQ(ClientOf("").Bind("cn=u,dc=example,dc=com", "").code, ResultCode::kUnwillingToPerform);
  EXPECT_EQ(ClientOf("").Bind("cn=missing,dc=example,dc=com", "").code,
            ResultCode::kUnwillingToPerform);
}

TEST_P(DirectoryContract, BindTakesAnyOfTheValuesAndAnySpellingOfTheName) {
  Load(kUser);
  EXPECT_EQ(ClientOf("").Bind("cn=u,dc=example,dc=com", "first").code, ResultCode::kSuccess);
  const BindOutcome outcome = ClientOf("").Bind(" CN = U , DC=Example,dc=com", "second");
  EXPECT_EQ(outcome.code, ResultCode::kSuccess);
  EXPECT_EQ(outcome.subject.kind, Subject::Kind::kUser);
  EXPECT_EQ(outcome.subject.dn, "cn=u,dc=example,dc=com");
  EXPECT_EQ(outcome.subject.dn_key, "cn=u,dc=example,dc=com");
}

TEST_P(DirectoryContract, BindFailuresLookAlike) {
  Load(kUser);
  DirectoryClient client = ClientOf("");
  const BindOutcome wrong = client.Bind("cn=u,dc=example,dc=com", "wrong");
  EXPECT_EQ(wrong.code, ResultCode::kInvalidCredentials);
  EXPECT_TRUE(wrong.subject.anonymous());
  for (std::string_view dn : {"cn=missing,dc=example,dc=com", "cn=nopw,dc=example,dc=com",
                              "dc=elsewhere,dc=test", "cn=admin,dc=example,dc=com"}) {
    const BindOutcome other = client.Bind(dn, "wrong");
    EXPECT_EQ(other.code, ResultCode::kInvalidCredentials) << dn;
    EXPECT_EQ(other.diagnostic, wrong.diagnostic) << dn;
  }
}

TEST_P(DirectoryContract, BindRefusesWhatIsNoName) {
  EXPECT_EQ(ClientOf("").Bind("this is no dn", "x").code, ResultCode::kInvalidDnSyntax);
}

TEST_P(DirectoryContract, BindAsRootNeedsNoEntry) {
  const BindOutcome outcome = ClientOf("").Bind("CN=Admin,dc=example,dc=com", kRootPassword);
  EXPECT_EQ(outcome.code, ResultCode::kSuccess);
  EXPECT_EQ(outcome.subject.kind, Subject::Kind::kRoot);
  EXPECT_EQ(outcome.subject.dn, kRootDn);
}

TEST_P(DirectoryContract, BindTakesThePasswordOfTheEntryOfTheRootNameToo) {
  admin().Add(kRootDn, {{"objectClass", {"person"}}, {"sn", {"x"}}, {"userPassword", {"entry's"}}});
  DirectoryClient client = ClientOf("");
  for (std::string_view password : {kRootPassword, std::string_view("entry's")}) {
    const BindOutcome outcome = client.Bind("CN=Admin,dc=example,dc=com", password);
    EXPECT_EQ(outcome.code, ResultCode::kSuccess) << password;
    EXPECT_EQ(outcome.subject.kind, Subject::Kind::kRoot) << password;
    EXPECT_EQ(outcome.subject.dn, kRootDn) << password;
  }
  const BindOutcome wrong = client.Bind(kRootDn, "wrong");
  EXPECT_EQ(wrong.code, ResultCode::kInvalidCredentials);
  EXPECT_TRUE(wrong.subject.anonymous());
}

TEST_P(DirectoryContract, BindComparesOctets) {
  const std::string password = " p\xc3\xa4\xc2\xa7&\\ ";
  admin().Add("cn=o,dc=example,dc=com",
              {{"objectClass", {"person"}}, {"sn", {"x"}}, {"userPassword", {password}}});
  DirectoryClient client = ClientOf("");
  EXPECT_EQ(client.Bind("cn=o,dc=example,dc=com", password).code, ResultCode::kSuccess);
  EXPECT_EQ(client.Bind("cn=o,dc=example,dc=com", password.substr(1)).code,
            ResultCode::kInvalidCredentials);
  const std::string binary("\0\xff\0", 3);
  admin().Modify("cn=o,dc=example,dc=com", {ReplaceValues("userPassword", {binary})});
  EXPECT_EQ(client.Bind("cn=o,dc=example,dc=com", binary).code, ResultCode::kSuccess);
  EXPECT_EQ(client.Bind("cn=o,dc=example,dc=com", std::string("\0\xff", 2)).code,
            ResultCode::kInvalidCredentials);
}

TEST_P(DirectoryContract, BindNeedsTheRightToAuthenticate) {
  DirectorySettings settings;
  settings.access_rules = "rules: [{grant: [{to: anyone, rights: [read, search, compare]}]}]";
  Start(settings);
  Load(kUser);
  EXPECT_EQ(ClientOf("").Bind("cn=u,dc=example,dc=com", "first").code,
            ResultCode::kInvalidCredentials);
}

TEST_P(DirectoryContract, BindVerifiesExpensiveHashes) {
  DirectorySettings settings;
  settings.engine.password_scheme = passwords::Scheme::kArgon2;
  Start(settings);
  Load(kUser);
  EXPECT_EQ(ClientOf("").Bind("cn=u,dc=example,dc=com", "second").code, ResultCode::kSuccess);
  EXPECT_EQ(ClientOf("").Bind("cn=u,dc=example,dc=com", "third").code,
            ResultCode::kInvalidCredentials);
}

}  // namespace
}  // namespace twintree::directory
