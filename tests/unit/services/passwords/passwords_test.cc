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

// By OpenLDAP's slappasswd with its modules pw-sha2 and argon2.
INSTANTIATE_TEST_SUITE_P(
    OfSlappasswd, StoredHashTest,
    testing::Values(
        "{SSHA}f20nqpP606mvTHXIUHqFArm1hk3rFlfn",
        "{MD5}WSbtEEk+YTE3II4dU2DY8w==", "{SMD5}F8IXrk3THkQD1/GZBMdJEPwkBTs=",
        "{SHA256}9+fDbkWOgOa2osZ9Cp7Am9cY2t17+o1r9uetUm5Gwvc=",
        "{SSHA256}jvAZMiGvOUOWnNHV+6zGpRLWoJJILMxccseGAUMsYXAjABLURdyqhg==",
        "{SHA384}AxO4D1QJd0t/0ZMEkzolz6/vWctTd9f4A+cbDl3AT3xX8eFdHMAxsgwHlR0WEf0C",
        "{SSHA384}mF5n7GfMMjYq+wJqbfSTHkVlLFPHt1mMpskJEQnLuoI53RKD1wPqwsUoCcttZ6EcmNOEyCxsYUw=",
        "{SSHA512}FHauVIYGwTFbfve+VY/eMbgYNd48Ab754sJdcaRGXa+USPqTXpq02/hnwLFIwLcMPX5atQpMznjOBz2U"
        "QcbZdNSevDyp7dWh",
        "{ARGON2}$argon2i$v=19$m=4096,t=3,p=1$izCyKsiaqndItEKm9f2Mkw$"
        "SlVUPuJuA8+xkxWFPCE4MQX+W8v04n9TPjx0M9dT6ts"));

// By the reference implementation of Argon2, with the parameters of other programs.
INSTANTIATE_TEST_SUITE_P(OfArgon2, StoredHashTest,
                         testing::Values("{ARGON2}$argon2id$v=19$m=65536,t=3,p=4$"
                                         "dHdpbnRyZWUtc2FsdC0xNg$"
                                         "hTDoteBhjda6iP7lgXFL+Djn2Tj9lU1hRx6uZPny4Xk",
                                         "{ARGON2}$argon2id$v=19$m=4096,t=2,p=1$"
                                         "dHdpbnRyZWUtc2FsdC0xNg$"
                                         "58aTalNUnX3HfR/Qa9cC4VVIef6sqTzoQJOTobZCXYA",
                                         "{argon2}$argon2id$v=19$m=4096,t=2,p=1$c2FsdHNhbHQ$"
                                         "P1JS7phv2/M2mJYAaq4Q4g",
                                         "{ARGON2}$argon2i$v=19$m=4096,t=3,p=2$"
                                         "dHdpbnRyZWUtc2FsdC0xNg$"
                                         "vVfw/zpGGAaNHef1P9INVwVj3ZWADduwvVMVh+iw8uk"));

// By Perl's crypt (yescrypt, gost-yescrypt, bcrypt, scrypt, SHA-2, DES) and openssl passwd.
INSTANTIATE_TEST_SUITE_P(
    OfCrypt, StoredHashTest,
    testing::Values(
        "{CRYPT}$y$j9T$abcdefghijklmnop$HtjaPolyNJZXlIwY/hqMllM3/wYBvO4UBU2kNlPE/q5",
        "{CRYPT}$gy$j9T$abcdefghijklmnop$cZJWFq5xsNNs18v1sh1WCPsw/losN/ttA9dyHPo/iO6",
        "{CRYPT}$2b$08$abcdefghijklmnopqrstuu4dijOCoJQt32A7rSrHGMqbeGrn0Z1xi",
        "{CRYPT}$2y$10$abcdefghijklmnopqrstuuykzUfvjF6ysNrO4nMjUx2eqP6xAPkfK",
        "{crypt}$2a$06$abcdefghijklmnopqrstuu1PRNq5.HxTw3trbJXuelgcwZ7uh1Tu6",
        "{CRYPT}$7$CU..../....abcdefghijkl$D1XI/yK/zp8ReMNxc0cAJ5DDZJD4plr4VqG5/bZv4jD",
        "{CRYPT}$6$rounds=10000$saltsaltsalt$3FEUrhciBMBlPHjKkLZFGuTY93wL83Pu99Gd7N6L7z6YkMqglEgoC"
        "MFhkDAYK1rXvRmit0KlfBohRxtC.Ytnw.",
        "{CRYPT}$6$opensslsalt$bMXLIqVBTxMzGtt.AcRDEw9EUZ8.5dDr9zUJ2AXWrJ7Jw.JN9HOXF0Nnzu5R1sYPI1T"
        "kREs.in8UuRQuNul6f0",
        "{CRYPT}$5$opensslsalt$F9K05Usdl//uHNgqLaWLg4TERPLygobptFBA0hOERZ3",
        "{CRYPT}$1$osslsalt$63EzbpYifPJPr5fm9rhT90", "{CRYPT}abhPa9xZj5ivU"));

TEST_P(StoredHashTest, CanBeVerified) { EXPECT_TRUE(CanVerify(GetParam())); }

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
  const bool salted = GetParam() != Scheme::kClear;
  EXPECT_EQ(*Hash(GetParam(), Word("x")) != *Hash(GetParam(), Word("x")), salted);
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
