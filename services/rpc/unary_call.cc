#include "services/rpc/unary_call.h"

#include <utility>

#include "services/log/log.h"

namespace twintree::rpc {

std::shared_ptr<CallLog> LogOf(const grpc::CallbackServerContext& context, MethodId method,
                               const CallTarget& target) {
  if (!log::AccessEnabled()) return nullptr;
  return CallLog::Begin(AllRpcMethods()[static_cast<std::size_t>(method)].name, context.peer(),
                        target);
}

CallTarget TargetOf(std::string_view kind, const std::string& dn, std::string_view extra_key,
                    std::string extra) {
  if (!log::AccessEnabled()) return {};
  CallTarget target;
  target.kind = kind;
  target.dn = dn;
  target.extra_key = extra_key;
  target.extra = std::move(extra);
  return target;
}

}  // namespace twintree::rpc
