// What the commands import, export, check and passwd do.
#include <unistd.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "services/cli/settings.h"
#include "services/log/log.h"
#include "services/model/result.h"
#include "services/model/secret.h"
#include "services/passwords/passwords.h"
#include "storage/sqlite/sqlite_entry_store.h"
#include "tests/unit/services/cli/offline_commands_fixture.h"

namespace twintree::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

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

TEST_F(OfflineCommandsTest, ImportSaysWhatHelpsAfterABadRecord) {
  EXPECT_THAT(Import(std::string(kTop) + std::string(kBad)).errors,
              AllOf(HasSubstr("Correct it and import the rest"), HasSubstr("--continue (-c)")));
  const Outcome going_on =
      Run({"import", "--data", data(), "-c", WriteFile("in.ldif", kBad), WriteFile("b", kAnn)});
  EXPECT_THAT(going_on.errors, Not(HasSubstr("--continue")));
}

TEST_F(OfflineCommandsTest, ImportNamesTheFlagThatHelps) {
  const auto errors_of = [&](std::string_view lines) {
    return Import("dn: dc=a\nobjectClass: domain\n" + std::string(lines)).errors;
  };
  EXPECT_THAT(errors_of("colour: red\n"), HasSubstr("give that file with --schema"));
  EXPECT_THAT(errors_of("objectClass: coloured\n"), HasSubstr("give that file with --schema"));
  EXPECT_THAT(Import("dn: colour=a\nobjectClass: domain\n").errors,
              HasSubstr("give that file with --schema"));
  EXPECT_THAT(errors_of("description:< file:///none\n"), HasSubstr("; --allow-file-urls "));
  EXPECT_THAT(errors_of("description;odd: x\n"), Not(HasSubstr("--schema")));
  EXPECT_THAT(errors_of("sn: x\n"), Not(HasSubstr("--schema")));
}

TEST_F(OfflineCommandsTest, ImportNamesTheRecordThatIsNoLdif) {
  for (const char* line : {"cn:: ***\n", "cn\n", "cn:< file:///none\n", "1: x\n"}) {
    EXPECT_THAT(Import("dn: cn=a,dc=a\nobjectClass: person\n" + std::string(line)).errors,
                HasSubstr(Path("in.ldif") + ":3: cn=a,dc=a: "))
        << line;
  }
}

TEST_F(OfflineCommandsTest, ImportWarnsOfInputsWithoutRecords) {
  const Outcome outcome = Run({"import", "--data", data(), WriteFile("none.ldif", "version: 1\n"),
                               WriteFile("top.ldif", kTop), WriteFile("empty.ldif", "")});
  EXPECT_EQ(outcome.exit_status, kExitOk);
  for (const char* empty : {"none.ldif", "empty.ldif"}) {
    EXPECT_THAT(outcome.errors, HasSubstr("warning: " + Path(empty) + " holds no record"));
  }
  EXPECT_THAT(outcome.errors, Not(HasSubstr("top.ldif")));
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
  EXPECT_THAT(outcome.errors, Not(HasSubstr("--suffix")));
  EXPECT_THAT(Run({"export", "--data", data()}).output, HasSubstr("\nuserPassword: {SSHA512}"));
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

TEST_F(OfflineCommandsTest, AStoreThatCannotBeLookedAtIsNotSaidToBeMissing) {
  std::filesystem::create_symlink("data", data());
  for (const char* command : {"export", "check", "import"}) {
    std::vector<std::string> arguments = {command, "--data", data()};
    if (std::string(command) == "import") arguments.push_back(WriteFile("in.ldif", kTop));
    const Outcome outcome = Run(arguments);
    EXPECT_EQ(outcome.exit_status, kExitFailed);
    EXPECT_THAT(outcome.errors, HasSubstr("cannot open the store in '" + data() +
                                          "': Too many levels of symbolic links\n"));
  }
}

TEST_F(OfflineCommandsTest, ImportIntoAnotherSuffixNamesThoseThereAre) {
  const Outcome outcome = Run({"import", "--data", data(), "--suffix", "dc=example,dc=org",
                               "--suffix", "o=other", WriteFile("in.ldif", kTop)});
  EXPECT_EQ(outcome.exit_status, kExitFailed);
  EXPECT_THAT(outcome.errors, HasSubstr("it lies in no naming context; there are "
                                        "\"dc=example,dc=org\", \"o=other\""));
}

TEST_F(OfflineCommandsTest, SuffixesThatWereCutAtAnUnquotedCommaAreWarnedOf) {
  const auto errors = [this](const std::string& list) {
    const std::string config =
        WriteFile("config.yaml", "data: " + data() + "\nsuffix: " + list + "\n");
    return Run({"import", "--config", config, WriteFile("in.ldif", "")}).errors;
  };
  EXPECT_THAT(errors("[dc=example,dc=com]"),
              HasSubstr("warning: --suffix names 'dc=com' beside others"));
  EXPECT_THAT(errors("[\"dc=example,dc=com\", dc=local]"), Not(HasSubstr("--suffix")));
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
  const std::string told = "cannot open the store in '" + data() + "': it is in use by process " +
                           std::to_string(getpid()) + "; stop that one first\n";
  EXPECT_THAT(import.errors, HasSubstr(told));
  EXPECT_THAT(Run({"check", "--data", data()}).errors, HasSubstr(told));
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
  EXPECT_EQ(outcome.exit_status, static_cast<int>(model::ResultCode::kNoSuchObject));
  EXPECT_THAT(outcome.errors,
              AllOf(HasSubstr("cn=none,dc=example,dc=com: "), HasSubstr("(noSuchObject)")));
}

TEST_F(OfflineCommandsTest, PasswdRefusesAnEmptyPassword) {
  const Outcome outcome = Run({"passwd", "--password-file", WriteFile("password", "\n")});
  EXPECT_EQ(outcome.exit_status, kExitUsage);
  EXPECT_THAT(outcome.errors, HasSubstr("empty"));
}

}  // namespace
}  // namespace twintree::cli
