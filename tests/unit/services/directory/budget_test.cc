#include "services/directory/budget.h"

#include <gtest/gtest.h>

#include <utility>

namespace twintree::directory {
namespace {

TEST(BudgetTest, GivesUntilItIsUsedUp) {
  Budget budget(10);
  const Budget::Share first = budget.Take(6);
  EXPECT_TRUE(first);
  EXPECT_FALSE(budget.Take(5));
  EXPECT_TRUE(budget.Take(4));
}

TEST(BudgetTest, WhatIsGivenBackCanBeTakenAgain) {
  Budget budget(10);
  {
    const Budget::Share first = budget.Take(10);
    EXPECT_FALSE(budget.Take(1));
  }
  Budget::Share second = budget.Take(10);
  EXPECT_TRUE(second);
  second.GiveBack();
  second.GiveBack();
  EXPECT_EQ(budget.used(), 0u);
}

TEST(BudgetTest, WhoeverIsAloneGetsMore) {
  Budget budget(10);
  const Budget::Share large = budget.Take(1000);
  EXPECT_TRUE(large);
  EXPECT_FALSE(budget.Take(1));
}

TEST(BudgetTest, AShareGrowsWhileThereIsRoom) {
  Budget budget(10);
  Budget::Share first = budget.Take(4);
  Budget::Share second = budget.Take(2);
  EXPECT_FALSE(first.Grow(5));
  EXPECT_EQ(first.bytes(), 4U);
  EXPECT_TRUE(first.Grow(4));
  EXPECT_EQ(first.bytes(), 8U);
  EXPECT_EQ(budget.used(), 10U);
  second.GiveBack();
  EXPECT_TRUE(first.Grow(1000));  // alone
  first.GiveBack();
  EXPECT_EQ(budget.used(), 0U);
}

TEST(BudgetTest, AShareThatIsMovedCountsOnce) {
  Budget budget(10);
  {
    Budget::Share first = budget.Take(6);
    const Budget::Share second = std::move(first);
    EXPECT_EQ(budget.used(), 6u);
  }
  EXPECT_EQ(budget.used(), 0u);
}

}  // namespace
}  // namespace twintree::directory
