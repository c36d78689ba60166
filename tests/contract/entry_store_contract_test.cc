// What every entry store keeps to: entries and their hierarchy.
#include <stdexcept>

#include "storage/entry_store.h"
#include "tests/contract/entry_store_fixture.h"

namespace twintree::storage {
namespace {

using model::OkStatus;
using model::ResultCode;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TEST_P(EntryStoreContract, GivesBackWhatWasInserted) {
  const EntryId id = Insert(*store_, [&] {
    NewEntry entry = Person(suffix_, "ann");
    entry.rdn = "CN=Ann";
    return entry;
  });
  const StoredEntryPtr entry = Read()->Get(id).value();
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry->id, id);
  EXPECT_EQ(entry->parent, suffix_);
  EXPECT_EQ(entry->rdn, "CN=Ann");
  EXPECT_EQ(entry->rdn_key, "cn=ann");
  EXPECT_EQ(entry->entry.octets(), Person(suffix_, "ann").entry.octets());
}

TEST_P(EntryStoreContract, FindsNamingContextsByWholeName) {
  EXPECT_EQ(Read()->FindChild(kNoEntry, "dc=example,dc=com").value(), suffix_);
  EXPECT_EQ(Read()->FindChild(kNoEntry, "dc=com").value(), kNoEntry);
  EXPECT_EQ(Read()->ParentOf(suffix_).value(), kNoEntry);
}

TEST_P(EntryStoreContract, FindsAChildOnlyBelowItsParent) {
  const EntryId ann = Add("ann");
  EXPECT_EQ(Read()->FindChild(suffix_, "cn=ann").value(), ann);
  EXPECT_EQ(Read()->FindChild(ann, "cn=ann").value(), kNoEntry);
  EXPECT_EQ(Read()->ParentOf(ann).value(), suffix_);
}

TEST_P(EntryStoreContract, HasNoEntryThatWasNeverInserted) {
  EXPECT_EQ(Read()->Get(999).value(), nullptr);
  EXPECT_EQ(Read()->ParentOf(999).value(), kNoEntry);
}

TEST_P(EntryStoreContract, ForgetsThatAChildWasMissingWhenItComes) {
  EXPECT_EQ(Read()->FindChild(suffix_, "cn=ann").value(), kNoEntry);
  const EntryId ann = Add("ann");
  EXPECT_EQ(Read()->FindChild(suffix_, "cn=ann").value(), ann);
}

TEST_P(EntryStoreContract, RefusesASecondChildOfOneName) {
  Add("ann");
  const Status status = Write(*store_, [&](WriteTransaction& transaction) {
    return transaction.Insert(Person(suffix_, "ann")).status();
  });
  EXPECT_EQ(status.code(), ResultCode::kEntryAlreadyExists);
  EXPECT_EQ(Read()->EstimateEntries().value(), 2U);
}

TEST_P(EntryStoreContract, GoesOnAfterARefusedInsert) {
  Add("ann");
  const Status status = Write(*store_, [&](WriteTransaction& transaction) {
    EXPECT_EQ(transaction.Insert(Person(suffix_, "ann")).code(), ResultCode::kEntryAlreadyExists);
    return transaction.Insert(Person(suffix_, "bob")).status();
  });
  EXPECT_TRUE(status.ok());
  EXPECT_NE(Read()->FindChild(suffix_, "cn=bob").value(), kNoEntry);
}

TEST_P(EntryStoreContract, RefusesAnEntryBelowNothing) {
  const Status status = Write(*store_, [&](WriteTransaction& transaction) {
    return transaction.Insert(Person(12345, "ann")).status();
  });
  EXPECT_EQ(status.code(), ResultCode::kOther);
}

TEST_P(EntryStoreContract, NeverGivesAnIdAgain) {
  const EntryId ann = Add("ann");
  ASSERT_TRUE(Write(*store_, [&](WriteTransaction& t) { return t.Remove(ann); }).ok());
  EXPECT_GT(Add("bob"), ann);
}

TEST_P(EntryStoreContract, ListsChildrenInOrderOfIds) {
  std::vector<EntryId> ids;
  for (const char* name : {"zoe", "ann", "moe", "bob"}) ids.push_back(Add(name));
  std::vector<EntryId> first;
  ASSERT_TRUE(Read()->Children(suffix_, kNoEntry, 3, &first).ok());
  EXPECT_THAT(first, ElementsAre(ids[0], ids[1], ids[2]));
  std::vector<EntryId> rest;
  ASSERT_TRUE(Read()->Children(suffix_, first.back(), 3, &rest).ok());
  EXPECT_THAT(rest, ElementsAre(ids[3]));
}

TEST_P(EntryStoreContract, ListsOfChildrenFollowTheirChanges) {
  const auto children = [](const std::shared_ptr<ReadTransaction>& reader, EntryId parent) {
    std::vector<EntryId> ids;
    EXPECT_TRUE(reader->Children(parent, kNoEntry, 100, &ids).ok());
    EXPECT_EQ(reader->CountChildren(parent, 100).value(), ids.size());
    return ids;
  };
  const EntryId ann = Add("ann");
  const EntryId bob = Add("bob");
  const std::shared_ptr<ReadTransaction> before = Read();
  EXPECT_THAT(children(before, ann), IsEmpty());
  EXPECT_THAT(children(before, bob), IsEmpty());
  const EntryId child = Insert(*store_, [&] { return Person(ann, "child"); });
  EXPECT_THAT(children(Read(), ann), ElementsAre(child));
  EXPECT_THAT(children(before, ann), IsEmpty());
  ASSERT_TRUE(Write(*store_, [&](WriteTransaction& t) {
                return t.Move(child, Person(bob, "child"));
              }).ok());
  EXPECT_THAT(children(Read(), ann), IsEmpty());
  EXPECT_THAT(children(Read(), bob), ElementsAre(child));
  ASSERT_TRUE(Write(*store_, [&](WriteTransaction& t) { return t.Remove(child); }).ok());
  EXPECT_THAT(children(Read(), bob), IsEmpty());
  EXPECT_THAT(children(before, suffix_), ElementsAre(ann, bob));
}

TEST_P(EntryStoreContract, ManyChildrenAreListedWhole) {
  std::vector<EntryId> ids;
  for (int i = 0; i < 200; ++i) ids.push_back(Add("person" + std::to_string(i)));
  for (int round = 0; round < 2; ++round) {
    std::vector<EntryId> first;
    ASSERT_TRUE(Read()->Children(suffix_, kNoEntry, 10, &first).ok());
    EXPECT_EQ(first, std::vector<EntryId>(ids.begin(), ids.begin() + 10));
    EXPECT_EQ(Read()->CountChildren(suffix_, 1000).value(), 200U);
    EXPECT_EQ(Read()->CountChildren(suffix_, 5).value(), 5U);
  }
}

TEST_P(EntryStoreContract, CountsChildrenUpToALimit) {
  for (const char* name : {"a", "b", "c"}) Add(name);
  EXPECT_EQ(Read()->CountChildren(suffix_, 2).value(), 2U);
  EXPECT_EQ(Read()->CountChildren(suffix_, 100).value(), 3U);
}

TEST_P(EntryStoreContract, ScansEntriesInOrderOfIds) {
  const EntryId ann = Add("ann");
  const EntryId bob = Add("bob");
  std::vector<StoredEntryPtr> entries;
  ASSERT_TRUE(Read()->Scan(suffix_, {10}, &entries).ok());
  ASSERT_THAT(entries, SizeIs(2));
  EXPECT_EQ(entries[0]->id, ann);
  EXPECT_EQ(entries[1]->id, bob);
  entries.clear();
  ASSERT_TRUE(Read()->Scan(kNoEntry, {1}, &entries).ok());
  ASSERT_THAT(entries, SizeIs(1));
  EXPECT_EQ(entries[0]->id, suffix_);
}

TEST_P(EntryStoreContract, AScanStopsBehindTheEntryThatIsTooMuch) {
  Add("ann");
  Add("bob");
  std::vector<StoredEntryPtr> entries;
  ASSERT_TRUE(Read()->Scan(suffix_, {10, 1}, &entries).ok());
  EXPECT_THAT(entries, SizeIs(1));
  const std::size_t size = entries[0]->entry.octets().size();
  entries.clear();
  ASSERT_TRUE(Read()->Scan(suffix_, {10, size + 1}, &entries).ok());
  EXPECT_THAT(entries, SizeIs(2));
}

TEST_P(EntryStoreContract, ReplacesAttributesAndKeepsTheName) {
  const EntryId ann = Add("ann");
  ASSERT_TRUE(Write(*store_, [&](WriteTransaction& t) {
                return t.Replace(ann, MakeEntry({{"sn", {"new"}}}));
              }).ok());
  const StoredEntryPtr entry = Read()->Get(ann).value();
  EXPECT_THAT(ValuesOf(*entry, "sn"), ElementsAre("new"));
  EXPECT_THAT(ValuesOf(*entry, "cn"), IsEmpty());
  EXPECT_EQ(Read()->FindChild(suffix_, "cn=ann").value(), ann);
}

TEST_P(EntryStoreContract, MovesAnEntryWithItsSubtree) {
  const EntryId ann = Add("ann");
  const EntryId bob = Add("bob");
  const EntryId child = Insert(*store_, [&] { return Person(ann, "child"); });
  ASSERT_TRUE(
      Write(*store_, [&](WriteTransaction& t) { return t.Move(ann, Person(bob, "anna")); }).ok());
  auto transaction = Read();
  EXPECT_EQ(transaction->FindChild(suffix_, "cn=ann").value(), kNoEntry);
  EXPECT_EQ(transaction->FindChild(bob, "cn=anna").value(), ann);
  EXPECT_EQ(transaction->ParentOf(ann).value(), bob);
  EXPECT_EQ(transaction->FindChild(ann, "cn=child").value(), child);
  EXPECT_EQ(transaction->CountChildren(suffix_, 10).value(), 1U);
}

TEST_P(EntryStoreContract, MovesAnEntryOntoItsOwnName) {
  const EntryId ann = Add("ann");
  const Status status = Write(*store_, [&](WriteTransaction& t) {
    NewEntry entry = Person(suffix_, "ann");
    entry.rdn = "cn=ANN";
    return t.Move(ann, std::move(entry));
  });
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(Read()->Get(ann).value()->rdn, "cn=ANN");
}

TEST_P(EntryStoreContract, RefusesToMoveOntoAnotherEntry) {
  const EntryId ann = Add("ann");
  Add("bob");
  const Status status =
      Write(*store_, [&](WriteTransaction& t) { return t.Move(ann, Person(suffix_, "bob")); });
  EXPECT_EQ(status.code(), ResultCode::kEntryAlreadyExists);
  EXPECT_EQ(Read()->Get(ann).value()->rdn, "cn=ann");
}

TEST_P(EntryStoreContract, ChangesTheHierarchyVersionOnlyWhenASubtreeMoves) {
  const EntryId ann = Add("ann");
  const ChangeNumber before = Read()->hierarchy_version();
  ASSERT_TRUE(Write(*store_, [&](WriteTransaction& t) {
                return t.Move(ann, Person(suffix_, "anna"));
              }).ok());
  EXPECT_EQ(Read()->hierarchy_version(), before);
  Insert(*store_, [&] { return Person(ann, "child"); });
  ASSERT_TRUE(Write(*store_, [&](WriteTransaction& t) -> Status {
                TT_RETURN_IF_ERROR(t.Move(ann, Person(suffix_, "ann")));
                EXPECT_EQ(t.hierarchy_version(), kUnsettledHierarchy);
                return OkStatus();
              }).ok());
  EXPECT_GT(Read()->hierarchy_version(), before);
  EXPECT_EQ(Read()->hierarchy_version(), Read()->version());
}

TEST_P(EntryStoreContract, RemovesALeafAndNothingElse) {
  const EntryId ann = Add("ann");
  const EntryId child = Insert(*store_, [&] { return Person(ann, "child"); });
  const Status refused = Write(*store_, [&](WriteTransaction& t) { return t.Remove(ann); });
  EXPECT_EQ(refused.code(), ResultCode::kNotAllowedOnNonLeaf);
  ASSERT_TRUE(Write(*store_, [&](WriteTransaction& t) { return t.Remove(child); }).ok());
  EXPECT_EQ(Read()->Get(child).value(), nullptr);
  EXPECT_EQ(Read()->FindChild(ann, "cn=child").value(), kNoEntry);
  EXPECT_EQ(Read()->EstimateEntries().value(), 2U);
}

TEST_P(EntryStoreContract, SeesItsOwnChangesWhileItWrites) {
  const EntryId ann = Add("ann");
  const Status status = Write(*store_, [&](WriteTransaction& t) -> Status {
    TT_ASSIGN_OR_RETURN(const EntryId bob, t.Insert(Person(suffix_, "bob")));
    EXPECT_EQ(t.FindChild(suffix_, "cn=bob").value(), bob);
    EXPECT_NE(t.Get(bob).value(), nullptr);
    EXPECT_THAT(LookUp(t, EqualQuery(*store_, "cn", "bob")), ElementsAre(bob));
    TT_RETURN_IF_ERROR(t.Replace(ann, MakeEntry({{"cn", {"bob"}}})));
    EXPECT_THAT(LookUp(t, EqualQuery(*store_, "cn", "bob")), ElementsAre(ann, bob));
    EXPECT_THAT(LookUp(t, EqualQuery(*store_, "cn", "ann")), IsEmpty());
    TT_RETURN_IF_ERROR(t.Remove(ann));
    EXPECT_EQ(t.Get(ann).value(), nullptr);
    EXPECT_EQ(t.FindChild(suffix_, "cn=ann").value(), kNoEntry);
    EXPECT_THAT(LookUp(t, EqualQuery(*store_, "cn", "bob")), ElementsAre(bob));
    return OkStatus();
  });
  EXPECT_TRUE(status.ok());
}

TEST_P(EntryStoreContract, LeavesNothingOfFailedWork) {
  const EntryId ann = Add("ann");
  const ChangeNumber version = Read()->version();
  const Status status = Write(*store_, [&](WriteTransaction& t) -> Status {
    TT_RETURN_IF_ERROR(t.Insert(Person(suffix_, "bob")).status());
    TT_RETURN_IF_ERROR(t.Replace(ann, MakeEntry({{"sn", {"lost"}}})));
    TT_RETURN_IF_ERROR(t.PutSetting("name", "lost"));
    TT_RETURN_IF_ERROR(t.AppendChange({}));
    return model::Error{ResultCode::kConstraintViolation, "no", ""};
  });
  EXPECT_EQ(status.code(), ResultCode::kConstraintViolation);
  auto transaction = Read();
  EXPECT_EQ(transaction->version(), version);
  EXPECT_EQ(transaction->FindChild(suffix_, "cn=bob").value(), kNoEntry);
  EXPECT_THAT(ValuesOf(*transaction->Get(ann).value(), "cn"), ElementsAre("ann"));
  EXPECT_EQ(transaction->GetSetting("name").value(), std::nullopt);
  EXPECT_THAT(LookUp(*transaction, EqualQuery(*store_, "cn", "bob")), IsEmpty());
  EXPECT_THAT(LookUp(*transaction, EqualQuery(*store_, "cn", "ann")), ElementsAre(ann));
}

TEST_P(EntryStoreContract, TurnsAnEscapedExceptionIntoAnError) {
  const Status status = Write(*store_, [&](WriteTransaction& t) -> Status {
    TT_RETURN_IF_ERROR(t.Insert(Person(suffix_, "bob")).status());
    throw std::runtime_error("thrown");
  });
  EXPECT_EQ(status.code(), ResultCode::kOther);
  EXPECT_EQ(Read()->FindChild(suffix_, "cn=bob").value(), kNoEntry);
  EXPECT_NE(Add("bob"), kNoEntry);
}

// Queues everything behind one piece of work that waits, so that it is one batch.
TEST_P(EntryStoreContract, KeepsGoodWorkBesideFailedWork) {
  std::promise<void> go;
  std::vector<std::future<Status>> reports;
  auto submit = [&](EntryStore::Work work) {
    auto promise = std::make_shared<std::promise<Status>>();
    reports.push_back(promise->get_future());
    store_->Submit(std::move(work), [promise](Status s) { promise->set_value(std::move(s)); });
  };
  submit([&](WriteTransaction&) {
    go.get_future().wait();
    return OkStatus();
  });
  for (int i = 0; i < 20; ++i) {
    submit([&, i](WriteTransaction& t) -> Status {
      TT_RETURN_IF_ERROR(t.Insert(Person(suffix_, "n" + std::to_string(i))).status());
      if (i % 3 == 0) return model::Error{ResultCode::kConstraintViolation, "no", ""};
      return OkStatus();
    });
  }
  go.set_value();
  for (int i = 0; i < 20; ++i) {
    const bool kept = i % 3 != 0;
    EXPECT_EQ(reports[static_cast<std::size_t>(i) + 1].get().ok(), kept);
    const std::string name = "n" + std::to_string(i);
    EXPECT_EQ(Read()->FindChild(suffix_, "cn=" + name).value() != kNoEntry, kept);
    EXPECT_EQ(LookUp(*Read(), EqualQuery(*store_, "cn", name)).empty(), !kept);
  }
  EXPECT_THAT(ProblemsOf(*store_), IsEmpty());
}

TEST_P(EntryStoreContract, KeepsASnapshotWhateverIsWritten) {
  const EntryId ann = Add("ann", {{"sn", {"old"}}});
  auto snapshot = Read();
  const ChangeNumber version = snapshot->version();
  ASSERT_TRUE(Write(*store_, [&](WriteTransaction& t) {
                return t.Replace(ann, MakeEntry({{"cn", {"ann"}}, {"sn", {"new"}}}));
              }).ok());
  Add("bob");
  EXPECT_EQ(snapshot->version(), version);
  EXPECT_THAT(ValuesOf(*snapshot->Get(ann).value(), "sn"), ElementsAre("old"));
  EXPECT_EQ(snapshot->FindChild(suffix_, "cn=bob").value(), kNoEntry);
  EXPECT_THAT(LookUp(*snapshot, EqualQuery(*store_, "sn", "old")), ElementsAre(ann));
  EXPECT_THAT(LookUp(*snapshot, EqualQuery(*store_, "sn", "new")), IsEmpty());
  EXPECT_THAT(ValuesOf(*Read()->Get(ann).value(), "sn"), ElementsAre("new"));
}

TEST_P(EntryStoreContract, CountsVersionsUpwards) {
  const ChangeNumber before = Read()->version();
  Add("ann");
  const ChangeNumber after = Read()->version();
  EXPECT_GT(after, before);
  ASSERT_TRUE(Write(*store_, [](WriteTransaction&) { return OkStatus(); }).ok());
  EXPECT_EQ(Read()->version(), after);
}

TEST_P(EntryStoreContract, KeepsSettings) {
  EXPECT_EQ(Read()->GetSetting("name").value(), std::nullopt);
  for (const char* value : {"one", "two"}) {
    ASSERT_TRUE(Write(*store_, [&](WriteTransaction& t) -> Status {
                  TT_RETURN_IF_ERROR(t.PutSetting("name", value));
                  EXPECT_EQ(t.GetSetting("name").value(), value);
                  return OkStatus();
                }).ok());
    EXPECT_EQ(Read()->GetSetting("name").value(), value);
  }
}

TEST_P(EntryStoreContract, KeepsAnEntryOfFiveMegabytes) {
  const std::string photo(5'000'000, 'x');
  const EntryId id = Add("big", {{"jpegPhoto", {photo}}});
  EXPECT_THAT(ValuesOf(*Read()->Get(id).value(), "jpegPhoto"), ElementsAre(photo));
}

TEST_P(EntryStoreContract, ChangesAGroupOfManyMembers) {
  std::vector<std::string> members;
  for (int i = 0; i < 20'000; ++i) members.push_back("cn=m" + std::to_string(i) + ",dc=example");
  const EntryId id = Add("group", {{"member", members}});
  members[777] = "cn=new,dc=example";
  members.emplace_back("cn=last,dc=example");
  ASSERT_TRUE(Write(*store_, [&](WriteTransaction& t) {
                return t.Replace(id, Person(suffix_, "group", {{"member", members}}).entry);
              }).ok());
  auto transaction = Read();
  auto find = [&](const char* member) {
    return LookUp(*transaction, EqualQuery(*store_, "member", member));
  };
  EXPECT_THAT(find("cn=m777,dc=example"), IsEmpty());
  EXPECT_THAT(find("cn=m778,dc=example"), ElementsAre(id));
  EXPECT_THAT(find("cn=new,dc=example"), ElementsAre(id));
  EXPECT_THAT(find("cn=last,dc=example"), ElementsAre(id));
}

TEST_P(EntryStoreContract, RefusesWorkWhenTooMuchIsQueued) {
  StoreSettings settings;
  settings.max_queued_work = 2;
  Open(settings);
  std::promise<void> started;
  std::promise<void> go;
  std::vector<ResultCode> codes;
  auto note = [&](Status status) { codes.push_back(status.code()); };
  store_->Submit(
      [&](WriteTransaction&) {
        started.set_value();
        go.get_future().wait();
        return OkStatus();
      },
      note);
  started.get_future().wait();
  for (int i = 0; i < 4; ++i) store_->Submit([](WriteTransaction&) { return OkStatus(); }, note);
  go.set_value();
  store_->Close();
  EXPECT_THAT(codes, ElementsAre(ResultCode::kSuccess, ResultCode::kSuccess, ResultCode::kSuccess,
                                 ResultCode::kBusy, ResultCode::kBusy));
}

TEST_P(EntryStoreContract, FinishesWhatIsQueuedWhenItCloses) {
  int done = 0;
  for (int i = 0; i < 50; ++i) {
    store_->Submit(
        [&, i](WriteTransaction& t) {
          return t.Insert(Person(suffix_, "n" + std::to_string(i))).status();
        },
        [&](Status status) { done += status.ok() ? 1 : 0; });
  }
  store_->Close();
  store_->Close();
  EXPECT_EQ(done, 50);
}

TEST_P(EntryStoreContract, RefusesEverythingAfterClose) {
  store_->Close();
  EXPECT_EQ(store_->Read().code(), ResultCode::kUnavailable);
  EXPECT_EQ(Write(*store_, [](WriteTransaction&) { return OkStatus(); }).code(),
            ResultCode::kUnavailable);
  EXPECT_EQ(store_->StartBulkLoad().code(), ResultCode::kUnavailable);
  EXPECT_EQ(store_->Probe().code(), ResultCode::kUnavailable);
}

TEST_P(EntryStoreContract, KeepsASnapshotThatOutlivesClose) {
  const EntryId ann = Add("ann");
  auto snapshot = Read();
  store_->Close();
  EXPECT_NE(snapshot->Get(ann).value(), nullptr);
}

TEST_P(EntryStoreContract, ProbesWithoutChangingAnything) {
  const ChangeNumber version = Read()->version();
  EXPECT_TRUE(store_->Probe().ok());
  EXPECT_EQ(Read()->version(), version);
}

TEST_P(EntryStoreContract, CountsInItsStatistics) {
  Add("ann");
  auto snapshot = Read();
  const StoreStatistics statistics = store_->Statistics();
  EXPECT_EQ(statistics.entries, 2U);
  EXPECT_EQ(statistics.committed_work, 2U);
  EXPECT_EQ(statistics.open_snapshots, 1U);
  EXPECT_GT(statistics.data_bytes, 0U);
  EXPECT_EQ(statistics.last_change, snapshot->version());
  std::uint64_t timed = 0;
  for (const std::uint64_t commits : statistics.commit_durations) timed += commits;
  EXPECT_EQ(timed, statistics.commits);
  EXPECT_GT(statistics.commit_seconds, 0);
}

INSTANTIATE_TEST_SUITE_P(Sqlite, EntryStoreContract, testing::Values(kSqliteKind));
INSTANTIATE_TEST_SUITE_P(Packing, EntryStoreContract, testing::Values(kPackingKind));
INSTANTIATE_TEST_SUITE_P(Memory, EntryStoreContract, testing::Values(kMemoryKind));

}  // namespace
}  // namespace twintree::storage
