// A map from names to pointers for the schema's look-ups: ASCII letter case does not matter, a
// look-up copies nothing.
//
// Thread-safety: compatible.
#ifndef TWINTREE_SERVICES_MODEL_NAME_TABLE_H_
#define TWINTREE_SERVICES_MODEL_NAME_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "services/model/ascii.h"

namespace twintree::model {

template <typename T>
class NameTable {
 public:
  // False, and nothing changes, when the name is there already. REQUIRES: value is not null.
  bool Insert(std::string_view name, const T* value) {
    if (Find(name) != nullptr) return false;
    if ((count_ + 1) * 2 > slots_.size()) Grow();
    Place({Hash(name), ToLowerCopy(name), value});
    ++count_;
    return true;
  }

  // Null when there is no such name.
  const T* Find(std::string_view name) const {
    if (slots_.empty()) return nullptr;
    const std::uint32_t hash = Hash(name);
    for (std::size_t i = hash & mask(); slots_[i].value != nullptr; i = (i + 1) & mask()) {
      if (slots_[i].hash == hash && EqualsLowerCase(slots_[i].name, name)) return slots_[i].value;
    }
    return nullptr;
  }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::string name;  // lower case
    const T* value = nullptr;
  };

  static bool EqualsLowerCase(std::string_view lower, std::string_view name) {
    if (lower.size() != name.size()) return false;
    for (std::size_t i = 0; i < name.size(); ++i) {
      if (lower[i] != ToLower(name[i])) return false;
    }
    return true;
  }

  // FNV-1a over the letters without their case bit.
  static std::uint32_t Hash(std::string_view name) {
    std::uint32_t hash = 2166136261u;
    for (char c : name) {
      hash ^= static_cast<unsigned char>(c) | 0x20u;
      hash *= 16777619u;
    }
    return hash ^ (hash >> 15);
  }

  std::size_t mask() const { return slots_.size() - 1; }

  void Place(Slot slot) {
    std::size_t i = slot.hash & mask();
    while (slots_[i].value != nullptr) i = (i + 1) & mask();
    slots_[i] = std::move(slot);
  }

  void Grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : slots_.size() * 2);
    old.swap(slots_);
    for (Slot& slot : old) {
      if (slot.value != nullptr) Place(std::move(slot));
    }
  }

  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_NAME_TABLE_H_
