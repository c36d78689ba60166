#include "services/import/importer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "services/model/secret.h"
#include "tests/unit/services/import/import_fixture.h"

namespace twintree::import {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

class ImporterTest : public ImportFixture {};

TEST_F(ImporterTest, MakesTheFirstEntryOfAnEmptyStoreANamingContext) {
  const ImportReport report = Import(WithTop(PersonRecord("a")));
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.entries, 2u);
  EXPECT_TRUE(Has("dc=example,dc=com"));
  EXPECT_TRUE(Has("cn=a,dc=example,dc=com"));
  EXPECT_EQ(Find("dc=example,dc=com")->parent, storage::kNoEntry);
  EXPECT_EQ(Find("dc=example,dc=com")->rdn, "dc=example,dc=com");
}

TEST_F(ImporterTest, AddsToWhatTheStoreHolds) {
  ASSERT_TRUE(Import(WithTop(PersonRecord("a"))).ok());
  EXPECT_TRUE(Import(PersonRecord("b")).ok());
  EXPECT_TRUE(Has("cn=a,dc=example,dc=com"));
  EXPECT_TRUE(Has("cn=b,dc=example,dc=com"));
}

TEST_F(ImporterTest, RefusesAnotherTreeUnlessItsSuffixIsGiven) {
  ASSERT_TRUE(Import(kTop).ok());
  const std::string other = "dn: o=Other\nobjectClass: organization\no: Other\n";
  EXPECT_EQ(Import(other).rejected, 1u);
  ASSERT_THAT(problems_, SizeIs(1));
  EXPECT_EQ(problems_[0].error.code, model::ResultCode::kNoSuchObject);
  ImportOptions options;
  options.suffixes = {"o=other"};
  EXPECT_TRUE(Import(other, options).ok());
  EXPECT_EQ(Find("o=other")->rdn, "o=Other");
}

TEST_F(ImporterTest, RefusesASuffixWithinAnother) {
  ASSERT_TRUE(Import(kTop).ok());
  ImportOptions options;
  options.suffixes = {"ou=x,dc=example,dc=com"};
  const ImportReport report = Import("", options);
  ASSERT_TRUE(report.failure);
  EXPECT_EQ(report.failure->code, model::ResultCode::kUnwillingToPerform);
}

TEST_F(ImporterTest, ImportsSeveralInputsInOrder) {
  std::vector<ImportInput> inputs = TextInput(kTop);
  inputs.push_back({"second", MakeStringSource(PersonRecord("a"))});
  inputs.push_back({"third", MakeStringSource("dn: cn=a,dc=example,dc=com\nchangetype: delete\n")});
  const ImportReport report = Import(std::move(inputs));
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.entries, 2u);
  EXPECT_EQ(report.changes, 1u);
  EXPECT_FALSE(Has("cn=a,dc=example,dc=com"));
}

TEST_F(ImporterTest, AddsEntriesAmongChanges) {
  const ImportReport report = Import(
      WithTop(PersonRecord("a") +
              "dn: cn=a,dc=example,dc=com\nchangetype: modrdn\nnewrdn: cn=b\n"
              "deleteoldrdn: 1\n\n" +
              PersonRecord("a") +
              "dn: cn=c,cn=a,dc=example,dc=com\nchangetype: add\nobjectClass: person\nsn: x\n"
              "entryUUID: 0f0e0d0c-0b0a-4908-8706-050403020100\n"));
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.entries, 4u);
  EXPECT_EQ(report.changes, 1u);
  EXPECT_TRUE(Has("cn=b,dc=example,dc=com"));
  EXPECT_TRUE(Has("cn=a,dc=example,dc=com"));
  EXPECT_THAT(Values("cn=c,cn=a,dc=example,dc=com", "entryUUID"),
              ElementsAre("0f0e0d0c-0b0a-4908-8706-050403020100"));
}

