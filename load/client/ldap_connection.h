// A socket to an LDAP server with buffers on both sides, and the strands that use it.
//
// Errors:        Connect throws std::runtime_error
// Thread-safety: confined
#ifndef TWINTREE_LOAD_CLIENT_LDAP_CONNECTION_H_
#define TWINTREE_LOAD_CLIENT_LDAP_CONNECTION_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "load/client/strand.h"
#include "load/client/target.h"
#include "load/client/worker.h"

namespace twintree::load {

class LdapConnection {
 public:
  LdapConnection() = default;
  ~LdapConnection();
  LdapConnection(LdapConnection&& other) noexcept;
  LdapConnection& operator=(LdapConnection&&) = delete;

  // Opens the socket and binds; waits for the answer. Does not block any more afterwards.
  void Connect(const Target& target, const Credentials& credentials);

  // Octets to send. Flush() sends what the socket takes; false if the connection is lost.
  std::string* output() { return &output_; }
  bool Flush();
  bool has_output() const { return output_sent_ < output_.size(); }

  // Reads what has arrived, up to the size of the buffer. False if the connection is lost.
  bool Receive();
  std::string_view input() const;
  void Consume(std::size_t octets) { input_begin_ += octets; }

  void Close();
  bool open() const { return fd_ >= 0; }
  int fd() const { return fd_; }
  // Why the connection was lost.
  const std::string& failure() const { return failure_; }

 private:
  void Open(const Target& target);
  void OpenSocketFile(const std::string& path);
  void OpenAddress(const Target& target);
  void Bind(const Credentials& credentials);
  void MakeRoom();
  bool Fail(const std::string& why);

  int fd_ = -1;
  std::string output_;
  std::size_t output_sent_ = 0;
  std::vector<char> input_;
  std::size_t input_begin_ = 0;
  std::size_t input_end_ = 0;
  std::string failure_;
};

}  // namespace twintree::load

#endif  // TWINTREE_LOAD_CLIENT_LDAP_CONNECTION_H_
