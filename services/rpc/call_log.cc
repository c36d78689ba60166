#include "services/rpc/call_log.h"

#include <utility>

#include "services/log/log.h"
#include "services/model/filter.h"
#include "services/model/redaction.h"
#include "services/rpc/observer.h"

namespace twintree::rpc {
namespace {

using model::ResultCode;

constexpr int kGrpcOk = 0;
constexpr int kGrpcCancelled = 1;

std::string FilterText(const std::string& filter) {
  if (filter.empty()) return "(objectClass=*)";
  const model::Result<model::Filter> parsed = model::Filter::Parse(filter);
  return parsed.ok() ? model::LoggedFilter(*parsed) : "<hidden>";
}

ResultCode ResultWithout(int grpc_code) {
  if (grpc_code == kGrpcOk) return ResultCode::kSuccess;
  return grpc_code == kGrpcCancelled ? ResultCode::kCanceled : ResultCode::kOther;
}

// gRPC writes the brackets of IPv6 as in a URI.
std::string WithBrackets(std::string_view address) {
  std::string text(address);
  for (const auto& [written, meant] : {std::pair("%5B", "["), std::pair("%5D", "]")}) {
    if (const std::size_t at = text.find(written); at != std::string::npos) {
      text.replace(at, std::string_view(written).size(), meant);
    }
  }
  return text;
}

}  // namespace

std::string LoggedPeer(std::string_view peer) {
  const std::size_t colon = peer.find(':');
  const std::string_view family = peer.substr(0, colon);
  if (family == "unix" || family == "unix-abstract") return {};
  if (family != "ipv4" && family != "ipv6") return std::string(peer);
  return WithBrackets(peer.substr(colon + 1));
}

std::shared_ptr<CallLog> CallLog::Begin(std::string_view method, std::string_view peer,
                                        const CallTarget& target) {
  if (!log::AccessEnabled()) return nullptr;
  auto call = std::make_shared<CallLog>();
  call->method_ = method;
  call->peer_ = LoggedPeer(peer);
  call->target_ = target;
  call->target_.dn = model::LoggedUser(target.dn);
  if (target.kind == "search") call->target_.filter = FilterText(target.filter);
  call->begin_ = std::chrono::steady_clock::now();
  return call;
}

void CallLog::SetSubject(std::string_view dn) {
  const std::lock_guard lock(mutex_);
  subject_ = model::LoggedName(dn);
}

void CallLog::SetResult(ResultCode code, std::string_view diagnostic, std::uint64_t entries) {
  const std::lock_guard lock(mutex_);
  result_ = code;
  diagnostic_ = model::LoggedDiagnostic(diagnostic);
  entries_ = entries;
}

void CallLog::End(int grpc_code) {
  const std::lock_guard lock(mutex_);
  if (std::exchange(ended_, true)) return;
  const bool search = target_.kind == "search";
  log::Event event = log::Access("operation");
  event.With("protocol", "grpc").With("peer", peer_).With("subject", subject_);
  event.With("kind", target_.kind).With("rpc", method_).With("dn", target_.dn);
  if (search) event.With("scope", target_.scope).With("filter", target_.filter);
  if (!target_.extra_key.empty()) event.With(target_.extra_key, target_.extra);
  event.With("result", static_cast<std::int32_t>(result_.value_or(ResultWithout(grpc_code))));
  event.With("status", GrpcCodeName(grpc_code));
  if (!diagnostic_.empty()) event.With("text", diagnostic_);
  if (search) event.With("entries", entries_);
  event.With("duration_seconds", std::chrono::steady_clock::now() - begin_);
}

}  // namespace twintree::rpc
