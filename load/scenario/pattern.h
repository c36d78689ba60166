// Text with numbers in it: "uid=user.{n},ou=People,dc=example,dc=com".
//
// `{n}` stands for an operation's number, `{v}` for its second number; both are written in decimal
// without leading zeros. Everything else is literal.
//
// Thread-safety: compatible
#ifndef TWINTREE_LOAD_SCENARIO_PATTERN_H_
#define TWINTREE_LOAD_SCENARIO_PATTERN_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace twintree::load {

class Pattern {
 public:
  Pattern() = default;
  explicit Pattern(std::string_view text);

  void AppendTo(std::uint64_t number, std::uint64_t value, std::string* out) const;
  std::string Text(std::uint64_t number, std::uint64_t value = 0) const;

  // The text with a mark in place of each digit.
  struct Blanks {
    std::size_t number_digits;
    std::size_t value_digits;
    char number_mark;
    char value_mark;
  };
  std::string Blank(const Blanks& blanks) const;

  // Whether `text` begins with this pattern filled in.
  bool Begins(std::uint64_t number, std::uint64_t value, std::string_view text) const;

  bool empty() const { return pieces_.empty(); }

 private:
  enum class Kind { kLiteral, kNumber, kValue };
  struct Piece {
    Kind kind;
    std::string literal;
  };

  std::vector<Piece> pieces_;
};

std::size_t CountDigits(std::uint64_t number);

}  // namespace twintree::load

#endif  // TWINTREE_LOAD_SCENARIO_PATTERN_H_
