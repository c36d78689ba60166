// One thread of the server: its event loop, its listening sockets, its connections.
//
// Thread-safety: confined to the thread, but for what says otherwise.
#ifndef TWINTREE_LDAP_GATEWAY_NET_WORKER_H_
#define TWINTREE_LDAP_GATEWAY_NET_WORKER_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>

#include "ldap_gateway/net/ldap_server.h"
#include "ldap_gateway/net/tls_context.h"
#include "ldap_gateway/session/door.h"
#include "services/directory/turn.h"

namespace twintree::ldap {

class Connection;

using IoExecutor = boost::asio::io_context::executor_type;
using Descriptor = boost::asio::posix::basic_stream_descriptor<IoExecutor>;
using Timer = boost::asio::basic_waitable_timer<
    std::chrono::steady_clock, boost::asio::wait_traits<std::chrono::steady_clock>, IoExecutor>;

// What all threads of a server share.
struct ServerState {
  std::shared_ptr<const Door> door;
  std::shared_ptr<TlsContext> tls;  // null: no TLS
  LdapTimeouts timeouts;
  std::size_t max_connections = 0;

  std::atomic<std::uint64_t> next_connection = 1;

  std::mutex mutex;
  std::condition_variable changed;
  std::size_t connections = 0;  // guarded by mutex
};

class Worker : public std::enable_shared_from_this<Worker> {
 public:
  struct Socket {
    Transport transport;
    OwnedFd fd;
  };

  Worker(std::shared_ptr<ServerState> state, std::vector<Socket> sockets);
  ~Worker();

  // From the thread that owns the server.
  void Start();
  void BeginDrain();
  // Ends all sessions, whatever is under way; the connections follow as their clients close.
  void CutOff();
  // Closes everything and waits for the thread.
  void Stop();

  // Calls OnWake() of the connection soon. Safe.
  void ScheduleWake(std::shared_ptr<Connection> connection);

  // For connections.
  boost::asio::io_context& io() { return io_; }
  ServerState& state() { return *state_; }
  std::span<char> read_buffer() { return read_buffer_; }
  void Add(std::shared_ptr<Connection> connection);
  void Remove(Connection* connection);

 private:
  struct Acceptor {
    Acceptor(boost::asio::io_context& io, Transport t, int fd)
        : descriptor(io.get_executor(), fd), retry(io.get_executor()), transport(t) {}
    Descriptor descriptor;
    Timer retry;
    Transport transport;
  };

  void Run();
  void WaitForClients(Acceptor* acceptor);
  void AcceptAll(Acceptor* acceptor);
  void RetryLater(Acceptor* acceptor, int error);
  void Welcome(Transport transport, OwnedFd fd);
  bool Admit(Transport transport, int fd);
  void DeliverWakes();
  void Tick();
  void CloseAcceptors();
  void CloseAll();
  void EndTurnSoon();

  const std::shared_ptr<ServerState> state_;
  boost::asio::io_context io_;
  boost::asio::executor_work_guard<IoExecutor> work_;
  std::vector<std::unique_ptr<Acceptor>> acceptors_;
  std::vector<std::shared_ptr<Connection>> connections_;
  std::vector<char> read_buffer_;
  Timer timer_;
  std::chrono::milliseconds tick_;
  std::chrono::steady_clock::time_point next_reload_;
  std::chrono::steady_clock::time_point last_accept_warning_;
  directory::Turn turn_;
  bool draining_ = false;
  bool closed_ = false;
  std::thread thread_;

  std::mutex wakes_mutex_;  // guards what follows
  std::vector<std::shared_ptr<Connection>> wakes_;
  bool stopped_ = false;
};

}  // namespace twintree::ldap

#endif  // TWINTREE_LDAP_GATEWAY_NET_WORKER_H_
