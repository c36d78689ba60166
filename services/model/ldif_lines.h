// The lines of LDIF records: unfolded, without comments, numbered as in the file.
//
// Source: RFC 2849, notes 1 to 3.
#ifndef TWINTREE_SERVICES_MODEL_LDIF_LINES_H_
#define TWINTREE_SERVICES_MODEL_LDIF_LINES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

namespace twintree::model {

struct LdifLine {
  std::uint64_t number = 0;  // of its first physical line, from 1
  std::string_view text;     // without line end; never empty
};

// Reads the lines between two empty lines. Memory is bounded by `max_bytes`, to which every line
// adds `line_cost`, and one buffer.
class LdifLines {
 public:
  enum class State {
    kRecord,      // lines() has at least one line
    kEnd,         // nothing but comments and empty lines was left
    kMalformed,   // problem() in problem_line(); the rest of the record has been skipped
    kUnreadable,  // the stream failed
  };

  LdifLines(std::istream& input, std::size_t max_bytes, std::size_t line_cost)
      : input_(input), max_bytes_(max_bytes), line_cost_(line_cost) {}

  State ReadRecord();

  // Valid until the next ReadRecord.
  const std::vector<LdifLine>& lines() const { return lines_; }
  const char* problem() const { return problem_; }
  std::uint64_t problem_line() const { return problem_line_; }

 private:
  enum class LineState { kLine, kEnd, kUnreadable };
  struct Span {
    std::uint64_t number;
    std::size_t offset;
    std::size_t size;
  };

  LineState ReadLine();
  LineState ReadLineOctets();
  void TakeLine(std::size_t start);
  void SetProblem(const char* problem);
  State Finish(State otherwise);

  std::istream& input_;
  const std::size_t max_bytes_;
  const std::size_t line_cost_;
  std::array<char, 16384> buffer_;
  std::string text_;  // the record's lines, one after the other
  std::vector<Span> spans_;
  std::vector<LdifLine> lines_;
  std::uint64_t line_number_ = 0;  // of the physical line read last
  bool in_comment_ = false;
  const char* problem_ = nullptr;
  std::uint64_t problem_line_ = 0;
};

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_LDIF_LINES_H_
