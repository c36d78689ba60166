#include "services/passwords/passwords.h"

#include <gtest/gtest.h>

#include <string>

namespace twintree::passwords {
namespace {

using model::ResultCode;
using model::Secret;

Secret Word(std::string_view text) { return Secret(std::string(text)); }

class StoredHashTest : public testing::TestWithParam<const char*> {};

// Made by other servers' tools from the password secret-1.
INSTANTIATE_TEST_SUITE_P(
    OfOtherServers, StoredHashTest,
    testing::Values(
        "{SHA}g6W4p7LhgXNrTK0jkeSGkbRDT9s=", "{SSHA}LJbRm5dv5dBWGSieCIkw4xBHchgBAgMEBQYHCA==",
        "{ssha}LJbRm5dv5dBWGSieCIkw4xBHchgBAgMEBQYHCA==",
        "{SSHA256}/7JIkKaAfHnZmSkShfQyFhV5R+P54+lbh8H7pQWA7vABAgMEBQYHCA==",
        "{SHA512}OSi0W2DSwARgne7aQ+RULxawhwWeELMwSYoTQ1nnJ8P4e7dlveqmO+n8IflA3N2SetQCjr2s3y6LWzjMMh"
        "RKEg==",
        "{SSHA512}Cyirtui6IVaDU91GeMAE+47r5OGidyL4JMpc/Y90Cf+viSHo/WOIYtSF7DikTITxf6sp+L93NStKps1Vy"
        "9VIVwECAwQFBgcI",
        "{CRYPT}$6$abcdefgh$wiF98R7rirSlrifYgrBHapPP99OwCaJnVutzrg41cLum0/huTRr/"
        "0KvdnBdg1BMsOoaIFXHryzQEjmNT8qVFK."));

TEST_P(StoredHashTest, MatchesItsPassword) { EXPECT_TRUE(Verify(GetParam(), Word("secret-1"))); }

TEST_P(StoredHashTest, RefusesAnotherPassword) {
  EXPECT_FALSE(Verify(GetParam(), Word("secret-2")));
  EXPECT_FALSE(Verify(GetParam(), Word("")));
  EXPECT_FALSE(Verify(GetParam(), Secret(std::string("secret-1\0", 9))));
}

TEST_P(StoredHashTest, TheStoredTextIsNoPassword) {
  EXPECT_FALSE(Verify(GetParam(), Word(GetParam())));
}

class DamagedHashTest : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(All, DamagedHashTest,
                         testing::Values("{SSHA}", "{SSHA}not-base64-at-all", "{SSHA}AQID",
                                         "{SHA512}AQID", "{X-NO-SUCH-SCHEME}abc", "{CRYPT}",
                                         "{CRYPT}*", "{ARGON2}", "{ARGON2}$argon2id$v=19$m=1",
                                         "{ARGON2}$argon2id$v=19$m=4294967295,t=1,p=1$AAAA$AAAA",
                                         "{" + std::string(2000, 'A') + "}dGVzdA=="));

TEST_P(DamagedHashTest, MatchesNothing) {
  EXPECT_FALSE(Verify(GetParam(), Word("test")));
  EXPECT_FALSE(Verify(GetParam(), Word("abc")));
  EXPECT_FALSE(Verify(GetParam(), Word("")));
  EXPECT_FALSE(Verify(GetParam(), Word(GetParam())));
}

class SchemeTest : public testing::TestWithParam<Scheme> {};

INSTANTIATE_TEST_SUITE_P(All, SchemeTest,
                         testing::Values(Scheme::kArgon2, Scheme::kSsha, Scheme::kSsha256,
                                         Scheme::kSsha512, Scheme::kCrypt, Scheme::kClear));

TEST_P(SchemeTest, VerifiesWhatItHashed) {
  const auto stored = Hash(GetParam(), Word(" pä§ß&\\ "));
  ASSERT_TRUE(stored.ok());
  EXPECT_TRUE(Verify(*stored, Word(" pä§ß&\\ ")));
  EXPECT_FALSE(Verify(*stored, Word("pä§ß&\\")));
}

TEST_P(SchemeTest, SaltsDiffer) {
  if (GetParam() == Scheme::kClear) GTEST_SKIP() << "clear text has no salt";
  EXPECT_NE(*Hash(GetParam(), Word("x")), *Hash(GetParam(), Word("x")));
}

TEST(PasswordsTest, NulOctetsCount) {
  const Secret password(std::string("\0\xff\0", 3));
  const auto stored = Hash(Scheme::kArgon2, password);
  ASSERT_TRUE(stored.ok());
  EXPECT_TRUE(Verify(*stored, password));
  EXPECT_FALSE(Verify(*stored, Secret(std::string("\0\xff", 2))));
}

TEST(PasswordsTest, CryptRefusesNulOctets) {
  EXPECT_EQ(Hash(Scheme::kCrypt, Secret(std::string("a\0b", 3))).code(),
            ResultCode::kConstraintViolation);
}

TEST(PasswordsTest, KnowsWhatHasAScheme) {
  EXPECT_TRUE(HasScheme("{SSHA}x"));
  EXPECT_TRUE(HasScheme("{UNKNOWN}x"));
  EXPECT_FALSE(HasScheme("{}x"));
  EXPECT_FALSE(HasScheme("{not a scheme}x"));
  EXPECT_FALSE(HasScheme("plain"));
}

TEST(PasswordsTest, KnowsWhatCanBeVerified) {
  for (const Scheme scheme :
       {Scheme::kClear, Scheme::kArgon2, Scheme::kSsha, Scheme::kSsha512, Scheme::kCrypt}) {
    EXPECT_TRUE(CanVerify(*Hash(scheme, Word("x"))));
  }
  EXPECT_TRUE(CanVerify("{crypt}$6$saltsalt$" + std::string(86, 'x')));
  EXPECT_TRUE(CanVerify("{CRYPT}ab0123456789."));
  for (const char* none :
       {"{SSHA}", "{SSHA}AAAA", "{MD5}not base64", "{CRYPT}!", "{CRYPT}*", "{CRYPT}$9$x$y",
        "{ARGON2}x", "{ARGON2}$argon2id$v=19$m=99999999,t=2,p=1$x$y", "{PBKDF2-SHA512}x",
        "{SASL}a@b"}) {
    EXPECT_FALSE(CanVerify(none)) << none;
  }
}

TEST(PasswordsTest, UnknownSchemeIsNamed) {
  const auto scheme = ParseScheme("rot13");
  ASSERT_EQ(scheme.code(), ResultCode::kOther);
  EXPECT_NE(scheme.error().message.find("rot13"), std::string::npos);
}

TEST(PasswordsTest, GeneratedPasswordsDiffer) {
  EXPECT_EQ(Generate().Reveal().size(), 16u);
  EXPECT_NE(Generate().Reveal(), Generate().Reveal());
}

}  // namespace
}  // namespace twintree::passwords
