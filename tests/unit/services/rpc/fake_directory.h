// A Directory whose answers a test makes up, and sinks that keep what they are given.
#ifndef TWINTREE_TESTS_UNIT_SERVICES_RPC_FAKE_DIRECTORY_H_
#define TWINTREE_TESTS_UNIT_SERVICES_RPC_FAKE_DIRECTORY_H_

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "services/directory/directory.h"
#include "services/model/entry.h"

namespace twintree::rpc {

inline constexpr std::chrono::seconds kPatience{60};

// Each operation calls its function; what has none is answered with kUnwillingToPerform.
class FakeDirectory : public directory::Directory {
 public:
  template <typename Request>
  using Handler =
      std::function<void(const directory::RequestContext&, const Request&, const Callback&)>;

  std::function<void(const directory::RequestContext&, const directory::BindRequest&,
                     const BindCallback&)>
      on_bind;
  std::function<std::shared_ptr<directory::SearchOperation>(
      const directory::RequestContext&, const directory::SearchRequest&,
      const std::shared_ptr<directory::SearchSink>&)>
      on_search;
  Handler<directory::CompareRequest> on_compare;
  Handler<directory::AddRequest> on_add;
  Handler<directory::ModifyRequest> on_modify;
  Handler<directory::DeleteRequest> on_delete;
  Handler<directory::ModifyDnRequest> on_modify_dn;
  Handler<directory::ModifyPasswordRequest> on_modify_password;

  void Bind(const directory::RequestContext& context, directory::BindRequest request,
            BindCallback done) override {
    if (on_bind) return on_bind(context, request, done);
    done({model::ResultCode::kUnwillingToPerform, "", {}});
  }
  std::shared_ptr<directory::SearchOperation> Search(
      const directory::RequestContext& context, directory::SearchRequest request,
      std::shared_ptr<directory::SearchSink> sink) override {
    return on_search(context, request, sink);
  }
  void Compare(const directory::RequestContext& context, directory::CompareRequest request,
               Callback done) override {
    Answer(on_compare, context, request, done);
  }
  void Add(const directory::RequestContext& context, directory::AddRequest request,
           Callback done) override {
    Answer(on_add, context, request, done);
  }
  void Modify(const directory::RequestContext& context, directory::ModifyRequest request,
              Callback done) override {
    Answer(on_modify, context, request, done);
  }
  void Delete(const directory::RequestContext& context, directory::DeleteRequest request,
              Callback done) override {
    Answer(on_delete, context, request, done);
  }
  void ModifyDn(const directory::RequestContext& context, directory::ModifyDnRequest request,
                Callback done) override {
    Answer(on_modify_dn, context, request, done);
  }
  void ModifyPassword(const directory::RequestContext& context,
                      directory::ModifyPasswordRequest request, Callback done) override {
    Answer(on_modify_password, context, request, done);
  }

 private:
  template <typename Request>
  static void Answer(const Handler<Request>& handler, const directory::RequestContext& context,
                     const Request& request, const Callback& done) {
    if (handler) return handler(context, request, done);
    directory::Outcome outcome;
    outcome.code = model::ResultCode::kUnwillingToPerform;
    done(std::move(outcome));
  }
};

inline std::string OneAttribute(std::string_view description, std::string value) {
  std::string element;
  const std::vector<std::string> values = {std::move(value)};
  model::AppendPartialAttribute(description, values, &element);
  return element;
}

// Sends `count` entries as fast as its sink allows, on whichever thread lets it go on.
class GeneratedSearch final : public directory::SearchOperation,
                              public std::enable_shared_from_this<GeneratedSearch> {
 public:
  GeneratedSearch(std::shared_ptr<directory::SearchSink> sink, std::size_t count,
                  std::string attributes)
      : sink_(std::move(sink)), count_(count), attributes_(std::move(attributes)) {}

  void Start() { Proceed(); }
  void Resume() override { Proceed(); }
  void Cancel() override {
    {
      std::lock_guard lock(mutex_);
      cancelled_ = true;
    }
    Proceed();
  }
  std::size_t sent() const {
    std::lock_guard lock(mutex_);
    return sent_;
  }
  bool cancelled() const {
    std::lock_guard lock(mutex_);
    return cancelled_;
  }

 private:
  void Proceed() {
    std::unique_lock lock(mutex_);
    go_on_ = true;
    if (running_ || done_) return;
    running_ = true;
    while (go_on_ && !cancelled_ && sent_ < count_) {
      go_on_ = false;
      const std::string dn = "cn=" + std::to_string(sent_++);
      const std::string_view pieces[] = {attributes_};
      lock.unlock();
      const auto flow = sink_->OnEntry(dn, pieces);
      lock.lock();
      if (flow == directory::SearchSink::Flow::kMore) go_on_ = true;
    }
    running_ = false;
    if (!cancelled_ && sent_ < count_) return;
    done_ = true;
    directory::SearchOutcome outcome;
    outcome.entries = sent_;
    if (cancelled_) outcome.code = model::ResultCode::kCanceled;
    const auto sink = std::move(sink_);
    lock.unlock();
    sink->OnDone(std::move(outcome));
  }

  std::shared_ptr<directory::SearchSink> sink_;
  const std::size_t count_;
  const std::string attributes_;

  mutable std::mutex mutex_;
  std::size_t sent_ = 0;
  bool go_on_ = false;
  bool running_ = false;
  bool cancelled_ = false;
  bool done_ = false;
};

// Keeps what comes. After `room` entries it is full, until MakeRoom().
class KeepingSink final : public directory::SearchSink {
 public:
  explicit KeepingSink(std::size_t room = static_cast<std::size_t>(-1)) : room_(room) {}

