// The commands import, export, check and passwd, as the executable runs them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "services/cli/command.h"
#include "services/cli/command_line.h"
#include "services/cli/offline.h"
#include "services/cli/settings.h"
#include "services/log/log.h"
#include "services/model/secret.h"
#include "services/passwords/passwords.h"
#include "storage/sqlite/sqlite_entry_store.h"

namespace twintree::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::string_view kTop =
    "dn: dc=example,dc=com\nobjectClass: dcObject\nobjectClass: organization\ndc: example\n"
    "o: Example\n\n";
constexpr std::string_view kAnn =
    "dn: cn=ann,dc=example,dc=com\nobjectClass: person\ncn: ann\nsn: x\n\n";
constexpr std::string_view kBad = "dn: cn=bad,dc=example,dc=com\nobjectClass: person\n\n";

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

TEST_F(OfflineCommandsTest, ImportAndExportGiveTheSameEntries) {
  const Outcome import = Import(std::string(kTop) + std::string(kAnn));
  EXPECT_EQ(import.exit_status, kExitOk);
  EXPECT_THAT(import.errors, HasSubstr("2 entries imported in "));
  EXPECT_THAT(import.errors, Not(HasSubstr("building indexes")));
  const Outcome exported = Run({"export", "--data", data()});
  EXPECT_EQ(exported.exit_status, kExitOk);
  EXPECT_EQ(exported.output, "version: 1\n\n" + std::string(kTop) + std::string(kAnn));
  EXPECT_EQ(exported.errors, "2 entries exported\n");
}

TEST_F(OfflineCommandsTest, ImportNamesTheLineOfABadRecord) {
  const Outcome outcome = Import(std::string(kTop) + std::string(kBad) + std::string(kAnn));
  EXPECT_EQ(outcome.exit_status, kExitFailed);
  EXPECT_THAT(outcome.errors,
              HasSubstr("twintree import: " + Path("in.ldif") + ":7: cn=bad,dc=example,dc=com: "));
  EXPECT_THAT(outcome.errors, HasSubstr("1 entry imported, 1 record rejected, stopped at line 7"));
}

TEST_F(OfflineCommandsTest, ImportWritesRejectsAndGoesOn) {
  const std::string file =
      WriteFile("in.ldif", std::string(kTop) + std::string(kBad) + std::string(kAnn));
  const Outcome outcome =
      Run({"import", "--data", data(), "--continue", "--rejects", Path("rejects.ldif"), file});
  EXPECT_EQ(outcome.exit_status, kExitFailed);
  EXPECT_THAT(outcome.errors, HasSubstr("2 entries imported, 1 record rejected in"));
  EXPECT_THAT(ReadFile("rejects.ldif"),
              AllOf(StartsWith("# " + file + ":7: cn=bad,dc=example,dc=com: "),
                    HasSubstr("\n" + std::string(kBad))));
}

TEST_F(OfflineCommandsTest, ImportFailsWhenRejectsCannotBeWritten) {
  const std::string file = WriteFile("in.ldif", std::string(kTop) + std::string(kBad));
  const Outcome outcome =
      Run({"import", "--data", data(), "--continue", "--rejects", "/dev/full", file});
  EXPECT_EQ(outcome.exit_status, kExitFailed);
  EXPECT_THAT(outcome.errors, HasSubstr("cannot write '/dev/full': No space left on device"));
}

TEST_F(OfflineCommandsTest, ImportWarnsOfClearPasswordsWithoutShowingThem) {
  const std::string ann =
      "dn: cn=ann,dc=example,dc=com\nobjectClass: person\nsn: x\nuserPassword: geheim\n";
  const Outcome outcome = Import(std::string(kTop) + ann);
  EXPECT_EQ(outcome.exit_status, kExitOk);
  EXPECT_THAT(outcome.errors, HasSubstr("warning: 1 userPassword value in clear text"));
  EXPECT_THAT(outcome.errors, Not(HasSubstr("geheim")));
}

