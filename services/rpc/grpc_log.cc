#include "services/rpc/grpc_log.h"

#include <google/protobuf/stubs/logging.h>
#include <grpc/support/log.h>

#include <atomic>
#include <string>

namespace twintree::rpc {
namespace {

std::atomic<GrpcLogSink> log_sink{nullptr};
std::atomic<GrpcLogSink> protobuf_sink{nullptr};

// gRPC quotes headers that it cannot read, whatever a client has put there.
std::string WithoutValue(std::string_view text) {
  constexpr std::string_view kValue = " value=";
  const std::size_t begin = text.find(kValue);
  if (begin == std::string_view::npos) return std::string(text);
  return std::string(text.substr(0, begin + kValue.size())) + "<hidden>";
}

std::string PlaceOf(std::string_view file, int line) {
  const std::size_t slash = file.rfind('/');
  if (slash != std::string_view::npos) file.remove_prefix(slash + 1);
  return std::string(file) + ":" + std::to_string(line);
}

void Forward(gpr_log_func_args* message) {
  log_sink.load()(WithoutValue(message->message), PlaceOf(message->file, message->line));
}

void ForwardProtobuf(google::protobuf::LogLevel, const char* file, int line,
                     const std::string& message) {
  protobuf_sink.load()(message, PlaceOf(file, line));
}

}  // namespace

void RouteGrpcLog(GrpcLogSink sink) {
  log_sink = sink;
  gpr_set_log_function(Forward);
}

void RouteProtobufLog(GrpcLogSink sink) {
  protobuf_sink = sink;
  google::protobuf::SetLogHandler(ForwardProtobuf);
}

}  // namespace twintree::rpc
