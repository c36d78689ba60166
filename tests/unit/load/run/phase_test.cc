#include "load/run/phase.h"

#include <gtest/gtest.h>

namespace twintree::load {
namespace {

PhaseResult Figures(double busiest, double client, double idle, double cpus = 2) {
  PhaseResult result;
  result.busiest_thread = busiest;
  result.client_cpu = static_cast<Nanoseconds>(client * 1e9);
  result.machine_idle = static_cast<Nanoseconds>(idle * 1e9);
  result.machine_cpu = static_cast<Nanoseconds>(cpus * 1e9);
  return result;
}

TEST(BottleneckTest, IsNoneWhileThereIsRoom) {
  EXPECT_EQ(FindBottleneck(Figures(0.5, 0.5, 0.5)), Bottleneck::kNone);
}

TEST(BottleneckTest, IsTheClientWhenAThreadIsBusy) {
  EXPECT_EQ(FindBottleneck(Figures(0.9, 0.9, 0.5)), Bottleneck::kClientThreads);
}

TEST(BottleneckTest, IsTheMachineWhenNothingIsLeft) {
  EXPECT_EQ(FindBottleneck(Figures(0.5, 0.5, 0.01)), Bottleneck::kMachine);
}

TEST(BottleneckTest, IsNotTheMachineWhenTheClientTakesLittle) {
  EXPECT_EQ(FindBottleneck(Figures(0.02, 0.02, 0.05)), Bottleneck::kNone);
}

TEST(BottleneckTest, IsNoneWhereTheMachineTellsNothing) {
  EXPECT_EQ(FindBottleneck(Figures(0.5, 0.5, 0, 0)), Bottleneck::kNone);
}

}  // namespace
}  // namespace twintree::load
