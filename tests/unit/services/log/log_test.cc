#include "services/log/log.h"

#include <gtest/gtest.h>

#include <string>

#include <nlohmann/json.hpp>

namespace twintree::log {
namespace {

class LogTest : public testing::Test {
 protected:
  // What `write` sends to standard error.
  template <typename Write>
  static std::string Captured(const Options& options, Write write) {
    Configure(options);
    testing::internal::CaptureStderr();
    write();
    Flush();
    return testing::internal::GetCapturedStderr();
  }
};

TEST_F(LogTest, WritesOneJsonObjectALine) {
  const std::string out = Captured({.format = Format::kJson}, [] {
    Info("listening").With("protocol", "ldap").With("port", 1389).With("tls", false);
  });
  const auto event = nlohmann::json::parse(out);
  EXPECT_EQ(event["msg"], "listening");
  EXPECT_EQ(event["level"], "info");
  EXPECT_EQ(event["port"], 1389);
  EXPECT_EQ(event["tls"], false);
  EXPECT_EQ(out.find('\n'), out.size() - 1);
}

TEST_F(LogTest, WritesToStandardOutputWhenTold) {
  testing::internal::CaptureStdout();
  const std::string err = Captured({.output = Output::kStdout}, [] { Info("started"); });
  EXPECT_EQ(err, "");
  EXPECT_NE(testing::internal::GetCapturedStdout().find(" info started\n"), std::string::npos);
  Configure({});
}

TEST_F(LogTest, ClientOctetsCannotForgeALine) {
  const std::string out = Captured({.format = Format::kText}, [] {
    Info("bind").With("dn", "cn=x\n2026 error forged \"quoted\"");
  });
  EXPECT_EQ(out.find('\n'), out.size() - 1);
  EXPECT_NE(out.find("\\u000a"), std::string::npos);
}

TEST_F(LogTest, NoControlCharacterIsWrittenAsItIs) {
  for (const Format format : {Format::kText, Format::kJson}) {
    const std::string out = Captured({.format = format}, [] {
      Info("x").With("dn", "a\r\x1b\x7f\u0085\u009b\u2028\u2029\u00e9");
    });
    EXPECT_NE(out.find("\"a\\u000d\\u001b\\u007f\\u0085\\u009b\\u2028\\u2029\u00e9\""),
              std::string::npos)
        << out;
  }
}

TEST_F(LogTest, JsonStaysValidWithOctetsThatAreNoUtf8) {
  const std::string octets = "a\xff\xfe\xed\xa0\x80\xc3";
  const std::string out =
      Captured({.format = Format::kJson}, [&] { Info("x").With("dn", octets); });
  EXPECT_TRUE(nlohmann::json::accept(out));
}

TEST_F(LogTest, BelowTheLevelNothingIsWritten) {
  EXPECT_EQ(Captured({.level = Level::kWarning}, [] { Info("x").With("a", 1); }), "");
  EXPECT_NE(Captured({.level = Level::kWarning}, [] { Error("x"); }), "");
}

TEST_F(LogTest, AccessEventsNeedTheirSwitch) {
  EXPECT_EQ(Captured({}, [] { Access("operation").With("conn", 1); }), "");
  EXPECT_NE(Captured({.access = true}, [] { Access("operation").With("conn", 1); }), "");
}

TEST_F(LogTest, DurationsAreInSeconds) {
  const std::string out = Captured({.format = Format::kJson}, [] {
    Info("x").With("duration_seconds", std::chrono::nanoseconds(1500000));
  });
  EXPECT_DOUBLE_EQ(nlohmann::json::parse(out)["duration_seconds"].get<double>(), 0.0015);
}

}  // namespace
}  // namespace twintree::log
