#include "services/model/base64.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>

namespace twintree::model {
namespace {

TEST(Base64Test, EncodesTheExamplesOfRfc4648) {
  EXPECT_EQ(EncodeBase64(""), "");
  EXPECT_EQ(EncodeBase64("f"), "Zg==");
  EXPECT_EQ(EncodeBase64("fo"), "Zm8=");
  EXPECT_EQ(EncodeBase64("foo"), "Zm9v");
  EXPECT_EQ(EncodeBase64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(EncodeBase64("\xfb\xff"), "+/8=");
}

TEST(Base64Test, DecodesWhatItEncodes) {
  std::mt19937 random(1);
  for (std::size_t size = 0; size < 100; ++size) {
    std::string octets(size, '\0');
    for (char& octet : octets) octet = static_cast<char>(random());
    EXPECT_EQ(DecodeBase64(EncodeBase64(octets)), octets);
  }
}

TEST(Base64Test, RefusesEverythingElse) {
  for (const std::string_view text : {"Zg", "Zg=", "Zg=a", "Z===", "====", "=", "Zm9vZ", "ab*c",
                                      "Zm 9v", "Zh==", "Zm9=", "Zg==Zg==", "Z-8="}) {
    EXPECT_EQ(DecodeBase64(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace twintree::model
