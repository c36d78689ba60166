#include "load/run/optimize.h"

#include <gtest/gtest.h>

namespace twintree::load {
namespace {

TEST(ThroughputWatchTest, StopsAfterTwoStepsWithoutARise) {
  ThroughputWatch watch;
  EXPECT_TRUE(watch.Rises(100));
  EXPECT_TRUE(watch.Rises(200));
  EXPECT_TRUE(watch.Rises(202));
  EXPECT_FALSE(watch.Rises(190));
  EXPECT_EQ(watch.best(), 2U);
}

TEST(ThroughputWatchTest, GoesOnAfterOneDip) {
  ThroughputWatch watch;
  EXPECT_TRUE(watch.Rises(100));
  EXPECT_TRUE(watch.Rises(90));
  EXPECT_TRUE(watch.Rises(150));
  EXPECT_TRUE(watch.Rises(150));
  EXPECT_FALSE(watch.Rises(150));
  EXPECT_EQ(watch.best(), 2U);
}

// Many small rises that add up to a real one count as one.
TEST(ThroughputWatchTest, MeasuresRisesFromTheLastRealOne) {
  ThroughputWatch watch;
  EXPECT_TRUE(watch.Rises(100));
  EXPECT_TRUE(watch.Rises(102));
  EXPECT_TRUE(watch.Rises(104));
}

TEST(ThroughputWatchTest, StopsWhenNothingWorks) {
  ThroughputWatch watch;
  EXPECT_TRUE(watch.Rises(0));
  EXPECT_FALSE(watch.Rises(0));
  EXPECT_EQ(watch.best(), 0U);
}

}  // namespace
}  // namespace twintree::load
