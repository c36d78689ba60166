// What commands are told: by flags, the environment and a file.

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "services/model/secret.h"
#include "services/model/spelling.h"
#include "services/passwords/passwords.h"
#include "tests/unit/services/cli/offline_commands_fixture.h"

namespace twintree::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

TEST_F(OfflineCommandsTest, DataIsRequired) {
  for (const char* command : {"export", "check"}) {
    const Outcome outcome = Run({command});
    EXPECT_EQ(outcome.exit_status, kExitUsage);
    EXPECT_THAT(outcome.errors, HasSubstr("--data DIR is required")) << command;
  }
  const Outcome outcome = Run({"import", WriteFile("in.ldif", kTop)});
  EXPECT_EQ(outcome.exit_status, kExitUsage);
  EXPECT_THAT(outcome.errors, HasSubstr("--data DIR is required"));
}

TEST_F(OfflineCommandsTest, DataMayComeFromAConfigFile) {
  Import(kTop);
  const std::string config = WriteFile("config.yaml", "data: " + data() + "\n");
  EXPECT_EQ(Run({"export", "--config", config}).output, "version: 1\n\n" + std::string(kTop));
}

TEST_F(OfflineCommandsTest, AWrongKeyOfAConfigFileIsNamed) {
  const Outcome outcome =
      Run({"export", "--config", WriteFile("config.yaml", "data: x\ndatta: y\n")});
  EXPECT_EQ(outcome.exit_status, kExitUsage);
  EXPECT_THAT(outcome.errors,
              HasSubstr("config.yaml:2: unknown key 'datta'; did you mean 'data'?"));
}

TEST_F(OfflineCommandsTest, AKeyWrittenAsAVariableIsUnderstoodButNotTaken) {
  const std::string config = WriteFile("config.yaml", "root_dn: cn=a\n");
  EXPECT_THAT(Run({"import", "--config", config}).errors,
              HasSubstr("unknown key 'root_dn'; did you mean 'root-dn'?"));
}

TEST_F(OfflineCommandsTest, WordsOfASettingMayBeWrittenInCapitals) {
  const std::string password = WriteFile("pw", "secret\n");
  EXPECT_THAT(Run({"passwd", "--scheme", "SSHA", "--password-file", password}).output,
              StartsWith("{SSHA}"));
}

TEST_F(OfflineCommandsTest, AFlagThatCannotStandInAConfigFileIsToldAsSuch) {
  const auto errors = [this](const std::string& key) {
    return Run({"export", "--config", WriteFile("config.yaml", key + ": x\n")}).errors;
  };
  EXPECT_THAT(errors("config"),
              HasSubstr("config.yaml:1: 'config' cannot stand in a file of settings: it is a flag "
                        "and a variable only\n"));
  EXPECT_THAT(errors("base"), HasSubstr("'base' cannot stand in a file of settings: it is a flag "
                                        "only\n"));
  EXPECT_THAT(errors("confg"), HasSubstr("unknown key 'confg'\n"));
}

TEST_F(OfflineCommandsTest, AMisspeltVariableIsToldWithTheOneThatWasMeant) {
  Import(kTop);
  const auto warning = [this](const char* name) {
    return With(name, "x", [this] { return Run({"export", "--data", data()}); }).errors;
  };
  EXPECT_THAT(warning("TWINTREE_OPERATINAL"),
              HasSubstr("the environment variable TWINTREE_OPERATINAL is no setting; did you mean "
                        "TWINTREE_OPERATIONAL?\n"));
  EXPECT_THAT(warning("TWINTREE_PORT_8389_TCP"),
              HasSubstr("TWINTREE_PORT_8389_TCP is no setting\n"));
}

TEST_F(OfflineCommandsTest, UnexpectedArgumentsAreToldInOrderWithTheFlagThatWasMeant) {
  EXPECT_THAT(Run({"check", "--dta", "x", "y"}).errors,
              HasSubstr("unexpected arguments: --dta x y; did you mean --data?\n"));
  EXPECT_THAT(Run({"check", "--shcema=x"}).errors,
              HasSubstr("unexpected argument: --shcema=x; did you mean --schema?\n"));
  EXPECT_THAT(Run({"check", "--nothing-like-it"}).errors,
              HasSubstr("unexpected argument: --nothing-like-it\n"));
  EXPECT_THAT(Run({"exprt"}).errors, HasSubstr("no command 'exprt'; did you mean export?\n"));
  EXPECT_THAT(Run({"other"}).errors, HasSubstr("no command 'other'\n"));
}

