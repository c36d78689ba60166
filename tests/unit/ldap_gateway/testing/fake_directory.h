// A directory for tests of the gateway: remembers what it was asked and answers as it is told.
#ifndef TWINTREE_TESTS_UNIT_LDAP_GATEWAY_TESTING_FAKE_DIRECTORY_H_
#define TWINTREE_TESTS_UNIT_LDAP_GATEWAY_TESTING_FAKE_DIRECTORY_H_

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "services/directory/directory.h"

namespace twintree::ldap::testing {

// A search of the fake. Entries come when somebody pumps it: the fake at once, the test later, or
// the gateway by Resume().
class FakeSearch final : public directory::SearchOperation,
                         public std::enable_shared_from_this<FakeSearch> {
 public:
  FakeSearch(directory::RequestContext context, directory::SearchRequest request,
             std::shared_ptr<directory::SearchSink> sink, std::size_t count,
             std::string attributes);

  void Resume() override;
  void Cancel() override;
  // Sends entries until the sink is full or all are sent, then the outcome.
  void Pump();

  const directory::RequestContext context;
  const directory::SearchRequest request;
  directory::SearchOutcome outcome;  // what Pump ends with
  bool resumes_by_itself = true;     // Resume() pumps on the caller's thread
  bool cancels_by_itself = true;     // Cancel() answers on the caller's thread
  std::atomic<std::size_t> sent = 0;
  std::atomic<std::size_t> resumed = 0;
  std::atomic<bool> canceled = false;
  std::atomic<bool> done = false;

 private:
  void Finish(directory::SearchOutcome how);

  std::shared_ptr<directory::SearchSink> sink_;  // until it is done
  const std::size_t count_;
  const std::string attributes_;
  std::mutex mutex_;  // one Pump at a time
};

class FakeDirectory final : public directory::Directory {
 public:
  // Users: DN and password; root counts as any user.
  std::string user_dn = "cn=admin,dc=example,dc=com";
  std::string user_password = "secret";
  // Keep the callbacks instead of answering; Flush() or the test answers.
  bool defer_calls = false;
  bool defer_binds = false;
  bool defer_searches = false;
  // What is answered.
  directory::Outcome outcome;
  directory::SearchOutcome search_outcome;
  std::size_t entries = 1;
  std::string attributes;

  // What was asked.
  std::vector<directory::RequestContext> contexts;
  std::vector<directory::BindRequest> binds;
  std::vector<directory::CompareRequest> compares;
  std::vector<directory::AddRequest> adds;
  std::vector<directory::ModifyRequest> modifies;
  std::vector<directory::DeleteRequest> deletes;
  std::vector<directory::ModifyDnRequest> modify_dns;
  std::vector<directory::ModifyPasswordRequest> password_modifies;
  std::vector<std::shared_ptr<FakeSearch>> searches;
  std::vector<std::function<void()>> deferred;

  std::size_t deferred_count();
  std::size_t search_count();
  // Answers what was deferred, in order.
  void Flush();

  void Bind(const directory::RequestContext& context, directory::BindRequest request,
            BindCallback done) override;
  std::shared_ptr<directory::SearchOperation> Search(
      const directory::RequestContext& context, directory::SearchRequest request,
      std::shared_ptr<directory::SearchSink> sink) override;
  void Compare(const directory::RequestContext& context, directory::CompareRequest request,
               Callback done) override;
  void Add(const directory::RequestContext& context, directory::AddRequest request,
           Callback done) override;
  void Modify(const directory::RequestContext& context, directory::ModifyRequest request,
              Callback done) override;
  void Delete(const directory::RequestContext& context, directory::DeleteRequest request,
              Callback done) override;
  void ModifyDn(const directory::RequestContext& context, directory::ModifyDnRequest request,
                Callback done) override;
  void ModifyPassword(const directory::RequestContext& context,
                      directory::ModifyPasswordRequest request, Callback done) override;

 private:
  void Answer(Callback done);
  template <typename Request>
  void Record(const directory::RequestContext& context, Request request,
              std::vector<Request>* requests) {
    const std::lock_guard lock(mutex_);
    contexts.push_back(context);
    requests->push_back(std::move(request));
  }

  std::mutex mutex_;  // guards the lists, which the net tests fill from several threads
};

}  // namespace twintree::ldap::testing

#endif  // TWINTREE_TESTS_UNIT_LDAP_GATEWAY_TESTING_FAKE_DIRECTORY_H_
