#include "load/scenario/population.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace twintree::load {
namespace {

std::uint64_t CountByHand(std::uint64_t people,
                          const std::function<bool(const std::string&)>& matches) {
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < people; ++i) count += matches(std::to_string(i)) ? 1 : 0;
  return count;
}

class PopulationCountTest : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(PopulationCountTest, AgreesWithCountingByHand) {
  const std::uint64_t people = GetParam();
  const TripleCounts infixes = CountWithInfix(people);
  for (const std::uint64_t number : {100, 111, 123, 500, 999}) {
    const std::string digits = std::to_string(number);
    EXPECT_EQ(CountWithPrefix(number, people), CountByHand(people, [&](const std::string& text) {
                return text.compare(0, digits.size(), digits) == 0;
              }));
    EXPECT_EQ(CountWithSuffix(number, people), CountByHand(people, [&](const std::string& text) {
                return text.size() >= 3 && text.compare(text.size() - 3, 3, digits) == 0;
              }));
    EXPECT_EQ(infixes[number], CountByHand(people, [&](const std::string& text) {
                return text.find(digits) != std::string::npos;
              }));
  }
}

INSTANTIATE_TEST_SUITE_P(People, PopulationCountTest,
                         ::testing::Values(1, 100, 101, 124, 1000, 1235, 100'000, 123'456));

TEST(PopulationTest, DrawsPrefixesOfAboutElevenPeople) {
  EXPECT_EQ(PrefixesOf(100'000).first, 1000U);
  EXPECT_EQ(PrefixesOf(100'000).end, 10'000U);
  EXPECT_EQ(CountWithPrefix(1234, 100'000), 11U);
}

TEST(PopulationTest, DrawsPrefixesOfFewPeople) {
  EXPECT_EQ(PrefixesOf(1).first, 1U);
  EXPECT_EQ(PrefixesOf(1).end, 2U);
  EXPECT_EQ(CountWithPrefix(1, 1), 0U);
}

}  // namespace
}  // namespace twintree::load
