#include "services/model/ldif_lines.h"

namespace twintree::model {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

}  // namespace

LdifLines::State LdifLines::ReadRecord() {
  text_.clear();
  spans_.clear();
  lines_.clear();
  in_comment_ = false;
  problem_ = nullptr;
  for (;;) {
    const std::size_t start = text_.size();
    switch (ReadLine()) {
      case LineState::kUnreadable: return State::kUnreadable;
      case LineState::kEnd: return Finish(State::kEnd);
      case LineState::kLine: break;
    }
    if (text_.size() == start) {
      if (problem_ != nullptr || !spans_.empty()) return Finish(State::kRecord);
      in_comment_ = false;
    } else if (problem_ != nullptr) {
      text_.resize(start);
    } else {
      TakeLine(start);
    }
  }
}

LdifLines::State LdifLines::Finish(State otherwise) {
  if (problem_ != nullptr) return State::kMalformed;
  if (spans_.empty()) return otherwise;
  lines_.reserve(spans_.size());
  for (const Span& span : spans_) {
    lines_.push_back({span.number, std::string_view(text_).substr(span.offset, span.size)});
  }
  return State::kRecord;
}

// Files the physical line that text_ holds from `start`: a comment, a continuation or a new line.
void LdifLines::TakeLine(std::size_t start) {
  const char first = text_[start];
  if (first == '#' || (first == ' ' && in_comment_)) {
    in_comment_ = true;
    text_.resize(start);
    return;
  }
  in_comment_ = false;
  if (first != ' ') {
    spans_.push_back({line_number_, start, text_.size() - start});
  } else if (spans_.empty()) {
    SetProblem("a continuation without a line before it");
  } else {
    text_.erase(start, 1);
    spans_.back().size = text_.size() - spans_.back().offset;
  }
  if (text_.size() + spans_.size() * line_cost_ > max_bytes_) SetProblem("the record is too long");
}

void LdifLines::SetProblem(const char* problem) {
  if (problem_ != nullptr) return;
  problem_ = problem;
  problem_line_ = line_number_;
}

// Appends the next physical line to text_, without its end.
LdifLines::LineState LdifLines::ReadLine() {
  const std::size_t start = text_.size();
  const LineState state = ReadLineOctets();
  if (state == LineState::kUnreadable) {
    problem_line_ = line_number_ + 1;
    return state;
  }
  if (state == LineState::kEnd) return state;
  ++line_number_;
  if (text_.size() > start && text_.back() == '\r') text_.pop_back();
  if (line_number_ == 1 && std::string_view(text_).substr(start).starts_with(kByteOrderMark)) {
    text_.erase(start, kByteOrderMark.size());
  }
  return state;
}

// A line may be longer than the buffer. Past the limit only its first buffer is kept, so that what
// kind of line it is can still be seen.
LdifLines::LineState LdifLines::ReadLineOctets() {
  for (bool first = true;; first = false) {
    input_.getline(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    const auto count = static_cast<std::size_t>(input_.gcount());
    if (input_.bad()) return LineState::kUnreadable;
    const bool at_end = input_.eof();
    const bool buffer_full = !at_end && input_.fail() && count == buffer_.size() - 1;
    if (!at_end && input_.fail() && !buffer_full) return LineState::kUnreadable;
    if (at_end && count == 0) return first ? LineState::kEnd : LineState::kLine;
    // The newline was counted but not stored.
    const std::size_t size = at_end || buffer_full ? count : count - 1;
    if (first || text_.size() <= max_bytes_) text_.append(buffer_.data(), size);
    if (!buffer_full) return LineState::kLine;
    input_.clear();
  }
}

}  // namespace twintree::model
