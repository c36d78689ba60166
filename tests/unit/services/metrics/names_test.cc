#include "services/metrics/names.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

namespace twintree::metrics {
namespace {

std::string SourceFile(const std::string& path) {
  const char* root = std::getenv("TWINTREE_SOURCE_DIR");
  std::ifstream file(std::string(root == nullptr ? "." : root) + "/" + path);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::set<std::string> Matches(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::set<std::string> found;
  for (std::sregex_iterator i(text.begin(), text.end(), regex), end; i != end; ++i) {
    found.insert((*i)[1]);
  }
  return found;
}

TEST(MetricNamesTest, TheDocumentListsExactlyWhatExists) {
  const auto named = Matches(SourceFile("services/metrics/names.h"), "= \"([a-z_]+)\"");
  const auto documented = Matches(SourceFile("docs/metrics.md"), "\n\\| `([a-z_]+)` \\|");
  EXPECT_GT(named.size(), 30u);
  EXPECT_EQ(named, documented);
}

}  // namespace
}  // namespace twintree::metrics
