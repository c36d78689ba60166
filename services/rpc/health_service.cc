#include "services/rpc/health_service.h"

#include <mutex>
#include <set>
#include <utility>

#include "grpc/health/v1/health.grpc.pb.h"
#include "services/rpc/error_translation.h"
#include "services/rpc/message_octets.h"

namespace twintree::rpc {
namespace {

namespace health_pb = ::grpc::health::v1;
using health_pb::HealthCheckRequest;
using health_pb::HealthCheckResponse;
using ServingStatus = HealthCheckResponse::ServingStatus;

// One Watch stream: writes the newest status, one write at a time.
class HealthWatch final : public grpc::ServerWriteReactor<grpc::ByteBuffer>,
                          public std::enable_shared_from_this<HealthWatch> {
 public:
  using Ended = std::function<void(const std::shared_ptr<HealthWatch>&)>;

  HealthWatch(bool known, Ended ended) : known_(known), ended_(std::move(ended)) {}

  bool known() const { return known_; }
  void Start() { self_ = shared_from_this(); }

  void Tell(ServingStatus status) {
    std::unique_lock lock(mutex_);
    wanted_ = status;
    Proceed(std::move(lock));
  }
  void End() {
    std::unique_lock lock(mutex_);
    ending_ = true;
    Proceed(std::move(lock));
  }

  // REQUIRES: nothing was told.
  void Refuse(const model::Error& error) {
    std::unique_lock lock(mutex_);
    finished_ = true;
    lock.unlock();
    Finish(ToGrpcStatus(error));
  }

  void OnWriteDone(bool ok) override {
    std::unique_lock lock(mutex_);
    writing_ = false;
    if (!ok) ending_ = true;
    Proceed(std::move(lock));
  }
  void OnCancel() override { End(); }
  void OnDone() override {
    ended_(self_);
    self_.reset();
  }

 private:
  void Proceed(std::unique_lock<std::mutex> lock) {
    if (writing_ || finished_) return;
    if (wanted_ != written_) {
      written_ = wanted_;
      writing_ = true;
      HealthCheckResponse response;
      response.set_status(wanted_);
      WriteOctets(response, &response_);
      lock.unlock();
      StartWrite(&response_);
    } else if (ending_) {
      finished_ = true;
      lock.unlock();
      Finish(grpc::Status(grpc::StatusCode::UNAVAILABLE, "the server is shutting down"));
    }
  }

  const bool known_;
  const Ended ended_;
  std::shared_ptr<HealthWatch> self_;

  std::mutex mutex_;
  // Guarded by mutex_.
  grpc::ByteBuffer response_;
  ServingStatus wanted_ = HealthCheckResponse::UNKNOWN;
  ServingStatus written_ = HealthCheckResponse::UNKNOWN;
  bool writing_ = false;
  bool ending_ = false;
  bool finished_ = false;
};

using RawHealth = health_pb::Health::WithRawCallbackMethod_Check<
    health_pb::Health::WithRawCallbackMethod_Watch<health_pb::Health::CallbackService>>;

class HealthServiceImpl final : public HealthService, public RawHealth {
 public:
  explicit HealthServiceImpl(const std::vector<std::string>& names)
      : names_(names.begin(), names.end()) {
    names_.insert("");
  }

  grpc::Service* service() override { return this; }

  void SetServing(bool serving) override {
    std::lock_guard lock(mutex_);
    if (shut_down_) return;
    serving_ = serving;
    for (const auto& watch : watches_) watch->Tell(StatusOf(watch->known()));
  }

  void ShutDown() override {
    SetServing(false);
    std::lock_guard lock(mutex_);
    shut_down_ = true;
    for (const auto& watch : watches_) watch->End();
  }

  grpc::ServerUnaryReactor* Check(grpc::CallbackServerContext* context,
                                  const grpc::ByteBuffer* octets,
                                  grpc::ByteBuffer* answer) override {
    grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
    HealthCheckRequest request;
    if (const model::Status parsed = ParseOctets(*octets, &request); !parsed.ok()) {
      reactor->Finish(ToGrpcStatus(parsed.error()));
    } else if (!names_.contains(request.service())) {
      reactor->Finish(grpc::Status(grpc::StatusCode::NOT_FOUND, "unknown service"));
    } else {
      HealthCheckResponse response;
      response.set_status(CurrentStatus());
      WriteOctets(response, answer);
      reactor->Finish(grpc::Status::OK);
    }
    return reactor;
  }

  grpc::ServerWriteReactor<grpc::ByteBuffer>* Watch(grpc::CallbackServerContext*,
                                                    const grpc::ByteBuffer* octets) override {
    HealthCheckRequest request;
    const model::Status parsed = ParseOctets(*octets, &request);
    auto watch = std::make_shared<HealthWatch>(names_.contains(request.service()),
                                               [this](const std::shared_ptr<HealthWatch>& ended) {
                                                 std::lock_guard lock(mutex_);
                                                 watches_.erase(ended);
                                               });
    watch->Start();
    if (!parsed.ok()) {
      watch->Refuse(parsed.error());
      return watch.get();
    }
    std::lock_guard lock(mutex_);
    watches_.insert(watch);
    watch->Tell(StatusOf(watch->known()));
    if (shut_down_) watch->End();
    return watch.get();
  }

 private:
  ServingStatus CurrentStatus() {
    std::lock_guard lock(mutex_);
    return StatusOf(true);
  }
  // REQUIRES: mutex_ is held.
  ServingStatus StatusOf(bool known) const {
    if (!known) return HealthCheckResponse::SERVICE_UNKNOWN;
    return serving_ ? HealthCheckResponse::SERVING : HealthCheckResponse::NOT_SERVING;
  }

  std::set<std::string, std::less<>> names_;

  std::mutex mutex_;
  // Guarded by mutex_.
  std::set<std::shared_ptr<HealthWatch>> watches_;
  bool serving_ = false;
  bool shut_down_ = false;
};

}  // namespace

std::unique_ptr<HealthService> HealthService::Make(const std::vector<std::string>& names) {
  return std::make_unique<HealthServiceImpl>(names);
}

}  // namespace twintree::rpc