TEST_F(ImporterTest, FollowsAMoveAmongChanges) {
  const std::string ou = "dn: ou=o,dc=example,dc=com\nobjectClass: organizationalUnit\nou: o\n\n";
  const ImportReport report = Import(
      WithTop(ou + "dn: ou=o,dc=example,dc=com\nchangetype: moddn\nnewrdn: ou=p\n"
                   "deleteoldrdn: 1\n\ndn: cn=a,ou=o,dc=example,dc=com\nobjectClass: person\n"
                   "sn: x\n"));
  EXPECT_EQ(report.rejected, 1u);
  ASSERT_THAT(problems_, SizeIs(1));
  EXPECT_EQ(problems_[0].error.message, "its parent 'ou=o,dc=example,dc=com' does not exist");
}

TEST_F(ImporterTest, RecordsAddsAmongChangesInTheChangeLog) {
  ASSERT_TRUE(Import(WithTop(PersonRecord("a"))).ok());
  auto before = store_->Read();
  ASSERT_TRUE(
      Import("dn: cn=a,dc=example,dc=com\nchangetype: delete\n\n" + PersonRecord("b")).ok());
  auto after = store_->Read();
  std::vector<storage::Change> changes;
  ASSERT_TRUE((*after)->ReadChanges((*before)->version(), 10, &changes).ok());
  ASSERT_THAT(changes, SizeIs(2));
  EXPECT_EQ(changes[0].kind, storage::ChangeKind::kDelete);
  EXPECT_EQ(changes[1].kind, storage::ChangeKind::kAdd);
  EXPECT_EQ(changes[1].dn, "cn=b,dc=example,dc=com");
  EXPECT_EQ(changes[1].actor_dn, "cn=import");
  EXPECT_EQ(changes[1].id, Find("cn=b,dc=example,dc=com")->id);
}

TEST_F(ImporterTest, NeedsASuffixToChangeAnEmptyStore) {
  EXPECT_EQ(Import("dn: dc=example,dc=com\nchangetype: delete\n").rejected, 1u);
  ASSERT_THAT(problems_, SizeIs(1));
  EXPECT_EQ(problems_[0].error.code, model::ResultCode::kNoSuchObject);
}

TEST_F(ImporterTest, KeepsTheSpellingOfNames) {
  const ImportReport report =
      Import(WithTop("dn: CN = a\\2Cb + sn=X , dc=EXAMPLE,dc=com\nobjectClass: person\ncn: a,b\n"
                     "sn: X\n"));
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(Find("cn=a\\,b+sn=x,dc=example,dc=com")->rdn, "CN=a\\2Cb+sn=X");
}

constexpr std::string_view kUuid = "entryUUID: 550e8400-e29b-41d4-a716-446655440000\n";

std::string WithUuid(std::string_view name) {
  std::string record = PersonRecord(name);
  record.insert(record.size() - 1, kUuid);
  return record;
}

TEST_F(ImporterTest, RefusesTheSecondEntryOfAUuid) {
  ImportOptions options;
  options.continue_on_error = true;
  const ImportReport report = Import(WithTop(WithUuid("a") + WithUuid("b")), options);
  EXPECT_EQ(report.entries, 2u);
  ASSERT_THAT(problems_, SizeIs(1));
  EXPECT_EQ(problems_[0].line, 13u);
  EXPECT_EQ(problems_[0].dn, "cn=b,dc=example,dc=com");
  EXPECT_EQ(problems_[0].error.code, model::ResultCode::kConstraintViolation);
}

TEST_F(ImporterTest, RefusesAUuidThatIsInTheStore) {
  ASSERT_TRUE(Import(WithTop(WithUuid("a"))).ok());
  EXPECT_EQ(Import(WithUuid("b")).rejected, 1u);
  EXPECT_FALSE(Has("cn=b,dc=example,dc=com"));
}

