#include "services/model/time_syntax.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace twintree::model {
namespace {

std::string Key(std::string_view text) {
  const Result<std::string> key = GeneralizedTimeKey(text);
  return key.ok() ? *key : "error: " + key.error().message;
}

TEST(GeneralizedTimeTest, MinutesAndSecondsMayBeLeftOut) {
  EXPECT_EQ(Key("20240229123456Z"), "20240229123456");
  EXPECT_EQ(Key("202402291234Z"), "20240229123400");
  EXPECT_EQ(Key("2024022912Z"), "20240229120000");
}

TEST(GeneralizedTimeTest, FractionsAreOfTheLastUnitGiven) {
  EXPECT_EQ(Key("20240101000000.250Z"), "20240101000000.25");
  EXPECT_EQ(Key("20240101000000,0Z"), "20240101000000");
  EXPECT_EQ(Key("202401010000.5Z"), "20240101000030");
  EXPECT_EQ(Key("2024010100.5Z"), "20240101003000");
  EXPECT_EQ(Key("2024010100.3333Z"), "20240101001959.88");
  EXPECT_EQ(Key("2024010123.99999Z"), "20240101235959.964");
}

TEST(GeneralizedTimeTest, OffsetsAreTakenToUtc) {
  EXPECT_EQ(Key("20240101003000+0100"), "20231231233000");
  EXPECT_EQ(Key("20231231233000-01"), "20240101003000");
  EXPECT_EQ(Key("20240228233000-0045"), "20240229001500");
}

TEST(GeneralizedTimeTest, ALeapSecondStays) {
  EXPECT_EQ(Key("20161231235960Z"), "20161231235960");
  EXPECT_EQ(Key("20170101005960+0100"), "20161231235960");
}

TEST(GeneralizedTimeTest, KeysAreOrderedAsTime) {
  EXPECT_LT(Key("20240101000000Z"), Key("20240101000000.5Z"));
  EXPECT_LT(Key("20240101000000.45Z"), Key("20240101000000.5Z"));
  EXPECT_LT(Key("20161231235960Z"), Key("20170101000000Z"));
  EXPECT_LT(Key("20240101005900+0100"), Key("20240101000000Z"));
}

TEST(GeneralizedTimeTest, MalformedTimesAreRefused) {
  for (std::string_view text : {"",
                                "2024",
                                "20240101",
                                "2024010112",
                                "20240101120000",
                                "20241301000000Z",
                                "20240100000000Z",
                                "20230229000000Z",
                                "19000229000000Z",
                                "20240101240000Z",
                                "20240101006000Z",
                                "20240101000061Z",
                                "20240101000000.Z",
                                "20240101000000.1",
                                "20240101000000z",
                                "20240101000000Z ",
                                "20240101000000+1",
                                "20240101000000+2400",
                                "20240101000000+0160",
                                "2024010100000Z",
                                "20240101000000+01000"}) {
    EXPECT_NE(CheckGeneralizedTime(text), nullptr) << text;
    EXPECT_EQ(GeneralizedTimeKey(text).code(), ResultCode::kInvalidAttributeSyntax) << text;
  }
}

TEST(GeneralizedTimeTest, InstantsOutsideFourDigitYearsHaveNoKey) {
  EXPECT_EQ(Key("00000101000000Z"), "00000101000000");
  EXPECT_EQ(GeneralizedTimeKey("00000101000000+0100").code(), ResultCode::kInvalidAttributeSyntax);
  EXPECT_EQ(GeneralizedTimeKey("99991231235959-0100").code(), ResultCode::kInvalidAttributeSyntax);
}

TEST(UtcTimeTest, SecondsAndZoneMayBeLeftOut) {
  for (std::string_view text : {"2402291200", "240229120000", "2402291200Z", "240229120000+0100"}) {
    EXPECT_EQ(CheckUtcTime(text), nullptr) << text;
  }
  for (std::string_view text : {"", "24022912", "2302291200", "2402292400", "2402291200+01",
                                "240229120060", "2402291200Zx", "2402291260"}) {
    EXPECT_NE(CheckUtcTime(text), nullptr) << text;
  }
}

}  // namespace
}  // namespace twintree::model
