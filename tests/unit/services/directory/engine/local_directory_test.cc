#include "services/directory/engine/local_directory.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/contract/directory_client.h"
#include "tests/unit/services/directory/engine/engine_fixture.h"

namespace twintree::directory {
namespace {

using model::ResultCode;

// Refuses everything, and counts.
class RefusingExecutor : public Executor {
 public:
  bool Post(std::function<void()>) override { return ++refused_ == 0; }
  bool PostContinuation(std::function<void()>) override { return ++refused_ == 0; }
  void Stop() override {}
  int refused() const { return refused_; }

 private:
  std::atomic<int> refused_{0};
};

class LocalDirectoryTest : public testing::Test {
 protected:
  void Start(EngineOptions options = MakeOptions()) {
    auto made = LocalDirectory::Make(MakeParts(store_, executor_), std::move(options));
    ASSERT_TRUE(made.ok()) << made.error().message;
    directory_ = *std::move(made);
  }
  DirectoryClient Root() { return DirectoryClient(*directory_, RootSubject()); }
  void AddBase() { Root().Load("dn: dc=example,dc=com\nobjectClass: domain\ndc: example\n"); }
  void AddPeople(int count) {
    for (int i = 0; i < count; ++i) {
      Root().Load("dn: cn=" + std::to_string(i) +
                  ",dc=example,dc=com\nobjectClass: person\nsn: same\n");
    }
  }

