#include "load/measure/cpu_usage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace twintree::load {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;

// Fields 14 and 15 are 250 and 50 ticks.
constexpr const char* kStat =
    " S 1 7 7 0 -1 4194560 10 0 0 0 250 50 9 9 20 0 8 0 100 1000 100 18446744073709551615 0\n";

Nanoseconds Ticks(long count) { return kSecond / ::sysconf(_SC_CLK_TCK) * count; }

// A folder in the shape of /proc.
class FakeProc {
 public:
  FakeProc() {
    std::string pattern = (fs::temp_directory_path() / "twintree-proc-XXXXXX").string();
    EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
    path_ = pattern;
  }
  ~FakeProc() { fs::remove_all(path_); }

  void Write(const fs::path& name, const std::string& text) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

TEST(CpuUsageTest, AddsUserAndSystemTime) {
  EXPECT_EQ(ParseProcessStat(std::string("7 (slapd)") + kStat), Ticks(300));
}

TEST(CpuUsageTest, IsNotConfusedByTheProgramsName) {
  EXPECT_EQ(ParseProcessStat(std::string("7 (a) b (1 2)") + kStat), Ticks(300));
}

TEST(CpuUsageTest, RefusesWhatIsNoStat) {
  EXPECT_EQ(ParseProcessStat(""), std::nullopt);
  EXPECT_EQ(ParseProcessStat("7 (slapd) S 1 7"), std::nullopt);
  EXPECT_EQ(ParseProcessStat("7 (slapd) S 1 7 7 0 -1 4194560 10 0 0 0 x 50"), std::nullopt);
  EXPECT_EQ(ParseSchedstat("x 1 2"), std::nullopt);
}

TEST(CpuUsageTest, AddsTheThreadsOfAProcess) {
  const FakeProc proc;
  proc.Write("7/stat", std::string("7 (slapd)") + kStat);
  proc.Write("7/task/7/schedstat", "1000 5 6\n");
  proc.Write("7/task/8/schedstat", "234 5 6\n");
  const auto cpu = ReadProcessCpu(7, proc.path());
  ASSERT_TRUE(cpu);
  EXPECT_EQ(cpu->ticks, Ticks(300));
  EXPECT_EQ(cpu->scheduled, 1234);
}

TEST(CpuUsageTest, KnowsNoProcessThatIsNotThere) {
  EXPECT_EQ(ReadProcessCpu(7, FakeProc().path()), std::nullopt);
}

TEST(CpuUsageTest, TakesTheExactFigure) {
  EXPECT_EQ(CpuBetween({Ticks(100), 5000}, {Ticks(101), 5000 + 12'345'678}), 12'345'678);
}

TEST(CpuUsageTest, TakesTheCoarseFigureWhenThreadsHaveEnded) {
  EXPECT_EQ(CpuBetween({Ticks(100), kSecond}, {Ticks(200), kSecond / 2}), Ticks(100));
}

TEST(CpuUsageTest, TakesTheCoarseFigureWhereThereIsNoOther) {
  EXPECT_EQ(CpuBetween({Ticks(100), 0}, {Ticks(103), 0}), Ticks(3));
}

TEST(CpuUsageTest, FindsProcessesByName) {
  const FakeProc proc;
  proc.Write("12/comm", "slapd\n");
  proc.Write("7/comm", "slapd\n");
  proc.Write("8/comm", "slapd2\n");
  proc.Write("self/comm", "slapd\n");
  EXPECT_THAT(FindProcesses("slapd", proc.path()), ElementsAre(7, 12));
}

TEST(CpuUsageTest, SeesThisProcess) {
  const auto before = ReadProcessCpu(::getpid());
  ASSERT_TRUE(before);
  const Nanoseconds own = ReadClock(CLOCK_PROCESS_CPUTIME_ID);
  while (ReadClock(CLOCK_PROCESS_CPUTIME_ID) < own + 60 * kMillisecond) {
  }
  const auto after = ReadProcessCpu(::getpid());
  ASSERT_TRUE(after);
  EXPECT_GE(CpuBetween(*before, *after), 20 * kMillisecond);
  EXPECT_THAT(FindProcesses(ReadProcessName(::getpid())), Contains(::getpid()));
  EXPECT_GT(ReadResidentBytes(::getpid()), 100'000U);
}

TEST(CpuUsageTest, CountsWaitingForTheDiskAsIdle) {
  const auto machine = ParseMachineStat("cpu  10 1 5 100 20 0 2 3 50 50\ncpu0 1 1\n");
  ASSERT_TRUE(machine);
  EXPECT_EQ(machine->total, Ticks(141));
  EXPECT_EQ(machine->idle, Ticks(120));
}

TEST(CpuUsageTest, RefusesWhatIsNoMachineStat) {
  EXPECT_FALSE(ParseMachineStat("cpu0 1 2 3 4 5 6 7 8"));
  EXPECT_FALSE(ParseMachineStat("cpu 1 2 3"));
}

TEST(CpuUsageTest, MayRunSomewhere) { EXPECT_GE(UsableCpus(), 1); }

}  // namespace
}  // namespace twintree::load
