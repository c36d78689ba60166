#include "tests/unit/ldap_gateway/testing/fake_directory.h"

#include <array>
#include <string_view>
#include <utility>

namespace twintree::ldap::testing {

using model::ResultCode;

FakeSearch::FakeSearch(directory::RequestContext c, directory::SearchRequest r,
                       std::shared_ptr<directory::SearchSink> sink, std::size_t count,
                       std::string attributes)
    : context(std::move(c)),
      request(std::move(r)),
      sink_(std::move(sink)),
      count_(count),
      attributes_(std::move(attributes)) {}

void FakeSearch::Finish(directory::SearchOutcome how) {
  if (done.exchange(true)) return;
  how.entries = sent;
  const std::shared_ptr<directory::SearchSink> sink = std::exchange(sink_, nullptr);
  sink->OnDone(std::move(how));
}

void FakeSearch::Pump() {
  const std::lock_guard lock(mutex_);
  const std::array<std::string_view, 1> pieces = {attributes_};
  while (!done && !canceled && sent < count_) {
    const std::string dn = "cn=" + std::to_string(sent) + ",dc=example,dc=com";
    ++sent;
    if (sink_->OnEntry(dn, pieces) == directory::SearchSink::Flow::kFull) return;
  }
  Finish(canceled ? directory::SearchOutcome{ResultCode::kCanceled, {}, {}, 0, {}} : outcome);
}

void FakeSearch::Resume() {
  ++resumed;
  if (resumes_by_itself) Pump();
}

void FakeSearch::Cancel() {
  canceled = true;
  if (cancels_by_itself) Finish({ResultCode::kCanceled, {}, {}, 0, {}});
}

std::size_t FakeDirectory::deferred_count() {
  const std::lock_guard lock(mutex_);
  return deferred.size();
}

std::size_t FakeDirectory::search_count() {
  const std::lock_guard lock(mutex_);
  return searches.size();
}

void FakeDirectory::Flush() {
  std::vector<std::function<void()>> answers;
  {
    const std::lock_guard lock(mutex_);
    answers.swap(deferred);
  }
  for (const auto& answer : answers) answer();
}

void FakeDirectory::Answer(Callback done) {
  if (defer_calls) {
    const std::lock_guard lock(mutex_);
    deferred.push_back([done = std::move(done), answer = outcome] { done(answer); });
  } else {
    done(outcome);
  }
}

void FakeDirectory::Bind(const directory::RequestContext& context, directory::BindRequest request,
                         BindCallback done) {
  directory::BindOutcome answer;
  if (request.dn == user_dn && request.password.Reveal() == user_password) {
    answer.subject = {directory::Subject::Kind::kUser, user_dn, user_dn};
  } else if (!request.dn.empty() || !request.password.empty()) {
    answer.code = ResultCode::kInvalidCredentials;
    answer.diagnostic = "wrong name or password";
  }
  {
    const std::lock_guard lock(mutex_);
    contexts.push_back(context);
    binds.push_back(std::move(request));
  }
  if (defer_binds) {
    const std::lock_guard lock(mutex_);
    deferred.push_back([done = std::move(done), answer] { done(answer); });
  } else {
    done(answer);
  }
}

std::shared_ptr<directory::SearchOperation> FakeDirectory::Search(
    const directory::RequestContext& context, directory::SearchRequest request,
    std::shared_ptr<directory::SearchSink> sink) {
  auto search = std::make_shared<FakeSearch>(context, std::move(request), std::move(sink), entries,
                                             attributes);
  search->outcome = search_outcome;
  {
    const std::lock_guard lock(mutex_);
    searches.push_back(search);
  }
  if (!defer_searches) search->Pump();
  return search;
}

void FakeDirectory::Compare(const directory::RequestContext& context,
                            directory::CompareRequest request, Callback done) {
  Record(context, std::move(request), &compares);
  Answer(std::move(done));
}

void FakeDirectory::Add(const directory::RequestContext& context, directory::AddRequest request,
                        Callback done) {
  Record(context, std::move(request), &adds);
  Answer(std::move(done));
}

void FakeDirectory::Modify(const directory::RequestContext& context,
                           directory::ModifyRequest request, Callback done) {
  Record(context, std::move(request), &modifies);
  Answer(std::move(done));
}

void FakeDirectory::Delete(const directory::RequestContext& context,
                           directory::DeleteRequest request, Callback done) {
  Record(context, std::move(request), &deletes);
  Answer(std::move(done));
}

void FakeDirectory::ModifyDn(const directory::RequestContext& context,
                             directory::ModifyDnRequest request, Callback done) {
  Record(context, std::move(request), &modify_dns);
  Answer(std::move(done));
}

void FakeDirectory::ModifyPassword(const directory::RequestContext& context,
                                   directory::ModifyPasswordRequest request, Callback done) {
  Record(context, std::move(request), &password_modifies);
  Answer(std::move(done));
}

}  // namespace twintree::ldap::testing
