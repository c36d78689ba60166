#include <cstddef>

#include "services/model/ascii.h"
#include "services/model/dn_scanner.h"
#include "services/model/syntax_checks.h"
#include "services/model/utf8.h"

namespace twintree::model {
namespace {

std::string_view Trim(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// Takes what stands before `separator` (or all) from `rest`. False when nothing is left.
class Splitter {
 public:
  Splitter(std::string_view text, char separator) : rest_(text), separator_(separator) {}

  bool Next(std::string_view& part) {
    if (done_) return false;
    const std::size_t end = rest_.find(separator_);
    part = rest_.substr(0, end);
    done_ = end == std::string_view::npos;
    if (!done_) rest_.remove_prefix(end + 1);
    return true;
  }

 private:
  std::string_view rest_;
  const char separator_;
  bool done_ = false;
};

template <std::size_t N>
bool IsOneOf(std::string_view word, const std::string_view (&words)[N]) {
  for (std::string_view candidate : words) {
    if (EqualsIgnoreCase(word, candidate)) return true;
  }
  return false;
}

bool IsOid(std::string_view text) { return CheckOid(text) == nullptr; }

// Every backslash must be followed by one of the hexadecimal pairs.
template <std::size_t N>
bool EscapesAre(std::string_view text, const std::string_view (&pairs)[N]) {
  for (std::size_t i = text.find('\\'); i != std::string_view::npos; i = text.find('\\', i + 1)) {
    if (!IsOneOf(text.substr(i + 1, 2), pairs)) return false;
  }
  return true;
}

constexpr int kMaxCriteriaDepth = 64;

// criteria of RFC 4517 3.3.14, by recursive descent.
class CriteriaReader {
 public:
  explicit CriteriaReader(std::string_view text) : text_(text) {}

  bool Read() { return ReadCriteria(0) && AtEnd(); }

 private:
  bool AtEnd() {
    SkipSpaces();
    return position_ == text_.size();
  }
  void SkipSpaces() {
    while (position_ < text_.size() && text_[position_] == ' ') ++position_;
  }
  bool Accept(char c) {
    SkipSpaces();
    if (position_ == text_.size() || text_[position_] != c) return false;
    ++position_;
    return true;
  }
  std::string_view Word() {
    SkipSpaces();
    const std::size_t start = position_;
    while (position_ < text_.size() && (IsAlnum(text_[position_]) || text_[position_] == '-' ||
                                        text_[position_] == '.' || text_[position_] == ';')) {
      ++position_;
    }
    return text_.substr(start, position_ - start);
  }

  bool ReadCriteria(int depth) {
    do {
      do {
        if (!ReadTerm(depth)) return false;
      } while (Accept('&'));
    } while (Accept('|'));
    return true;
  }

  bool ReadTerm(int depth) {
    if (depth > kMaxCriteriaDepth) return false;
    if (Accept('!')) return ReadTerm(depth + 1);
    if (Accept('(')) return ReadCriteria(depth + 1) && Accept(')');
    if (Accept('?')) {
      const std::string_view constant = Word();
      return EqualsIgnoreCase(constant, "true") || EqualsIgnoreCase(constant, "false");
    }
    constexpr std::string_view kMatchTypes[] = {"EQ", "SUBSTR", "GE", "LE", "APPROX"};
    const std::string_view type = Word();
    return IsOid(type.substr(0, type.find(';'))) && Accept('$') && IsOneOf(Word(), kMatchTypes);
  }

  std::string_view text_;
  std::size_t position_ = 0;
};

bool IsNetgroupField(std::string_view field) {
  field = Trim(field);
  return field.empty() || field == "-" ||
         (IsAscii(field) && field.find_first_of("()\\ ") == std::string_view::npos);
}

}  // namespace

const char* CheckBootParameter(std::string_view value) {
  const std::size_t equals = value.find('=');
  if (equals == std::string_view::npos || equals == 0) return "it is written as key=server:path";
  const std::string_view source = value.substr(equals + 1);
  const std::size_t colon = source.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == source.size()) {
    return "it is written as key=server:path";
  }
  return CheckIa5String(value);
}

const char* CheckDeliveryMethod(std::string_view value) {
  constexpr std::string_view kMethods[] = {"any",   "mhs",   "physical", "telex",    "teletex",
                                           "g3fax", "g4fax", "ia5",      "videotex", "telephone"};
  Splitter methods(value, '$');
  std::string_view method;
  while (methods.Next(method)) {
    if (!IsOneOf(Trim(method), kMethods)) return "unknown delivery method";
  }
  return nullptr;
}

const char* CheckDn(std::string_view value) {
  DnScanner scanner(value);
  ScannedAva ava;
  while (scanner.Next(ava)) {
    if (ava.hex && !DecodeAvaValue(ava).ok()) return "a hexadecimal value is not a BER string";
  }
  return scanner.failed() ? "it is not a DN" : nullptr;
}

const char* CheckEnhancedGuide(std::string_view value) {
  constexpr std::string_view kSubsets[] = {"baseobject", "oneLevel", "wholeSubtree"};
  const std::size_t first = value.find('#');
  const std::size_t last = value.rfind('#');
  if (first == std::string_view::npos || first == last) {
    return "it is written as class # criteria # subset";
  }
  if (!IsOid(Trim(value.substr(0, first)))) return "it must start with an object class";
  if (!IsOneOf(Trim(value.substr(last + 1)), kSubsets)) return "unknown subset";
  return CriteriaReader(value.substr(first + 1, last - first - 1)).Read() ? nullptr
                                                                          : "malformed criteria";
}

const char* CheckFacsimile(std::string_view value) {
  constexpr std::string_view kParameters[] = {"twoDimensional", "fineResolution", "unlimitedLength",
                                              "b4Length",       "a3Width",        "b4Width",
                                              "uncompressed"};
  Splitter parts(value, '$');
  std::string_view part;
  parts.Next(part);
  if (const char* problem = CheckTelephoneNumber(part)) return problem;
  while (parts.Next(part)) {
    if (!IsOneOf(Trim(part), kParameters)) return "unknown fax parameter";
  }
  return nullptr;
}

const char* CheckGuide(std::string_view value) {
  const std::size_t sharp = value.find('#');
  if (sharp != std::string_view::npos) {
    if (!IsOid(Trim(value.substr(0, sharp)))) return "it must start with an object class";
    value.remove_prefix(sharp + 1);
  }
  return CriteriaReader(value).Read() ? nullptr : "malformed criteria";
}

NameAndUid SplitNameAndUid(std::string_view value) {
  if (!value.ends_with("'B")) return {value, {}};
  const std::size_t sharp = value.rfind("#'");
  if (sharp == std::string_view::npos || CheckBitString(value.substr(sharp + 1)) != nullptr) {
    return {value, {}};
  }
  return {value.substr(0, sharp), value.substr(sharp + 1)};
}

const char* CheckNameAndOptionalUid(std::string_view value) {
  return CheckDn(SplitNameAndUid(value).name);
}

const char* CheckNetgroupTriple(std::string_view value) {
  constexpr const char* kProblem = "a netgroup triple is written as (host,user,domain)";
  value = Trim(value);
  if (value.size() < 2 || value.front() != '(' || value.back() != ')') return kProblem;
  Splitter fields(value.substr(1, value.size() - 2), ',');
  std::string_view field;
  int count = 0;
  while (fields.Next(field)) {
    if (++count > 3 || !IsNetgroupField(field)) return kProblem;
  }
  return count == 3 ? nullptr : kProblem;
}

const char* CheckOtherMailbox(std::string_view value) {
  const std::size_t dollar = value.find('$');
  if (dollar == std::string_view::npos) return "it is written as type$mailbox";
  if (const char* problem = CheckPrintableString(Trim(value.substr(0, dollar)))) return problem;
  return CheckIa5String(value.substr(dollar + 1));
}

const char* CheckPostalAddress(std::string_view value) {
  constexpr std::string_view kEscapes[] = {"24", "5c"};
  if (!IsValidUtf8(value)) return "it is not UTF-8";
  if (!EscapesAre(value, kEscapes)) return "a backslash must be written as \\5C, a dollar as \\24";
  Splitter lines(value, '$');
  std::string_view line;
  while (lines.Next(line)) {
    if (line.empty()) return "a line must not be empty";
  }
  return nullptr;
}

const char* CheckSubstringAssertion(std::string_view value) {
  constexpr std::string_view kEscapes[] = {"2a", "5c"};
  if (!IsValidUtf8(value)) return "it is not UTF-8";
  if (!EscapesAre(value, kEscapes)) return "a backslash must be written as \\5C, a star as \\2A";
  if (value.find('*') == std::string_view::npos) return "a star is missing";
  return value.find("**") == std::string_view::npos ? nullptr : "a piece must not be empty";
}

const char* CheckTeletexTerminal(std::string_view value) {
  constexpr std::string_view kKeys[] = {"graphic", "control", "misc", "page", "private"};
  Splitter parts(value, '$');
  std::string_view part;
  parts.Next(part);
  if (const char* problem = CheckPrintableString(part)) return problem;
  while (parts.Next(part)) {
    const std::size_t colon = part.find(':');
    if (colon == std::string_view::npos || !IsOneOf(part.substr(0, colon), kKeys)) {
      return "unknown teletex parameter";
    }
  }
  return nullptr;
}

const char* CheckTelexNumber(std::string_view value) {
  Splitter parts(value, '$');
  std::string_view part;
  int count = 0;
  while (parts.Next(part)) {
    ++count;
    if (const char* problem = CheckPrintableString(Trim(part))) return problem;
  }
  return count == 3 ? nullptr : "it is written as number$country$answerback";
}

}  // namespace twintree::model
