#include "load/salted_sha1.h"

#include <gtest/gtest.h>

#include <string>

namespace twintree::load {
namespace {

// Made with: (printf secret-1; printf '\1\2\3\4\5\6\7\10') | openssl dgst -sha1 -binary, the salt
// behind it, in base64.
TEST(SaltedSha1Test, IsDigestOfPasswordAndSaltFollowedByTheSalt) {
  std::string value = "userPassword: ";
  SaltedSha1().AppendTo("secret-1", 0x0102030405060708, value);
  EXPECT_EQ(value, "userPassword: {SSHA}LJbRm5dv5dBWGSieCIkw4xBHchgBAgMEBQYHCA==");
}

TEST(SaltedSha1Test, StartsAfreshWithEveryCall) {
  SaltedSha1 hash;
  std::string first;
  std::string second;
  hash.AppendTo("one", 1, first);
  hash.AppendTo("one", 1, second);
  EXPECT_EQ(first, second);
  second.clear();
  hash.AppendTo("one", 2, second);
  EXPECT_NE(first, second);
}

}  // namespace
}  // namespace twintree::load
