// One shard of a VersionedCache: a hash table whose items stand in two FIFO queues.
//
// The eviction policy is S3-FIFO: new items enter a small queue; those that are used again before
// they reach its end move to the main queue, the others go, leaving a trace in a ghost table; an
// item that comes back while its trace is there enters the main queue at once. A scan therefore
// passes through the small queue without disturbing what is used often.
//
// Thread-safety: compatible (the owner locks).
// Source: Yang, Zhang, Qiu, Yue, Rashmi: "FIFO queues are all you need for cache eviction",
// SOSP 23.
#ifndef TWINTREE_STORAGE_CACHE_S3_FIFO_SHARD_H_
#define TWINTREE_STORAGE_CACHE_S3_FIFO_SHARD_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace twintree::storage {

// Key: constructible from KeyView and comparable with it by `==`.
template <typename Key, typename KeyView, typename Value>
class S3FifoShard {
 public:
  // What a look-up touches comes first.
  struct Item {
    Key key{};
    Value value{};
    std::uint64_t valid_from = 0;
    std::uint8_t uses = 0;
    bool in_main = false;
    std::uint32_t newer = kNone;
    std::uint32_t older = kNone;
    std::uint64_t hash = 0;
    std::size_t bytes = 0;
  };

  S3FifoShard() : slots_(kFirstSlots), ghosts_(kGhosts, 0) {}

  std::size_t bytes() const { return small_.bytes + main_.bytes; }
  std::size_t count() const { return count_; }

  Item* Find(const KeyView& key, std::uint64_t hash) {
    for (std::size_t i = Home(hash); slots_[i].item != kNone; i = Next(i)) {
      if (slots_[i].tag == Tag(hash) && items_[slots_[i].item].key == key) {
        return &items_[slots_[i].item];
      }
    }
    return nullptr;
  }

  // Remembers that `item` was used.
  static void Touch(Item* item) {
    if (item->uses < kMaxUses) ++item->uses;
  }

  // REQUIRES: the key is not there.
  void Insert(const KeyView& key, std::uint64_t hash, Value value, std::size_t bytes,
              std::uint64_t valid_from) {
    if ((count_ + 1) * 4 > slots_.size() * 3) Grow();
    const std::uint32_t index = TakeSlot();
    Item& item = items_[index];
    item.key = Key(key);
    item.value = std::move(value);
    item.valid_from = valid_from;
    item.hash = hash;
    item.bytes = bytes;
    item.uses = 0;
    Place({Tag(hash), index}, hash);
    Enqueue(TakeGhost(hash), index);
    ++count_;
  }

  // Removes the item and gives back how many bytes that freed; 0 when it was not there.
  std::size_t Erase(const KeyView& key, std::uint64_t hash) {
    Item* item = Find(key, hash);
    return item == nullptr ? 0 : Drop(static_cast<std::uint32_t>(item - items_.data()));
  }

  // Evicts one item and gives back how many bytes that freed; 0 when the shard is empty.
  std::size_t EvictOne() {
    while (count_ != 0) {
      const bool from_small = main_.oldest == kNone ||
                              (small_.oldest != kNone && small_.bytes * kSmallShare >= bytes());
      const std::uint32_t index = from_small ? small_.oldest : main_.oldest;
      Item& item = items_[index];
      if (item.uses == 0) {
        if (from_small) LeaveGhost(item.hash);
        return Drop(index);
      }
      Dequeue(index);
      item.uses = from_small ? 0 : static_cast<std::uint8_t>(item.uses - 1);
      Enqueue(true, index);
    }
    return 0;
  }

