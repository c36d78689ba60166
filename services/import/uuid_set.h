// The entryUUIDs of an import: 16 octets each, in a table that is at least half full once it has
// grown.
#ifndef TWINTREE_SERVICES_IMPORT_UUID_SET_H_
#define TWINTREE_SERVICES_IMPORT_UUID_SET_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace twintree::import {

// Thread-safety: compatible.
class UuidSet {
 public:
  // `uuid` in its 36 characters, in any letter case.
  bool Contains(std::string_view uuid) const;
  void Insert(std::string_view uuid);
  void Clear();
  std::size_t size() const { return size_; }

 private:
  using Octets = std::array<std::uint64_t, 2>;  // {0, 0}: a free place
  static Octets Parse(std::string_view uuid);
  std::size_t PlaceOf(const Octets& octets) const;
  void Grow();

  std::vector<Octets> places_;  // a power of two of them, or none
  std::size_t size_ = 0;
  bool has_zero_ = false;  // the UUID of zeros cannot stand in a place
};

}  // namespace twintree::import

#endif  // TWINTREE_SERVICES_IMPORT_UUID_SET_H_
