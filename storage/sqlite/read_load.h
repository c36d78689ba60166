// Is this process mainly busy with reading, and busy enough that commits are in its way?
#ifndef TWINTREE_STORAGE_SQLITE_READ_LOAD_H_
#define TWINTREE_STORAGE_SQLITE_READ_LOAD_H_

#include <chrono>
#include <cstdint>

namespace twintree::storage::sqlite {

// Thread-safety: confined.
class ReadLoad {
 public:
  using Clock = std::chrono::steady_clock;

  // Since the process began.
  struct Sums {
    std::uint64_t reads = 0;
    std::uint64_t writes = 0;
    std::chrono::nanoseconds processor_time{0};
  };

  // A judgement holds for at least so long.
  static constexpr auto kInterval = std::chrono::milliseconds(10);
  // High: so many reads for each write, and so much of the processors used.
  static constexpr std::uint64_t kReadsOfWrite = 4;
  static constexpr double kShareOfProcessors = 1.0 / 3;

  // Of the processors that this process may use.
  ReadLoad();
  explicit ReadLoad(unsigned processors) : processors_(processors) {}

  bool high() const { return high_; }
  // Is it time for another judgement?
  bool IsDue(Clock::time_point now) const { return now - last_look_ >= kInterval; }
  // REQUIRES: IsDue(now), and no sum goes back.
  void Judge(Clock::time_point now, const Sums& sums);

  // Of all threads of this process.
  static std::chrono::nanoseconds ProcessorTime();

 private:
  const unsigned processors_;
  Clock::time_point last_look_;
  Sums last_;
  bool high_ = false;
};

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_READ_LOAD_H_
