// Tells on standard error how far a long piece of work is: on a terminal in one line that is
// written anew every second, otherwise in a line for every tenth of the work.
//
// Thread-safety: confined.
#ifndef TWINTREE_SERVICES_CLI_PROGRESS_LINE_H_
#define TWINTREE_SERVICES_CLI_PROGRESS_LINE_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace twintree::cli {

class ProgressLine {
 public:
  ProgressLine();
  // Ends the line on a terminal.
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // `fraction` is what is done of `work` (a word for it), 0 to 1; nullopt: not known. `describe`
  // makes the text, and is called only when it will be shown.
  void Show(const std::string& work, std::optional<double> fraction,
            const std::function<std::string()>& describe);
  // Removes the line from a terminal, so that other text can be written.
  void Clear();

  std::chrono::duration<double> elapsed() const { return Clock::now() - start_; }

 private:
  using Clock = std::chrono::steady_clock;

  bool IsDue(const std::string& work, std::optional<double> fraction);

  const bool is_terminal_;
  const Clock::time_point start_;
  Clock::time_point shown_at_;
  std::string work_;           // what was shown last
  int tenths_shown_ = 0;       // of work_
  std::size_t line_size_ = 0;  // on the terminal now
};

// "12,345 entries", "1 entry": `singular` gets an s, and y becomes ies.
std::string Counted(std::uint64_t count, const std::string& singular);
// A number with separators: "12,345".
std::string Grouped(std::uint64_t number);

}  // namespace twintree::cli

#endif  // TWINTREE_SERVICES_CLI_PROGRESS_LINE_H_
