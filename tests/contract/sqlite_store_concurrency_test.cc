// Readers beside a writer: no snapshot may ever see a mixture of two states.
#include <algorithm>
#include <atomic>
#include <thread>

#include "storage/sqlite/sqlite_entry_store.h"
#include "tests/contract/entry_store_fixture.h"

namespace twintree::storage {
namespace {

using model::OkStatus;
using testing::IsEmpty;

// Every state of the store says the same number in six places: the values of two entries, the name
// of a third, the equality terms of both, and a setting.
class SqliteStoreConcurrency : public testing::Test {
 protected:
  void SetUp() override {
    StoreSettings settings;
    settings.cache_bytes = 200'000;
    store_ = OpenSqlite(directory_.path(), settings);
    ASSERT_NE(store_, nullptr);
    suffix_ = Insert(*store_, &Suffix);
    first_ = Insert(*store_, [&] { return Person(suffix_, "first", Number(0)); });
    second_ = Insert(*store_, [&] { return Person(suffix_, "second", Number(0)); });
    named_ = Insert(*store_, [&] { return Person(suffix_, "named0"); });
    ASSERT_TRUE(Write(*store_, [](WriteTransaction& t) { return t.PutSetting("n", "0"); }).ok());
  }

  static Values Number(int number) { return {{"sn", {"sn" + std::to_string(number)}}}; }

  Status Advance(WriteTransaction& t, bool fail) {
    const int number = std::stoi(t.GetSetting("n").value().value()) + 1;
    TT_RETURN_IF_ERROR(t.Replace(first_, Person(suffix_, "first", Number(number)).entry));
    TT_RETURN_IF_ERROR(t.Replace(second_, Person(suffix_, "second", Number(number)).entry));
    TT_RETURN_IF_ERROR(t.Move(named_, Person(suffix_, "named" + std::to_string(number))));
    TT_RETURN_IF_ERROR(t.PutSetting("n", std::to_string(number)));
    if (fail) return model::Error{model::ResultCode::kConstraintViolation, "", ""};
    return OkStatus();
  }

  // Empty, or what is wrong.
  std::string Examine(ReadTransaction& t, bool early) {
    // The setting is read from the database, so either order mixes it with cached values.
    std::string number = early ? t.GetSetting("n").value().value() : "";
    const std::string first = ValuesOf(*t.Get(first_).value(), "sn").at(0);
    if (!early) number = first.substr(2);
    if (first != "sn" + number) return "first " + first + " in " + number;
    const std::string second = ValuesOf(*t.Get(second_).value(), "sn").at(0);
    if (second != first) return "second " + second + " in " + number;
    if (t.FindChild(suffix_, "cn=named" + number).value() != named_) return "name in " + number;
    const std::string next = std::to_string(std::stoi(number) + 1);
    if (t.FindChild(suffix_, "cn=named" + next).value() != kNoEntry) return "next in " + number;
    if (LookUp(t, EqualQuery(*store_, "sn", first)) != std::vector{first_, second_}) {
      return "terms in " + number;
    }
    if (!LookUp(t, EqualQuery(*store_, "sn", "sn" + next)).empty()) return "terms after " + number;
    if (t.GetSetting("n").value() != number) return "setting in " + number;
    return "";
  }

  TemporaryDirectory directory_;
  std::unique_ptr<EntryStore> store_;
  EntryId suffix_ = kNoEntry;
  EntryId first_ = kNoEntry;
  EntryId second_ = kNoEntry;
  EntryId named_ = kNoEntry;
};

TEST_F(SqliteStoreConcurrency, SnapshotsAreNeverMixed) {
  constexpr int kWrites = 600;
  std::atomic<bool> stop{false};
  std::atomic<int> examined{0};
  std::vector<std::thread> readers;
  std::vector<std::string> problems(4);
  for (std::size_t i = 0; i < problems.size(); ++i) {
    readers.emplace_back([&, i] {
      // Every other reader holds on to a snapshot while newer ones come and go.
      std::unique_ptr<ReadTransaction> old;
      for (int round = 0; !stop.load() && problems[i].empty(); ++round) {
        auto snapshot = store_->Read().value();
        problems[i] = Examine(*snapshot, round % 2 == 0);
        if (old != nullptr && problems[i].empty()) problems[i] = Examine(*old, round % 3 == 0);
        if (i % 2 == 0 && round % 16 == 0) old = std::move(snapshot);
        ++examined;
      }
    });
  }
  std::atomic<int> failed{0};
  std::vector<std::thread> writers;
  for (int w = 0; w < 3; ++w) {
    writers.emplace_back([&, w] {
      for (int i = 0; i < kWrites / 3; ++i) {
        const bool fail = (i + w) % 5 == 0;
        const Status status = Write(*store_, [&](WriteTransaction& t) { return Advance(t, fail); });
        if (status.ok() == fail) ++failed;
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  stop = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_THAT(problems, testing::Each(IsEmpty()));
  EXPECT_EQ(failed.load(), 0);
  EXPECT_GT(examined.load(), 0);
  EXPECT_EQ(store_->Read().value()->GetSetting("n").value(), std::to_string(kWrites * 4 / 5));
  EXPECT_THAT(ProblemsOf(*store_), IsEmpty());
}

TEST_F(SqliteStoreConcurrency, AnsweredWritesAreSeenByEveryLaterRead) {
  std::vector<std::thread> clients;
  std::atomic<int> missed{0};
  for (int c = 0; c < 4; ++c) {
    clients.emplace_back([&, c] {
      for (int i = 0; i < 50; ++i) {
        const std::string name = "c" + std::to_string(c) + "-" + std::to_string(i);
        if (store_->Read().value()->FindChild(suffix_, "cn=" + name).value() != kNoEntry) ++missed;
        const EntryId id = Insert(*store_, [&] { return Person(suffix_, name); });
        auto t = store_->Read().value();
        if (t->FindChild(suffix_, "cn=" + name).value() != id) ++missed;
        if (LookUp(*t, EqualQuery(*store_, "cn", name)) != std::vector{id}) ++missed;
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(missed.load(), 0);
}

TEST_F(SqliteStoreConcurrency, BusyReadersDoNotMakeTheLogGrow) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      while (!stop.load()) EXPECT_NE(store_->Read().value()->Get(first_).value(), nullptr);
    });
  }
  std::uint64_t largest = 0;
  for (int i = 0; i < 200; ++i) {
    const Values photo = {{"jpegPhoto", {std::string(400'000, static_cast<char>('a' + i % 26))}}};
    ASSERT_TRUE(Write(*store_, [&](WriteTransaction& t) {
                  return t.Replace(first_, Person(suffix_, "first", photo).entry);
                }).ok());
    largest = std::max(largest, store_->Statistics().wal_bytes);
  }
  stop = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_LT(largest, 48U << 20);  // of 80 MB that were written
}

TEST_F(SqliteStoreConcurrency, ManyPiecesOfWorkShareACommit) {
  std::atomic<int> done{0};
  for (int i = 0; i < 500; ++i) {
    store_->Submit([&](WriteTransaction& t) { return Advance(t, false); },
                   [&](Status status) { done += status.ok() ? 1 : 0; });
  }
  store_->Close();
  EXPECT_EQ(done.load(), 500);
  const StoreStatistics statistics = store_->Statistics();
  EXPECT_EQ(statistics.committed_work, 505U);
  EXPECT_LT(statistics.commits, 400U);
}

}  // namespace
}  // namespace twintree::storage
