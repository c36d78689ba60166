#include "services/metrics/names.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iterator>
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

// The names of small letters and underscores that stand between `before` and `after`. No
// std::regex: under a sanitizer g++ 12 takes it for uninitialised, and warnings are errors.
std::set<std::string> NamesBetween(const std::string& text, const std::string& before,
                                   const std::string& after) {
  std::set<std::string> found;
  for (std::size_t at = text.find(before); at != std::string::npos; at = text.find(before, at)) {
    at += before.size();
    const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", at);
    if (end != std::string::npos && end > at && text.compare(end, after.size(), after) == 0) {
      found.insert(text.substr(at, end - at));
    }
  }
  return found;
}

TEST(MetricNamesTest, TheDocumentListsExactlyWhatExists) {
  const auto named = NamesBetween(SourceFile("services/metrics/names.h"), "= \"", "\"");
  const auto documented = NamesBetween(SourceFile("docs/metrics.md"), "\n| `", "` |");
  EXPECT_GT(named.size(), 30u);
  EXPECT_EQ(named, documented);
}

}  // namespace
}  // namespace twintree::metrics
