#include "services/rpc/port_splitter.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <limits>
#include <list>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <unordered_map>
#include <utility>

#include "services/log/log.h"

namespace twintree::rpc {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr unsigned char kTlsHandshakeRecord = 0x16;
constexpr int kEventsPerTurn = 64;
// Clients that are there already are looked at between turns.
constexpr int kAcceptsPerTurn = 64;
constexpr milliseconds kAcceptRetryDelay{100};
constexpr std::chrono::seconds kAcceptWarningInterval{10};

// Errors of accept() that say nothing about the next connection.
bool ConcernsOneClient(int error) {
  switch (error) {
    case EINTR:
    case ECONNABORTED:
    case EPROTO:
    case EPERM:
    case ENETDOWN:
    case ENETUNREACH:
    case ENOPROTOOPT:
    case EHOSTDOWN:
    case EHOSTUNREACH:
    case ENONET:
    case EOPNOTSUPP: return true;
    default: return false;
  }
}

// The lowest descriptor that connections may not have, if the last `kept` are for others. The
// system gives the lowest that is free, so a connection that gets this one has found all below
// taken.
int FirstKept(std::size_t kept) {
  rlimit limit{};
  if (kept == 0 || getrlimit(RLIMIT_NOFILE, &limit) != 0) return std::numeric_limits<int>::max();
  const auto all = std::min<rlim_t>(limit.rlim_cur, std::numeric_limits<int>::max());
  return static_cast<int>(all - std::min<rlim_t>(kept, all));
}

class PortSplitterImpl final : public PortSplitter {
 public:
  PortSplitterImpl(TcpListener listener, PortSplitterOptions options)
      : options_(std::move(options)),
        first_kept_(FirstKept(options_.kept_descriptors)),
        listeners_(std::move(listener.sockets)),
        poll_(epoll_create1(EPOLL_CLOEXEC)),
        stop_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}
  ~PortSplitterImpl() override { Stop(); }

  model::Status Begin() {
    bool ready = poll_.get() >= 0 && stop_.get() >= 0 && Watch(EPOLL_CTL_ADD, stop_.get(), EPOLLIN);
    for (const OwnedFd& listener : listeners_) {
      ready = ready && Watch(EPOLL_CTL_ADD, listener.get(), EPOLLIN);
    }
    if (!ready) {
      return model::Error{model::ResultCode::kOther,
                          std::string("cannot wait for connections: ") + std::strerror(errno), ""};
    }
    thread_ = std::thread([this] { Run(); });
    return model::OkStatus();
  }

  void Stop() override {
    std::lock_guard lock(stop_mutex_);
    if (!thread_.joinable()) return;
    eventfd_write(stop_.get(), 1);
    thread_.join();
    undecided_.clear();
    by_fd_.clear();
    listeners_.clear();
  }

 private:
  // Has sent nothing yet.
  struct Undecided {
    OwnedFd fd;
    int listener;
    steady_clock::time_point deadline;
  };
  using Place = std::list<Undecided>::iterator;

  bool Watch(int operation, int fd, std::uint32_t events) {
    epoll_event event{};
    event.events = events;
    event.data.fd = fd;
    return epoll_ctl(poll_.get(), operation, fd, &event) == 0;
  }

