// A password or token that cannot be printed by accident.
//
// There is no conversion to std::string and no stream operator; whoever needs the octets calls
// Reveal() and is found by searching for that word. The memory is wiped on destruction.
//
// Shape: octets, any value, NUL included.
// Thread-safety: compatible.
#ifndef TWINTREE_SERVICES_MODEL_SECRET_H_
#define TWINTREE_SERVICES_MODEL_SECRET_H_

#include <string>
#include <string_view>
#include <utility>

namespace twintree::model {

class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string octets) : octets_(std::move(octets)) {}
  Secret(const Secret&) = default;
  Secret(Secret&& other) noexcept : octets_(std::exchange(other.octets_, {})) {}
  Secret& operator=(Secret other) noexcept {
    octets_.swap(other.octets_);
    return *this;
  }
  ~Secret() { Wipe(); }

  bool empty() const { return octets_.empty(); }
  std::string_view Reveal() const { return octets_; }

 private:
  void Wipe() {
    volatile char* octet = octets_.data();
    for (std::size_t i = 0; i < octets_.size(); ++i) octet[i] = 0;
  }

  std::string octets_;
};

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_SECRET_H_
