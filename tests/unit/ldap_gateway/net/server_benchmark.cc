// What a search over a real socket costs the server, the directory aside.
#include <benchmark/benchmark.h>

#include <ctime>
#include <memory>
#include <string>

#include "ldap_gateway/net/ldap_server.h"
#include "services/log/log.h"
#include "tests/unit/ldap_gateway/net/client.h"
#include "tests/unit/ldap_gateway/testing/instant_directory.h"
#include "tests/unit/ldap_gateway/testing/messages.h"

namespace twintree::ldap::testing {
namespace {

double Seconds(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// CPU of all threads but this one: the server's.
double ServerCpu() { return Seconds(CLOCK_PROCESS_CPUTIME_ID) - Seconds(CLOCK_THREAD_CPUTIME_ID); }

// Argument: searches in flight on one connection.
void BM_SearchOverLoopback(benchmark::State& state) {
  log::Configure({log::Level::kError, log::Format::kText, false});
  LdapServerOptions options;
  options.ldap_listen = {"127.0.0.1:0"};
  auto started = LdapServer::Start(options, std::make_shared<InstantDirectory>());
  if (!started.ok()) return state.SkipWithError(started.error().message.c_str());
  const std::unique_ptr<LdapServer> server = *std::move(started);
  Client client(server->addresses().at(0));
  SearchFields fields;
  fields.base = "ou=people,dc=example,dc=com";
  fields.scope = 2;
  fields.filter = "(uid=someone)";
  std::string octets;
  for (int i = 0; i < state.range(0); ++i) octets += Search(7, fields);
  const double before = ServerCpu();
  for ([[maybe_unused]] auto _ : state) {
    client.Exchange(octets, static_cast<std::size_t>(2 * state.range(0)));
  }
  const double searches = static_cast<double>(state.iterations() * state.range(0));
  state.counters["server_us_per_search"] = (ServerCpu() - before) * 1e6 / searches;
}
BENCHMARK(BM_SearchOverLoopback)->Arg(1)->Arg(32)->UseRealTime();

}  // namespace
}  // namespace twintree::ldap::testing
