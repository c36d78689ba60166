// Operations straight on the engine, one thread, no network, warm caches.
#include <benchmark/benchmark.h>
#include <stdlib.h>

#include <filesystem>
#include <future>
#include <string>

#include "services/directory/executor.h"
#include "storage/sqlite/sqlite_entry_store.h"
#include "tests/contract/directory_client.h"
#include "tests/unit/services/directory/engine/engine_fixture.h"

namespace twintree::directory {
namespace {

constexpr int kEntries = 20000;

class CountingSink : public SearchSink {
 public:
  Flow OnEntry(std::string_view dn, std::span<const std::string_view> pieces) override {
    bytes_ += dn.size();
    for (std::string_view piece : pieces) bytes_ += piece.size();
    return Flow::kMore;
  }
  void OnDone(SearchOutcome outcome) override { done_.set_value(outcome.entries); }
  std::uint64_t Wait() { return done_.get_future().get(); }

 private:
  std::size_t bytes_ = 0;
  std::promise<std::uint64_t> done_;
};

// People below ou=people, twenty units with five people each below ou=units.
class Fixture {
 public:
  Fixture() {
    std::string pattern = std::filesystem::temp_directory_path() / "twintree-bench-XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) std::abort();
    folder_ = pattern;
    storage::SqliteOptions options;
    options.directory = folder_;
    options.durable = false;
    store_ = std::shared_ptr<storage::EntryStore>(
        storage::SqliteEntryStore::Open(options, model::Schema::Standard()).value());
    executor_ = MakeThreadPool(2, 1000);
    directory_ = LocalDirectory::Make(MakeParts(store_, executor_), MakeOptions()).value();
    DirectoryClient root(*directory_, RootSubject());
    root.Load("dn: dc=example,dc=com\nobjectClass: domain\ndc: example\n");
    root.Load("dn: ou=people,dc=example,dc=com\nobjectClass: organizationalUnit\n");
    root.Load("dn: ou=units,dc=example,dc=com\nobjectClass: organizationalUnit\n");
    for (int i = 0; i < kEntries; ++i) AddPerson("ou=people,dc=example,dc=com", i);
    for (int unit = 0; unit < 20; ++unit) {
      const std::string dn = "ou=" + std::to_string(unit) + ",ou=units,dc=example,dc=com";
      root.Load("dn: " + dn + "\nobjectClass: organizationalUnit\n");
      for (int i = 0; i < 5; ++i) AddPerson(dn, 100000 + unit * 10 + i);
    }
  }
  ~Fixture() {
    directory_ = nullptr;
    executor_->Stop();
    store_->Close();
    std::filesystem::remove_all(folder_);
  }

  void AddPerson(const std::string& parent, int number) {
    const std::string name = "user" + std::to_string(number);
    DirectoryClient root(*directory_, RootSubject());
    root.Add("uid=" + name + "," + parent,
             {{"objectClass", {"top", "person", "organizationalPerson", "inetOrgPerson"}},
              {"cn", {"User " + std::to_string(number)}},
              {"sn", {"Sn" + std::to_string(number)}},
              {"givenName", {"User"}},
              {"mail", {name + "@example.com"}},
              {"telephoneNumber", {"+1 555 " + std::to_string(number)}},
              {"userPassword", {"{SSHA}x"}},
              {"description", {std::string(300, 'd')}}});
  }

  LocalDirectory& directory() { return *directory_; }

