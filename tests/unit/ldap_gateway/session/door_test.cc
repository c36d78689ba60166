#include "ldap_gateway/session/door.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/ldap_gateway/testing/fake_directory.h"

namespace twintree::ldap {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

constexpr char kStartTls[] = "1.3.6.1.4.1.1466.20037";

std::vector<std::string> ValuesOf(bool start_tls, bool tls_active, std::string_view name) {
  const Door door(std::make_shared<testing::FakeDirectory>(), nullptr, {}, start_tls);
  for (const model::RawAttribute& attribute : *door.RootDse(tls_active)) {
    if (attribute.description == name) return attribute.values;
  }
  return {};
}

TEST(DoorTest, AnnouncesVersionThree) {
  EXPECT_THAT(ValuesOf(false, false, "supportedLDAPVersion"), ElementsAre("3"));
}

TEST(DoorTest, AnnouncesEveryControl) {
  EXPECT_THAT(ValuesOf(false, false, "supportedControl"),
              UnorderedElementsAre("1.3.6.1.1.12", "1.2.840.113556.1.4.319", "1.3.6.1.1.13.1",
                                   "1.3.6.1.1.13.2", "2.16.840.1.113730.3.4.2"));
}

TEST(DoorTest, AnnouncesStartTlsWhereItWorks) {
  EXPECT_THAT(ValuesOf(true, false, "supportedExtension"), Contains(kStartTls));
  EXPECT_THAT(ValuesOf(true, true, "supportedExtension"), Not(Contains(kStartTls)));
  EXPECT_THAT(ValuesOf(false, false, "supportedExtension"), Not(Contains(kStartTls)));
}

TEST(DoorTest, AnnouncesTheOtherExtensionsEverywhere) {
  EXPECT_THAT(
      ValuesOf(false, true, "supportedExtension"),
      UnorderedElementsAre("1.3.6.1.4.1.4203.1.11.1", "1.3.6.1.4.1.4203.1.11.3", "1.3.6.1.1.8"));
}

TEST(DoorTest, AnnouncesFeatures) {
  EXPECT_THAT(ValuesOf(false, false, "supportedFeatures"),
              UnorderedElementsAre("1.3.6.1.4.1.4203.1.5.1", "1.3.6.1.4.1.4203.1.5.2",
                                   "1.3.6.1.4.1.4203.1.5.3", "1.3.6.1.4.1.4203.1.5.4",
                                   "1.3.6.1.4.1.4203.1.5.5", "1.3.6.1.1.14"));
}

}  // namespace
}  // namespace twintree::ldap
