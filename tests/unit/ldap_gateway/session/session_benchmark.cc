// What a request costs besides the socket and the directory.
#include <benchmark/benchmark.h>

#include <array>
#include <memory>
#include <string>
#include <utility>

#include "ldap_gateway/session/session.h"
#include "tests/unit/ldap_gateway/testing/messages.h"

namespace twintree::ldap::testing {
namespace {

// Answers everything at once: a search with one entry of about 700 octets.
class InstantDirectory final : public directory::Directory {
 public:
  InstantDirectory() {
    attributes_ = EncodeAttributes({{"objectClass", {"top", "person", "inetOrgPerson"}},
                                    {"cn", {"Someone Somebody"}},
                                    {"mail", {"someone@example.com"}},
                                    {"description", {std::string(560, 'd')}}});
  }
  void Bind(const directory::RequestContext&, directory::BindRequest, BindCallback done) override {
    done({});
  }
  std::shared_ptr<directory::SearchOperation> Search(
      const directory::RequestContext&, directory::SearchRequest,
      std::shared_ptr<directory::SearchSink> sink) override {
    const std::array<std::string_view, 1> pieces = {attributes_};
    sink->OnEntry("uid=someone,ou=people,dc=example,dc=com", pieces);
    sink->OnDone({});
    return nullptr;
  }
  void Compare(const directory::RequestContext&, directory::CompareRequest, Callback d) override {
    d({});
  }
  void Add(const directory::RequestContext&, directory::AddRequest, Callback d) override { d({}); }
  void Modify(const directory::RequestContext&, directory::ModifyRequest, Callback d) override {
    d({});
  }
  void Delete(const directory::RequestContext&, directory::DeleteRequest, Callback d) override {
    d({});
  }
  void ModifyDn(const directory::RequestContext&, directory::ModifyDnRequest, Callback d) override {
    d({});
  }
  void ModifyPassword(const directory::RequestContext&, directory::ModifyPasswordRequest,
                      Callback d) override {
    d({});
  }

 private:
  std::string attributes_;
};

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
