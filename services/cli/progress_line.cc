#include "services/cli/progress_line.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>

namespace twintree::cli {

ProgressLine::ProgressLine()
    : is_terminal_(isatty(STDERR_FILENO) == 1), start_(Clock::now()), shown_at_(start_) {}

ProgressLine::~ProgressLine() { Clear(); }

void ProgressLine::Show(const std::string& work, std::optional<double> fraction,
                        const std::function<std::string()>& describe) {
  if (!IsDue(work, fraction)) return;
  std::string text = work;
  if (fraction) {
    text.append(" ").append(std::to_string(static_cast<int>(*fraction * 100))).append(" %");
  }
  text.append(": ").append(describe());
  if (!is_terminal_) {
    std::cerr << text << "\n";
    return;
  }
  const std::size_t padding = line_size_ > text.size() ? line_size_ - text.size() : 0;
  line_size_ = text.size();
  std::cerr << "\r" << text << std::string(padding, ' ') << std::flush;
}

bool ProgressLine::IsDue(const std::string& work, std::optional<double> fraction) {
  const bool is_new = work != work_;
  if (is_new) {
    work_ = work;
    tenths_shown_ = 0;
  }
  const Clock::time_point now = Clock::now();
  if (is_terminal_ || !fraction) {
    // Without a terminal and a known end, a line every ten seconds has to do.
    const auto pause = std::chrono::seconds(is_terminal_ ? 1 : 10);
    if (now - shown_at_ < pause) return false;
  } else {
    const int tenths = std::min(10, static_cast<int>(*fraction * 10));
    if (tenths <= tenths_shown_) return false;
    tenths_shown_ = tenths;
  }
  shown_at_ = now;
  return true;
}

void ProgressLine::Clear() {
  if (line_size_ == 0) return;
  std::cerr << "\r" << std::string(line_size_, ' ') << "\r" << std::flush;
  line_size_ = 0;
}

std::string Grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) {
    at -= 3;
    text.insert(at, ",");
  }
  return text;
}

std::string Counted(std::uint64_t count, const std::string& singular) {
  if (count == 1) return "1 " + singular;
  if (singular.ends_with('y')) {
    return Grouped(count) + " " + singular.substr(0, singular.size() - 1) + "ies";
  }
  return Grouped(count) + " " + singular + "s";
}

}  // namespace twintree::cli
