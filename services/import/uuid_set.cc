#include "services/import/uuid_set.h"

#include <utility>

namespace twintree::import {
namespace {

constexpr std::size_t kFirstPlaces = 1024;

unsigned HexValue(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  return static_cast<unsigned>((c | 0x20) - 'a') + 10;
}

}  // namespace

UuidSet::Octets UuidSet::Parse(std::string_view uuid) {
  Octets octets{};
  std::size_t digits = 0;
  for (const char c : uuid) {
    if (c == '-' || digits == 32) continue;
    std::uint64_t& half = octets[digits++ / 16];
    half = (half << 4) | (HexValue(c) & 0xf);
  }
  return octets;
}

// Where it is, or would be. UUIDs are not random in every octet, so they are mixed.
std::size_t UuidSet::PlaceOf(const Octets& octets) const {
  std::uint64_t hash = (octets[0] ^ (octets[1] >> 32) ^ (octets[1] << 32)) * 0x9e3779b97f4a7c15;
  hash ^= hash >> 29;
  const std::size_t mask = places_.size() - 1;
  std::size_t place = static_cast<std::size_t>(hash) & mask;
  while (places_[place] != Octets{} && places_[place] != octets) place = (place + 1) & mask;
  return place;
}

bool UuidSet::Contains(std::string_view uuid) const {
  const Octets octets = Parse(uuid);
  if (octets == Octets{}) return has_zero_;
  return !places_.empty() && places_[PlaceOf(octets)] == octets;
}

void UuidSet::Insert(std::string_view uuid) {
  if (Contains(uuid)) return;
  const Octets octets = Parse(uuid);
  ++size_;
  if (octets == Octets{}) {
    has_zero_ = true;
    return;
  }
  if (size_ * 8 > places_.size() * 7) Grow();
  places_[PlaceOf(octets)] = octets;
}

void UuidSet::Clear() {
  places_ = {};
  size_ = 0;
  has_zero_ = false;
}

void UuidSet::Grow() {
  const std::vector<Octets> before = std::exchange(
      places_, std::vector<Octets>(places_.empty() ? kFirstPlaces : places_.size() * 2));
  for (const Octets& octets : before) {
    if (octets != Octets{}) places_[PlaceOf(octets)] = octets;
  }
}

}  // namespace twintree::import
