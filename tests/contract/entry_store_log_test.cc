// What every entry store keeps to: the change log.
#include "storage/entry_store.h"
#include "tests/contract/entry_store_fixture.h"

namespace twintree::storage {
namespace {

using model::OkStatus;
using model::ResultCode;
using testing::IsEmpty;
using testing::SizeIs;

class EntryStoreLog : public EntryStoreContract {
 protected:
  // One piece of work with a record for each name.
  void Append(const std::vector<std::string>& names) {
    const Status status = Write(*store_, [&](WriteTransaction& t) -> Status {
      for (const std::string& name : names) {
        Change change;
        change.kind = ChangeKind::kRename;
        change.id = 7;
        change.entry_uuid = "uuid";
        change.dn = name;
        change.new_dn = "new";
        change.actor_dn = "actor";
        change.payload = std::string("\0octets", 7);
        TT_RETURN_IF_ERROR(t.AppendChange(std::move(change)));
      }
      return OkStatus();
    });
    ASSERT_TRUE(status.ok());
  }
  std::vector<Change> ReadAfter(ChangeNumber after, std::size_t limit = 1000) {
    std::vector<Change> changes;
    EXPECT_TRUE(Read()->ReadChanges(after, limit, &changes).ok());
    return changes;
  }
};

TEST_P(EntryStoreLog, GivesBackRecordsWithNumberAndTime) {
  const auto before = std::chrono::system_clock::now() - std::chrono::seconds(1);
  Append({"one"});
  const std::vector<Change> changes = ReadAfter(0);
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_EQ(changes[0].number, Read()->version());
  EXPECT_GT(changes[0].commit_time, before);
  EXPECT_EQ(changes[0].kind, ChangeKind::kRename);
  EXPECT_EQ(changes[0].id, 7U);
  EXPECT_EQ(changes[0].entry_uuid, "uuid");
  EXPECT_EQ(changes[0].dn, "one");
  EXPECT_EQ(changes[0].new_dn, "new");
  EXPECT_EQ(changes[0].actor_dn, "actor");
  EXPECT_EQ(changes[0].payload, std::string("\0octets", 7));
}

TEST_P(EntryStoreLog, NumbersEachRecordOfOnePieceOfWork) {
  Append({"one", "two", "three"});
  const std::vector<Change> changes = ReadAfter(0);
  ASSERT_THAT(changes, SizeIs(3));
  EXPECT_LT(changes[0].number, changes[1].number);
  EXPECT_LT(changes[1].number, changes[2].number);
  EXPECT_EQ(changes[2].number, Read()->version());
}

TEST_P(EntryStoreLog, TellsTheWriterTheNumberOfItsRecord) {
  ChangeNumber number = 0;
  ASSERT_TRUE(Write(*store_, [&](WriteTransaction& t) -> Status {
                TT_RETURN_IF_ERROR(t.AppendChange({}));
                number = t.version();
                return OkStatus();
              }).ok());
  EXPECT_EQ(ReadAfter(0).back().number, number);
}

TEST_P(EntryStoreLog, ResumesAfterANumber) {
  Append({"one", "two", "three"});
  const std::vector<Change> first = ReadAfter(0, 2);
  ASSERT_THAT(first, SizeIs(2));
  const std::vector<Change> rest = ReadAfter(first.back().number, 2);
  ASSERT_THAT(rest, SizeIs(1));
  EXPECT_EQ(rest[0].dn, "three");
  EXPECT_THAT(ReadAfter(rest[0].number), IsEmpty());
}

TEST_P(EntryStoreLog, SaysWhenItNoLongerReachesBack) {
  StoreSettings settings;
  settings.change_log_limit = 10;
  Open(settings);
  for (int i = 0; i < 40; ++i) Append({"n" + std::to_string(i)});
  std::vector<Change> changes;
  EXPECT_EQ(Read()->ReadChanges(0, 100, &changes).code(), ResultCode::kNoSuchObject);
  const std::vector<Change> kept = ReadAfter(Read()->version() - 10);
  ASSERT_THAT(kept, SizeIs(10));
  EXPECT_EQ(kept.back().dn, "n39");
}

TEST_P(EntryStoreLog, KeepsTheSnapshotsRecords) {
  Append({"one"});
  auto snapshot = Read();
  Append({"two"});
  std::vector<Change> changes;
  ASSERT_TRUE(snapshot->ReadChanges(0, 10, &changes).ok());
  EXPECT_THAT(changes, SizeIs(1));
}

INSTANTIATE_TEST_SUITE_P(Sqlite, EntryStoreLog, testing::Values(kSqliteKind));
INSTANTIATE_TEST_SUITE_P(Packing, EntryStoreLog, testing::Values(kPackingKind));
INSTANTIATE_TEST_SUITE_P(Memory, EntryStoreLog, testing::Values(kMemoryKind));

}  // namespace
}  // namespace twintree::storage
