// The string form of filters, read: Filter::Parse.
//
// Lenient where OpenLDAP's command line tools are, since people move their filters from there.
#include <optional>
#include <utility>

#include "services/model/ascii.h"
#include "services/model/attribute.h"
#include "services/model/filter.h"

namespace twintree::model {
namespace {

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

bool IsRule(std::string_view text) { return IsKeyString(text) || IsNumericOid(text); }

// A recursive descent, bounded by Filter::kMaxDepth. Functions return false after Fail().
class FilterParser {
 public:
  explicit FilterParser(std::string_view text) : text_(text) {}

  Result<Filter> Run() {
    Filter filter;
    SkipSpaces();
    // Without parentheses, what stands between them.
    const bool parsed =
        Peek() == '(' ? ParseFilter(1, &filter) : ParseContent(1, &filter, /*enclosed=*/false);
    SkipSpaces();
    if (parsed && position_ != text_.size()) Fail("nothing may follow the filter");
    if (problem_ == nullptr) return filter;
    return Error{
        ResultCode::kProtocolError,
        "bad search filter: " + std::string(problem_) + " at offset " + std::to_string(position_),
        ""};
  }

 private:
  char Peek() const { return position_ < text_.size() ? text_[position_] : '\0'; }
  void SkipSpaces() {
    while (position_ < text_.size() && IsSpace(text_[position_])) ++position_;
  }
  bool Fail(const char* problem) {
    if (problem_ == nullptr) problem_ = problem;
    return false;
  }
  bool FailAt(std::size_t position, const char* problem) {
    position_ = position;
    return Fail(problem);
  }
  bool Count() { return ++items_ <= Filter::kMaxItems || Fail("too many items"); }

  // "(" content ")"
  bool ParseFilter(std::size_t depth, Filter* filter) {
    if (depth > Filter::kMaxDepth) return Fail("nested too deeply");
    ++position_;
    SkipSpaces();
    if (!ParseContent(depth, filter, /*enclosed=*/true)) return false;
    if (Peek() != ')') return Fail("')' expected");
    ++position_;
    return true;
  }

  bool ParseContent(std::size_t depth, Filter* filter, bool enclosed) {
    if (!Count()) return false;
    switch (Peek()) {
      case '&': return ParseList(depth, FilterKind::kAnd, filter);
      case '|': return ParseList(depth, FilterKind::kOr, filter);
      case '!': return ParseList(depth, FilterKind::kNot, filter);
      default: return ParseItem(filter, enclosed);
    }
  }

  bool ParseList(std::size_t depth, FilterKind kind, Filter* filter) {
    filter->kind = kind;
    const std::size_t start = position_++;
    SkipSpaces();
    while (Peek() == '(') {
      if (!ParseFilter(depth + 1, &filter->children.emplace_back())) return false;
      SkipSpaces();
    }
    if (kind == FilterKind::kNot && filter->children.size() != 1) {
      return FailAt(start, "'!' takes one filter");
    }
    return true;
  }

  bool ParseItem(Filter* filter, bool enclosed) {
    const std::size_t equals = text_.find_first_of("=()", position_);
    if (equals == std::string_view::npos || text_[equals] != '=') return Fail("no '=' in the item");
    std::string_view left = text_.substr(position_, equals - position_);
    filter->kind = TakeOperator(&left);
    const bool named = filter->kind == FilterKind::kExtensible ? ParseExtensibleLeft(left, filter)
                                                               : ParseAttribute(left, filter);
    if (!named) return false;
    position_ = equals + 1;
    return ParseRight(filter, enclosed);
  }

  // Cuts `~`, `<`, `>` or `:` off the end of what stands before `=`.
  static FilterKind TakeOperator(std::string_view* left) {
    FilterKind kind = FilterKind::kEquality;
    switch (left->empty() ? '\0' : left->back()) {
      case '~': kind = FilterKind::kApprox; break;
      case '<': kind = FilterKind::kLessOrEqual; break;
      case '>': kind = FilterKind::kGreaterOrEqual; break;
      case ':': kind = FilterKind::kExtensible; break;
      default: return kind;
    }
    left->remove_suffix(1);
    return kind;
  }