  std::shared_ptr<storage::EntryStore> store_ = MakeMemoryStore();
  std::shared_ptr<RefusingExecutor> executor_ = std::make_shared<RefusingExecutor>();
  std::unique_ptr<LocalDirectory> directory_;
};

TEST_F(LocalDirectoryTest, RefusesSuffixesThatAreNone) {
  for (const std::vector<std::string>& suffixes :
       {std::vector<std::string>{}, {""}, {"no name"}, {"noSuchType=x"}}) {
    EngineOptions options = MakeOptions();
    options.suffixes = suffixes;
    EXPECT_EQ(LocalDirectory::Make(MakeParts(store_, executor_), options).code(),
              ResultCode::kInvalidDnSyntax);
  }
}

TEST_F(LocalDirectoryTest, RefusesNestedSuffixes) {
  EngineOptions options = MakeOptions();
  options.suffixes.push_back("ou=x,dc=example,dc=com");
  EXPECT_EQ(LocalDirectory::Make(MakeParts(store_, executor_), options).code(),
            ResultCode::kUnwillingToPerform);
}

TEST_F(LocalDirectoryTest, RefusesRootDnThatIsNone) {
  EngineOptions options = MakeOptions();
  options.root_dn = "admin";
  EXPECT_EQ(LocalDirectory::Make(MakeParts(store_, executor_), options).code(),
            ResultCode::kInvalidDnSyntax);
}

TEST_F(LocalDirectoryTest, ThePasswordStateFollowsThePassword) {
  Start();
  AddBase();
  const std::string dn = "cn=a,dc=example,dc=com";
  const auto state = [&](const std::string& name) {
    const auto found = directory_->PasswordState(name);
    return found.ok() ? std::string(found->Reveal()) : std::string();
  };
  EXPECT_EQ(directory_->PasswordState(dn).code(), ResultCode::kNoSuchObject);
  Root().Load("dn: " + dn + "\nobjectClass: person\nsn: x\nuserPassword: one\n");
  const std::string one = state(dn);
  EXPECT_NE(one, "");
  EXPECT_EQ(state("CN=A, dc=example,dc=com"), one);
  Root().Modify(dn, {ReplaceValues("sn", {"y"})});
  EXPECT_EQ(state(dn), one);
  Root().Modify(dn, {ReplaceValues("userPassword", {"two"})});
  EXPECT_NE(state(dn), one);
  Root().Modify(dn, {DeleteValues("userPassword")});
  const std::string none = state(dn);
  EXPECT_NE(none, one);
  Root().Delete(dn);
  EXPECT_EQ(directory_->PasswordState(dn).code(), ResultCode::kNoSuchObject);
  Root().Load("dn: " + dn + "\nobjectClass: person\nsn: x\n");
  EXPECT_NE(state(dn), none);
}

TEST_F(LocalDirectoryTest, WhatTheServerAsksIsNotCountedAsASearch) {
  Start();
  AddBase();
  const std::uint64_t before = directory_->Statistics().candidates;
  const auto has = [&](const std::string& name) {
    const auto found = directory_->HasEntry(name);
    return found.ok() && *found;
  };
  EXPECT_TRUE(has("DC=example, dc=com"));
  EXPECT_FALSE(has("cn=a,dc=example,dc=com"));
  EXPECT_EQ(directory_->HasEntry("example").code(), ResultCode::kInvalidDnSyntax);
  EXPECT_EQ(directory_->Statistics().candidates, before);
}

TEST_F(LocalDirectoryTest, TheRootIdentityHasAPasswordStateWithoutAnEntry) {
  Start();
  const auto state = directory_->PasswordState("CN=admin,dc=example,dc=com");
  ASSERT_TRUE(state.ok());
  EXPECT_FALSE(state->empty());
}

TEST_F(LocalDirectoryTest, ThePasswordStateOfTheRootIdentityFollowsItsEntryToo) {
  Start();
  AddBase();
  const std::string dn = "cn=admin,dc=example,dc=com";
  const auto state = [&] { return std::string(directory_->PasswordState(dn)->Reveal()); };
  const std::string alone = state();
  Root().Load("dn: " + dn + "\nobjectClass: person\nsn: x\nuserPassword: one\n");
  const std::string one = state();
  EXPECT_NE(one, alone);
  Root().Modify(dn, {ReplaceValues("userPassword", {"two"})});
  EXPECT_NE(state(), one);
}

TEST_F(LocalDirectoryTest, AnswersShortSearchesOnTheCallersThread) {
  Start();
  AddBase();
  AddPeople(100);
  auto sink = std::make_shared<CollectingSink>();
  RequestContext context{RootSubject()};
  directory_->Search(context, MakeSearch("dc=example,dc=com", Scope::kSubtree, "(cn=7)"), sink);
  EXPECT_TRUE(sink->done());
  EXPECT_EQ(sink->entries(), 1u);
  EXPECT_EQ(executor_->refused(), 0);
}

TEST_F(LocalDirectoryTest, IsBusyWhenLongSearchesFindNoRoom) {
  Start();
  AddBase();
  AddPeople(100);
  const Found found = Root().Search("dc=example,dc=com", Scope::kSubtree, "(description=x)");
  EXPECT_EQ(found.code(), ResultCode::kBusy);
  EXPECT_EQ(executor_->refused(), 1);
}

TEST_F(LocalDirectoryTest, IsBusyWhenPasswordsFindNoRoom) {
  EngineOptions options = MakeOptions();
  options.password_scheme = passwords::Scheme::kArgon2;
  Start(std::move(options));
  AddBase();
  EXPECT_EQ(Root().Bind("cn=none,dc=example,dc=com", "x").code, ResultCode::kBusy);
  EXPECT_EQ(Root().SetPassword("dc=example,dc=com", std::nullopt, "x").code, ResultCode::kBusy);
}

TEST_F(LocalDirectoryTest, CountsWhatSearchesCost) {
  Start();
  AddBase();
  AddPeople(10);
  Root().Search("dc=example,dc=com", Scope::kOneLevel, "(cn=3)");
  Root().Search("dc=example,dc=com", Scope::kOneLevel, "(description=3)");
  const EngineStatistics statistics = directory_->Statistics();
  EXPECT_EQ(statistics.indexed_searches, 1u);
  EXPECT_EQ(statistics.unindexed_searches, 1u);
  EXPECT_EQ(statistics.candidates, 11u);
  EXPECT_EQ(statistics.entries_sent, 1u);
  EXPECT_EQ(statistics.searches_by_candidates,
            (SearchesByCandidates{0, 1, 1}));  // one entry, and ten
}

TEST_F(LocalDirectoryTest, SequenceNumbersAscendAcrossRestartsAndClocksSetBack) {
  auto now = std::chrono::system_clock::now();
  auto parts = MakeParts(store_, executor_);
  parts.clock.now = [&now] { return now; };
  std::string last;
  for (int restart = 0; restart < 3; ++restart) {
    directory_ = *LocalDirectory::Make(parts, MakeOptions());
    if (restart == 0) AddBase();
    for (int i = 0; i < 3; ++i) {
      Root().Modify("dc=example,dc=com", {ReplaceValues("description", {std::to_string(i)})});
      const std::string csn = Root().Get("dc=example,dc=com", {"entryCSN"}).at("entrycsn").at(0);
      EXPECT_EQ(csn.size(), 40u);
      EXPECT_GT(csn, last);
      last = csn;
    }
    now -= std::chrono::hours(24);
  }
}

TEST_F(LocalDirectoryTest, EntriesTellWhenTheyWereMadeAndChanged) {
  auto now = std::chrono::system_clock::from_time_t(1767323045);
  const std::shared_ptr<Executor> pool = MakeThreadPool(1, 100);
  auto parts = MakeParts(store_, pool);
  parts.clock.now = [&now] { return now; };
  directory_ = LocalDirectory::Make(std::move(parts), MakeOptions()).value();
  AddBase();
  AddPeople(1);
  const auto changed = [&](const std::string& dn) {
    const AttributeMap entry = Root().Get(dn, {"+"});
    EXPECT_EQ(entry.at("createtimestamp").front(), "20260102030405Z");
    now += std::chrono::seconds(1);
    return entry.at("modifytimestamp").front();
  };
  const std::string name = "cn=0,dc=example,dc=com";
  EXPECT_EQ(changed(name), "20260102030405Z");
  EXPECT_EQ(Root().Modify(name, {ReplaceValues("sn", {"x"})}).code, ResultCode::kSuccess);
  EXPECT_EQ(changed(name), "20260102030406Z");
  EXPECT_EQ(Root().SetPassword(name, std::nullopt, "new").code, ResultCode::kSuccess);
  EXPECT_EQ(changed(name), "20260102030407Z");
  EXPECT_EQ(Root().Rename(name, "cn=a").code, ResultCode::kSuccess);
  EXPECT_EQ(changed("cn=a,dc=example,dc=com"), "20260102030408Z");
  directory_.reset();
  pool->Stop();
}

// RFC 4512 4.2.
TEST_F(LocalDirectoryTest, TheSubschemaTellsSinceWhenItIsServed) {
  auto now = std::chrono::system_clock::from_time_t(1767323045);
  auto parts = MakeParts(store_, executor_);
  parts.clock.now = [&now] { return now; };
  directory_ = LocalDirectory::Make(std::move(parts), MakeOptions()).value();
  now += std::chrono::hours(1);
  EXPECT_EQ(Root().Get("cn=Subschema", {"createTimestamp", "modifyTimestamp"}),
            (AttributeMap{{"createtimestamp", {"20260102030405Z"}},
                          {"modifytimestamp", {"20260102030405Z"}}}));
}

TEST_F(LocalDirectoryTest, WritesChangeRecords) {
  Start();
  AddBase();
  Root().Load("dn: cn=a,dc=example,dc=com\nobjectClass: person\nsn: x\n");
  Root().Modify("cn=a,dc=example,dc=com", {ReplaceValues("sn", {"y"})});
  Root().Rename("cn=a,dc=example,dc=com", "cn=b");
  Root().Delete("cn=b,dc=example,dc=com");
  std::vector<storage::Change> changes;
  ASSERT_TRUE((*store_->Read())->ReadChanges(1, 10, &changes).ok());
  ASSERT_EQ(changes.size(), 4u);
  EXPECT_EQ(changes[0].kind, storage::ChangeKind::kAdd);
  EXPECT_EQ(changes[1].kind, storage::ChangeKind::kModify);
  EXPECT_EQ(changes[2].kind, storage::ChangeKind::kRename);
  EXPECT_EQ(changes[2].new_dn, "cn=b,dc=example,dc=com");
  EXPECT_EQ(changes[3].kind, storage::ChangeKind::kDelete);
  EXPECT_EQ(changes[3].dn, "cn=b,dc=example,dc=com");
  for (const storage::Change& change : changes) {
    EXPECT_EQ(change.entry_uuid, changes[0].entry_uuid);
    EXPECT_EQ(change.actor_dn, "cn=admin,dc=example,dc=com");
  }
}

TEST_F(LocalDirectoryTest, FailedWritesLeaveNoRecord) {
  Start();
  AddBase();
  Root().Modify("dc=example,dc=com", {DeleteValues("dc")});
  Root().Delete("cn=none,dc=example,dc=com");
  EXPECT_EQ((*store_->Read())->version(), 1u);
}

}  // namespace
}  // namespace twintree::directory
