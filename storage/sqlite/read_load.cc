#include "storage/sqlite/read_load.h"

#include <algorithm>
#include <ctime>
#include <thread>

namespace twintree::storage::sqlite {

ReadLoad::ReadLoad() : ReadLoad(std::max(1U, std::thread::hardware_concurrency())) {}

void ReadLoad::Judge(Clock::time_point now, const Sums& sums) {
  const std::chrono::duration<double> passed = now - last_look_;
  const std::chrono::duration<double> used = sums.processor_time - last_.processor_time;
  const std::uint64_t reads = sums.reads - last_.reads;
  const std::uint64_t writes = sums.writes - last_.writes;
  high_ = reads > kReadsOfWrite * writes && used > passed * processors_ * kShareOfProcessors;
  last_look_ = now;
  last_ = sums;
}

std::chrono::nanoseconds ReadLoad::ProcessorTime() {
  timespec time{};
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) != 0) return {};
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace twintree::storage::sqlite
