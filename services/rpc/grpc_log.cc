#include "services/rpc/grpc_log.h"

#include <grpc/support/log.h>

#include <atomic>
#include <string>

namespace twintree::rpc {
namespace {

std::atomic<GrpcLogSink> log_sink{nullptr};

// gRPC quotes headers that it cannot read, whatever a client has put there.
std::string WithoutValue(std::string_view text) {
  constexpr std::string_view kValue = " value=";
  const std::size_t begin = text.find(kValue);
  if (begin == std::string_view::npos) return std::string(text);
  return std::string(text.substr(0, begin + kValue.size())) + "<hidden>";
}

void Forward(gpr_log_func_args* message) {
  std::string_view file = message->file;
  const std::size_t slash = file.rfind('/');
  if (slash != std::string_view::npos) file.remove_prefix(slash + 1);
  log_sink.load()(WithoutValue(message->message),
                  std::string(file) + ":" + std::to_string(message->line));
}

}  // namespace

void RouteGrpcLog(GrpcLogSink sink) {
  log_sink = sink;
  gpr_set_log_function(Forward);
}

}  // namespace twintree::rpc
