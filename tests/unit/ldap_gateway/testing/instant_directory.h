// A directory for benchmarks: answers at once, and costs next to nothing.
#ifndef TWINTREE_TESTS_UNIT_LDAP_GATEWAY_TESTING_INSTANT_DIRECTORY_H_
#define TWINTREE_TESTS_UNIT_LDAP_GATEWAY_TESTING_INSTANT_DIRECTORY_H_

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "services/directory/directory.h"
#include "tests/unit/ldap_gateway/testing/messages.h"

namespace twintree::ldap::testing {

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

}  // namespace twintree::ldap::testing

#endif  // TWINTREE_TESTS_UNIT_LDAP_GATEWAY_TESTING_INSTANT_DIRECTORY_H_
