#include "load/measure/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace twintree::load {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

std::vector<Tally> Tallies(const Recorder& recorder, std::size_t labels) {
  std::vector<Tally> tallies(labels);
  recorder.AddTo(&tallies);
  return tallies;
}

TEST(RecorderTest, CountsWhatEndsInTheWindow) {
  Recorder recorder(1);
  recorder.SetWindow({100, 200});
  for (const Nanoseconds end : {99, 100, 199, 200}) recorder.Finished(0, 0, end);
  const Tally tally = Tallies(recorder, 1)[0];
  EXPECT_EQ(tally.operations, 2U);
  EXPECT_EQ(tally.all_operations, 4U);
  EXPECT_EQ(recorder.last(), 199);
}

TEST(RecorderTest, MeasuresLatencyOfWhatWasMeantToBeginInTheWindow) {
  Recorder recorder(1);
  recorder.SetWindow({100, 200});
  recorder.Finished(0, 99, 150);  // began in the warm-up
  recorder.Finished(0, 100, 110);
  recorder.Finished(0, 199, 250);  // ended late: leaving it out would hide the slowest
  const Tally tally = Tallies(recorder, 1)[0];
  EXPECT_EQ(tally.latency.count(), 2U);
  EXPECT_EQ(tally.latency.max(), 51);
}

TEST(RecorderTest, CountsEntriesWhenTheyCome) {
  Recorder recorder(1);
  recorder.SetWindow({100, 200});
  recorder.Entries(0, 3, 50);
  recorder.Entries(0, 4, 150);
  EXPECT_EQ(Tallies(recorder, 1)[0].entries, 4U);
  EXPECT_EQ(Tallies(recorder, 1)[0].all_entries, 7U);
}

TEST(RecorderTest, KeepsLabelsApart) {
  Recorder recorder(2);
  recorder.Finished(1, 5, 10);
  const auto tallies = Tallies(recorder, 2);
  EXPECT_EQ(tallies[0].operations, 0U);
  EXPECT_EQ(tallies[1].operations, 1U);
}

TEST(RecorderTest, CountsWrongAnswersByKind) {
  Recorder recorder(1);
  recorder.WrongAnswer("b");
  recorder.WrongAnswer("a");
  recorder.WrongAnswer("b");
  WrongAnswers wrong{{"a", 1}};
  recorder.AddTo(&wrong);
  EXPECT_THAT(wrong, ElementsAre(Pair("a", 2), Pair("b", 2)));
}

}  // namespace
}  // namespace twintree::load