TEST_F(OfflineCommandsTest, ImportWarnsOfWhatIsOfNoUse) {
  const Outcome outcome =
      Import(std::string(kTop) +
             "dn: cn=ann,dc=example,dc=com\nobjectClass: person\nsn: x\nuserPassword: {SASL}a\n"
             "memberOf: cn=g,dc=example,dc=com\nmemberOf: cn=h,dc=example,dc=com\n");
  EXPECT_EQ(outcome.exit_status, kExitOk);
  EXPECT_THAT(outcome.errors,
              AllOf(HasSubstr("warning: 1 userPassword value of schemes that no password can be"),
                    HasSubstr("warning: 2 values of memberOf left out")));
}

TEST_F(OfflineCommandsTest, ImportHashesClearPasswords) {
  const std::string ann =
      "dn: cn=ann,dc=example,dc=com\nobjectClass: person\nsn: x\nuserPassword: geheim\n";
  const std::string file = WriteFile("in.ldif", std::string(kTop) + ann);
  const Outcome outcome =
      Run({"import", "--data", data(), "--hash-passwords", "--password-scheme", "ssha512", file});
  EXPECT_EQ(outcome.exit_status, kExitOk);
  EXPECT_THAT(outcome.errors, Not(HasSubstr("warning")));
  EXPECT_THAT(Run({"export", "--data", data()}).output, HasSubstr("\nuserPassword: {SSHA512}"));
}

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
  EXPECT_THAT(outcome.errors, HasSubstr("config.yaml:2: unknown key 'datta'"));
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
  EXPECT_THAT(outcome.errors, StartsWith("twintree: there is no command 'exprot'\n"));
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

TEST_F(OfflineCommandsTest, ImportFindsWrongNamesBeforeItMakesAStore) {
  const std::string file = WriteFile("in.ldif", kTop);
  const auto errors = [&](std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"import", "--data", data(), file});
    const Outcome outcome = Run(flags);
    EXPECT_EQ(outcome.exit_status, kExitUsage);
    return outcome.errors;
  };
  EXPECT_THAT(errors({"--suffix", "example"}), HasSubstr("--suffix 'example': "));
  EXPECT_THAT(errors({"--suffix", ""}), HasSubstr("--suffix '': "));
  EXPECT_THAT(errors({"--suffix", "dc=a", "--suffix", "ou=x,dc=A"}),
              HasSubstr("--suffix 'ou=x,dc=A' lies within or above --suffix 'dc=a'"));
  EXPECT_THAT(errors({"--root-dn", "admin"}), HasSubstr("--root-dn 'admin': "));
  EXPECT_THAT(errors({"--index", "cn=eq", "--index", "commonName=sub"}),
              HasSubstr("--index 'commonName=sub': 'cn=eq' is there for the attribute already"));
  EXPECT_FALSE(std::filesystem::exists(data()));
}

constexpr std::string_view kColour =
    "attributetype ( 1.3.6.1.4.1.32473.1.1 NAME ( 'favouriteColour' 'colour' )\n"
    "  EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )\n"
    "objectclass ( 1.3.6.1.4.1.32473.2.1 NAME 'colourful' SUP top AUXILIARY MAY colour )\n";
constexpr std::string_view kRed =
    "dn: cn=red,dc=example,dc=com\nobjectClass: person\nobjectClass: colourful\ncn: red\nsn: x\n"
    "colour: red\n\n";

TEST_F(OfflineCommandsTest, EveryCommandWarnsOfDefinitionsThatAreMissing) {
  const std::string schema = WriteFile("colour.schema", kColour);
  const Outcome import =
      Run({"import", "--data", data(), "--schema", schema, "--index", "colour=eq",
           WriteFile("in.ldif", std::string(kTop) + std::string(kRed))});
  ASSERT_EQ(import.exit_status, kExitOk) << import.errors;
  EXPECT_THAT(import.errors, Not(HasSubstr("schema_definitions_missing")));
  const Outcome exported = Run({"export", "--data", data(), "--schema", schema});
  EXPECT_THAT(exported.errors, Not(HasSubstr("schema_definitions_missing")));
  EXPECT_THAT(exported.output, HasSubstr("\nfavouriteColour: red\n"));

  const Outcome unaware =
      Run({"import", "--data", data(), "--index", "cn=eq", WriteFile("in.ldif", kAnn)});
  EXPECT_THAT(unaware.errors,
              AllOf(HasSubstr("schema_definitions_missing count=2 "),
                    HasSubstr("favouriteColour, colourful"), HasSubstr("--schema")));
  // They are still known, though the last command did not have them.
  EXPECT_THAT(Run({"check", "--data", data()}).errors, HasSubstr("schema_definitions_missing"));
  EXPECT_THAT(Run({"export", "--data", data()}).errors, HasSubstr("schema_definitions_missing"));
}