TEST_F(OfflineCommandsTest, AWordThatIsEquallyNearToTwoHasNoNearest) {
  EXPECT_EQ(model::NearestWord("dat", {"date", "data"}), "");
  EXPECT_EQ(model::NearestWord("data-dir", {"data", "date-dir", "date-dir"}), "date-dir");
  EXPECT_EQ(model::NearestWord("-x", {"-c"}), "");
}

TEST_F(OfflineCommandsTest, AValueOfAConfigFileThatDoesNotFitIsToldWithItsPlace) {
  for (const auto& [text, told] : std::vector<std::pair<std::string, std::string>>{
           {"data:\n", "config.yaml:1: 'data' has no value"},
           {"operational: true\nschema:\n  -\n",
            "config.yaml:2: 'schema' has an empty value in its list"},
           {"schema: []\n", "config.yaml:1: 'schema' has no value"},
           {"data: [a, b]\n", "config.yaml:1: 'data' takes one value"},
           {"data: x\noperational: maybe\n",
            "config.yaml:2: 'operational': --operational: 'maybe' is neither true nor false"}}) {
    const Outcome outcome = Run({"export", "--config", WriteFile("config.yaml", text)});
    EXPECT_EQ(outcome.exit_status, kExitUsage);
    EXPECT_THAT(outcome.errors, HasSubstr(told));
  }
}

TEST_F(OfflineCommandsTest, AVariableThatDoesNotFitIsNamed) {
  const Outcome outcome = With("TWINTREE_OPERATIONAL", "maybe", [&] {
    return Run({"export", "--data", data()});
  });
  EXPECT_EQ(outcome.exit_status, kExitUsage);
  EXPECT_THAT(outcome.errors, HasSubstr("'maybe' is neither true nor false (in the variable "
                                        "TWINTREE_OPERATIONAL)"));
}

TEST_F(OfflineCommandsTest, DataMayComeFromTheEnvironment) {
  Import(kTop);
  setenv("TWINTREE_DATA", data().c_str(), 1);
  const Outcome outcome = Run({"export"});
  unsetenv("TWINTREE_DATA");
  EXPECT_EQ(outcome.output, "version: 1\n\n" + std::string(kTop));
}

TEST_F(OfflineCommandsTest, AConfigFileMayHoldKeysOfOtherCommands) {
  Import(kTop);
  const std::string config = WriteFile(
      "config.yaml", "data: " + data() + "\ncontinue: true\nsuffix: [dc=example,dc=com]\n");
  EXPECT_EQ(Run({"export", "--config", config}).output, "version: 1\n\n" + std::string(kTop));
}

TEST_F(OfflineCommandsTest, AKeyThatStandsTwiceInAConfigFileIsNamed) {
  const Outcome outcome =
      Run({"export", "--config", WriteFile("config.yaml", "data: x\nschema: y\ndata: z\n")});
  EXPECT_EQ(outcome.exit_status, kExitUsage);
  EXPECT_THAT(outcome.errors, HasSubstr("config.yaml:3: 'data' stands there twice"));
}

TEST_F(OfflineCommandsTest, AVariableMayHoldSeveralValues) {
  const std::string file =
      WriteFile("in.ldif", std::string(kTop) + "dn: dc=org\nobjectClass: domain\ndc: org\n\n");
  const Outcome outcome = With("TWINTREE_SUFFIX", "dc=example,dc=com;dc=org", [&] {
    return Run({"import", "--data", data(), file});
  });
  EXPECT_EQ(outcome.exit_status, kExitOk) << outcome.errors;
  EXPECT_THAT(outcome.errors, HasSubstr("2 entries imported"));
}

