#include "load/client/target.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace twintree::load {
namespace {

TEST(TargetTest, ReadsHostAndPort) {
  const Target target = ParseTarget("ldap://directory.example:1389");
  EXPECT_EQ(target.protocol, Protocol::kLdap);
  EXPECT_EQ(target.host, "directory.example");
  EXPECT_EQ(target.port, "1389");
  EXPECT_EQ(target.Address(), "directory.example:1389");
}

TEST(TargetTest, KnowsTheDefaultPorts) {
  EXPECT_EQ(ParseTarget("ldap://h").port, "389");
  EXPECT_EQ(ParseTarget("ldap://h/").port, "389");
  EXPECT_EQ(ParseTarget("grpc://h").port, "8389");
  EXPECT_EQ(ParseTarget("grpc://h").protocol, Protocol::kGrpc);
}

TEST(TargetTest, ReadsAddressesOfVersionSix) {
  const Target target = ParseTarget("ldap://[::1]:1389");
  EXPECT_EQ(target.host, "::1");
  EXPECT_EQ(target.port, "1389");
  EXPECT_EQ(target.Address(), "[::1]:1389");
  EXPECT_EQ(ParseTarget("ldap://[::1]").port, "389");
}

TEST(TargetTest, ReadsPathsOfSockets) {
  EXPECT_EQ(ParseTarget("ldapi:///run/ldapi").path, "/run/ldapi");
  EXPECT_EQ(ParseTarget("ldapi://%2Frun%2fldapi").path, "/run/ldapi");
}

class TargetRefusalTest : public ::testing::TestWithParam<const char*> {};

TEST_P(TargetRefusalTest, NamesTheTarget) {
  try {
    ParseTarget(GetParam());
    FAIL() << "taken for a target";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find(GetParam()), std::string::npos);
  }
}

INSTANTIATE_TEST_SUITE_P(Urls, TargetRefusalTest,
                         ::testing::Values("localhost:389", "http://h:1", "ldap://", "ldap://:389",
                                           "ldap://h:", "ldap://h:0", "ldap://h:65536",
                                           "ldap://h:1x", "ldap://[::1", "ldap://[::1]x:1",
                                           "ldap://h/dc=x", "ldapi://", "ldapi://relative",
                                           "ldapi:///a%2", "ldapi:///a%zz"));

}  // namespace
}  // namespace twintree::load
