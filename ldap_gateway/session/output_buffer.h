// Octets on their way out: appended at the end, taken from the front.
//
// Thread-safety: compatible.
#ifndef TWINTREE_LDAP_GATEWAY_SESSION_OUTPUT_BUFFER_H_
#define TWINTREE_LDAP_GATEWAY_SESSION_OUTPUT_BUFFER_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace twintree::ldap {

class OutputBuffer {
 public:
  // For appending only.
  std::string* tail() { return &octets_; }
  // Takes over `octets` without copying when nothing waits.
  void Append(std::string&& octets) {
    if (size() == 0 && octets.capacity() > octets_.capacity()) {
      octets_ = std::move(octets);
      begin_ = 0;
    } else {
      octets_.append(octets);
    }
  }

  std::string_view view() const { return std::string_view(octets_).substr(begin_); }
  std::size_t size() const { return octets_.size() - begin_; }
  bool empty() const { return size() == 0; }

  // REQUIRES: n <= size()
  void Consume(std::size_t n) {
    begin_ += n;
    if (begin_ == octets_.size()) {
      octets_.clear();
      begin_ = 0;
    } else if (begin_ >= kCompactBytes && begin_ >= octets_.size() / 2) {
      octets_.erase(0, begin_);
      begin_ = 0;
    }
  }
  void Clear() { Consume(size()); }
  // Gives memory back if nothing waits and more than `keep` bytes are held.
  void Shrink(std::size_t keep) {
    if (empty() && octets_.capacity() > keep) std::string().swap(octets_);
  }

 private:
  static constexpr std::size_t kCompactBytes = 16 << 10;

  std::string octets_;
  std::size_t begin_ = 0;
};

}  // namespace twintree::ldap

#endif  // TWINTREE_LDAP_GATEWAY_SESSION_OUTPUT_BUFFER_H_
