// Operations straight on the engine, without network: what a directory costs at its core.
//
//   core_benchmark [--entries=10000,100000] [--threads=1,2] [Google Benchmark's flags]
//
// Every benchmark is there once for each number of entries, reads also for each number of threads,
// and writes with durable and with relaxed commits: Object/100000/threads:2, Add/10000/relaxed. The
// data is what twintree-load generates (25 attributes a person), imported with the default indexes
// into a temporary folder (TMPDIR; durable commits are as fast as its disk), and beside it units of
// a few people for searches that find a known number of entries. The list is that of the figures
// which the ApacheDS developers published for their core.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "load/generate.h"
#include "services/directory/engine/engine.h"
#include "services/directory/engine/request.h"
#include "services/directory/executor.h"
#include "services/import/importer.h"
#include "storage/sqlite/sqlite_entry_store.h"
#include "tests/contract/directory_client.h"
#include "tests/unit/services/directory/engine/engine_fixture.h"

namespace twintree::directory {
namespace {

const std::string kSuffix = "dc=example,dc=com";
constexpr std::uint64_t kUnits = 1000;
constexpr int kLargeGroup = 100000;
constexpr std::uint64_t kNames = 100000;

std::string Person(std::uint64_t number) {
  return "uid=user." + std::to_string(number) + ",ou=People," + kSuffix;
}

std::string Unit(std::uint64_t number) {
  return "ou=unit." + std::to_string(number) + ",ou=Units," + kSuffix;
}

class CountingSink : public SearchSink {
 public:
  Flow OnEntry(std::string_view dn, std::span<const std::string_view> pieces) override {
    bytes_ += dn.size();
    for (const std::string_view piece : pieces) bytes_ += piece.size();
    return Flow::kMore;
  }
  void OnDone(SearchOutcome outcome) override {
    entries_ += outcome.entries;
    benchmark::DoNotOptimize(bytes_);
    done_.store(true, std::memory_order_release);
    done_.notify_one();
  }
  void Wait() {
    done_.wait(false, std::memory_order_acquire);
    done_.store(false, std::memory_order_relaxed);
  }
  std::uint64_t entries() const { return entries_; }

 private:
  std::size_t bytes_ = 0;
  std::uint64_t entries_ = 0;
  std::atomic<bool> done_{false};
};

// A store with an engine above it.
class Core {
 public:
  Core(std::uint64_t entries, bool durable) : entries_(entries) {
    std::string pattern = std::filesystem::temp_directory_path() / "twintree-core-XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) Fail("no temporary folder");
    folder_ = pattern;
    storage::SqliteOptions options;
    options.directory = folder_;
    options.durable = durable;
    options.cache_bytes = (std::size_t{64} << 20) + entries * 3000;
    store_ = std::shared_ptr<storage::EntryStore>(
        storage::SqliteEntryStore::Open(options, model::Schema::Standard()).value());
    Fill();
    executor_ = MakeThreadPool(2, 1000);
    directory_ = LocalDirectory::Make(MakeParts(store_, executor_), MakeOptions()).value();
    engine_ = Engine::Make(MakeParts(store_, executor_), MakeOptions()).value();
    WarmUp();
  }
  ~Core() {
    engine_ = nullptr;
    directory_ = nullptr;
    executor_->Stop();
    store_->Close();
    std::filesystem::remove_all(folder_);
  }
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  LocalDirectory& directory() { return *directory_; }
  Engine& engine() { return *engine_; }
  storage::EntryStore& store() { return *store_; }
  std::uint64_t entries() const { return entries_; }

 private:
  [[noreturn]] static void Fail(const std::string& why) {
    std::cerr << "core_benchmark: " << why << '\n';
    std::exit(1);
  }

  void Fill();
  void WarmUp();