TEST_F(OfflineCommandsTest, AServerRemembersItsDefinitionsAndWarnsWithoutThem) {
  Import(kTop);
  StoreSettings settings;
  settings.data = data();
  const auto start = [&](std::vector<std::string> schema_files) {
    ::testing::internal::CaptureStderr();
    const auto schema = LoadSchema(schema_files);
    auto store = OpenServerStore(settings, schema.value());
    EXPECT_TRUE(store.ok());
    if (store.ok()) (*store)->Close();
    log::Flush();
    return ::testing::internal::GetCapturedStderr();
  };
  const std::string file = WriteFile("colour.schema", kColour);
  EXPECT_THAT(start({}), Not(HasSubstr("schema_definitions")));
  EXPECT_THAT(start({file}), Not(HasSubstr("schema_definitions")));
  EXPECT_THAT(start({}), HasSubstr("schema_definitions_missing count=2 "));
  EXPECT_THAT(start({file}), Not(HasSubstr("schema_definitions")));
}

TEST_F(OfflineCommandsTest, AnIndexOfAnAttributeThatIsMissingTellsOfTheSchema) {
  const std::string schema = WriteFile("colour.schema", kColour);
  const auto import = [&](std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"import", "--data", data(), WriteFile("in.ldif", kTop)});
    return Run(flags).errors;
  };
  EXPECT_THAT(import({"--index", "colour=eq"}),
              HasSubstr("index for an unknown attribute: colour; if a schema file defines it, give "
                        "that file with --schema"));
  import({"--index", "colour=eq", "--schema", schema});
  EXPECT_THAT(Run({"check", "--data", data()}).errors,
              HasSubstr("index for an unknown attribute: 1.3.6.1.4.1.32473.1.1; if a schema file "
                        "defines it, give that file with --schema"));
}

TEST_F(OfflineCommandsTest, CheckForgetsDefinitionsThatNoEntryNeeds) {
  const std::string schema = WriteFile("colour.schema", kColour);
  Run({"import", "--data", data(), "--schema", schema, WriteFile("in.ldif", kTop)});
  const Outcome check = Run({"check", "--data", data()});
  EXPECT_EQ(check.exit_status, kExitOk);
  EXPECT_THAT(check.errors, HasSubstr("schema_definitions_missing"));
  EXPECT_THAT(check.output, HasSubstr("2 missing schema definitions forgotten"));
  EXPECT_THAT(Run({"check", "--data", data()}).errors, Not(HasSubstr("schema_definitions")));
}

TEST_F(OfflineCommandsTest, ImportRefusesSuffixesThatLeaveOutOnesOfTheStore) {
  Import(kTop);
  const Outcome outcome =
      Run({"import", "--data", data(), "--suffix", "dc=org", WriteFile("in.ldif", kAnn)});
  EXPECT_EQ(outcome.exit_status, kExitFailed);
  EXPECT_THAT(outcome.errors, AllOf(HasSubstr("holds the suffixes 'dc=example,dc=com'"),
                                    HasSubstr("--suffix names only 'dc=org'")));
  EXPECT_EQ(Run({"import", "--data", data(), "--suffix", "dc=org", "--suffix", "DC=Example,dc=com",
                 WriteFile("in.ldif", kAnn)})
                .exit_status,
            kExitOk);
}