  // Removes everything and gives back how many bytes that freed.
  std::size_t Clear() {
    const std::size_t freed = bytes();
    *this = S3FifoShard();
    return freed;
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::size_t kFirstSlots = 16;
  static constexpr std::size_t kGhosts = 1024;
  static constexpr std::uint8_t kMaxUses = 3;
  static constexpr std::size_t kSmallShare = 10;  // the small queue's aim: a tenth of the bytes

  struct Queue {
    std::uint32_t newest = kNone;
    std::uint32_t oldest = kNone;
    std::size_t bytes = 0;
  };

  // Where an item is, found by linear probing. Most items that are not meant have another tag, so
  // that they need not be looked at.
  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t item = kNone;
  };

  std::size_t Home(std::uint64_t hash) const { return hash & (slots_.size() - 1); }
  std::size_t Next(std::size_t slot) const { return (slot + 1) & (slots_.size() - 1); }
  // The low bits choose the slot and the highest the shard; trace and tag use others.
  static std::uint32_t Tag(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 26); }
  static std::size_t GhostSlot(std::uint64_t hash) { return (hash >> 32) & (kGhosts - 1); }
  static std::uint32_t Trace(std::uint64_t hash) { return static_cast<std::uint32_t>(hash) | 1; }

  void LeaveGhost(std::uint64_t hash) { ghosts_[GhostSlot(hash)] = Trace(hash); }
  bool TakeGhost(std::uint64_t hash) {
    std::uint32_t& ghost = ghosts_[GhostSlot(hash)];
    if (ghost != Trace(hash)) return false;
    ghost = 0;
    return true;
  }

  Queue& QueueOf(const Item& item) { return item.in_main ? main_ : small_; }

  void Enqueue(bool main, std::uint32_t index) {
    Item& item = items_[index];
    item.in_main = main;
    Queue& queue = QueueOf(item);
    item.newer = kNone;
    item.older = queue.newest;
    if (queue.newest != kNone) items_[queue.newest].newer = index;
    queue.newest = index;
    if (queue.oldest == kNone) queue.oldest = index;
    queue.bytes += item.bytes;
  }

  void Dequeue(std::uint32_t index) {
    Item& item = items_[index];
    Queue& queue = QueueOf(item);
    (item.newer != kNone ? items_[item.newer].older : queue.newest) = item.older;
    (item.older != kNone ? items_[item.older].newer : queue.oldest) = item.newer;
    queue.bytes -= item.bytes;
  }

  std::size_t Drop(std::uint32_t index) {
    Dequeue(index);
    Item& item = items_[index];
    Vacate(index, item.hash);
    const std::size_t freed = item.bytes;
    item = Item();
    free_.push_back(index);
    --count_;
    return freed;
  }

  std::uint32_t TakeSlot() {
    if (free_.empty()) {
      items_.emplace_back();
      return static_cast<std::uint32_t>(items_.size() - 1);
    }
    const std::uint32_t index = free_.back();
    free_.pop_back();
    return index;
  }

  void Place(Slot slot, std::uint64_t hash) {
    std::size_t i = Home(hash);
    while (slots_[i].item != kNone) i = Next(i);
    slots_[i] = slot;
  }

  // Empties the item's slot, and moves those behind it up so that no search stops short of them.
  void Vacate(std::uint32_t index, std::uint64_t hash) {
    std::size_t hole = Home(hash);
    while (slots_[hole].item != index) hole = Next(hole);
    for (std::size_t i = Next(hole); slots_[i].item != kNone; i = Next(i)) {
      const std::size_t home = Home(items_[slots_[i].item].hash);
      const std::size_t mask = slots_.size() - 1;
      if (((i - home) & mask) < ((i - hole) & mask)) continue;
      slots_[hole] = slots_[i];
      hole = i;
    }
    slots_[hole] = Slot();
  }

  void Grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.item != kNone) Place(slot, items_[slot.item].hash);
    }
  }

  std::vector<Slot> slots_;
  std::vector<Item> items_;
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> ghosts_;
  Queue small_;
  Queue main_;
  std::size_t count_ = 0;
};

}  // namespace twintree::storage

#endif  // TWINTREE_STORAGE_CACHE_S3_FIFO_SHARD_H_
