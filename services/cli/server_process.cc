#include "services/cli/server_process.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <future>
#include <optional>
#include <utility>

#include "services/cli/exit_watch.h"
#include "services/cli/signals.h"
#include "services/cli/version.h"
#include "services/log/limiter.h"
#include "services/log/log.h"
#include "services/metrics/process_metrics.h"
#include "services/rpc/grpc_log.h"
#include "services/rpc/grpc_server.h"
#include "services/rpc/grpc_setup.h"
#include "storage/sqlite/sqlite_entry_store.h"

namespace twintree::cli {
namespace {

// For what follows the draining: closing the store, above all.
constexpr std::chrono::seconds kExitGrace{5};

log::Level LevelOf(const std::string& name) {
  if (name == "debug") return log::Level::kDebug;
  if (name == "warning") return log::Level::kWarning;
  if (name == "error") return log::Level::kError;
  if (name == "off") return log::Level::kOff;
  return log::Level::kInfo;
}

}  // namespace

void ConfigureLog(const ProcessSettings& settings) {
  log::Configure({LevelOf(settings.log_level),
                  settings.log_format == "json" ? log::Format::kJson : log::Format::kText,
                  settings.access_log, log::Output::kStdout});
}

ServerProcess::ServerProcess(std::string role, ProcessSettings settings)
    : role_(std::move(role)), settings_(std::move(settings)) {}

ServerProcess::~ServerProcess() {
  if (http_ != nullptr) {
    http_->Stop();
    log::Info("stopped");
  }
  log::Flush();
}

model::Status ServerProcess::Start(
    std::vector<std::shared_ptr<prometheus::Collectable>> collectables) {
  // Mostly peers that cannot shake hands, who try again; none is an error of ours.
  rpc::RouteGrpcLog([](std::string_view text, std::string_view place) {
    static log::Limiter limiter;
    const std::optional<std::uint64_t> left_out = limiter.Pass(place);
    if (!left_out) return;
    log::Event event = log::Warning("grpc_message");
    event.With("text", text).With("place", place);
    if (*left_out > 0) event.With("suppressed", *left_out);
  });
  rpc::RouteProtobufLog([](std::string_view text, std::string_view place) {
    log::Debug("protobuf").With("text", text).With("place", place);
  });
  BlockSignals();
  rpc::SetUpGrpc();  // the end should not wait for it; after the signals, for its threads
  log::Info("starting").With("role", role_).With("version", Version()).With("pid", getpid());
  for (const UnknownVariable& variable : settings_.unknown_variables) {
    log::Event event = log::Warning("unknown_variable");
    event.With("name", variable.name).With("reason", "it is no setting");
    if (!variable.meant.empty()) event.With("did_you_mean", variable.meant);
  }
  metrics::HttpOptions options;
  options.listen = settings_.http_listen;
  options.started = [this] { return health_.started(); };
  options.not_ready_because = [this] { return health_.not_ready_because(); };
  collectables.push_back(std::make_shared<metrics::ProcessMetrics>(
      metrics::BuildInfo{Version(), Revision(), rpc::GrpcServer::LibraryVersion(),
                         storage::SqliteEntryStore::LibraryVersion(), role_},
      settings_.config_hash, [this] { return health_.ready(); }));
  options.collectables = std::move(collectables);
  TT_ASSIGN_OR_RETURN(http_, metrics::HttpServer::Start(std::move(options)));
  log::Info("listening").With("protocol", "http").With("address", http_->address());
  return model::OkStatus();
}

model::Status ServerProcess::Run(const std::function<model::Status()>& open) {
  auto opened = std::async(std::launch::async, open);
  while (opened.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) {
    if (!StopRequested()) continue;
    log::Info("stopped").With("reason", "ended while starting");
    log::Flush();
    std::_Exit(EXIT_SUCCESS);
  }
  return opened.get();
}

void ServerProcess::WaitForStop(const std::function<void()>& reload) {
  cli::WaitForStop(reload);
  log::Info("draining").With("limit_seconds", settings_.drain_seconds);
  drain_deadline_ =
      std::chrono::steady_clock::now() + std::chrono::seconds(settings_.drain_seconds);
  ExitWithin(std::chrono::seconds(settings_.drain_seconds) + kExitGrace);
  health_.Drain();
}

std::chrono::milliseconds ServerProcess::drain_time_left() const {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
      drain_deadline_ - std::chrono::steady_clock::now());
  return std::max(left, std::chrono::milliseconds(0));
}

}  // namespace twintree::cli
