#include "storage/cache/s3_fifo_shard.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

namespace twintree::storage {
namespace {

using Shard = S3FifoShard<std::string, std::string, int>;

// Few different hashes, so that items are far from where they belong and share their tags.
std::uint64_t BadHash(const std::string& key) {
  return (key.size() % 3) << 26 | static_cast<unsigned char>(key[0]) % 5;
}

TEST(S3FifoShardTest, HoldsWhatAMapHolds) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  Shard shard;
  std::map<std::string, int> expected;
  for (int i = 0; i < 20'000; ++i) {
    const std::string key = std::to_string(random() % 300);
    const std::uint64_t hash = BadHash(key);
    if (expected.erase(key) != 0) {
      EXPECT_EQ(shard.Erase(key, hash), 10U);
    } else {
      EXPECT_EQ(shard.Erase(key, hash), 0U);
      shard.Insert(key, hash, i, 10, 0);
      expected[key] = i;
    }
    ASSERT_EQ(shard.count(), expected.size());
  }
  for (int i = 0; i < 300; ++i) {
    const std::string key = std::to_string(i);
    const auto place = expected.find(key);
    const Shard::Item* item = shard.Find(key, BadHash(key));
    ASSERT_EQ(item != nullptr, place != expected.end()) << key;
    if (item != nullptr) {
      EXPECT_EQ(item->value, place->second);
    }
  }
}

TEST(S3FifoShardTest, CanBeEmptiedByEviction) {
  Shard shard;
  for (int i = 0; i < 1000; ++i) {
    const std::string key = std::to_string(i);
    shard.Insert(key, BadHash(key), i, 1, 0);
    if (i % 3 == 0) Shard::Touch(shard.Find(key, BadHash(key)));
  }
  std::size_t freed = 0;
  while (const std::size_t bytes = shard.EvictOne()) freed += bytes;
  EXPECT_EQ(freed, 1000U);
  EXPECT_EQ(shard.count(), 0U);
  EXPECT_EQ(shard.Find("7", BadHash("7")), nullptr);
}

}  // namespace
}  // namespace twintree::storage
