#include <cstddef>
#include <utility>

#include "services/model/ascii.h"
#include "services/model/standard_matching_rules.h"
#include "services/model/string_prep.h"
#include "services/model/utf8.h"

namespace twintree::model {
namespace {

CaseHandling CaseOf(KeyForm form) {
  return form == KeyForm::kCaseExact ? CaseHandling::kExact : CaseHandling::kIgnore;
}

// caseIgnore and caseExact, for Directory Strings and, where the name says IA5, for ASCII only.
class StringRule final : public SpecifiedRule {
 public:
  StringRule(const RuleSpec& spec, const Syntax& assertion_syntax)
      : SpecifiedRule(spec, assertion_syntax),
        letter_case_(CaseOf(spec.form)),
        ascii_only_(name().find("IA5") != std::string::npos) {}

  Result<std::string> ValueKey(std::string_view value) const override {
    if (ascii_only_ && !IsAscii(value)) return NotAscii();
    return PrepareValue(value, letter_case_);
  }

  // ASCII can always be prepared.
  Status CheckKey(std::string_view value) const override {
    return IsAscii(value) ? OkStatus() : ValueKey(value).status();
  }

  Result<std::string> PieceKey(std::string_view piece, SubstringPosition position) const override {
    if (ascii_only_ && !IsAscii(piece)) return NotAscii();
    return PreparePiece(piece, letter_case_, position);
  }

  bool Equals(std::string_view value, std::string_view assertion_key) const override {
    if (ascii_only_ && !IsAscii(value)) return false;
    return PreparedEquals(value, letter_case_, assertion_key);
  }

 private:
  static Error NotAscii() {
    return {ResultCode::kInvalidAttributeSyntax, "only ASCII characters are allowed", {}};
  }

  const CaseHandling letter_case_;
  const bool ascii_only_;
};

// The lines of a postal address, each prepared by itself, joined by line feeds: a piece cannot
// match across lines, since prepared strings hold no line feed.
class ListRule final : public SpecifiedRule {
 public:
  using SpecifiedRule::SpecifiedRule;

  Result<std::string> ValueKey(std::string_view value) const override {
    std::string key;
    while (true) {
      const std::size_t end = value.find('$');
      TT_ASSIGN_OR_RETURN(const std::string line,
                          PrepareValue(Unescape(value.substr(0, end)), CaseHandling::kIgnore));
      key.append(line);
      if (end == std::string_view::npos) return key;
      key.push_back('\n');
      value.remove_prefix(end + 1);
    }
  }

  Result<std::string> CanonicalValue(std::string_view value) const override {
    TT_ASSIGN_OR_RETURN(const std::string key, ValueKey(value));
    std::string lines;
    for (char c : key) {
      switch (c) {
        case '\n': lines.push_back('$'); break;
        case '$': lines.append("\\24"); break;
        case '\\': lines.append("\\5C"); break;
        default: lines.push_back(c);
      }
    }
    return lines;
  }

  Result<std::string> PieceKey(std::string_view piece, SubstringPosition position) const override {
    return PreparePiece(piece, CaseHandling::kIgnore, position);
  }

 private:
  static std::string Unescape(std::string_view line) {
    std::string unescaped;
    unescaped.reserve(line.size());
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string_view pair = line.substr(i + 1, 2);
      const bool escaped = line[i] == '\\' && (pair == "24" || EqualsIgnoreCase(pair, "5c"));
      unescaped.push_back(!escaped ? line[i] : pair == "24" ? '$' : '\\');
      if (escaped) i += 2;
    }
    return unescaped;
  }
};

// Does the value hold the assertion as whole words?
//
// Both are compared with marks where words may begin and end, so that one search finds the words
// only. Prepared strings hold no control characters.
class WordRule final : public SpecifiedRule {
 public:
  using SpecifiedRule::SpecifiedRule;

  Result<std::string> ValueKey(std::string_view value) const override {
    return PrepareValue(value, CaseHandling::kIgnore);
  }

  bool Equals(std::string_view value, std::string_view assertion_key) const override {
    const Result<std::string> key = ValueKey(value);
    if (!key.ok() || key->size() < assertion_key.size()) return false;
    return FindPiece(MarkWords(*key), MarkWords(assertion_key), 0) != std::string_view::npos;
  }

  bool keys_decide() const override { return false; }

 private:
  static constexpr char kMayBegin = '\x01';
  static constexpr char kMayEnd = '\x02';

  static std::string MarkWords(std::string_view text) {
    std::string marked;
    marked.reserve(text.size() + 2);
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (i == 0 || !IsWordCharacter(text[i - 1])) marked.push_back(kMayBegin);
      marked.push_back(text[i]);
      if (i + 1 == text.size() || !IsWordCharacter(text[i + 1])) marked.push_back(kMayEnd);
    }
    return marked;
  }

  static bool IsWordCharacter(char c) {
    return IsAlnum(c) || static_cast<unsigned char>(c) >= 0x80;
  }
};

}  // namespace

std::unique_ptr<MatchingRule> MakeStringRule(const RuleSpec& spec, const Syntax& assertion_syntax) {
  if (spec.form == KeyForm::kCaseIgnoreList) {
    return std::make_unique<ListRule>(spec, assertion_syntax);
  }
  if (spec.form == KeyForm::kWords) return std::make_unique<WordRule>(spec, assertion_syntax);
  return std::make_unique<StringRule>(spec, assertion_syntax);
}

}  // namespace twintree::model