TEST_F(OfflineCommandsTest, ImportMakesNoStoreWhenAFileIsMissing) {
  const Outcome outcome = Run({"import", "--data", data(), Path("none.ldif")});
  EXPECT_EQ(outcome.exit_status, kExitUsage);
  EXPECT_THAT(outcome.errors, HasSubstr("cannot read '" + Path("none.ldif") + "'"));
  EXPECT_FALSE(std::filesystem::exists(data()));
}

TEST_F(OfflineCommandsTest, NothingMakesAStoreButImport) {
  for (const char* command : {"export", "check"}) {
    const Outcome outcome = Run({command, "--data", data()});
    EXPECT_EQ(outcome.exit_status, kExitFailed);
    EXPECT_THAT(outcome.errors, HasSubstr("there is no store in '" + data() + "'"));
  }
  EXPECT_FALSE(std::filesystem::exists(data()));
}

TEST_F(OfflineCommandsTest, ImportNamesAWrongIndex) {
  const Outcome outcome =
      Run({"import", "--data", data(), "--index", "cn=quick", WriteFile("in.ldif", kTop)});
  EXPECT_EQ(outcome.exit_status, kExitUsage);
  EXPECT_THAT(outcome.errors, HasSubstr("--index: "));
}

TEST_F(OfflineCommandsTest, ImportTellsThatItBuildsIndexesAnew) {
  Import(kTop);
  const Outcome outcome =
      Run({"import", "--data", data(), "--index", "cn=eq", WriteFile("in.ldif", kAnn)});
  EXPECT_EQ(outcome.exit_status, kExitOk);
  EXPECT_THAT(outcome.errors, HasSubstr("building indexes 100 %"));
}

TEST_F(OfflineCommandsTest, AStoreInUseCanBeExportedButNotChanged) {
  Import(kTop);
  storage::SqliteOptions options;
  options.directory = data();
  const auto in_use = storage::SqliteEntryStore::Open(options, model::Schema::Standard());
  ASSERT_TRUE(in_use.ok());
  const Outcome import = Import(kAnn);
  EXPECT_EQ(import.exit_status, kExitFailed);
  EXPECT_THAT(import.errors, HasSubstr("in use by another process"));
  EXPECT_THAT(Run({"check", "--data", data()}).errors, HasSubstr("in use by another process"));
  EXPECT_EQ(Run({"export", "--data", data()}).output, "version: 1\n\n" + std::string(kTop));
}

TEST_F(OfflineCommandsTest, ExportsToACompressedFileThatImports) {
  Import(std::string(kTop) + std::string(kAnn));
  ASSERT_EQ(
      Run({"export", "--data", data(), "--operational", "-o", Path("out.ldif.gz")}).exit_status,
      kExitOk);
  EXPECT_THAT(ReadFile("out.ldif.gz"), StartsWith("\x1f\x8b"));
  ASSERT_EQ(Run({"import", "--data", Path("other"), Path("out.ldif.gz")}).exit_status, kExitOk);
  EXPECT_EQ(Run({"export", "--data", Path("other"), "--operational"}).output,
            Run({"export", "--data", data(), "--operational"}).output);
}

TEST_F(OfflineCommandsTest, ExportFailsOnAFullDisk) {
  Import(kTop);
  const Outcome outcome = Run({"export", "--data", data(), "--output", "/dev/full"});
  EXPECT_EQ(outcome.exit_status, kExitFailed);
  EXPECT_THAT(outcome.errors, HasSubstr("No space left on device"));
}

TEST_F(OfflineCommandsTest, ExportFailsForABaseThatDoesNotExist) {
  Import(kTop);
  const Outcome outcome = Run({"export", "--data", data(), "--base", "cn=none"});
  EXPECT_EQ(outcome.exit_status, kExitFailed);
  EXPECT_THAT(outcome.errors, HasSubstr("there is no entry 'cn=none'"));
  EXPECT_THAT(outcome.output, IsEmpty());
}

