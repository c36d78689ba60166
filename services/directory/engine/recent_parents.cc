#include "services/directory/engine/recent_parents.h"

#include <array>
#include <cstddef>
#include <string>

#include "services/model/text_hash.h"

namespace twintree::directory {
namespace {

using storage::ChangeNumber;
using storage::EntryId;
using storage::kNoEntry;

constexpr std::size_t kPlaces = 16;  // as many as four bits of a hash tell apart
// Longer names are rare, and would stay in memory for each thread.
constexpr std::size_t kMaxKey = 256;

struct Place {
  std::uint64_t engine = 0;
  ChangeNumber version = 0;
  EntryId id = kNoEntry;

  bool Is(std::uint64_t of_engine, ChangeNumber of_version) const {
    return engine == of_engine && version == of_version;
  }
};

struct IdPlace : Place {
  std::string key;
};

struct NamePlace : Place {
  EntryNamePtr name;
};

IdPlace& PlaceOf(std::string_view key) {
  thread_local std::array<IdPlace, kPlaces> places;
  return places[model::HashOfBeginning(key) >> 60];
}

NamePlace& PlaceOf(EntryId id) {
  thread_local std::array<NamePlace, kPlaces> places;
  return places[id % kPlaces];
}

}  // namespace

EntryId RecentParents::FindId(std::string_view key) const {
  const IdPlace& place = PlaceOf(key);
  return place.Is(engine_, version_) && place.key == key ? place.id : kNoEntry;
}

void RecentParents::KeepId(std::string_view key, EntryId id) const {
  if (key.size() > kMaxKey) return;
  IdPlace& place = PlaceOf(key);
  place.engine = engine_;
  place.version = version_;
  place.id = id;
  place.key = key;
}

const EntryNamePtr* RecentParents::FindName(EntryId id) const {
  const NamePlace& place = PlaceOf(id);
  return place.Is(engine_, version_) && place.id == id ? &place.name : nullptr;
}

void RecentParents::KeepName(EntryId id, const EntryNamePtr& name) const {
  if (name->dn.size() > kMaxKey) return;
  NamePlace& place = PlaceOf(id);
  place.engine = engine_;
  place.version = version_;
  place.id = id;
  place.name = name;
}

}  // namespace twintree::directory