 private:
  std::string folder_;
  std::shared_ptr<storage::EntryStore> store_;
  std::shared_ptr<Executor> executor_;
  std::unique_ptr<LocalDirectory> directory_;
};

Fixture& Shared() {
  static Fixture fixture;
  return fixture;
}

void RunSearches(benchmark::State& state, const Subject& subject, const SearchRequest& pattern,
                 const std::function<void(int, SearchRequest*)>& vary) {
  LocalDirectory& directory = Shared().directory();
  RequestContext context{subject};
  std::uint64_t entries = 0;
  int number = 0;
  for (auto _ : state) {
    SearchRequest request = pattern;
    vary(number = (number + 7919) % kEntries, &request);
    auto sink = std::make_shared<CountingSink>();
    directory.Search(context, std::move(request), sink);
    entries += sink->Wait();
  }
  state.counters["entries"] =
      benchmark::Counter(static_cast<double>(entries), benchmark::Counter::kIsRate);
}

// One member of a group comes, then goes.
void MemberOfLargeGroup(benchmark::State& state) {
  const std::string tail = ",ou=people,dc=example,dc=com";
  const std::string group = "cn=group" + std::to_string(state.range(0)) + tail;
  DirectoryClient root(Shared().directory(), RootSubject());
  std::vector<std::string> members;
  for (int i = 0; i < state.range(0); ++i) {
    members.push_back("cn=Member " + std::to_string(i) + tail);
  }
  root.Add(group, {{"objectClass", {"groupOfNames"}}, {"member", members}});
  for (auto _ : state) {
    root.Modify(group, {AddValues("member", {"cn=new" + tail})});
    root.Modify(group, {DeleteValues("member", {"cn=new" + tail})});
  }
}
BENCHMARK(MemberOfLargeGroup)->Arg(1000)->Arg(100000)->Unit(benchmark::kMillisecond);

void BaseAsRoot(benchmark::State& state) {
  RunSearches(state, RootSubject(), MakeSearch("", Scope::kBase),
              [](int i, SearchRequest* request) {
                request->base = "uid=user" + std::to_string(i) + ",ou=people,dc=example,dc=com";
              });
}
BENCHMARK(BaseAsRoot);

void BaseAnonymously(benchmark::State& state) {
  RunSearches(state, {}, MakeSearch("", Scope::kBase), [](int i, SearchRequest* request) {
    request->base = "uid=user" + std::to_string(i) + ",ou=people,dc=example,dc=com";
  });
}
BENCHMARK(BaseAnonymously);

void EqualityInSubtree(benchmark::State& state) {
  RunSearches(state, {}, MakeSearch("dc=example,dc=com", Scope::kSubtree),
              [](int i, SearchRequest* request) {
                auto filter = std::make_shared<model::Filter>();
                filter->kind = model::FilterKind::kEquality;
                filter->attribute = "uid";
                filter->value = "user" + std::to_string(i);
                request->filter = filter;
              });
}
BENCHMARK(EqualityInSubtree);

void AndOfClassAndName(benchmark::State& state) {
  RunSearches(state, {},
              MakeSearch("dc=example,dc=com", Scope::kSubtree, "(objectClass=*)", {"cn", "mail"}),
              [](int i, SearchRequest* request) {
                request->filter =
                    MakeFilter("(&(objectClass=person)(uid=user" + std::to_string(i) + "))");
              });
}
BENCHMARK(AndOfClassAndName);

void OneLevelOfFive(benchmark::State& state) {
  RunSearches(state, {}, MakeSearch("", Scope::kOneLevel), [](int i, SearchRequest* request) {
    request->base = "ou=" + std::to_string(i % 20) + ",ou=units,dc=example,dc=com";
  });
}
BENCHMARK(OneLevelOfFive);

void WholeTree(benchmark::State& state) {
  RunSearches(state, {}, MakeSearch("dc=example,dc=com", Scope::kSubtree),
              [](int, SearchRequest*) {});
}
BENCHMARK(WholeTree)->Unit(benchmark::kMillisecond);

void Compare(benchmark::State& state) {
  DirectoryClient client(Shared().directory(), {});
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        client.Compare("uid=user77,ou=people,dc=example,dc=com", "sn", "sn77").code);
  }
}
BENCHMARK(Compare);

void Modify(benchmark::State& state) {
  DirectoryClient client(Shared().directory(), RootSubject());
  int number = 0;
  for (auto _ : state) {
    client.Modify("uid=user77,ou=people,dc=example,dc=com",
                  {ReplaceValues("description", {std::to_string(++number)})});
  }
}
BENCHMARK(Modify)->UseRealTime();

}  // namespace
}  // namespace twintree::directory
