#include "ldap_gateway/net/listener.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/unit/ldap_gateway/net/certificates.h"

namespace twintree::ldap {
namespace {

using ::testing::HasSubstr;

void ExpectParsed(std::string_view text, const std::string& host, int port) {
  const auto parsed = ParseHostPort(text);
  ASSERT_TRUE(parsed.ok()) << text;
  EXPECT_EQ(parsed->host, host);
  EXPECT_EQ(parsed->port, port);
}

TEST(ParseHostPortTest, AcceptsTheUsualForms) {
  ExpectParsed("127.0.0.1:1389", "127.0.0.1", 1389);
  ExpectParsed("localhost:0", "localhost", 0);
  ExpectParsed("[::1]:389", "::1", 389);
  ExpectParsed(":389", "", 389);
  ExpectParsed("*:65535", "", 65535);
}

TEST(ParseHostPortTest, NamesWhatItRefuses) {
  for (const char* text : {"", "localhost", "localhost:", "localhost:x", "localhost:65536",
                           "localhost:-1", "::1:389", "[::1:389", "localhost:1 "}) {
    const auto parsed = ParseHostPort(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_THAT(parsed.error().message, HasSubstr("\"" + std::string(text) + "\""));
  }
}

TEST(ListenTcpTest, PortZeroIsTheSameForAllThreads) {
  const auto listeners = ListenTcp(Transport::kLdap, "127.0.0.1:0", 3);
  ASSERT_TRUE(listeners.ok()) << listeners.error().message;
  ASSERT_EQ(listeners->size(), 1u);
  const Listener& listener = listeners->front();
  EXPECT_EQ(listener.sockets.size(), 3u);
  EXPECT_GT(listener.bound.port, 0);
  EXPECT_EQ(listener.bound.address, "127.0.0.1:" + std::to_string(listener.bound.port));
}

TEST(ListenTcpTest, APortInUseIsAnErrorThatNamesIt) {
  const auto first = ListenTcp(Transport::kLdap, "127.0.0.1:0", 2);
  const std::string address = first.value().front().bound.address;
  const auto second = ListenTcp(Transport::kLdap, address, 2);
  ASSERT_EQ(second.code(), model::ResultCode::kOther);
  EXPECT_THAT(second.error().message, HasSubstr(address));
}

TEST(ListenTcpTest, AHostThatCannotBeResolvedIsAnErrorThatNamesIt) {
  const auto listeners = ListenTcp(Transport::kLdap, "no-such-host.invalid:389", 1);
  ASSERT_FALSE(listeners.ok());
  EXPECT_THAT(listeners.error().message, HasSubstr("no-such-host.invalid:389"));
}

TEST(ListenUnixTest, ReplacesWhatADeadProcessLeft) {
  const testing::TempDir dir;
  const std::string path = dir.File("ldapi");
  { const auto dead = ListenUnix(path, 2, 0777); }
  EXPECT_TRUE(ListenUnix(path, 2, 0777).ok());
}

TEST(ListenUnixTest, LeavesALivingServerAlone) {
  const testing::TempDir dir;
  const std::string path = dir.File("ldapi");
  const auto living = ListenUnix(path, 1, 0777);
  ASSERT_TRUE(living.ok());
  EXPECT_THAT(ListenUnix(path, 1, 0777).error().message, HasSubstr(path));
}

TEST(ListenUnixTest, LeavesOrdinaryFilesAlone) {
  const testing::TempDir dir;
  const std::string path = dir.File("file");
  std::ofstream(path) << "precious";
  EXPECT_FALSE(ListenUnix(path, 1, 0777).ok());
  EXPECT_TRUE(std::ifstream(path).good());
}

TEST(ListenUnixTest, TheSocketHasTheModeWhateverTheUmask) {
  const testing::TempDir dir;
  for (const unsigned mode : {0777u, 0660u}) {
    const std::string path = dir.File("ldapi");
    const mode_t before = umask(0027);
    const auto listener = ListenUnix(path, 1, mode);
    umask(before);
    ASSERT_TRUE(listener.ok());
    struct stat status {};
    ASSERT_EQ(lstat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, mode);
  }
}

TEST(ListenUnixTest, RefusesAPathThatIsTooLong) {
  EXPECT_FALSE(ListenUnix("/tmp/" + std::string(200, 'x'), 1, 0777).ok());
  EXPECT_FALSE(ListenUnix("", 1, 0777).ok());
}

}  // namespace
}  // namespace twintree::ldap
