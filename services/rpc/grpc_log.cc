#include "services/rpc/grpc_log.h"

#include <grpc/support/log.h>

#include <atomic>
#include <string>

namespace twintree::rpc {
namespace {

std::atomic<GrpcLogSink> log_sink{nullptr};

void Forward(gpr_log_func_args* message) {
  std::string_view file = message->file;
  const std::size_t slash = file.rfind('/');
  if (slash != std::string_view::npos) file.remove_prefix(slash + 1);
  log_sink.load()(message->message, std::string(file) + ":" + std::to_string(message->line));
}

}  // namespace

void RouteGrpcLog(GrpcLogSink sink) {
  log_sink = sink;
  gpr_set_log_function(Forward);
}

}  // namespace twintree::rpc
