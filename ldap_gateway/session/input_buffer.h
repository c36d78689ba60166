// What a client has sent and nobody has read yet.
#ifndef TWINTREE_LDAP_GATEWAY_SESSION_INPUT_BUFFER_H_
#define TWINTREE_LDAP_GATEWAY_SESSION_INPUT_BUFFER_H_

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "ldap_gateway/limits.h"
#include "services/directory/budget.h"

namespace twintree::ldap {

// Memory beyond kFreeInputBytes is taken from a budget, which outlives the buffer.
//
// Thread-safety: compatible.
class InputBuffer {
 public:
  bool empty() const { return begin_ == octets_.size(); }
  // Lives until the next call that changes something.
  std::string_view view() const { return {octets_.data() + begin_, octets_.size() - begin_}; }

  // `expected`: octets of the message that the buffer begins with, as far as known; it does not
  // grow beyond them before they are there. False, with the buffer as it was: others hold too much.
  [[nodiscard]] bool Append(std::string_view octets, std::size_t expected,
                            directory::Budget* budget) {
    octets_.erase(octets_.begin(), octets_.begin() + static_cast<std::ptrdiff_t>(begin_));
    begin_ = 0;
    const std::size_t needed = octets_.size() + octets.size();
    if (needed > octets_.capacity()) {
      const std::size_t doubled = std::max(needed, 2 * octets_.capacity());
      const std::size_t size = std::max(needed, std::min(doubled, expected));
      if (!TakeFrom(budget, size)) return false;
      octets_.reserve(size);
    }
    octets_.insert(octets_.end(), octets.begin(), octets.end());
    return true;
  }
  // The first `n` octets are read.
  void Consume(std::size_t n) {
    begin_ += n;
    if (empty()) Clear();
  }
  void Clear() {
    begin_ = 0;
    octets_.clear();
    Shrink(kReadBufferBytes);
  }
  // Gives back what an empty buffer takes, if more than `keep`.
  void Shrink(std::size_t keep) {
    if (!empty() || octets_.capacity() <= keep) return;
    std::vector<char>().swap(octets_);
    begin_ = 0;
    share_.GiveBack();
  }

 private:
  // What was taken stays taken until the memory is given back, from whichever budget it was.
  bool TakeFrom(directory::Budget* budget, std::size_t size) {
    if (size <= kFreeInputBytes) return true;
    if (share_) return size <= share_.bytes() || share_.Grow(size - share_.bytes());
    share_ = budget->Take(size);
    return static_cast<bool>(share_);
  }

  std::vector<char> octets_;
  std::size_t begin_ = 0;
  directory::Budget::Share share_;
};

}  // namespace twintree::ldap

#endif  // TWINTREE_LDAP_GATEWAY_SESSION_INPUT_BUFFER_H_