TEST_F(ImporterTest, AnEntryThatIsThereIsToldAsSuchWhateverItsUuid) {
  ImportOptions options;
  options.continue_on_error = true;
  const std::string a = WithUuid("a");
  ASSERT_TRUE(Import(WithTop(a)).ok());
  // Of the store, of the load, and among changes.
  const std::string change =
      "dn: cn=a,dc=example,dc=com\nchangetype: modify\nreplace: sn\nsn: y\n\n";
  Import(a + a + PersonRecord("b") + a + change + a, options);
  ASSERT_THAT(problems_, SizeIs(4));
  for (const ImportProblem& problem : problems_) {
    EXPECT_EQ(problem.error.code, model::ResultCode::kEntryAlreadyExists);
    EXPECT_THAT(problem.error.message, ::testing::HasSubstr("is already there"));
  }
}

TEST_F(ImporterTest, TakesAUuidAgainOnceItsEntryIsDeleted) {
  ASSERT_TRUE(Import(WithTop(WithUuid("a"))).ok());
  const ImportReport report =
      Import("dn: cn=a,dc=example,dc=com\nchangetype: delete\n\n" + WithUuid("b") + WithUuid("c"));
  EXPECT_TRUE(Has("cn=b,dc=example,dc=com"));
  EXPECT_EQ(report.rejected, 1u);
}

TEST_F(ImporterTest, ARecordThatFailedKeepsNoUuid) {
  ImportOptions options;
  options.continue_on_error = true;
  const std::string orphan = "dn: cn=x,ou=none,dc=example,dc=com\nobjectClass: person\nsn: x\n" +
                             std::string(kUuid) + "\n";
  Import(WithTop(orphan + WithUuid("a")), options);
  EXPECT_TRUE(Has("cn=a,dc=example,dc=com"));
}

TEST_F(ImporterTest, CountsWhatItLeavesOut) {
  const ImportReport report = Import(WithTop(
      "dn: cn=a,dc=example,dc=com\nobjectClass: person\nsn: x\nmemberOf: cn=g,dc=example,dc=com\n"
      "userPassword: {SASL}a@b\n"));
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.left_out_values, 1u);
  EXPECT_EQ(report.passwords.unverifiable, 1u);
}

TEST_F(ImporterTest, CountsClearPasswordsAndKeepsThem) {
  const ImportReport report = Import(
      WithTop("dn: cn=a,dc=example,dc=com\nobjectClass: person\nsn: x\nuserPassword: secret\n\n"
              "dn: cn=a,dc=example,dc=com\nchangetype: modify\nadd: userPassword\n"
              "userPassword: other\n"));
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.passwords.clear, 2u);
  EXPECT_THAT(Values("cn=a,dc=example,dc=com", "userPassword"), ElementsAre("secret", "other"));
}

TEST_F(ImporterTest, HashesClearPasswordsInEntriesAndChanges) {
  ImportOptions options;
  options.hash_passwords = passwords::Scheme::kSsha;
  ASSERT_TRUE(Import(WithTop("dn: cn=a,dc=example,dc=com\nobjectClass: person\nsn: x\n"
                             "userPassword: secret\n\n"
                             "dn: cn=a,dc=example,dc=com\nchangetype: modify\nadd: userPassword\n"
                             "userPassword: other\n"),
                     options)
                  .ok());
  const std::vector<std::string> values = Values("cn=a,dc=example,dc=com", "userPassword");
  ASSERT_THAT(values, ElementsAre(StartsWith("{SSHA}"), StartsWith("{SSHA}")));
  EXPECT_TRUE(passwords::Verify(values[0], model::Secret("secret")));
  EXPECT_TRUE(passwords::Verify(values[1], model::Secret("other")));
}

TEST_F(ImporterTest, KeepsTheOrderWhilePasswordsAreHashed) {
  std::string records;
  for (int i = 0; i < 60; ++i) {
    records += "dn: cn=" + std::to_string(i) +
               ",dc=example,dc=com\nobjectClass: person\nsn: x\nuserPassword: secret\n\n";
  }
  ImportOptions options;
  options.hash_passwords = passwords::Scheme::kArgon2;
  options.threads = 4;
  ASSERT_TRUE(Import(WithTop(records), options).ok());
  for (int i = 1; i < 60; ++i) {
    EXPECT_GT(Find("cn=" + std::to_string(i) + ",dc=example,dc=com")->id,
              Find("cn=" + std::to_string(i - 1) + ",dc=example,dc=com")->id);
  }
}