TEST_F(OfflineCommandsTest, AVariableThatIsNoSettingIsNamed) {
  Import(kTop);
  const Outcome outcome = With("TWINTREE_DATTA", "x", [&] {
    return Run({"export", "--data", data()});
  });
  EXPECT_EQ(outcome.exit_status, kExitOk);
  EXPECT_THAT(outcome.errors, HasSubstr("warning: the environment variable TWINTREE_DATTA is no"));
}

TEST_F(OfflineCommandsTest, TheNewPasswordIsNotThatOfTheSharedEnvironment) {
  const std::string search_password = WriteFile("search.pw", "of the search\n");
  const Outcome outcome = With("TWINTREE_PASSWORD_FILE", search_password, [&] {
    return Run({"passwd", "--scheme", "ssha", "--password-file", WriteFile("new", "new\n")});
  });
  EXPECT_TRUE(
      passwords::Verify(outcome.output.substr(0, outcome.output.size() - 1), model::Secret("new")));
}

TEST_F(OfflineCommandsTest, ACommandThatThereIsNotIsNamed) {
  const Outcome outcome = Run({"exprot", "--data", data()});
  EXPECT_EQ(outcome.exit_status, kExitUsage);
  EXPECT_THAT(outcome.errors, StartsWith("twintree: there is no command 'exprot'; "));
}

TEST_F(OfflineCommandsTest, UsageErrorsNameTheCommand) {
  const Outcome none = Run({"import", "--data", data()});
  EXPECT_EQ(none.exit_status, kExitUsage);
  EXPECT_THAT(none.errors, StartsWith("twintree import: no LDIF file given"));
  const Outcome unknown = Run({"export", "--datta", "x"});
  EXPECT_EQ(unknown.exit_status, kExitUsage);
  EXPECT_THAT(unknown.errors, StartsWith("twintree export: "));
}

TEST_F(OfflineCommandsTest, AnEmptyValueBehindAnEqualsSignIsAValue) {
  const Outcome outcome = Run({"export", "--data=", "--output", "x"});
  EXPECT_EQ(outcome.exit_status, kExitUsage);
  EXPECT_THAT(outcome.errors, HasSubstr("--data DIR is required"));
}

TEST_F(OfflineCommandsTest, NumbersAreDigitsWithinBounds) {
  for (const char* number : {"-1", "0", "1x", "", "4294967296", "0x10"}) {
    const Outcome outcome = Run({"check", "--data", data(), "--max-problems", number});
    EXPECT_EQ(outcome.exit_status, kExitUsage) << number;
    EXPECT_THAT(outcome.errors, AllOf(StartsWith("twintree check: "), HasSubstr("--max-problems"),
                                      HasSubstr("'" + std::string(number) + "'")));
  }
  Import(kTop);
  EXPECT_EQ(Run({"check", "--data", data(), "--max-problems", "010"}).exit_status, kExitOk);
}

TEST_F(OfflineCommandsTest, PasswdNamesFlagsThatDoNotGoTogether) {
  const auto errors = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "passwd");
    const Outcome outcome = Run(std::move(arguments));
    EXPECT_EQ(outcome.exit_status, kExitUsage);
    return outcome.errors;
  };
  EXPECT_THAT(errors({"--dn", "cn=a"}), HasSubstr("--dn needs --data DIR"));
  EXPECT_THAT(errors({"--server", "x:1", "--data", "y"}), HasSubstr("exclude each other"));
  EXPECT_THAT(errors({"--server", "x:1", "--scheme", "ssha"}), HasSubstr("--scheme cannot"));
  EXPECT_THAT(errors({"--server", "x:1"}), HasSubstr("needs --bind-dn and --bind-password-file"));
}

TEST_F(OfflineCommandsTest, HelpGoesToStandardOutput) {
  for (const char* command : {"import", "export", "check", "passwd"}) {
    const Outcome outcome = Run({command, "--help"});
    EXPECT_EQ(outcome.exit_status, kExitOk);
    EXPECT_THAT(outcome.output, HasSubstr("Examples:\n  twintree ")) << command;
    EXPECT_THAT(outcome.errors, IsEmpty());
  }
}

}  // namespace
}  // namespace twintree::cli
