// Items of many clients that wait, and leave in turn: one of each client that has any, whoever came
// first and however many it has. Those of one client keep their order.
//
// Thread-safety: confined to the owner's lock.
#ifndef TWINTREE_SERVICES_DIRECTORY_FAIR_QUEUE_H_
#define TWINTREE_SERVICES_DIRECTORY_FAIR_QUEUE_H_

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <list>
#include <unordered_map>
#include <utility>

namespace twintree::directory {

template <typename Item>
class FairQueue {
 public:
  struct Entry {
    std::uint64_t id = 0;
    std::size_t bytes = 0;
    Item item;
  };

  bool empty() const { return places_.empty(); }
  std::size_t size() const { return places_.size(); }
  // Of one client's items.
  std::size_t SizeOf(std::uint64_t client) const {
    const auto line = lines_of_.find(client);
    return line == lines_of_.end() ? 0 : line->second->entries.size();
  }
  // Of all items together.
  std::size_t bytes() const { return bytes_; }

  // REQUIRES: no item with this id waits.
  void Push(std::uint64_t client, Entry entry) {
    auto line = lines_of_.find(client);
    if (line == lines_of_.end()) {
      line = lines_of_.emplace(client, lines_.insert(lines_.end(), Line{client, {}})).first;
    }
    bytes_ += entry.bytes;
    auto& entries = line->second->entries;
    const std::uint64_t id = entry.id;
    entries.push_back(std::move(entry));
    places_.emplace(id, Place{line->second, std::prev(entries.end())});
  }

  // REQUIRES: !empty().
  Entry Pop() {
    const auto line = lines_.begin();
    const Place place{line, line->entries.begin()};
    // Its client's turn comes again after all others'.
    lines_.splice(lines_.end(), lines_, line);
    return Take(place);
  }

  // False if it does not wait here.
  bool Remove(std::uint64_t id) {
    const auto found = places_.find(id);
    if (found == places_.end()) return false;
    Take(found->second);
    return true;
  }

  void Clear() {
    places_.clear();
    lines_of_.clear();
    lines_.clear();
    bytes_ = 0;
  }

 private:
  struct Line {
    std::uint64_t client;
    std::list<Entry> entries;  // never empty between calls
  };
  struct Place {
    typename std::list<Line>::iterator line;
    typename std::list<Entry>::iterator entry;
  };

  Entry Take(Place place) {
    Entry entry = std::move(*place.entry);
    place.line->entries.erase(place.entry);
    places_.erase(entry.id);
    bytes_ -= entry.bytes;
    if (place.line->entries.empty()) {
      lines_of_.erase(place.line->client);
      lines_.erase(place.line);
    }
    return entry;
  }

  std::list<Line> lines_;  // in the order of their turns
  std::unordered_map<std::uint64_t, typename std::list<Line>::iterator> lines_of_;  // by client
  std::unordered_map<std::uint64_t, Place> places_;                                 // by id
  std::size_t bytes_ = 0;
};

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_FAIR_QUEUE_H_