TEST_F(ImporterTest, GivesAscendingChangeSequenceNumbers) {
  std::string records;
  for (int i = 0; i < 300; ++i) records += PersonRecord(std::to_string(i));
  ImportOptions options;
  options.threads = 4;
  options.chunk_bytes = 500;
  ASSERT_TRUE(Import(WithTop(records), options).ok());
  std::string last;
  for (int i = 0; i < 300; ++i) {
    const auto csn = Values("cn=" + std::to_string(i) + ",dc=example,dc=com", "entryCSN");
    ASSERT_THAT(csn, SizeIs(1));
    EXPECT_GT(csn[0], last);
    last = csn[0];
  }
}

TEST_F(ImporterTest, ImportsWhatSlapcatWrites) {
  ASSERT_TRUE(Import("dn: dc=example,dc=com\n"
                     "objectClass: dcObject\n"
                     "objectClass: organization\n"
                     "dc: example\n"
                     "o:: RXhhbXBsZSA=\n"
                     "structuralObjectClass: organization\n"
                     "entryUUID: 0f0e0d0c-0b0a-1039-8706-050403020100\n"
                     "creatorsName: cn=Manager,dc=example,dc=com\n"
                     "createTimestamp: 20240102030405Z\n"
                     "entryCSN: 20240102030405.678901Z#000000#000#000000\n"
                     "modifiersName: cn=Manager,dc=example,dc=com\n"
                     "modifyTimestamp: 20240102030405Z\n"
                     "contextCSN: 20240102030405.678901Z#000000#000#000000\n\n")
                  .ok());
  EXPECT_THAT(Values("dc=example,dc=com", "o"), ElementsAre("Example "));
  EXPECT_THAT(Values("dc=example,dc=com", "entryUUID"),
              ElementsAre("0f0e0d0c-0b0a-1039-8706-050403020100"));
  EXPECT_THAT(Values("dc=example,dc=com", "contextCSN"), IsEmpty());
}

TEST_F(ImporterTest, HonoursManageDsaItAndRefusesOtherCriticalControls) {
  ASSERT_TRUE(Import(WithTop(PersonRecord("a") + PersonRecord("b"))).ok());
  EXPECT_TRUE(Import("dn: cn=a,dc=example,dc=com\ncontrol: 2.16.840.1.113730.3.4.2 true\n"
                     "changetype: delete\n")
                  .ok());
  EXPECT_EQ(Import("dn: cn=b,dc=example,dc=com\ncontrol: 1.2.840.113556.1.4.805 true\n"
                   "changetype: delete\n")
                .rejected,
            1u);
  ASSERT_THAT(problems_, SizeIs(1));
  EXPECT_EQ(problems_[0].error.code, model::ResultCode::kUnavailableCriticalExtension);
  EXPECT_TRUE(Has("cn=b,dc=example,dc=com"));
}

TEST_F(ImporterTest, TellsHowFarItIs) {
  std::string records;
  for (int i = 0; i < 500; ++i) records += PersonRecord(std::to_string(i));
  const std::string text = WithTop(records);
  std::vector<ImportProgress> seen;
  ImportHandlers handlers;
  handlers.on_progress = [&seen](const ImportProgress& progress) { seen.push_back(progress); };
  ImportOptions options;
  options.chunk_bytes = 1000;
  ASSERT_TRUE(Importer(schema_, store_, options, handlers).Run(TextInput(text)).ok());
  ASSERT_GT(seen.size(), 5u);
  EXPECT_EQ(seen.back().entries, 501u);
  EXPECT_EQ(seen.back().bytes_read, text.size());
  EXPECT_EQ(seen.back().total_bytes, text.size());
  EXPECT_EQ(seen.back().finishing, 1.0);
}

TEST_F(ImporterTest, ImportsNothingFromAnEmptyInput) {
  const ImportReport report = Import("# nothing\n\n");
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.entries, 0u);
}

}  // namespace
}  // namespace twintree::import
