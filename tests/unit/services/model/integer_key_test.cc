#include "services/model/integer_key.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>

namespace twintree::model {
namespace {

TEST(IntegerKeyTest, ANumberHasOneSpelling) {
  for (std::string_view text : {"0", "-1", "7", "123456789012345678901234567890", "-10"}) {
    EXPECT_TRUE(IsInteger(text)) << text;
  }
  for (std::string_view text :
       {"", "-", "007", "-0", "+1", "1.0", " 1", "1 ", "0x1", "-01", "--1"}) {
    EXPECT_FALSE(IsInteger(text)) << text;
  }
}

TEST(IntegerKeyTest, KeysLookAsDescribed) {
  EXPECT_EQ(IntegerKey("1000"), "a41000");
  EXPECT_EQ(IntegerKey("-1000"), "Z58999");
}

TEST(IntegerKeyTest, OrderOfKeysIsOrderOfNumbers) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int i = 0; i < 20000; ++i) {
    // All magnitudes equally often.
    const auto draw = [&random] {
      const auto wide = static_cast<long long>(random()) << 31 | random();
      return (random() % 2 == 0 ? 1 : -1) * (wide >> (random() % 62));
    };
    const long long a = draw();
    const long long b = draw();
    EXPECT_EQ(a < b, IntegerKey(std::to_string(a)) < IntegerKey(std::to_string(b)))
        << a << " " << b;
  }
}

TEST(IntegerKeyTest, NumbersBeyondAnyMachineWordAreOrdered) {
  const std::string big = "9" + std::string(120, '0');
  EXPECT_LT(IntegerKey("9" + std::string(8, '0')), IntegerKey("1" + std::string(9, '0')));
  EXPECT_LT(IntegerKey(std::string(99, '9')), IntegerKey(big));
  EXPECT_LT(IntegerKey("-" + big), IntegerKey("-" + std::string(99, '9')));
  EXPECT_LT(IntegerKey("-" + big), IntegerKey("0"));
}

}  // namespace
}  // namespace twintree::model
