// CPU of both ends of the gateway stream per search for one entry, at a number of searches in
// flight. Both ends are in this process: `cpu_us` is the sum of the two.

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

#include "services/rpc/grpc_server.h"
#include "services/rpc/remote_directory.h"
#include "tests/unit/services/rpc/fake_directory.h"

namespace twintree::rpc {
namespace {

double CpuMicroseconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto micros = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_usec);
  };
  return micros(usage.ru_utime) + micros(usage.ru_stime);
}

class NoOperation final : public directory::SearchOperation {
 public:
  void Resume() override {}
  void Cancel() override {}
};

// Begins the next search when one has ended, until `left` have been begun.
class Load {
 public:
  Load(directory::Directory* directory, int left) : directory_(directory), left_(left) {}

  void Begin() { directory_->Search(context_, request_, std::make_shared<Sink>(this)); }
  void Ended() {
    if (left_.fetch_sub(1) > 0) return Begin();
    std::lock_guard lock(mutex_);
    ++ended_;
    changed_.notify_all();
  }
  void WaitFor(int ended) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ended_ == ended; });
  }

 private:
  class Sink final : public directory::SearchSink {
   public:
    explicit Sink(Load* load) : load_(load) {}
    Flow OnEntry(std::string_view, std::span<const std::string_view>) override {
      return Flow::kMore;
    }
    void OnDone(directory::SearchOutcome) override { load_->Ended(); }

   private:
    Load* load_;
  };

  directory::Directory* const directory_;
  const directory::RequestContext context_{User("uid=reader,ou=people,dc=example,dc=com"), {}};
  const directory::SearchRequest request_ = SearchFor("uid=somebody,ou=people,dc=example,dc=com");
  std::atomic<int> left_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int ended_ = 0;
};

void BM_SearchOneEntry(benchmark::State& state) {
  const auto directory = std::make_shared<FakeDirectory>();
  const std::string attributes = OneAttribute("description", std::string(700, 'x'));
  const auto nothing = std::make_shared<NoOperation>();
  directory->on_search = [&](const auto&, const auto&, const auto& sink) {
    const std::string_view pieces[] = {attributes};
    sink->OnEntry("uid=somebody,ou=people,dc=example,dc=com", pieces);
    sink->OnDone({});
    return nothing;
  };
  GrpcServerOptions server_options;
  server_options.listen = "127.0.0.1:0";
  server_options.gateway_token = model::Secret("secret");
  const auto server = GrpcServer::Start(directory, std::move(server_options));
  RemoteDirectoryOptions options;
  options.target = server.value()->address();
  options.token = model::Secret("secret");
  options.streams = 1;
  const auto remote = RemoteDirectory::Make(std::move(options));
  if (!remote.value()->WaitUntilConnected(kPatience)) return state.SkipWithError("no connection");

  const int depth = static_cast<int>(state.range(0));
  constexpr int kSearches = 20000;
  double cpu = 0;
  for (auto _ : state) {
    const double begin = CpuMicroseconds();
    Load load(remote.value().get(), kSearches);
    for (int i = 0; i < depth; ++i) load.Begin();
    load.WaitFor(depth);
    cpu += CpuMicroseconds() - begin;
  }
  const auto total = static_cast<double>(state.iterations()) * (kSearches + depth);
  state.counters["cpu_us"] = cpu / total;
  state.counters["per_second"] = benchmark::Counter(total, benchmark::Counter::kIsRate);
}
BENCHMARK(BM_SearchOneEntry)
    ->Arg(1)
    ->Arg(8)
    ->Arg(32)
    ->Arg(128)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace twintree::rpc