  Flow OnEntry(std::string_view dn, std::span<const std::string_view> pieces) override {
    std::lock_guard lock(mutex_);
    last_dn_ = std::string(dn);
    last_attributes_.clear();
    for (const std::string_view piece : pieces) last_attributes_ += piece;
    ++entries_;
    changed_.notify_all();
    return entries_ < room_ ? Flow::kMore : Flow::kFull;
  }
  void Flush() override {
    std::lock_guard lock(mutex_);
    ++flushes_;
  }
  void OnDone(directory::SearchOutcome outcome) override {
    std::lock_guard lock(mutex_);
    ++endings_;
    outcome_ = std::move(outcome);
    changed_.notify_all();
  }

  void MakeRoom(std::size_t entries) {
    std::lock_guard lock(mutex_);
    room_ += entries;
  }
  // Waits for the end; nullopt when it does not come.
  std::optional<directory::SearchOutcome> Outcome() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kPatience, [this] { return outcome_.has_value(); });
    return outcome_;
  }
  bool WaitForEntries(std::size_t entries) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kPatience, [&] { return entries_ >= entries; });
  }
  std::size_t entries() const {
    std::lock_guard lock(mutex_);
    return entries_;
  }
  int flushes() const {
    std::lock_guard lock(mutex_);
    return flushes_;
  }
  int endings() const {
    std::lock_guard lock(mutex_);
    return endings_;
  }
  std::string last_dn() const {
    std::lock_guard lock(mutex_);
    return last_dn_;
  }
  std::string last_attributes() const {
    std::lock_guard lock(mutex_);
    return last_attributes_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t room_;
  std::size_t entries_ = 0;
  int flushes_ = 0;
  int endings_ = 0;
  std::string last_dn_;
  std::string last_attributes_;
  std::optional<directory::SearchOutcome> outcome_;
};

// A value that arrives later, from another thread.
template <typename T>
class Later {
 public:
  void Set(T value) {
    std::lock_guard lock(state_->mutex);
    state_->value = std::move(value);
    state_->changed.notify_all();
  }
  // nullopt when it does not come.
  std::optional<T> Get() {
    std::unique_lock lock(state_->mutex);
    state_->changed.wait_for(lock, kPatience, [this] { return state_->value.has_value(); });
    return state_->value;
  }

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    std::optional<T> value;
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

inline directory::Subject User(std::string dn) {
  directory::Subject subject;
  subject.kind = directory::Subject::Kind::kUser;
  subject.dn_key = dn;
  subject.dn = std::move(dn);
  return subject;
}

inline directory::SearchRequest SearchFor(std::string base) {
  directory::SearchRequest request;
  request.base = std::move(base);
  request.scope = directory::Scope::kSubtree;
  request.filter = std::make_shared<model::Filter>(model::PresentFilter("objectClass"));
  return request;
}

}  // namespace twintree::rpc

#endif  // TWINTREE_TESTS_UNIT_SERVICES_RPC_FAKE_DIRECTORY_H_
