#include "services/passwords/cost.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "services/passwords/passwords.h"

namespace twintree::passwords {
namespace {

const std::string kHash86(86, 'a');
const std::string kHash43(43, 'a');

class TooCostlyTest : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(
    All, TooCostlyTest,
    testing::Values(
        "{CRYPT}$6$rounds=999999999$abcdefgh$" + kHash86,
        "{crypt}$5$rounds=1000001$abcdefgh$" + kHash43,
        "{CRYPT}$6$rounds=99999999999999999999999$abcdefgh$" + kHash86,
        "{CRYPT}$2b$31$" + std::string(53, 'a'), "{CRYPT}$2y$15$" + std::string(53, 'a'),
        "{CRYPT}$y$jFT$abcdefghijkl$" + kHash43, "{CRYPT}$y$j9zz.$abcdefghijkl$" + kHash43,
        "{CRYPT}$gy$jFT$abcdefghijkl$" + kHash43, "{CRYPT}$7$Z/..../....abc$" + kHash43,
        "{CRYPT}$7$CU....U....abc$" + kHash43,
        "{CRYPT}$sha1$4294967295$abcdefgh$aaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "{CRYPT}$md5,rounds=4294963199$abcdefgh$$aaaaaaaaaaaaaaaaaaaaaa",
        "{CRYPT}_zzzzabcdaaaaaaaaaaa",
        "{ARGON2}$argon2id$v=19$m=2097152,t=3,p=1$AAAAAAAAAAAAAAAAAAAAAA$" + kHash43,
        "{ARGON2}$argon2id$v=19$m=65536,t=100000,p=1$AAAAAAAAAAAAAAAAAAAAAA$" + kHash43,
        "{ARGON2}$argon2i$v=19$m=65536,t=3,p=16777215$AAAAAAAAAAAAAAAAAAAAAA$" + kHash43));

TEST_P(TooCostlyTest, MatchesNothingAtOnce) {
  EXPECT_TRUE(CostBoundExceeded(GetParam()).has_value());
  EXPECT_FALSE(IsExpensive(GetParam()));
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(Verify(GetParam(), model::Secret("secret")));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
}

class AffordableTest : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(
    All, AffordableTest,
    testing::Values(
        "{CRYPT}$6$abcdefgh$" + kHash86, "{CRYPT}$6$rounds=656000$abcdefgh$" + kHash86,
        "{CRYPT}$2b$12$" + std::string(53, 'a'), "{CRYPT}$y$j9T$abcdefghijkl$" + kHash43,
        "{CRYPT}$y$jCT$abcdefghijkl$" + kHash43, "{CRYPT}$y$j75$abcdefghijkl$" + kHash43,
        "{CRYPT}$gy$j9T$abcdefghijkl$" + kHash43, "{CRYPT}$7$CU..../....abc$" + kHash43,
        "{CRYPT}$sha1$262144$abcdefgh$aaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "{CRYPT}$md5,rounds=904$abcdefgh$$aaaaaaaaaaaaaaaaaaaaaa", "{CRYPT}_J9..abcdaaaaaaaaaaa",
        "{CRYPT}$1$abcdefgh$aaaaaaaaaaaaaaaaaaaaaa", "{CRYPT}abcdefghijklm",
        "{ARGON2}$argon2id$v=19$m=262144,t=3,p=4$AAAAAAAAAAAAAAAAAAAAAA$" + kHash43));

TEST_P(AffordableTest, IsWithinItsBound) {
  EXPECT_FALSE(CostBoundExceeded(GetParam()).has_value());
  EXPECT_TRUE(IsExpensive(GetParam()));
}

TEST(CostTest, WhatIsHashedHereIsAffordable) {
  for (const Scheme scheme : {Scheme::kArgon2, Scheme::kCrypt, Scheme::kSsha512}) {
    EXPECT_FALSE(CostBoundExceeded(*Hash(scheme, model::Secret("x"))).has_value());
  }
}

}  // namespace
}  // namespace twintree::passwords
