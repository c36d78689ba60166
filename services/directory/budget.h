// Bounds what many hold together.
//
//   Budget::Share share = budget.Take(bytes);
//   if (!share) return Busy();
//
// Thread-safety: safe; a share is compatible.
#ifndef TWINTREE_SERVICES_DIRECTORY_BUDGET_H_
#define TWINTREE_SERVICES_DIRECTORY_BUDGET_H_

#include <atomic>
#include <cstddef>
#include <utility>

namespace twintree::directory {

class Budget {
 public:
  // Given back when it ends, or before. The budget outlives it.
  class Share {
   public:
    Share() = default;
    Share(Share&& other) noexcept
        : budget_(std::exchange(other.budget_, nullptr)), bytes_(other.bytes_) {}
    Share& operator=(Share&& other) noexcept {
      std::swap(budget_, other.budget_);
      std::swap(bytes_, other.bytes_);
      return *this;
    }
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;
    ~Share() { GiveBack(); }

    explicit operator bool() const { return budget_ != nullptr; }
    std::size_t bytes() const { return budget_ == nullptr ? 0 : bytes_; }
    // Takes `more` on top, or leaves everything as it is. REQUIRES: this is a share.
    [[nodiscard]] bool Grow(std::size_t more) {
      if (!budget_->TryTake(more, bytes_)) return false;
      bytes_ += more;
      return true;
    }
    void GiveBack() {
      if (budget_ == nullptr) return;
      std::exchange(budget_, nullptr)->used_.fetch_sub(bytes_, std::memory_order_relaxed);
    }

   private:
    friend class Budget;
    Share(Budget* budget, std::size_t bytes) : budget_(budget), bytes_(bytes) {}

    Budget* budget_ = nullptr;
    std::size_t bytes_ = 0;
  };

  explicit Budget(std::size_t most) : most_(most) {}
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  // No share if others hold so much that there is no room. Whoever is alone gets what he wants.
  [[nodiscard]] Share Take(std::size_t bytes) {
    if (!TryTake(bytes, 0)) return {};
    return {this, bytes};
  }

  std::size_t used() const { return used_.load(std::memory_order_relaxed); }

 private:
  // `own`: what the caller holds already.
  bool TryTake(std::size_t bytes, std::size_t own) {
    std::size_t used = used_.load(std::memory_order_relaxed);
    do {
      if (used != own && (used >= most_ || bytes > most_ - used)) return false;
    } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
    return true;
  }

  const std::size_t most_;
  std::atomic<std::size_t> used_ = 0;
};

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_BUDGET_H_
