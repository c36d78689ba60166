// A map from names to pointers for the schema's look-ups: ASCII letter case does not matter, a
// look-up copies nothing.
//
// Thread-safety: compatible.
#ifndef TWINTREE_SERVICES_MODEL_NAME_TABLE_H_
#define TWINTREE_SERVICES_MODEL_NAME_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
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
    Place({Hash(name), std::string(name), value});
    ++count_;
    return true;
  }

  // Null when there is no such name.
  const T* Find(std::string_view name) const {
    if (slots_.empty()) return nullptr;
    const std::uint32_t hash = Hash(name);
    for (std::size_t i = hash & mask(); slots_[i].value != nullptr; i = (i + 1) & mask()) {
      if (slots_[i].hash != hash) continue;
      // Mostly names come as the schema spells them.
      if (slots_[i].name == name || EqualsIgnoreCase(slots_[i].name, name)) return slots_[i].value;
    }
    return nullptr;
  }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::string name;  // as it was inserted
    const T* value = nullptr;
  };

  // Eight letters at a time, each without its case bit.
  static std::uint32_t Hash(std::string_view name) {
    constexpr std::uint64_t kCaseBits = 0x2020202020202020;
    constexpr std::uint64_t kMultiplier = 0x9e3779b97f4a7c15;
    std::uint64_t hash = name.size();
    while (name.size() > 8) {
      hash = (hash ^ (Word(name.substr(0, 8)) | kCaseBits)) * kMultiplier;
      hash ^= hash >> 32;
      name.remove_prefix(8);
    }
    hash = (hash ^ (Word(name) | kCaseBits)) * kMultiplier;
    return static_cast<std::uint32_t>(hash >> 32);
  }

  // Up to 8 octets.
  static std::uint64_t Word(std::string_view octets) {
    std::uint64_t word = 0;
    if (!octets.empty()) std::memcpy(&word, octets.data(), octets.size());
    return word;
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
