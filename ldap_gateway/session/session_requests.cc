// Requests that the directory answers.
#include <utility>

#include "ldap_gateway/session/session.h"
#include "services/directory/request_size.h"
#include "services/log/log.h"
#include "services/model/redaction.h"

namespace twintree::ldap {
namespace {

directory::Controls ToDirectory(RequestControls controls) {
  directory::Controls out;
  out.assertion = std::move(controls.assertion);
  if (controls.paged_results) {
    out.paged.emplace();
    out.paged->size = controls.paged_results->size;
    out.paged->cookie = std::move(controls.paged_results->cookie);
  }
  if (controls.pre_read) out.pre_read.emplace().attributes = std::move(*controls.pre_read);
  if (controls.post_read) out.post_read.emplace().attributes = std::move(*controls.post_read);
  out.manage_dsa_it = controls.manage_dsa_it;
  return out;
}

std::string_view ScopeName(std::uint8_t scope) {
  constexpr std::string_view kNames[] = {"base", "one", "sub", "children"};
  return kNames[scope];
}

AccessDetails SearchDetails(const SearchRequest& request) {
  if (!log::AccessEnabled()) return {};
  AccessDetails details = DetailsOf(request.base, "scope", std::string(ScopeName(request.scope)));
  details.filter = request.filter;
  return details;
}

directory::SearchRequest ToDirectory(SearchRequest request, directory::Controls controls) {
  directory::SearchRequest out;
  out.base = std::move(request.base);
  out.scope = static_cast<directory::Scope>(request.scope);
  out.deref = static_cast<directory::DerefAliases>(request.deref);
  out.size_limit = request.size_limit;
  out.time_limit = std::chrono::seconds(request.time_limit_seconds);
  out.types_only = request.types_only;
  out.filter = std::move(request.filter);
  out.attributes = std::move(request.attributes);
  out.controls = std::move(controls);
  return out;
}

}  // namespace

template <typename Value>
bool Session::Accept(const Incoming& in, const model::Result<Value>& decoded,
                     const AccessDetails& details) {
  if (decoded.ok()) return true;
  Reject(in, details, decoded.error());
  return false;
}

template <typename Value>
bool Session::Accept(const Incoming& in, const model::Result<Value>& decoded) {
  if (decoded.ok()) return true;
  Reject(in, DetailsOf(TargetNameOf(in.info.kind, in.envelope.content)), decoded.error());
  return false;
}

model::Result<directory::Controls> Session::ControlsOf(const Incoming& in) {
  if (!in.envelope.controls) return directory::Controls();
  ControlCounts seen{};
  model::Result<RequestControls> controls =
      DecodeControls(*in.envelope.controls, in.info.kind, &seen);
  if (ConnectionObserver* observer = door_->observer()) observer->OnControls(seen);
  if (!controls.ok()) return std::move(controls).error();
  return ToDirectory(*std::move(controls));
}

const directory::RequestContext& Session::Context(std::chrono::steady_clock::time_point deadline) {
  context_.deadline = deadline;
  return context_;
}

void Session::Track(std::shared_ptr<Task> task) {
  if (task->finished()) return;
  pending_bytes_ += task->bytes();
  task->set_tracked();
  tasks_.push_back(std::move(task));
}

void Session::HandleSearch(const Incoming& in) {
  auto request = DecodeSearch(in.envelope.content);
  if (!Accept(in, request)) return;
  AccessDetails details = SearchDetails(*request);
  auto controls = ControlsOf(in);
  if (!Accept(in, controls, details)) return;
  auto deadline = std::chrono::steady_clock::time_point::max();
  if (request->time_limit_seconds > 0) {
    deadline = in.info.start + std::chrono::seconds(request->time_limit_seconds);
  }
  auto task = std::make_shared<SearchTask>(shared_from_this(), in.info, std::move(details));
  task->set_filter_bytes(directory::SizeOf(*request->filter));
  const bool root_dse = request->base.empty() && request->scope == 0;
  directory::SearchRequest search = ToDirectory(*std::move(request), *std::move(controls));
  if (root_dse) search.door_attributes = door_->RootDse(peer_.tls_active);
  task->set_operation(door_->directory().Search(Context(deadline), std::move(search), task));
  Track(std::move(task));
}

template <typename Request>
void Session::Call(const Incoming& in, AccessDetails details, Request request,
                   void (directory::Directory::*method)(const directory::RequestContext&, Request,
                                                        directory::Directory::Callback)) {
  auto task = std::make_shared<CallTask>(shared_from_this(), in.info, std::move(details));
  context_.interest = task->interest();
  (door_->directory().*method)(Context(), std::move(request), [task](directory::Outcome outcome) {
    task->Complete(std::move(outcome));
  });
  context_.interest.reset();
  Track(std::move(task));
}

void Session::HandleCompare(const Incoming& in) {
  auto request = DecodeCompare(in.envelope.content);
  if (!Accept(in, request)) return;
  AccessDetails details;
  if (log::AccessEnabled()) {
    details = DetailsOf(request->dn, "attribute", model::LoggedType(request->attribute));
  }
  auto controls = ControlsOf(in);
  if (!Accept(in, controls, details)) return;
  Call(in, std::move(details),
       directory::CompareRequest{std::move(request->dn), std::move(request->attribute),
                                 std::move(request->value), *std::move(controls)},
       &directory::Directory::Compare);
}

void Session::HandleAdd(const Incoming& in) {
  auto request = DecodeAdd(in.envelope.content);
  if (!Accept(in, request)) return;
  AccessDetails details = DetailsOf(request->dn);
  auto controls = ControlsOf(in);
  if (!Accept(in, controls, details)) return;
  Call(in, std::move(details),
       directory::AddRequest{std::move(request->dn), std::move(request->attributes),
                             *std::move(controls)},
       &directory::Directory::Add);
}

void Session::HandleModify(const Incoming& in) {
  auto request = DecodeModify(in.envelope.content);
  if (!Accept(in, request)) return;
  AccessDetails details = DetailsOf(request->dn);
  auto controls = ControlsOf(in);
  if (!Accept(in, controls, details)) return;
  Call(in, std::move(details),
       directory::ModifyRequest{std::move(request->dn), std::move(request->modifications),
                                *std::move(controls)},
       &directory::Directory::Modify);
}

void Session::HandleDelete(const Incoming& in) {
  AccessDetails details = DetailsOf(in.envelope.content);
  auto controls = ControlsOf(in);
  if (!Accept(in, controls, details)) return;
  Call(in, std::move(details),
       directory::DeleteRequest{std::string(in.envelope.content), *std::move(controls)},
       &directory::Directory::Delete);
}

void Session::HandleModifyDn(const Incoming& in) {
  auto request = DecodeModifyDn(in.envelope.content);
  if (!Accept(in, request)) return;
  AccessDetails details;
  if (log::AccessEnabled()) {
    details = DetailsOf(request->dn, "newrdn", model::LoggedName(request->new_rdn));
  }
  auto controls = ControlsOf(in);
  if (!Accept(in, controls, details)) return;
  Call(in, std::move(details),
       directory::ModifyDnRequest{std::move(request->dn), std::move(request->new_rdn),
                                  request->delete_old_rdn, std::move(request->new_superior),
                                  *std::move(controls)},
       &directory::Directory::ModifyDn);
}

void Session::HandlePasswordModify(const Incoming& in, const ExtendedRequest& extended) {
  AccessDetails details = ExtendedDetails(extended.name);
  auto request = DecodePasswordModify(extended.value);
  if (!Accept(in, request, details)) return;
  if (log::AccessEnabled()) details.dn = model::LoggedUser(request->user);
  Call(in, std::move(details),
       directory::ModifyPasswordRequest{std::move(request->user), std::move(request->old_password),
                                        std::move(request->new_password)},
       &directory::Directory::ModifyPassword);
}

}  // namespace twintree::ldap
