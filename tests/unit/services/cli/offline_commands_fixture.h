// The commands import, export, check and passwd, as the executable runs them, in a folder of their
// own.
#ifndef TWINTREE_TESTS_UNIT_SERVICES_CLI_OFFLINE_COMMANDS_FIXTURE_H_
#define TWINTREE_TESTS_UNIT_SERVICES_CLI_OFFLINE_COMMANDS_FIXTURE_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "services/cli/command.h"
#include "services/cli/command_line.h"
#include "services/cli/offline.h"

namespace twintree::cli {

inline constexpr std::string_view kTop =
    "dn: dc=example,dc=com\nobjectClass: dcObject\nobjectClass: organization\ndc: example\n"
    "o: Example\n\n";
inline constexpr std::string_view kAnn =
    "dn: cn=ann,dc=example,dc=com\nobjectClass: person\ncn: ann\nsn: x\n\n";
inline constexpr std::string_view kBad = "dn: cn=bad,dc=example,dc=com\nobjectClass: person\n\n";

struct Outcome {
  int exit_status = -1;
  std::string output;  // standard output
  std::string errors;  // standard error
};

// Runs with a variable of the environment.
template <typename Run>
Outcome With(const char* name, const std::string& value, Run run) {
  setenv(name, value.c_str(), 1);
  const Outcome outcome = run();
  unsetenv(name);
  return outcome;
}

class OfflineCommandsTest : public ::testing::Test {
 protected:
  OfflineCommandsTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "twintree-XXXXXX").string();
    EXPECT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    // What tests are told by the environment is no setting.
    for (const char* name : {"TWINTREE_BIN_DIR", "TWINTREE_SOURCE_DIR"}) unsetenv(name);
  }
  ~OfflineCommandsTest() override { std::filesystem::remove_all(folder_); }

  std::string Path(const char* name) const { return (folder_ / name).string(); }
  std::string data() const { return Path("data"); }

  std::string WriteFile(const char* name, std::string_view text) const {
    std::ofstream(Path(name), std::ios::binary) << text;
    return Path(name);
  }
  std::string ReadFile(const char* name) const {
    std::ifstream file(Path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  static Outcome Run(const std::vector<std::string>& arguments) {
    CLI::App app("", "twintree");
    const std::vector<Command> commands = {MakeImport(app), MakeExport(app), MakeCheck(app),
                                           MakePasswd(app)};
    Outcome outcome;
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    outcome.exit_status = RunCommandLine(app, commands, arguments);
    outcome.output = ::testing::internal::GetCapturedStdout();
    outcome.errors = ::testing::internal::GetCapturedStderr();
    return outcome;
  }

  Outcome Import(std::string_view ldif) {
    return Run({"import", "--data", data(), WriteFile("in.ldif", ldif)});
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace twintree::cli

#endif  // TWINTREE_TESTS_UNIT_SERVICES_CLI_OFFLINE_COMMANDS_FIXTURE_H_