  void Run() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    std::array<epoll_event, kEventsPerTurn> events;
    for (;;) {
      const int count = epoll_wait(poll_.get(), events.data(), kEventsPerTurn, WaitMs());
      for (const epoll_event& event : std::span(events.data(), std::max(count, 0))) {
        if (event.data.fd == stop_.get()) return;
        OnReady(event.data.fd);
      }
      const auto now = steady_clock::now();
      while (!undecided_.empty() && undecided_.front().deadline <= now) Remove(undecided_.begin());
      if (resume_ && *resume_ <= now) Resume();
    }
  }

  // Until the next deadline, rounded up; -1: there is none.
  int WaitMs() const {
    auto next = steady_clock::time_point::max();
    if (!undecided_.empty()) next = undecided_.front().deadline;
    if (resume_) next = std::min(next, *resume_);
    if (next == steady_clock::time_point::max()) return -1;
    const auto left = std::chrono::ceil<milliseconds>(next - steady_clock::now());
    return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 60000));
  }

  // A descriptor that was closed earlier in the same turn may stand for another by now: both ways
  // ask the socket itself, without waiting.
  void OnReady(int fd) {
    if (const auto found = by_fd_.find(fd); found != by_fd_.end()) return Decide(found->second);
    const bool listening = std::any_of(listeners_.begin(), listeners_.end(),
                                       [fd](const OwnedFd& own) { return own.get() == fd; });
    if (listening) AcceptFrom(fd);
  }

  void AcceptFrom(int listener) {
    for (int i = 0; i < kAcceptsPerTurn && !resume_; ++i) {
      OwnedFd fd(accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
      if (fd.get() >= first_kept_) {
        Warn("too many connections");
      } else if (fd.get() >= 0) {
        Add(std::move(fd), listener);
      } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
        return;
      } else if (!ConcernsOneClient(errno)) {
        Pause(errno);
      }
    }
  }

  void Add(OwnedFd fd, int listener) {
    if (undecided_.size() >= options_.max_undecided) Remove(undecided_.begin());
    const int key = fd.get();
    if (!Watch(EPOLL_CTL_ADD, key, EPOLLIN)) return Pause(errno);
    undecided_.push_back(
        {std::move(fd), listener, steady_clock::now() + options_.first_octet_limit});
    by_fd_[key] = std::prev(undecided_.end());
  }

  // Closing takes it out of the poll set, too.
  void Remove(Place place) {
    by_fd_.erase(place->fd.get());
    undecided_.erase(place);
  }

  void Decide(Place place) {
    unsigned char octet = 0;
    const ssize_t count = recv(place->fd.get(), &octet, 1, MSG_PEEK | MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return;
    if (count <= 0) return Remove(place);
    // It stays open, so it would stay in the poll set.
    Watch(EPOLL_CTL_DEL, place->fd.get(), 0);
    by_fd_.erase(place->fd.get());
    Undecided decided = std::move(*place);
    undecided_.erase(place);
    const auto& take = octet == kTlsHandshakeRecord ? options_.take_tls : options_.take_plain;
    take(std::move(decided.fd), decided.listener);
  }

  void Warn(const char* error) {
    const auto now = steady_clock::now();
    if (last_warning_ && now - *last_warning_ <= kAcceptWarningInterval) return;
    last_warning_ = now;
    log::Warning("accept_failed").With("protocol", "grpc").With("error", error);
  }

  void Pause(int error) {
    Warn(std::strerror(error));
    for (const OwnedFd& listener : listeners_) Watch(EPOLL_CTL_MOD, listener.get(), 0);
    resume_ = steady_clock::now() + kAcceptRetryDelay;
  }

  void Resume() {
    resume_.reset();
    for (const OwnedFd& listener : listeners_) Watch(EPOLL_CTL_MOD, listener.get(), EPOLLIN);
  }

  const PortSplitterOptions options_;
  const int first_kept_;
  std::vector<OwnedFd> listeners_;  // changes only while there is no thread
  const OwnedFd poll_;
  const OwnedFd stop_;

  // The thread's own.
  std::list<Undecided> undecided_;  // who came first is first, and so are deadlines
  std::unordered_map<int, Place> by_fd_;
  std::optional<steady_clock::time_point> resume_;  // set: no connection is accepted until then
  std::optional<steady_clock::time_point> last_warning_;

  std::mutex stop_mutex_;
  std::thread thread_;  // guarded by stop_mutex_
};

}  // namespace

model::Result<std::unique_ptr<PortSplitter>> PortSplitter::Start(TcpListener listener,
                                                                 PortSplitterOptions options) {
  auto splitter = std::make_unique<PortSplitterImpl>(std::move(listener), std::move(options));
  TT_RETURN_IF_ERROR(splitter->Begin());
  return std::unique_ptr<PortSplitter>(std::move(splitter));
}

}  // namespace twintree::rpc
