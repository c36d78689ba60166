// What a request costs besides the socket and the directory.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>

#include "ldap_gateway/session/session.h"
#include "tests/unit/ldap_gateway/testing/instant_directory.h"
#include "tests/unit/ldap_gateway/testing/messages.h"

namespace twintree::ldap::testing {
namespace {

void Serve(benchmark::State& state, const std::string& message) {
  auto door = std::make_shared<const Door>(std::make_shared<InstantDirectory>(), nullptr,
                                           SessionLimits(), false);
  auto session = std::make_shared<Session>(door, SessionPeer());
  std::string octets;
  for (int i = 0; i < state.range(0); ++i) octets += message;
  for ([[maybe_unused]] auto _ : state) {
    session->Receive(octets);
    while (!session->output().empty()) session->Consume(session->output().size());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
  session->Close();
}

// Argument: requests in one read.
void BM_Search(benchmark::State& state) {
  SearchFields fields;
  fields.base = "ou=people,dc=example,dc=com";
  fields.scope = 2;
  fields.filter = "(uid=someone)";
  Serve(state, Search(7, fields));
}
BENCHMARK(BM_Search)->Arg(1)->Arg(32);

void BM_Compare(benchmark::State& state) {
  Serve(state, Compare(7, "uid=someone,ou=people,dc=example,dc=com", "mail", "someone@x"));
}
BENCHMARK(BM_Compare)->Arg(1)->Arg(32);

}  // namespace
}  // namespace twintree::ldap::testing
