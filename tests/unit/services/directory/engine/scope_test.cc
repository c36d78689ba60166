#include "services/directory/engine/scope.h"

#include <gmock/gmock.h>

#include "tests/unit/services/directory/engine/engine_fixture.h"

namespace twintree::directory {
namespace {

using storage::EntryId;

// top - a - b - c, and d below top.
class SearchScopeTest : public testing::Test {
 protected:
  SearchScopeTest() {
    top_ = Insert(*store_, 0, "dc=top", "objectClass: domain");
    a_ = Insert(*store_, top_, "ou=a", "ou: a");
    b_ = Insert(*store_, a_, "ou=b", "ou: b");
    c_ = Insert(*store_, b_, "ou=c", "ou: c");
    d_ = Insert(*store_, top_, "ou=d", "ou: d");
    reader_ = *store_->Read();
  }

  std::vector<EntryId> Held(SearchScope scope) {
    std::vector<EntryId> held;
    for (EntryId id : {top_, a_, b_, c_, d_}) {
      const auto holds = scope.Holds(*reader_, **reader_->Get(id));
      if (holds.ok() && *holds) held.push_back(id);
    }
    return held;
  }

  std::shared_ptr<storage::EntryStore> store_ = MakeMemoryStore();
  EntryId top_, a_, b_, c_, d_;
  std::unique_ptr<storage::ReadTransaction> reader_;
};

TEST_F(SearchScopeTest, HoldsWhatWalkingFinds) {
  for (EntryId base : {storage::kNoEntry, top_, a_, b_, c_, d_}) {
    for (Scope kind : {Scope::kBase, Scope::kOneLevel, Scope::kSubtree, Scope::kSubordinate}) {
      const SearchScope scope(base, kind);
      const auto walked = scope.Walk(*reader_, 10);
      ASSERT_TRUE(walked.ok() && walked->has_value());
      EXPECT_EQ(Held(scope), **walked) << base << " " << static_cast<int>(kind);
    }
  }
}

TEST_F(SearchScopeTest, WalkStopsAtItsLimit) {
  const SearchScope scope(top_, Scope::kSubtree);
  EXPECT_FALSE(scope.Walk(*reader_, 4)->has_value());
  EXPECT_TRUE(scope.Walk(*reader_, 5)->has_value());
}

TEST_F(SearchScopeTest, SeveralPlacesCountOnce) {
  SearchScope scope(a_, Scope::kSubtree);
  scope.Add(b_, Scope::kSubtree);
  scope.Add(d_, Scope::kBase);
  EXPECT_THAT(**scope.Walk(*reader_, 10), testing::ElementsAre(a_, b_, c_, d_));
  EXPECT_THAT(Held(scope), testing::ElementsAre(a_, b_, c_, d_));
  EXPECT_FALSE(scope.only_base().has_value());
}

}  // namespace
}  // namespace twintree::directory
