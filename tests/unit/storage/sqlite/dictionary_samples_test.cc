#include "storage/sqlite/dictionary_samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace twintree::storage::sqlite {
namespace {

using testing::HasSubstr;
using testing::Not;

model::Entry EntryWith(const std::vector<std::pair<std::string, std::string>>& values) {
  const auto schema = model::Schema::Standard();
  std::vector<model::Attribute> attributes;
  for (const auto& [text, value] : values) {
    attributes.push_back({model::AttributeDescription::Parse(text, *schema).value(), {value}});
  }
  return model::Entry::Encode(attributes, *schema);
}

TEST(SampleOfTest, HoldsAttributesButNoPasswords) {
  const std::string sample = SampleOf(EntryWith({{"cn", "Alice"},
                                                 {"userPassword", "secret"},
                                                 {"userPassword;x-old", "hidden"},
                                                 {"sn", "Liddell"}}));
  EXPECT_THAT(sample, HasSubstr("Alice"));
  EXPECT_THAT(sample, HasSubstr("Liddell"));
  EXPECT_THAT(sample, Not(HasSubstr("secret")));
  EXPECT_THAT(sample, Not(HasSubstr("hidden")));
}

TEST(SampleOfTest, KnowsTheSchemeOfAHash) {
  const std::string sample = SampleOf(EntryWith({{"userPassword", "{SSHA}Zm9vYmFy"}}));
  EXPECT_THAT(sample, HasSubstr("{SSHA}"));
  EXPECT_THAT(sample, Not(HasSubstr("Zm9v")));
  // No scheme, whatever it looks like.
  EXPECT_THAT(SampleOf(EntryWith({{"userPassword", "pa}ss"}})), Not(HasSubstr("pa")));
  EXPECT_THAT(SampleOf(EntryWith({{"userPassword", "{averylongpassword}"}})),
              Not(HasSubstr("very")));
}

TEST(SampleOfTest, IsBounded) {
  EXPECT_EQ(SampleOf(EntryWith({{"description", std::string(100'000, 'a')}})).size(), 4096U);
}

TEST(SampleCollectorTest, SpreadsLaterSamples) {
  SampleCollector samples(2, false);
  const model::Entry entry = EntryWith({{"cn", "Alice"}});
  EXPECT_FALSE(samples.Offer(entry));
  EXPECT_TRUE(samples.Offer(entry));
  EXPECT_EQ(samples.Take().size(), 2U);
  int passed = 1;
  while (!samples.Offer(entry)) ++passed;
  EXPECT_EQ(passed, 5);  // the first and the fifth
  EXPECT_EQ(samples.Take().size(), 2U);
  passed = 1;
  while (!samples.Offer(entry)) ++passed;
  EXPECT_EQ(passed, 17);
}

TEST(SampleCollectorTest, TakesItsTimeWhenThereIsADictionary) {
  SampleCollector samples(2, true);
  const model::Entry entry = EntryWith({{"cn", "Alice"}});
  int passed = 1;
  while (!samples.Offer(entry)) ++passed;
  EXPECT_EQ(passed, 5);
}

}  // namespace
}  // namespace twintree::storage::sqlite