  const std::uint64_t entries_;
  std::string folder_;
  std::shared_ptr<storage::EntryStore> store_;
  std::shared_ptr<Executor> executor_;
  std::unique_ptr<LocalDirectory> directory_;
  std::unique_ptr<Engine> engine_;
};

void Core::Fill() {
  std::string ldif;
  load::WriteDirectory({.entries = entries_}, [&](std::string_view piece) {
    ldif += piece;
    return true;
  });
  load::PersonWriter writer(2, load::PasswordForm::kHashed);
  const auto add_unit = [&](const std::string& dn) {
    ldif += "dn: " + dn + "\nobjectClass: organizationalUnit\n\n";
  };
  for (const char* name : {"ou=Units,", "ou=Left,", "ou=Right,"}) add_unit(name + kSuffix);
  // Half of the units hold five people, the others nine.
  for (std::uint64_t unit = 0; unit < kUnits; ++unit) {
    add_unit(Unit(unit));
    for (std::uint64_t i = 0; i < (unit % 2 == 0 ? 5 : 9); ++i) {
      std::string record;
      writer.AppendTo(entries_ + unit * 10 + i, record);
      record.replace(record.find("ou=People"), 9, "ou=unit." + std::to_string(unit) + ",ou=Units");
      ldif += record;
    }
  }
  std::vector<import::ImportInput> inputs;
  inputs.push_back({"generated", import::MakeStringSource(std::move(ldif))});
  import::ImportOptions options;
  options.suffixes = {kSuffix};
  import::Importer importer(model::Schema::Standard(), store_, options, {});
  if (!importer.Run(std::move(inputs)).ok()) Fail("the generated entries cannot be imported");
}

void Core::WarmUp() {
  const RequestContext context{RootSubject()};
  const auto sink = std::make_shared<CountingSink>();
  for (std::uint64_t i = 0; i < entries_; ++i) {
    directory_->Search(context, MakeSearch(Person(i), Scope::kBase), sink);
    sink->Wait();
  }
  directory_->Search(context, MakeSearch(kSuffix, Scope::kSubtree), sink);
  sink->Wait();
}

// One at a time: benchmarks run in the order in which they are registered.
Core& CoreOf(std::uint64_t entries, bool durable) {
  static std::mutex mutex;
  static std::unique_ptr<Core> core;
  static std::pair<std::uint64_t, bool> made_for;
  const std::lock_guard lock(mutex);
  if (core == nullptr || made_for != std::pair(entries, durable)) {
    core = nullptr;
    core = std::make_unique<Core>(entries, durable);
    made_for = {entries, durable};
  }
  return *core;
}

// Names to ask for, made before the clock runs; each thread begins elsewhere.
std::vector<std::string> People(const benchmark::State& state, const Core& core) {
  const auto begin = static_cast<std::uint64_t>(state.thread_index()) * 104729;
  std::vector<std::string> names;
  for (std::uint64_t i = 0; i < std::min(core.entries(), kNames); ++i) {
    names.push_back(Person((begin + i * 7919) % core.entries()));
  }
  return names;
}

void RunSearches(benchmark::State& state, Core& core, const Subject& subject,
                 const std::vector<SearchRequest>& requests) {
  const RequestContext context{subject};
  const auto sink = std::make_shared<CountingSink>();
  std::size_t next = 0;
  for (auto _ : state) {
    core.directory().Search(context, requests[next], sink);
    sink->Wait();
    next = next + 1 == requests.size() ? 0 : next + 1;
  }
  state.counters["entries"] =
      benchmark::Counter(static_cast<double>(sink->entries()), benchmark::Counter::kIsRate);
}

// From a name to the entry, as every operation begins.
void Lookup(benchmark::State& state, Core& core) {
  const std::vector<std::string> names = People(state, core);
  const Subject root = RootSubject();
  std::size_t next = 0;
  for (auto _ : state) {
    const auto reader = core.store().Read().value();
    Request request(core.engine(), *reader, root, Request::Names::kCached);
    const model::DnKey key = core.engine().schema().NormalizeDn(names[next]).value();
    const Location location = request.Locate(key).value();
    benchmark::DoNotOptimize(request.Get(location.id).value()->entry.octets().data());
    next = next + 1 == names.size() ? 0 : next + 1;
  }
}

std::vector<SearchRequest> BaseSearches(const benchmark::State& state, const Core& core) {
  std::vector<SearchRequest> requests;
  for (const std::string& name : People(state, core)) {
    requests.push_back(MakeSearch(name, Scope::kBase));
  }
  return requests;
}

void Object(benchmark::State& state, Core& core) {
  RunSearches(state, core, RootSubject(), BaseSearches(state, core));
}

// Under access rules.
void ObjectAnonymously(benchmark::State& state, Core& core) {
  RunSearches(state, core, {}, BaseSearches(state, core));
}

void One5(benchmark::State& state, Core& core) {
  std::vector<SearchRequest> requests;
  for (std::uint64_t i = 0; i < kUnits; i += 2) {
    requests.push_back(MakeSearch(Unit(i), Scope::kOneLevel));
  }
  RunSearches(state, core, RootSubject(), requests);
}

void Subtree10(benchmark::State& state, Core& core) {
  std::vector<SearchRequest> requests;
  for (std::uint64_t i = 1; i < kUnits; i += 2) {
    requests.push_back(MakeSearch(Unit(i), Scope::kSubtree));
  }
  RunSearches(state, core, RootSubject(), requests);
}

void Equality(benchmark::State& state, Core& core) {
  std::vector<SearchRequest> requests;
  for (const std::string& name : People(state, core)) {
    requests.push_back(
        MakeSearch(kSuffix, Scope::kSubtree, "(" + name.substr(0, name.find(',')) + ")"));
  }
  RunSearches(state, core, RootSubject(), requests);
}

void WholeTree(benchmark::State& state, Core& core) {
  RunSearches(state, core, RootSubject(), {MakeSearch(kSuffix, Scope::kSubtree)});
}

void Compare(benchmark::State& state, Core& core) {
  const std::vector<std::string> names = People(state, core);
  DirectoryClient client(core.directory(), RootSubject());
  std::size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(client.Compare(names[next], "objectClass", "person").code);
    next = next + 1 == names.size() ? 0 : next + 1;
  }
}

std::vector<model::RawAttribute> NewPerson(const std::string& uid) {
  return {{"objectClass", {"top", "person", "organizationalPerson", "inetOrgPerson"}},
          {"uid", {uid}},
          {"cn", {"New " + uid}},
          {"sn", {"Sn " + uid}},
          {"givenName", {"New"}},
          {"mail", {uid + "@example.com"}},
          {"telephoneNumber", {"+1 555 0100"}},
          {"description", {std::string(300, 'd')}}};
}

std::string NewUid() {
  static std::uint64_t last = 0;
  return "new." + std::to_string(++last);
}

void Expect(benchmark::State& state, const Outcome& outcome) {
  if (outcome.code == model::ResultCode::kSuccess) return;
  state.SkipWithError(("unexpected result: " + outcome.diagnostic).c_str());
}

void Add(benchmark::State& state, Core& core) {
  DirectoryClient client(core.directory(), RootSubject());
  for (auto _ : state) {
    const std::string uid = NewUid();
    Expect(state, client.Add("uid=" + uid + ",ou=Left," + kSuffix, NewPerson(uid)));
  }
}

void Delete(benchmark::State& state, Core& core) {
  DirectoryClient client(core.directory(), RootSubject());
  for (auto _ : state) {
    state.PauseTiming();
    const std::string uid = NewUid();
    const std::string dn = "uid=" + uid + ",ou=Left," + kSuffix;
    client.Add(dn, NewPerson(uid));
    state.ResumeTiming();
    Expect(state, client.Delete(dn));
  }
}

void Modify(benchmark::State& state, Core& core) {
  const std::vector<std::string> names = People(state, core);
  DirectoryClient client(core.directory(), RootSubject());
  std::size_t next = 0;
  for (auto _ : state) {
    Expect(state, client.Modify(names[next % names.size()],
                                {ReplaceValues("description", {std::to_string(next)})}));
    ++next;
  }
}

// Takes an entry from one of `units` to the next, with another RDN each time if `rename`.
void RunRenames(benchmark::State& state, Core& core, const std::vector<std::string>& units,
                bool rename) {
  DirectoryClient client(core.directory(), RootSubject());
  const std::string uid = NewUid();
  const std::vector<std::string> rdns = {"uid=" + uid, "uid=" + uid + (rename ? ".b" : "")};
  const auto unit = [&](std::size_t i) { return units[i % units.size()] + "," + kSuffix; };
  client.Add(rdns[0] + "," + unit(0), NewPerson(uid));
  std::size_t now = 0;
  for (auto _ : state) {
    const std::string dn = rdns[now % 2] + "," + unit(now);
    ++now;
    Expect(state, client.Rename(dn, rdns[now % 2], true,
                                units.size() > 1 ? std::optional(unit(now)) : std::nullopt));
  }
}

void Rename(benchmark::State& state, Core& core) { RunRenames(state, core, {"ou=Left"}, true); }

void Move(benchmark::State& state, Core& core) {
  RunRenames(state, core, {"ou=Left", "ou=Right"}, false);
}

void MoveAndRename(benchmark::State& state, Core& core) {
  RunRenames(state, core, {"ou=Left", "ou=Right"}, true);
}

// One member of a group of 100,000 comes, then goes.
void MemberOfLargeGroup(benchmark::State& state, Core& core) {
  DirectoryClient root(core.directory(), RootSubject());
  const std::string tail = ",ou=Left," + kSuffix;
  const std::string group = "cn=" + NewUid() + tail;
  std::vector<std::string> members;
  for (int i = 0; i < kLargeGroup; ++i) members.push_back("cn=Member " + std::to_string(i) + tail);
  Expect(state, root.Add(group, {{"objectClass", {"groupOfNames"}}, {"member", members}}));
  for (auto _ : state) {
    Expect(state, root.Modify(group, {AddValues("member", {"cn=new" + tail})}));
    Expect(state, root.Modify(group, {DeleteValues("member", {"cn=new" + tail})}));
  }
}

using Body = void (*)(benchmark::State&, Core&);
struct Named {
  const char* name;
  Body body;
};

constexpr Named kReads[] = {
    {"Lookup", Lookup},       {"Object", Object},       {"ObjectAnonymously", ObjectAnonymously},
    {"One5", One5},           {"Subtree10", Subtree10}, {"Equality", Equality},
    {"WholeTree", WholeTree}, {"Compare", Compare}};
constexpr Named kWrites[] = {{"Add", Add},
                             {"Modify", Modify},
                             {"Delete", Delete},
                             {"Rename", Rename},
                             {"Move", Move},
                             {"MoveAndRename", MoveAndRename},
                             {"MemberOfLargeGroup", MemberOfLargeGroup}};

void Register(std::uint64_t entries, const std::vector<std::uint64_t>& threads) {
  const std::string size = "/" + std::to_string(entries);
  for (const Named& read : kReads) {
    for (const std::uint64_t count : threads) {
      benchmark::RegisterBenchmark((read.name + size).c_str(),
                                   [body = read.body, entries](benchmark::State& state) {
                                     body(state, CoreOf(entries, true));
                                   })
          ->Threads(static_cast<int>(count))
          ->UseRealTime();
    }
  }
  for (const bool durable : {true, false}) {
    for (const Named& write : kWrites) {
      benchmark::RegisterBenchmark(
          (write.name + size + (durable ? "/durable" : "/relaxed")).c_str(),
          [body = write.body, entries, durable](benchmark::State& state) {
            body(state, CoreOf(entries, durable));
          })
          ->UseRealTime();
    }
  }
}

// Takes "--name=1,2" out of the arguments; `numbers` stays as it is without it. False when it is no
// list of numbers above 0.
bool TakeNumbers(const std::string& name, int* argc, char** argv,
                 std::vector<std::uint64_t>* numbers) {
  for (int i = 1; i < *argc; ++i) {
    std::string_view rest = argv[i];
    if (!rest.starts_with("--" + name + "=")) continue;
    rest.remove_prefix(name.size() + 3);
    std::copy(argv + i + 1, argv + *argc, argv + i);
    --*argc;
    numbers->clear();
    while (!rest.empty()) {
      const std::string_view item = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(rest.size(), item.size() + 1));
      const char* const end = item.data() + item.size();
      const auto parsed = std::from_chars(item.data(), end, numbers->emplace_back());
      if (parsed.ec != std::errc() || parsed.ptr != end || numbers->back() == 0) return false;
    }
    return !numbers->empty();
  }
  return true;
}

int Main(int argc, char** argv) {
  std::vector<std::uint64_t> entries = {10000};
  std::vector<std::uint64_t> threads = {1};
  if (!TakeNumbers("entries", &argc, argv, &entries) ||
      !TakeNumbers("threads", &argc, argv, &threads)) {
    std::cerr << "core_benchmark: --entries and --threads take numbers separated by commas\n";
    return 2;
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  for (const std::uint64_t count : entries) Register(count, threads);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace
}  // namespace twintree::directory

int main(int argc, char** argv) { return twintree::directory::Main(argc, argv); }
