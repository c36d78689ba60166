#include "load/scenario/pattern.h"

#include <array>
#include <charconv>

namespace twintree::load {
namespace {

constexpr std::string_view kNumber = "{n}";
constexpr std::string_view kValue = "{v}";
constexpr std::size_t kMaxDigits = 20;

class Digits {
 public:
  explicit Digits(std::uint64_t number) {
    const auto result = std::to_chars(buffer_.data(), buffer_.data() + buffer_.size(), number);
    size_ = static_cast<std::size_t>(result.ptr - buffer_.data());
  }
  std::string_view text() const { return {buffer_.data(), size_}; }

 private:
  std::array<char, kMaxDigits> buffer_;
  std::size_t size_;
};

}  // namespace

Pattern::Pattern(std::string_view text) {
  while (!text.empty()) {
    if (text.substr(0, kNumber.size()) == kNumber) {
      pieces_.push_back({Kind::kNumber, {}});
      text.remove_prefix(kNumber.size());
    } else if (text.substr(0, kValue.size()) == kValue) {
      pieces_.push_back({Kind::kValue, {}});
      text.remove_prefix(kValue.size());
    } else {
      const std::string_view literal = text.substr(0, text.find('{', 1));
      pieces_.push_back({Kind::kLiteral, std::string(literal)});
      text.remove_prefix(literal.size());
    }
  }
}

void Pattern::AppendTo(std::uint64_t number, std::uint64_t value, std::string* out) const {
  for (const Piece& piece : pieces_) {
    switch (piece.kind) {
      case Kind::kLiteral: out->append(piece.literal); break;
      case Kind::kNumber: out->append(Digits(number).text()); break;
      case Kind::kValue: out->append(Digits(value).text()); break;
    }
  }
}

std::string Pattern::Text(std::uint64_t number, std::uint64_t value) const {
  std::string text;
  AppendTo(number, value, &text);
  return text;
}

std::string Pattern::Blank(const Blanks& blanks) const {
  std::string text;
  for (const Piece& piece : pieces_) {
    switch (piece.kind) {
      case Kind::kLiteral: text.append(piece.literal); break;
      case Kind::kNumber: text.append(blanks.number_digits, blanks.number_mark); break;
      case Kind::kValue: text.append(blanks.value_digits, blanks.value_mark); break;
    }
  }
  return text;
}

bool Pattern::Begins(std::uint64_t number, std::uint64_t value, std::string_view text) const {
  for (const Piece& piece : pieces_) {
    const Digits digits(piece.kind == Kind::kValue ? value : number);
    const std::string_view expected =
        piece.kind == Kind::kLiteral ? std::string_view(piece.literal) : digits.text();
    if (text.substr(0, expected.size()) != expected) return false;
    text.remove_prefix(expected.size());
  }
  return true;
}

std::size_t CountDigits(std::uint64_t number) {
  std::size_t digits = 1;
  while (number >= 10) {
    number /= 10;
    ++digits;
  }
  return digits;
}

}  // namespace twintree::load
