// A server on a socket file that answers as a test tells it to.
#ifndef TWINTREE_TESTS_UNIT_LOAD_CLIENT_FAKE_LDAP_SERVER_H_
#define TWINTREE_TESTS_UNIT_LOAD_CLIENT_FAKE_LDAP_SERVER_H_

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "ldap_gateway/ber/ber.h"
#include "load/client/target.h"

namespace twintree::load {

struct FakeRequest {
  std::int64_t message_id = 0;
  ber::Tag tag = 0;
  std::string content;
};

// Octets to send for the requests that came together; nullopt closes the connection.
using FakeAnswerer =
    std::function<std::optional<std::string>(const std::vector<FakeRequest>& requests)>;

inline std::string FakeResult(std::int64_t message_id, ber::Tag tag, int code) {
  std::string octets;
  ber::Writer writer(&octets);
  const std::size_t message = writer.Begin(ber::kSequence);
  writer.Integer(message_id);
  const std::size_t result = writer.Begin(tag);
  writer.Enumerated(code);
  writer.OctetString("");
  writer.OctetString("");
  writer.End(result);
  writer.End(message);
  return octets;
}

class FakeLdapServer {
 public:
  explicit FakeLdapServer(FakeAnswerer answerer) : answerer_(std::move(answerer)) {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "twintree-ldap-XXXXXX").string();
    EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path().copy(address.sun_path, sizeof address.sun_path - 1);
    listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::listen(listener_, 64), 0);
    thread_ = std::thread([this] { Serve(); });
  }

  ~FakeLdapServer() {
    stop_ = true;
    thread_.join();
    for (const Peer& peer : peers_) ::close(peer.fd);
    ::close(listener_);
    std::filesystem::remove_all(folder_);
  }

  std::string path() const { return (folder_ / "s").string(); }
  Target target() const { return ParseTarget("ldapi://" + path()); }

 private:
  struct Peer {
    int fd;
    std::string input;
  };

  void Serve() {
    while (!stop_) {
      std::vector<pollfd> watched = {{listener_, POLLIN, 0}};
      for (const Peer& peer : peers_) watched.push_back({peer.fd, POLLIN, 0});
      if (::poll(watched.data(), watched.size(), 5) <= 0) continue;
      for (std::size_t i = peers_.size(); i > 0; --i) {
        if (watched[i].revents != 0 && !Answer(peers_[i - 1])) {
          ::close(peers_[i - 1].fd);
          peers_.erase(peers_.begin() + static_cast<std::ptrdiff_t>(i) - 1);
        }
      }
      if (watched[0].revents != 0) peers_.push_back({::accept(listener_, nullptr, nullptr), {}});
    }
  }

  // False when the connection is to be closed.
  bool Answer(Peer& peer) {
    std::array<char, 65536> buffer;
    const ssize_t got = ::recv(peer.fd, buffer.data(), buffer.size(), 0);
    if (got <= 0) return false;
    peer.input.append(buffer.data(), static_cast<std::size_t>(got));
    const auto answer = answerer_(TakeRequests(peer));
    if (!answer) return false;
    ::send(peer.fd, answer->data(), answer->size(), MSG_NOSIGNAL);
    return true;
  }

  static std::vector<FakeRequest> TakeRequests(Peer& peer) {
    std::vector<FakeRequest> requests;
    while (true) {
      const ber::Header header = ber::PeekHeader(peer.input);
      if (header.state != ber::HeaderState::kComplete) break;
      const std::size_t size = header.size + static_cast<std::size_t>(header.length);
      if (peer.input.size() < size) break;
      ber::Reader message(std::string_view(peer.input).substr(header.size, header.length));
      FakeRequest request;
      ber::Element operation;
      EXPECT_TRUE(message.ExpectInteger(&request.message_id));
      EXPECT_TRUE(message.Next(&operation));
      request.tag = operation.tag;
      request.content = operation.content;
      requests.push_back(request);
      peer.input.erase(0, size);
    }
    return requests;
  }

  FakeAnswerer answerer_;
  std::filesystem::path folder_;
  int listener_;
  std::atomic<bool> stop_{false};
  std::vector<Peer> peers_;  // used by the thread only, until it has ended
  std::thread thread_;
};

}  // namespace twintree::load

#endif  // TWINTREE_TESTS_UNIT_LOAD_CLIENT_FAKE_LDAP_SERVER_H_
