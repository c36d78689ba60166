#include "services/cli/settings_hash.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "services/cli/settings.h"

namespace twintree::cli {
namespace {

std::string HashOf(std::vector<std::string> arguments) {
  CLI::App app("", "serve");
  StoreSettings store;
  GrpcSettings grpc;
  std::string config;
  AddStoreFlags(&app, &store);
  AddGrpcFlags(&app, &grpc);
  AddConfigFlag(&app, &config);
  app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  return SettingsHash(app);
}

TEST(SettingsHashTest, EqualSettingsHaveEqualHashes) {
  EXPECT_EQ(HashOf({"--data", "d", "--suffix", "dc=a"}), HashOf({"--suffix=dc=a", "--data=d"}));
  EXPECT_EQ(HashOf({"--grpc-listen", "127.0.0.1:8389"}), HashOf({}));  // its default
  EXPECT_EQ(HashOf({"--config", "a.yaml"}), HashOf({}));
  EXPECT_EQ(HashOf({}).find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_EQ(HashOf({}).size(), 16u);
}

TEST(SettingsHashTest, AnyDifferenceShows) {
  EXPECT_NE(HashOf({"--data", "d"}), HashOf({"--data", "e"}));
  EXPECT_NE(HashOf({"--suffix", "dc=a", "--suffix", "dc=b"}), HashOf({"--suffix", "dc=adc=b"}));
  EXPECT_NE(HashOf({"--data", "dc=a"}), HashOf({"--suffix", "dc=a"}));
}

}  // namespace
}  // namespace twintree::cli