  bool ParseAttribute(std::string_view text, Filter* filter) {
    if (!IsAttributeDescription(text)) return Fail("attribute description expected");
    filter->attribute = text;
    return true;
  }

  // [attribute] [":dn"] [":" rule], at least one of attribute and rule.
  bool ParseExtensibleLeft(std::string_view left, Filter* filter) {
    const std::size_t colon = left.find(':');
    const std::string_view attribute = left.substr(0, colon);
    if (!attribute.empty() && !ParseAttribute(attribute, filter)) return false;
    if (colon != std::string_view::npos) {
      left.remove_prefix(colon + 1);
      const std::size_t second = left.find(':');
      if (EqualsIgnoreCase(left.substr(0, second), "dn")) {
        filter->dn_attributes = true;
        if (second != std::string_view::npos && !ParseRule(left.substr(second + 1), filter)) {
          return false;
        }
      } else if (!ParseRule(left, filter)) {
        return false;
      }
    }
    if (filter->attribute.empty() && filter->matching_rule.empty()) {
      return Fail("attribute description or matching rule expected");
    }
    return true;
  }

  bool ParseRule(std::string_view text, Filter* filter) {
    if (!IsRule(text)) return Fail("matching rule expected");
    filter->matching_rule = text;
    return true;
  }

  // What follows `=`, up to the parenthesis that ends the item.
  bool ParseRight(Filter* filter, bool enclosed) {
    const std::size_t start = position_;
    std::string piece;
    if (!ParseValue(&piece)) return false;
    if (Peek() != '*') {
      filter->value = std::move(piece);
    } else if (filter->kind != FilterKind::kEquality) {
      return Fail("'*' must be written \\2a here");
    } else if (!ParsePieces(std::move(piece), filter)) {
      return false;
    } else if (position_ == start + 1) {
      filter->kind = FilterKind::kPresent;
      filter->any.clear();
    }
    return enclosed || position_ == text_.size() || Fail("')' without '('");
  }

  // The rest of a substring assertion. The position is on the first `*`.
  bool ParsePieces(std::string initial, Filter* filter) {
    filter->kind = FilterKind::kSubstrings;
    filter->initial = std::move(initial);
    for (;;) {
      ++position_;
      std::string piece;
      if (!Count() || !ParseValue(&piece)) return false;
      if (Peek() != '*') {
        filter->final_piece = std::move(piece);
        return true;
      }
      filter->any.push_back(std::move(piece));
    }
  }

  // A value, or a piece of one: ends before `*` or `)` or with the text.
  bool ParseValue(std::string* value) {
    for (; position_ < text_.size(); ++position_) {
      const char c = text_[position_];
      if (c == '*' || c == ')') return true;
      if (c == '(') return Fail("'(' must be written \\28 here");
      if (c == '\0') return Fail("NUL must be written \\00");
      if (c == '\\') {
        if (!ParseEscape(value)) return false;
      } else {
        value->push_back(c);
      }
    }
    return true;
  }

  // Leaves the position on the last character of the escape.
  bool ParseEscape(std::string* value) {
    const std::string_view rest = text_.substr(position_ + 1, 2);
    if (rest.size() == 2 && HexValue(rest[0]) >= 0 && HexValue(rest[1]) >= 0) {
      value->push_back(static_cast<char>(HexValue(rest[0]) * 16 + HexValue(rest[1])));
      position_ += 2;
      return true;
    }
    const char c = rest.empty() ? '\0' : rest[0];
    if (c != '(' && c != ')' && c != '*' && c != '\\') {
      return Fail("two hexadecimal digits must follow '\\'");
    }
    value->push_back(c);
    ++position_;
    return true;
  }

  std::string_view text_;
  std::size_t position_ = 0;
  std::size_t items_ = 0;
  const char* problem_ = nullptr;
};

}  // namespace

Result<Filter> Filter::Parse(std::string_view text) { return FilterParser(text).Run(); }

}  // namespace twintree::model
