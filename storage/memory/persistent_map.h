// A sorted map whose copies share structure: copying is one pointer, and changing a copy leaves the
// others as they were.
//
// A treap whose priorities are drawn at random; every change copies the path to the root.
//
// Thread-safety: compatible; copies in different threads may share nodes.
#ifndef TWINTREE_STORAGE_MEMORY_PERSISTENT_MAP_H_
#define TWINTREE_STORAGE_MEMORY_PERSISTENT_MAP_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <utility>

namespace twintree::storage {

template <typename Key, typename Value>
class PersistentMap {
 public:
  std::size_t size() const { return size_; }

  // Null when absent; valid while this map, or a copy with the same item, lives.
  const Value* Find(const Key& key) const {
    for (const Node* node = root_.get(); node != nullptr;) {
      if (key < node->item->first) {
        node = node->left.get();
      } else if (node->item->first < key) {
        node = node->right.get();
      } else {
        return &node->item->second;
      }
    }
    return nullptr;
  }

  // Inserts or replaces.
  void Put(const Key& key, Value value) {
    const bool known = Find(key) != nullptr;
    Pair parts = Split(root_, key);
    if (known) parts.second = WithoutFirst(parts.second);
    auto item = std::make_shared<const Item>(key, std::move(value));
    NodePtr node = std::make_shared<Node>(Node{std::move(item), Random(), nullptr, nullptr});
    root_ = Join(Join(parts.first, std::move(node)), parts.second);
    if (!known) ++size_;
  }

  void Erase(const Key& key) {
    if (Find(key) == nullptr) return;
    Pair parts = Split(root_, key);
    root_ = Join(parts.first, WithoutFirst(parts.second));
    --size_;
  }

  // Calls visit(key, value) for items from `low` on, ascending, until it returns false.
  template <typename Visit>
  void VisitFrom(const Key& low, Visit&& visit) const {
    VisitNode(root_.get(), low, visit);
  }

 private:
  using Item = std::pair<const Key, Value>;
  struct Node;
  using NodePtr = std::shared_ptr<const Node>;
  using Pair = std::pair<NodePtr, NodePtr>;
  struct Node {
    std::shared_ptr<const Item> item;
    std::uint32_t priority;
    NodePtr left;
    NodePtr right;
  };

  static std::uint32_t Random() {
    thread_local std::minstd_rand engine(std::random_device{}());
    return static_cast<std::uint32_t>(engine());
  }

  static NodePtr With(const Node& node, NodePtr left, NodePtr right) {
    return std::make_shared<Node>(
        Node{node.item, node.priority, std::move(left), std::move(right)});
  }

  // Keys below `key`, and the others.
  static Pair Split(const NodePtr& node, const Key& key) {
    if (node == nullptr) return {};
    if (node->item->first < key) {
      Pair parts = Split(node->right, key);
      return {With(*node, node->left, parts.first), parts.second};
    }
    Pair parts = Split(node->left, key);
    return {parts.first, With(*node, parts.second, node->right)};
  }

  // REQUIRES: every key of `low` is below every key of `high`.
  static NodePtr Join(const NodePtr& low, const NodePtr& high) {
    if (low == nullptr) return high;
    if (high == nullptr) return low;
    if (low->priority >= high->priority) return With(*low, low->left, Join(low->right, high));
    return With(*high, Join(low, high->left), high->right);
  }

  // REQUIRES: `node` is not null.
  static NodePtr WithoutFirst(const NodePtr& node) {
    if (node->left == nullptr) return node->right;
    return With(*node, WithoutFirst(node->left), node->right);
  }

  template <typename Visit>
  static bool VisitNode(const Node* node, const Key& low, Visit& visit) {
    if (node == nullptr) return true;
    if (node->item->first < low) return VisitNode(node->right.get(), low, visit);
    return VisitNode(node->left.get(), low, visit) &&
           visit(node->item->first, node->item->second) && VisitNode(node->right.get(), low, visit);
  }

  NodePtr root_;
  std::size_t size_ = 0;
};

}  // namespace twintree::storage

#endif  // TWINTREE_STORAGE_MEMORY_PERSISTENT_MAP_H_