TEST_F(OfflineCommandsTest, CheckFindsASoundStoreSound) {
  Import(std::string(kTop) + std::string(kAnn));
  const Outcome outcome = Run({"check", "--data", data()});
  EXPECT_EQ(outcome.exit_status, kExitOk);
  EXPECT_THAT(outcome.output, StartsWith("2 entries, no problems, no warnings\n"));
  EXPECT_THAT(Run({"check", "--data", data(), "--rebuild"}).output,
              StartsWith("2 entries, no problems, no warnings; indexes built anew\n"));
}

TEST_F(OfflineCommandsTest, CheckTellsTheIndexesInForce) {
  Run({"import", "--data", data(), "--index", "mail=eq", "--index", "commonName=sub,eq",
       WriteFile("in.ldif", kTop)});
  EXPECT_THAT(Run({"check", "--data", data()}).output, HasSubstr("\nindexes: cn=eq,sub mail=eq\n"));
}

TEST_F(OfflineCommandsTest, CheckWarnsOfEntriesThatTheSchemaDoesNotAllow) {
  const std::string schema =
      WriteFile("extra.schema",
                "attributetype ( 1.3.6.1.4.1.32473.1.1 NAME 'shoeSize' EQUALITY integerMatch\n"
                "  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 )\n");
  const std::string file =
      WriteFile("in.ldif", std::string(kTop) +
                               "dn: cn=b,dc=example,dc=com\nobjectClass: person\n"
                               "objectClass: extensibleObject\nsn: x\nshoeSize: 43\n");
  ASSERT_EQ(Run({"import", "--data", data(), "--schema", schema, file}).exit_status, kExitOk);
  const Outcome outcome = Run({"check", "--data", data()});
  EXPECT_EQ(outcome.exit_status, kExitOk);
  EXPECT_THAT(outcome.output, StartsWith("warning: cn=b,dc=example,dc=com: "));
  EXPECT_THAT(outcome.output, HasSubstr("2 entries, no problems, 1 warning\n"));
}

TEST_F(OfflineCommandsTest, PasswdPrintsAHash) {
  const std::string file = WriteFile("password", "geheim\n");
  const Outcome outcome = Run({"passwd", "--scheme", "ssha256", "--password-file", file});
  EXPECT_EQ(outcome.exit_status, kExitOk);
  ASSERT_THAT(outcome.output, MatchesRegex("\\{SSHA256\\}[A-Za-z0-9+/=]+\n"));
  EXPECT_TRUE(passwords::Verify(outcome.output.substr(0, outcome.output.size() - 1),
                                model::Secret("geheim")));
}

TEST_F(OfflineCommandsTest, PasswdSetsThePasswordOfAnEntry) {
  Import(std::string(kTop) + std::string(kAnn));
  const std::string file = WriteFile("password", "geheim\n");
  const Outcome outcome = Run({"passwd", "--scheme", "ssha", "--password-file", file, "--data",
                               data(), "--dn", "cn=ann,dc=example,dc=com"});
  EXPECT_EQ(outcome.exit_status, kExitOk);
  EXPECT_THAT(outcome.output, IsEmpty());
  EXPECT_THAT(Run({"export", "--data", data()}).output, HasSubstr("\nuserPassword: {SSHA}"));
}

TEST_F(OfflineCommandsTest, PasswdNamesAnEntryThatDoesNotExist) {
  Import(kTop);
  const std::string file = WriteFile("password", "geheim\n");
  const Outcome outcome = Run({"passwd", "--scheme", "ssha", "--password-file", file, "--data",
                               data(), "--dn", "cn=none,dc=example,dc=com"});
  EXPECT_EQ(outcome.exit_status, kExitFailed);
  EXPECT_THAT(outcome.errors,
              AllOf(HasSubstr("cn=none,dc=example,dc=com: "), HasSubstr("(noSuchObject)")));
}

TEST_F(OfflineCommandsTest, PasswdRefusesAnEmptyPassword) {
  const Outcome outcome = Run({"passwd", "--password-file", WriteFile("password", "\n")});
  EXPECT_EQ(outcome.exit_status, kExitUsage);
  EXPECT_THAT(outcome.errors, HasSubstr("empty"));
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
