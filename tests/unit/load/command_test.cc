// The executable twintree-load as a user meets it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Outcome {
  int exit_code;
  std::string output;  // standard output and standard error
};

struct ClosePipe {
  void operator()(std::FILE* pipe) const { ::pclose(pipe); }
};

Outcome RunLoad(const std::string& arguments) {
  const char* folder = std::getenv("TWINTREE_BIN_DIR");
  if (folder == nullptr) return {-1, "TWINTREE_BIN_DIR is not set"};
  const std::string command = std::string(folder) + "/twintree-load " + arguments + " 2>&1";
  std::unique_ptr<std::FILE, ClosePipe> pipe(::popen(command.c_str(), "r"));
  if (!pipe) return {-1, "cannot start " + command};
  Outcome outcome{-1, ""};
  std::array<char, 4096> buffer;
  while (const auto size = std::fread(buffer.data(), 1, buffer.size(), pipe.get())) {
    outcome.output.append(buffer.data(), size);
  }
  outcome.exit_code = WEXITSTATUS(::pclose(pipe.release()));
  return outcome;
}

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "twintree-load-XXXXXX").string();
    EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
    path_ = pattern;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }

  std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

TEST(LoadCommandTest, WritesLdifToStandardOutput) {
  const Outcome outcome = RunLoad("generate --entries 3");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.output, StartsWith("version: 1\n\ndn: dc=example,dc=com\n"));
  EXPECT_THAT(outcome.output, HasSubstr("\ndn: uid=user.2,ou=People,dc=example,dc=com\n"));
}

TEST(LoadCommandTest, WritesTheSameToAFile) {
  const TemporaryFolder folder;
  const Outcome outcome =
      RunLoad("generate --entries 3 --seed 9 --output " + (folder / "a.ldif").string());
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.output, "");
  std::ostringstream text;
  text << std::ifstream(folder / "a.ldif").rdbuf();
  EXPECT_EQ(text.str(), RunLoad("generate --entries 3 --seed 9").output);
}

TEST(LoadCommandTest, WritesClearPasswords) {
  EXPECT_THAT(RunLoad("generate --entries 3 --passwords clear").output,
              HasSubstr("\nuserPassword: password2\n"));
}

TEST(LoadCommandTest, NamesTheFileThatCannotBeWritten) {
  const Outcome outcome = RunLoad("generate --entries 3 --output /nonexistent/a.ldif");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.output, HasSubstr("/nonexistent/a.ldif: No such file or directory"));
}

TEST(LoadCommandTest, ReportsAFullDisk) {
  const Outcome outcome = RunLoad("generate --entries 3000 --output /dev/full");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.output, HasSubstr("/dev/full: No space left on device"));
}

struct Misuse {
  const char* arguments;
  const char* named;
};

class LoadCommandMisuseTest : public ::testing::TestWithParam<Misuse> {};

TEST_P(LoadCommandMisuseTest, IsAnErrorThatNamesTheFlag) {
  const Outcome outcome = RunLoad(GetParam().arguments);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.output, HasSubstr(GetParam().named));
}

INSTANTIATE_TEST_SUITE_P(
    Flags, LoadCommandMisuseTest,
    ::testing::Values(
        Misuse{"", "subcommand"}, Misuse{"frobnicate", "frobnicate"},
        Misuse{"generate", "--entries"}, Misuse{"generate --entries", "--entries"},
        Misuse{"generate --entries 0", "--entries"}, Misuse{"generate --entries -1", "--entries"},
        Misuse{"generate --entries x", "--entries"},
        Misuse{"generate --entries 1000000001", "--entries"},
        Misuse{"generate --entries 1 --seed x", "--seed"},
        Misuse{"generate --entries 1 --passwords plain", "--passwords"},
        Misuse{"generate --entries 1 --frob", "--frob"},
        Misuse{"generate --entries 1 extra", "extra"}, Misuse{"run --target ldap://h", "scenario"},
        Misuse{"run search --target ldap://h", "search"}, Misuse{"run add", "--target"},
        Misuse{"run add --target h:1", "--target"},
        Misuse{"run add --target ldap://h --connections 0", "--connections"},
        Misuse{"run add --target ldap://h --depth 1025", "--depth"},
        Misuse{"run bind --target ldap://h --depth 2", "--depth"},
        Misuse{"run add --target ldap://h --rate 0", "--rate"},
        Misuse{"run add --target ldap://h --bind-dn cn=a", "--password-file"},
        Misuse{"run add --target ldap://h --password-file f", "--bind-dn"},
        Misuse{"run add --target ldap://h --bind-dn cn=a --password-file /none", "/none"},
        Misuse{"run add --target ldap://h --server-pids 0", "--server-pids"},
        Misuse{"run add --target ldap://h --server-name no-such-program", "no-such-program"},
        Misuse{"optimize add --target ldap://h --rate 5", "--rate"},
        Misuse{"optimize add --target ldap://h --connections 9 --max-connections 8",
               "--max-connections"}));

TEST(LoadCommandTest, NamesTheServerThatCannotBeReached) {
  const Outcome outcome = RunLoad("run search-eq --target ldapi:///nonexistent/socket");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.output, HasSubstr("/nonexistent/socket: No such file or directory"));
}

TEST(LoadCommandTest, DescribesTheScenarios) {
  const Outcome outcome = RunLoad("run --help");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.output, HasSubstr("messaging+add"));
}

}  // namespace
