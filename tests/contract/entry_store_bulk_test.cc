// What every entry store keeps to: bulk loads.
#include "storage/entry_store.h"
#include "tests/contract/entry_store_fixture.h"

namespace twintree::storage {
namespace {

using model::OkStatus;
using model::ResultCode;
using testing::ElementsAre;
using testing::IsEmpty;

class EntryStoreBulk : public EntryStoreContract {
 protected:
  static NewEntry Numbered(EntryId parent, int i) {
    return Person(parent, "n" + std::to_string(i),
                  {{"sn", {"sn" + std::to_string(i % 7)}},
                   {"uidNumber", {std::to_string(i)}},
                   {"mail", {"n" + std::to_string(i) + "@example.com"}}});
  }
  void Load(int from, int to) {
    auto load = store_->StartBulkLoad();
    ASSERT_TRUE(load.ok());
    for (int i = from; i < to; ++i) {
      ASSERT_TRUE((*load)->Insert(Numbered(suffix_, i)).ok());
    }
    const Status status = (*load)->Finish(nullptr);
    ASSERT_TRUE(status.ok()) << status.error().message;
  }
};

TEST_P(EntryStoreBulk, EqualsInserts) {
  Load(0, 3000);
  auto loaded = Read();
  TemporaryDirectory other_directory;
  auto other = GetParam().open(other_directory.path(), {});
  const EntryId suffix = Insert(*other, &Suffix);
  ASSERT_TRUE(Write(*other, [&](WriteTransaction& t) -> Status {
                for (int i = 0; i < 3000; ++i) {
                  TT_RETURN_IF_ERROR(t.Insert(Numbered(suffix, i)).status());
                }
                return OkStatus();
              }).ok());
  auto inserted = other->Read().value();
  std::vector<StoredEntryPtr> a;
  std::vector<StoredEntryPtr> b;
  ASSERT_TRUE(loaded->Scan(kNoEntry, {10'000}, &a).ok());
  ASSERT_TRUE(inserted->Scan(kNoEntry, {10'000}, &b).ok());
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i]->id, b[i]->id);
    EXPECT_EQ(a[i]->rdn_key, b[i]->rdn_key);
    EXPECT_EQ(a[i]->entry.octets(), b[i]->entry.octets());
  }
  for (int i = 0; i < 7; ++i) {
    const IndexQuery query = EqualQuery(*store_, "sn", "sn" + std::to_string(i));
    EXPECT_EQ(LookUp(*loaded, query), LookUp(*inserted, query));
  }
  EXPECT_THAT(ProblemsOf(*store_), IsEmpty());
}

TEST_P(EntryStoreBulk, AddsToWhatIsThere) {
  Load(0, 1000);
  const EntryId before = Add("between", {{"sn", {"sn3"}}});
  Load(1000, 2000);
  EXPECT_EQ(Read()->EstimateEntries().value(), 2002U);
  EXPECT_EQ(Read()->FindChild(suffix_, "cn=between").value(), before);
  EXPECT_NE(Read()->FindChild(suffix_, "cn=n1999").value(), kNoEntry);
  const auto ids = LookUp(*Read(), EqualQuery(*store_, "sn", "sn3"));
  EXPECT_EQ(ids.size(), 287U);
  EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
  EXPECT_THAT(ProblemsOf(*store_), IsEmpty());
}

TEST_P(EntryStoreBulk, CanBeWrittenToAfterwards) {
  Load(0, 1000);
  const EntryId first = Read()->FindChild(suffix_, "cn=n0").value();
  ASSERT_TRUE(Write(*store_, [&](WriteTransaction& t) { return t.Remove(first); }).ok());
  Add("later", {{"sn", {"sn0"}}});
  EXPECT_THAT(ProblemsOf(*store_), IsEmpty());
}

TEST_P(EntryStoreBulk, FindsChildrenWhileItLoads) {
  auto load = store_->StartBulkLoad().value();
  const EntryId id = load->Insert(Numbered(suffix_, 1)).value();
  EXPECT_EQ(load->FindChild(suffix_, "cn=n1").value(), id);
  EXPECT_EQ(load->FindChild(kNoEntry, "dc=example,dc=com").value(), suffix_);
  EXPECT_EQ(load->FindChild(suffix_, "cn=n2").value(), kNoEntry);
}

TEST_P(EntryStoreBulk, GoesOnAfterANameThatIsTaken) {
  auto load = store_->StartBulkLoad().value();
  ASSERT_TRUE(load->Insert(Numbered(suffix_, 1)).ok());
  EXPECT_EQ(load->Insert(Numbered(suffix_, 1)).code(), ResultCode::kEntryAlreadyExists);
  EXPECT_EQ(load->Insert(Numbered(999'999, 2)).code(), ResultCode::kOther);
  ASSERT_TRUE(load->Insert(Numbered(suffix_, 2)).ok());
  ASSERT_TRUE(load->Finish(nullptr).ok());
  load.reset();
  EXPECT_EQ(Read()->EstimateEntries().value(), 3U);
  EXPECT_THAT(ProblemsOf(*store_), IsEmpty());
}

TEST_P(EntryStoreBulk, LeavesNothingWhenItIsNotFinished) {
  const ChangeNumber version = Read()->version();
  {
    auto load = store_->StartBulkLoad().value();
    for (int i = 0; i < 500; ++i) ASSERT_TRUE(load->Insert(Numbered(suffix_, i)).ok());
  }
  EXPECT_EQ(Read()->version(), version);
  EXPECT_EQ(Read()->CountChildren(suffix_, 10).value(), 0U);
  EXPECT_THAT(ProblemsOf(*store_), IsEmpty());
  EXPECT_NE(Add("later"), kNoEntry);
}

TEST_P(EntryStoreBulk, ShowsNothingBeforeItIsFinished) {
  EXPECT_EQ(Read()->FindChild(suffix_, "cn=n1").value(), kNoEntry);
  EXPECT_THAT(LookUp(*Read(), EqualQuery(*store_, "sn", "sn1")), IsEmpty());
  auto load = store_->StartBulkLoad().value();
  const EntryId id = load->Insert(Numbered(suffix_, 1)).value();
  auto snapshot = Read();
  EXPECT_EQ(snapshot->FindChild(suffix_, "cn=n1").value(), kNoEntry);
  ASSERT_TRUE(load->Finish(nullptr).ok());
  EXPECT_EQ(snapshot->FindChild(suffix_, "cn=n1").value(), kNoEntry);
  EXPECT_THAT(LookUp(*snapshot, EqualQuery(*store_, "sn", "sn1")), IsEmpty());
  EXPECT_EQ(Read()->FindChild(suffix_, "cn=n1").value(), id);
  EXPECT_THAT(LookUp(*Read(), EqualQuery(*store_, "sn", "sn1")), ElementsAre(id));
}

TEST_P(EntryStoreBulk, RefusesOtherWritesMeanwhile) {
  auto load = store_->StartBulkLoad().value();
  EXPECT_EQ(store_->StartBulkLoad().code(), ResultCode::kUnwillingToPerform);
  EXPECT_EQ(Write(*store_, [](WriteTransaction&) { return OkStatus(); }).code(), ResultCode::kBusy);
  load.reset();
  EXPECT_TRUE(Write(*store_, [](WriteTransaction&) { return OkStatus(); }).ok());
}

TEST_P(EntryStoreBulk, BeginsTheChangeLogAnew) {
  ASSERT_TRUE(Write(*store_, [](WriteTransaction& t) { return t.AppendChange({}); }).ok());
  const ChangeNumber before = Read()->version();
  Load(0, 1);
  EXPECT_GT(Read()->version(), before);
  std::vector<Change> changes;
  EXPECT_EQ(Read()->ReadChanges(before, 10, &changes).code(), ResultCode::kNoSuchObject);
  EXPECT_TRUE(Read()->ReadChanges(Read()->version(), 10, &changes).ok());
}

TEST_P(EntryStoreBulk, ReportsProgress) {
  auto load = store_->StartBulkLoad().value();
  ASSERT_TRUE(load->Insert(Numbered(suffix_, 1)).ok());
  std::vector<double> parts;
  ASSERT_TRUE(load->Finish([&](double part) { parts.push_back(part); }).ok());
  ASSERT_FALSE(parts.empty());
  EXPECT_EQ(parts.back(), 1.0);
}

INSTANTIATE_TEST_SUITE_P(Sqlite, EntryStoreBulk, testing::Values(kSqliteKind));
INSTANTIATE_TEST_SUITE_P(Packing, EntryStoreBulk, testing::Values(kPackingKind));
INSTANTIATE_TEST_SUITE_P(Memory, EntryStoreBulk, testing::Values(kMemoryKind));

}  // namespace
}  // namespace twintree::storage
