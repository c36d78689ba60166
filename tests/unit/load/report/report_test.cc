#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "load/report/html_report.h"
#include "load/report/json_report.h"
#include "load/report/svg_plot.h"
#include "load/report/text_report.h"

namespace twintree::load {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// 1000 searches of 1 to 1000 us in 2 s, and two answers that were wrong.
RunResult SampleRun() {
  RunResult result;
  result.settings.scenario = FindScenario("search-eq");
  result.settings.phase.target = ParseTarget("ldap://h:1389");
  result.labels = {"search", "unused"};
  result.started = "2024-01-02T03:04:05Z";
  PhaseResult& measured = result.measured;
  measured.window = 2 * kSecond;
  measured.tallies.resize(2);
  measured.tallies[0].operations = measured.tallies[0].all_operations = 1000;
  measured.tallies[0].entries = 3000;
  for (int i = 1; i <= 1000; ++i) measured.tallies[0].latency.Add(i * kMicrosecond);
  measured.wrong = {{"search: result 80 <other> & \xff", 2}};
  measured.client_cpu = 5 * kMillisecond;
  measured.machine_cpu = 4 * kSecond;
  measured.servers = {{42, "slapd", 37 * kMillisecond, 1 << 20, false}};
  measured.seconds = {{1, true, 400, 400, 0, 0, 0, 0},
                      {2, false, 500, 500, kMillisecond, 2 * kMillisecond, 3 * kMillisecond, 1},
                      {3, false, 500, 500, kMillisecond, 2 * kMillisecond, 3 * kMillisecond, 2}};
  return result;
}

OptimizeResult SampleSteps() {
  OptimizeResult result{{SampleRun(), SampleRun()}, 1, OptimizeEnd::kFlat};
  result.steps[0].settings.phase.connections = 1;
  result.steps[1].settings.phase.connections = 2;
  return result;
}

// Every element is closed where it must be, as in XML.
void ExpectWellFormed(std::string_view page) {
  constexpr std::string_view kDoctype = "<!DOCTYPE html>";
  if (page.substr(0, kDoctype.size()) == kDoctype) page.remove_prefix(kDoctype.size());
  std::vector<std::string> open;
  for (auto at = page.find('<'); at != std::string_view::npos; at = page.find('<', at + 1)) {
    const auto end = page.find('>', at);
    ASSERT_NE(end, std::string_view::npos);
    const std::string_view tag = page.substr(at + 1, end - at - 1);
    ASSERT_EQ(tag.find('<'), std::string_view::npos) << tag;
    if (tag.front() == '/') {
      ASSERT_FALSE(open.empty()) << tag;
      ASSERT_EQ(open.back(), tag.substr(1));
      open.pop_back();
    } else if (tag.back() != '/') {
      open.emplace_back(tag.substr(0, tag.find(' ')));
    }
  }
  EXPECT_TRUE(open.empty()) << open.back();
  for (auto at = page.find('&'); at != std::string_view::npos; at = page.find('&', at + 1)) {
    EXPECT_NE(page.substr(at, 7).find(';'), std::string_view::npos) << page.substr(at, 20);
  }
}

TEST(JsonReportTest, HoldsTheFigures) {
  const auto json = nlohmann::json::parse(FormatJson(SampleRun()));
  EXPECT_EQ(json["scenario"], "search-eq");
  EXPECT_EQ(json["target"], "ldap://h:1389");
  EXPECT_TRUE(json["rate"].is_null());
  EXPECT_EQ(json["total"]["operations"], 1000);
  EXPECT_EQ(json["total"]["operations_per_second"], 500.0);
  EXPECT_EQ(json["total"]["entries_per_second"], 1500.0);
  EXPECT_NEAR(json["total"]["latency_us"]["p50"].get<double>(), 500, 8);
  EXPECT_NEAR(json["total"]["latency_us"]["p99.9"].get<double>(), 999, 16);
  EXPECT_EQ(json["total"]["latency_us"]["max"], 1000.0);
  EXPECT_EQ(json["cpu"]["client_us_per_operation"], 5.0);
  EXPECT_EQ(json["cpu"]["server_us_per_operation"], 37.0);
  EXPECT_EQ(json["cpu"]["servers"][0]["pid"], 42);
  EXPECT_EQ(json["by_second"].size(), 3U);
  EXPECT_EQ(json["by_second"][2]["p99_us"], 2000.0);
}

TEST(JsonReportTest, LeavesOutOperationsThatNeverHappened) {
  const auto json = nlohmann::json::parse(FormatJson(SampleRun()));
  EXPECT_EQ(json["operations"].size(), 1U);
  EXPECT_EQ(json["operations"]["search"]["operations"], 1000);
}

TEST(JsonReportTest, KeepsWrongAnswersEvenIfTheyAreNotText) {
  const auto json = nlohmann::json::parse(FormatJson(SampleRun()));
  ASSERT_EQ(json["wrong_answers"].size(), 1U);
  EXPECT_EQ(json["wrong_answers"].begin().value(), 2);
}

TEST(JsonReportTest, SaysNothingOfServersItDoesNotKnow) {
  RunResult result = SampleRun();
  result.measured.servers.clear();
  EXPECT_TRUE(
      nlohmann::json::parse(FormatJson(result))["cpu"]["server_us_per_operation"].is_null());
}

TEST(JsonReportTest, ListsTheStepsOfAnOptimum) {
  const auto json = nlohmann::json::parse(FormatJson(SampleSteps()));
  EXPECT_EQ(json["best_connections"], 2);
  EXPECT_EQ(json["end"], "flat");
  EXPECT_EQ(json["steps"].size(), 2U);
}

TEST(HtmlReportTest, IsWellFormedAndStandsAlone) {
  for (const std::string& page : {FormatHtml(SampleRun()), FormatHtml(SampleSteps())}) {
    ExpectWellFormed(page);
    EXPECT_THAT(page, Not(HasSubstr("src=")));
    EXPECT_THAT(page, Not(HasSubstr("href=")));
    EXPECT_THAT(page, Not(HasSubstr("<script")));
    EXPECT_THAT(page, HasSubstr("<polyline"));
  }
}

TEST(HtmlReportTest, ShowsWrongAnswersAsTheyAre) {
  EXPECT_THAT(FormatHtml(SampleRun()), HasSubstr("result 80 &lt;other&gt; &amp; "));
}

TEST(HtmlReportTest, CopesWithARunThatMeasuredNothing) {
  RunResult result;
  result.settings.scenario = FindScenario("add");
  ExpectWellFormed(FormatHtml(result));
  EXPECT_THAT(FormatHtml(result), Not(HasSubstr("nan")));
  EXPECT_TRUE(nlohmann::json::accept(FormatJson(result)));
}

TEST(SvgPlotTest, PutsTheLargestValueAtTheTop) {
  const Plot plot{"t", {"x"}, {"y"}, {{"s", {{0, 0}, {10, 100}}}}};
  const std::string svg = FormatSvg(plot);
  ExpectWellFormed(svg);
  EXPECT_THAT(svg, HasSubstr("points=\"70.0,270.0 700.0,50.0 \""));
}

TEST(SvgPlotTest, LeavesOutWhatALogarithmCannotShow) {
  const Plot plot{"t", {"x"}, {"y", AxisScale::kLogarithmic}, {{"s", {{0, 0}, {5, 1}, {10, 10}}}}};
  EXPECT_THAT(FormatSvg(plot), HasSubstr("points=\"385.0,270.0 700.0,50.0 \""));
}

TEST(SvgPlotTest, SaysThatThereIsNoData) {
  EXPECT_THAT(FormatSvg({"t", {"x"}, {"y"}, {}}), HasSubstr("no data"));
}

TEST(SvgPlotTest, WritesShortNumbers) {
  EXPECT_EQ(ShortNumber(0), "0");
  EXPECT_EQ(ShortNumber(1.25), "1.25");
  EXPECT_EQ(ShortNumber(123.4), "123");
  EXPECT_EQ(ShortNumber(20000), "20k");
  EXPECT_EQ(ShortNumber(3.5e6), "3.5M");
}

TEST(TextReportTest, AsksForTheNumberOfPeopleWhenSomeAreMissing) {
  constexpr std::string_view kQuestion = "hold the people of generate --entries 100000?";
  RunResult result = SampleRun();
  EXPECT_THAT(FormatResult(result), Not(HasSubstr(kQuestion)));
  for (const char* wrong : {"search: too few entries", "modify: result 32 noSuchObject"}) {
    result.measured.wrong = {{wrong, 2}};
    EXPECT_THAT(FormatResult(result), HasSubstr(kQuestion)) << wrong;
  }
}

TEST(TextReportTest, ShowsFiguresAndWrongAnswers) {
  const std::string text = FormatResult(SampleRun());
  EXPECT_THAT(text, HasSubstr("search-eq on ldap://h:1389: 32 connections, closed loop, 2.0 s"));
  EXPECT_THAT(text, HasSubstr("client 5.0 us, server 37.0 us"));
  EXPECT_THAT(text, HasSubstr("WRONG ANSWERS: 2"));
  EXPECT_THAT(text, Not(HasSubstr("unused")));
}

TEST(TextReportTest, SaysWhatLimitsTheRun) {
  RunResult result = SampleRun();
  EXPECT_EQ(DescribeBottleneck(result.measured), "");
  result.measured.bottleneck = Bottleneck::kClientThreads;
  result.measured.busiest_thread = 0.97;
  EXPECT_THAT(FormatResult(result), HasSubstr("The client is the bottleneck"));
  EXPECT_THAT(FormatResult(result), HasSubstr("97 %"));
}

TEST(TextReportTest, SaysThatTheRateWasNotReached) {
  RunResult result = SampleRun();
  result.measured.missed = 500;
  EXPECT_THAT(FormatResult(result), HasSubstr("500 operations could not begin"));
}

}  // namespace
}  // namespace twintree::load
