// Random operations on both stores: SQLite must say what memory says.
#include <random>

#include "services/model/matching_rule.h"
#include "storage/entry_store.h"
#include "tests/contract/entry_store_fixture.h"

namespace twintree::storage {
namespace {

using model::Error;
using model::OkStatus;
using model::ResultCode;

using Random = std::mt19937;

std::size_t Below(Random& random, std::size_t bound) { return random() % bound; }

std::string RandomWord(Random& random) {
  static const std::vector<std::string> kLetters = {"a", "b", "c", "ab", "é", "ß", "中", "x y"};
  std::string word;
  for (std::size_t i = 0, count = 1 + Below(random, 6); i < count; ++i) {
    word += kLetters[Below(random, kLetters.size())];
  }
  return word;
}

Values RandomValues(Random& random) {
  Values values = {{"objectClass", {"person"}}};
  if (Below(random, 2) == 0) values.push_back({"sn", {RandomWord(random)}});
  if (Below(random, 3) == 0) {
    values.push_back({"cn;lang-de", {RandomWord(random), "zz" + RandomWord(random)}});
  }
  if (Below(random, 2) == 0) {
    values.push_back({"uidNumber", {std::to_string(Below(random, 40))}});
  }
  if (Below(random, 10) == 0) values.push_back({"sn;x-long", {std::string(300, 'q')}});
  return values;
}

// One operation, made before it is applied so that both stores get the same.
struct Operation {
  enum Kind { kInsert, kReplace, kMove, kRemove, kLog, kSetting, kFail };
  Kind kind = kInsert;
  EntryId id = kNoEntry;
  EntryId parent = kNoEntry;
  std::string name;
  Values values;
};

Operation RandomOperation(Random& random, EntryId highest) {
  Operation operation;
  static const std::vector<Operation::Kind> kKinds = {
      Operation::kInsert,  Operation::kInsert, Operation::kInsert,
      Operation::kReplace, Operation::kMove,   Operation::kRemove,
      Operation::kReplace, Operation::kLog,    Operation::kSetting};
  operation.kind = kKinds[Below(random, kKinds.size())];
  if (Below(random, 25) == 0) operation.kind = Operation::kFail;
  operation.id = 1 + Below(random, highest + 2);
  operation.parent = 1 + Below(random, std::min<std::size_t>(highest + 1, 8));
  operation.name = RandomWord(random);
  operation.values = RandomValues(random);
  return operation;
}

bool IsBelow(ReadTransaction& transaction, EntryId id, EntryId ancestor) {
  while (id != kNoEntry) {
    if (id == ancestor) return true;
    id = transaction.ParentOf(id).value();
  }
  return false;
}

NewEntry EntryOf(const Operation& operation) {
  return Person(operation.parent, operation.name, operation.values);
}

// Refusals are part of the answer; they must be the same in both stores.
Status Apply(const Operation& operation, WriteTransaction& t, std::vector<ResultCode>* codes) {
  auto note = [&](const Status& status) {
    codes->push_back(status.code());
    return OkStatus();
  };
  switch (operation.kind) {
    case Operation::kInsert:
      if (t.Get(operation.parent).value() == nullptr) return OkStatus();
      return note(t.Insert(EntryOf(operation)).status());
    case Operation::kReplace:
      if (t.Get(operation.id).value() == nullptr) return OkStatus();
      return note(t.Replace(operation.id, MakeEntry(operation.values)));
    case Operation::kMove:
      if (operation.id == 1 || t.Get(operation.id).value() == nullptr) return OkStatus();
      if (t.Get(operation.parent).value() == nullptr) return OkStatus();
      if (IsBelow(t, operation.parent, operation.id)) return OkStatus();
      return note(t.Move(operation.id, EntryOf(operation)));
    case Operation::kRemove:
      if (operation.id == 1 || t.Get(operation.id).value() == nullptr) return OkStatus();
      return note(t.Remove(operation.id));
    case Operation::kLog: {
      Change change;
      change.dn = operation.name;
      return note(t.AppendChange(change));
    }
    case Operation::kSetting: return note(t.PutSetting("setting", operation.name));
    case Operation::kFail: return Error{ResultCode::kConstraintViolation, "", ""};
  }
  return OkStatus();
}

std::vector<IndexQuery> RandomQueries(Random& random, const EntryStore& store) {
  std::vector<IndexQuery> queries;
  for (const char* name : {"cn", "sn"}) {
    queries.push_back(EqualQuery(store, name, RandomWord(random)));
    queries.push_back(QueryOn(store, name, IndexQuery::Kind::kPresent));
    IndexQuery prefix = EqualQuery(store, name, RandomWord(random));
    prefix.kind = IndexQuery::Kind::kPrefix;
    prefix.key.resize(1 + Below(random, prefix.key.size()));
    queries.push_back(prefix);
    IndexQuery substring = EqualQuery(store, name, RandomWord(random));
    substring.kind = IndexQuery::Kind::kSubstring;
    const std::size_t part = Below(random, 4);
    if (part == 0) substring.pieces.initial = substring.key;
    if (part == 1) substring.pieces.final_piece = substring.key;
    if (part >= 2) substring.pieces.any = {substring.key, "z"};
    queries.push_back(substring);
  }
  IndexQuery range = EqualQuery(store, "uidNumber", std::to_string(Below(random, 40)));
  range.kind = IndexQuery::Kind::kRange;
  (Below(random, 2) == 0 ? range.low : range.high) = range.key;
  queries.push_back(range);
  queries.push_back(EqualQuery(store, "objectClass", "person"));
  return queries;
}

void ExpectSameLookups(ReadTransaction& sqlite, ReadTransaction& memory,
                       const std::vector<IndexQuery>& queries) {
  for (const IndexQuery& query : queries) {
    const std::vector<EntryId> candidates = LookUp(sqlite, query);
    const std::vector<EntryId> matches = LookUp(memory, query);
    EXPECT_TRUE(std::is_sorted(candidates.begin(), candidates.end()));
    EXPECT_TRUE(std::includes(candidates.begin(), candidates.end(), matches.begin(), matches.end()))
        << "kind " << static_cast<int>(query.kind) << " key " << query.key;
    if (query.kind == IndexQuery::Kind::kEqual || query.kind == IndexQuery::Kind::kPresent) {
      EXPECT_EQ(candidates, matches);
    }
  }
}

void ExpectSameState(ReadTransaction& sqlite, ReadTransaction& memory) {
  EXPECT_EQ(sqlite.version(), memory.version());
  EXPECT_EQ(sqlite.hierarchy_version(), memory.hierarchy_version());
  EXPECT_EQ(sqlite.EstimateEntries().value(), memory.EstimateEntries().value());
  EXPECT_EQ(sqlite.GetSetting("setting").value(), memory.GetSetting("setting").value());
  std::vector<StoredEntryPtr> a;
  std::vector<StoredEntryPtr> b;
  ASSERT_TRUE(sqlite.Scan(kNoEntry, {100'000}, &a).ok());
  ASSERT_TRUE(memory.Scan(kNoEntry, {100'000}, &b).ok());
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(a[i]->id, b[i]->id);
    EXPECT_EQ(a[i]->parent, b[i]->parent);
    EXPECT_EQ(a[i]->rdn, b[i]->rdn);
    EXPECT_EQ(a[i]->entry.octets(), b[i]->entry.octets());
    const StoredEntryPtr got = sqlite.Get(a[i]->id).value();
    ASSERT_NE(got, nullptr);
    EXPECT_EQ(got->entry.octets(), b[i]->entry.octets());
    EXPECT_EQ(sqlite.FindChild(b[i]->parent, b[i]->rdn_key).value(), b[i]->id);
    EXPECT_EQ(sqlite.ParentOf(b[i]->id).value(), b[i]->parent);
    EXPECT_EQ(sqlite.CountChildren(b[i]->id, 5).value(), memory.CountChildren(b[i]->id, 5).value());
  }
}

class EntryStoreRandom : public testing::Test {
 protected:
  void SetUp() override {
    seed_ = std::random_device{}();
    random_.seed(seed_);
    settings_.cache_bytes = Below(random_, 2) == 0 ? 100'000 : 4'000'000;
    const auto open = Below(random_, 2) == 0 ? &OpenSqlite : &OpenPacking;
    sqlite_ = open(directory_.path(), settings_);
    memory_ = OpenMemory("", settings_);
    ASSERT_NE(sqlite_, nullptr);
    for (EntryStore* store : {sqlite_.get(), memory_.get()}) ASSERT_EQ(Insert(*store, &Suffix), 1U);
  }

  void Step() {
    std::vector<Operation> operations;
    for (std::size_t i = 0, count = 1 + Below(random_, 8); i < count; ++i) {
      operations.push_back(RandomOperation(random_, highest_));
    }
    const std::vector<IndexQuery> queries = RandomQueries(random_, *sqlite_);
    std::vector<ResultCode> codes[2];
    std::vector<std::vector<EntryId>> found[2];
    ResultCode results[2];
    int i = 0;
    for (EntryStore* store : {sqlite_.get(), memory_.get()}) {
      const Status status = Write(*store, [&](WriteTransaction& t) -> Status {
        for (const Operation& operation : operations) {
          TT_RETURN_IF_ERROR(Apply(operation, t, &codes[i]));
        }
        for (const IndexQuery& query : queries) found[i].push_back(LookUp(t, query));
        return OkStatus();
      });
      results[i++] = status.code();
    }
    EXPECT_EQ(codes[0], codes[1]);
    EXPECT_EQ(results[0], results[1]);
    for (std::size_t q = 0; q < found[1].size(); ++q) {
      EXPECT_TRUE(std::includes(found[0][q].begin(), found[0][q].end(), found[1][q].begin(),
                                found[1][q].end()));
    }
    highest_ += operations.size();
  }

  void Compare() {
    auto a = sqlite_->Read().value();
    auto b = memory_->Read().value();
    ExpectSameState(*a, *b);
    ExpectSameLookups(*a, *b, RandomQueries(random_, *sqlite_));
    ExpectSameLookups(*a, *b, RandomQueries(random_, *sqlite_));
  }

  unsigned seed_ = 0;
  Random random_;
  StoreSettings settings_;
  TemporaryDirectory directory_;
  std::unique_ptr<EntryStore> sqlite_;
  std::unique_ptr<EntryStore> memory_;
  EntryId highest_ = 1;
};

TEST_F(EntryStoreRandom, SqliteSaysWhatMemorySays) {
  SCOPED_TRACE("seed " + std::to_string(seed_));
  for (int step = 0; step < 300 && !HasFailure(); ++step) {
    Step();
    ExpectSameLookups(*sqlite_->Read().value(), *memory_->Read().value(),
                      RandomQueries(random_, *sqlite_));
    if (step % 20 == 0) Compare();
  }
  Compare();
  EXPECT_THAT(ProblemsOf(*sqlite_), testing::IsEmpty());
  EXPECT_THAT(ProblemsOf(*memory_), testing::IsEmpty());
}

TEST_F(EntryStoreRandom, SqliteSaysTheSameAfterReopening) {
  SCOPED_TRACE("seed " + std::to_string(seed_));
  for (int round = 0; round < 4 && !HasFailure(); ++round) {
    for (int step = 0; step < 20; ++step) Step();
    sqlite_.reset();
    sqlite_ = OpenSqlite(directory_.path(), settings_);
    ASSERT_NE(sqlite_, nullptr);
    Compare();
  }
}

// Old snapshots must go on saying what the memory store's snapshots of that time say.
TEST_F(EntryStoreRandom, SnapshotsStayWhatTheyWere) {
  SCOPED_TRACE("seed " + std::to_string(seed_));
  std::vector<std::pair<std::unique_ptr<ReadTransaction>, std::unique_ptr<ReadTransaction>>> open;
  for (int step = 0; step < 60 && !HasFailure(); ++step) {
    Step();
    open.emplace_back(sqlite_->Read().value(), memory_->Read().value());
    if (open.size() > 8) open.erase(open.begin() + static_cast<long>(Below(random_, 8)));
    for (auto& [a, b] : open) {
      ExpectSameLookups(*a, *b, RandomQueries(random_, *sqlite_));
      const EntryId id = 1 + Below(random_, highest_);
      const StoredEntryPtr x = a->Get(id).value();
      const StoredEntryPtr y = b->Get(id).value();
      ASSERT_EQ(x == nullptr, y == nullptr);
      if (x == nullptr) continue;
      EXPECT_EQ(x->entry.octets(), y->entry.octets());
    }
  }
  for (auto& [a, b] : open) ExpectSameState(*a, *b);
}

}  // namespace
}  // namespace twintree::storage
