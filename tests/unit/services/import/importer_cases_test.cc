// The files of tests/cases/ldif.yaml, imported below a container.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "services/model/base64.h"
#include "tests/unit/services/import/import_fixture.h"

namespace twintree::import {
namespace {

using ::testing::IsEmpty;
using ::testing::UnorderedElementsAreArray;

constexpr std::string_view kBox = "ou=box,dc=example,dc=com";

void ReplaceAll(std::string_view from, std::string_view to, std::string* text) {
  for (std::size_t at = text->find(from); at != std::string::npos;
       at = text->find(from, at + to.size())) {
    text->replace(at, from.size(), to);
  }
}

// Puts the container's name in, and the base64 of $B64{...}.
std::string Filled(std::string text) {
  ReplaceAll("$BOX", kBox, &text);
  constexpr std::string_view kMark = "$B64{";
  for (std::size_t at = text.find(kMark); at != std::string::npos; at = text.find(kMark)) {
    const std::size_t end = text.find('}', at);
    const std::size_t start = at + kMark.size();
    text.replace(at, end + 1 - at, model::EncodeBase64(text.substr(start, end - start)));
  }
  return text;
}

std::string ValueOf(const YAML::Node& node) {
  if (!node.IsMap()) return Filled(node.as<std::string>());
  return model::DecodeBase64(node["b64"].as<std::string>()).value();
}

YAML::Node LoadCases() {
  const char* const folder = std::getenv("TWINTREE_SOURCE_DIR");
  return YAML::LoadFile(std::string(folder == nullptr ? "." : folder) + "/tests/cases/ldif.yaml");
}

class LdifCases : public ImportFixture {
 protected:
  void SetUp() override {
    ASSERT_TRUE(Import(WithTop("dn: ou=box,dc=example,dc=com\n"
                               "objectClass: organizationalUnit\nou: box\n"))
                    .ok());
  }

  void RunFile(const YAML::Node& file) {
    const ImportReport report = Import(Filled(file["text"].as<std::string>()));
    const YAML::Node expect = file["expect"];
    EXPECT_EQ(report.ok(), expect["status"].as<std::string>() == "ok");
    if (expect["line"]) {
      ASSERT_FALSE(problems_.empty());
      EXPECT_EQ(problems_[0].line, expect["line"].as<std::uint64_t>());
    }
    for (const YAML::Node& entry : expect["entries"]) ExpectEntry(entry);
    for (const YAML::Node& missing : expect["missing"]) {
      EXPECT_FALSE(Has(Filled(missing.as<std::string>()))) << missing;
    }
  }

  void ExpectEntry(const YAML::Node& entry) {
    const std::string dn = Filled(entry["dn"].as<std::string>());
    ASSERT_TRUE(Has(dn)) << dn;
    for (const auto& attribute : entry["attrs"]) {
      std::vector<std::string> values;
      for (const YAML::Node& value : attribute.second) values.push_back(ValueOf(value));
      EXPECT_THAT(Values(dn, attribute.first.as<std::string>()), UnorderedElementsAreArray(values))
          << dn;
    }
    for (const YAML::Node& absent : entry["absent"]) {
      EXPECT_THAT(Values(dn, absent.as<std::string>()), IsEmpty()) << dn;
    }
  }
};

TEST_F(LdifCases, HaveTheirResults) {
  int files = 0;
  for (const YAML::Node& one : LoadCases()["cases"]) {
    for (const YAML::Node& file : one["files"]) {
      SCOPED_TRACE(one["id"].as<std::string>() + " " + file["name"].as<std::string>());
      RunFile(file);
      ++files;
    }
  }
  EXPECT_GE(files, 9);
}

}  // namespace
}  // namespace twintree::import
