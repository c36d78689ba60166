#include "services/model/string_prep.h"

#include <unicode/uchar.h>
#include <unicode/usprep.h>
#include <unicode/ustring.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "services/model/ascii.h"
#include "services/model/utf8.h"

namespace twintree::model {
namespace {

// What becomes of an ASCII character: kDropped, or the character that replaces it.
constexpr char kDropped = '\0';

constexpr std::array<char, 128> MakeAsciiMap(CaseHandling letter_case) {
  std::array<char, 128> map{};
  for (std::size_t i = 0; i < map.size(); ++i) {
    const char c = static_cast<char>(i);
    if (i >= 0x09 && i <= 0x0d) {
      map[i] = ' ';
    } else if (i < 0x20 || i == 0x7f) {
      map[i] = kDropped;
    } else {
      map[i] = letter_case == CaseHandling::kIgnore ? ToLower(c) : c;
    }
  }
  return map;
}

constexpr std::array<char, 128> kExactMap = MakeAsciiMap(CaseHandling::kExact);
constexpr std::array<char, 128> kIgnoreMap = MakeAsciiMap(CaseHandling::kIgnore);

const std::array<char, 128>& AsciiMap(CaseHandling letter_case) {
  return letter_case == CaseHandling::kIgnore ? kIgnoreMap : kExactMap;
}

// Which outer spaces survive, as one space.
struct Edges {
  bool keep_leading = false;
  bool keep_trailing = false;
};

Edges EdgesOf(SubstringPosition position) {
  return {position != SubstringPosition::kInitial, position != SubstringPosition::kFinal};
}

// Collects characters, and spaces between them, one for each run.
class SpaceSqueezer {
 public:
  SpaceSqueezer(Edges edges, std::size_t capacity) : edges_(edges) { out_.reserve(capacity); }

  void AddSpace() { pending_ = true; }
  void Add(std::string_view character) {
    FlushSpace();
    out_.append(character);
  }
  void Add(char character) {
    FlushSpace();
    out_.push_back(character);
  }

  std::string Finish() && {
    if (out_.empty() || (pending_ && edges_.keep_trailing)) out_.push_back(' ');
    return std::move(out_);
  }

 private:
  void FlushSpace() {
    if (pending_ && (!out_.empty() || edges_.keep_leading)) out_.push_back(' ');
    pending_ = false;
  }

  const Edges edges_;
  std::string out_;
  bool pending_ = false;
};

std::string PrepareAscii(std::string_view text, CaseHandling letter_case, Edges edges) {
  const std::array<char, 128>& map = AsciiMap(letter_case);
  SpaceSqueezer squeezer(edges, text.size());
  for (char c : text) {
    const char mapped = map[static_cast<unsigned char>(c)];
    if (mapped == ' ') {
      squeezer.AddSpace();
    } else if (mapped != kDropped) {
      squeezer.Add(mapped);
    }
  }
  return std::move(squeezer).Finish();
}

Error Unprepared(std::string message) {
  return {ResultCode::kInvalidAttributeSyntax, std::move(message), {}};
}

// ICU's profile; it lives as long as the process. Null if ICU's data lacks it.
const UStringPrepProfile* Profile(CaseHandling letter_case) {
  const auto open = [](UStringPrepProfileType type) {
    UErrorCode status = U_ZERO_ERROR;
    const UStringPrepProfile* profile = usprep_openByType(type, &status);
    return U_SUCCESS(status) ? profile : nullptr;
  };
  static const UStringPrepProfile* const kExactProfile = open(USPREP_RFC4518_LDAP);
  static const UStringPrepProfile* const kIgnoreProfile = open(USPREP_RFC4518_LDAP_CI);
  return letter_case == CaseHandling::kIgnore ? kIgnoreProfile : kExactProfile;
}

Result<std::u16string> ToUtf16(std::string_view text) {
  if (text.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max() / 8)) {
    return Unprepared("the string is too long to be compared");
  }
  std::u16string utf16(text.size(), u'\0');
  std::int32_t length = 0;
  UErrorCode status = U_ZERO_ERROR;
  u_strFromUTF8(utf16.data(), static_cast<std::int32_t>(utf16.size()), &length, text.data(),
                static_cast<std::int32_t>(text.size()), &status);
  if (U_FAILURE(status)) return Unprepared("the string is not UTF-8");
  utf16.resize(static_cast<std::size_t>(length));
  return utf16;
}

Result<std::string> ToUtf8(const std::u16string& text) {
  std::string utf8(text.size() * 3, '\0');
  std::int32_t length = 0;
  UErrorCode status = U_ZERO_ERROR;
  u_strToUTF8(utf8.data(), static_cast<std::int32_t>(utf8.size()), &length, text.data(),
              static_cast<std::int32_t>(text.size()), &status);
  if (U_FAILURE(status)) return Unprepared("the string cannot be prepared");
  utf8.resize(static_cast<std::size_t>(length));
  return utf8;
}

// Map, normalise and prohibit.
Result<std::u16string> RunProfile(const std::u16string& text, CaseHandling letter_case) {
  const UStringPrepProfile* profile = Profile(letter_case);
  if (profile == nullptr) {
    return Error{ResultCode::kOther, "ICU lacks the data of RFC 4518's string preparation", {}};
  }
  std::u16string prepared(text.size() * 2 + 16, u'\0');
  while (true) {
    UErrorCode status = U_ZERO_ERROR;
    const std::int32_t length = usprep_prepare(
        profile, text.data(), static_cast<std::int32_t>(text.size()), prepared.data(),
        static_cast<std::int32_t>(prepared.size()), USPREP_ALLOW_UNASSIGNED, nullptr, &status);
    if (status == U_BUFFER_OVERFLOW_ERROR && static_cast<std::size_t>(length) > prepared.size()) {
      prepared.resize(static_cast<std::size_t>(length));
      continue;
    }
    prepared.resize(static_cast<std::size_t>(U_SUCCESS(status) ? length : 0));
    // ICU's profile lacks the replacement character, which RFC 4518 2.4 prohibits.
    if (U_FAILURE(status) || prepared.find(u'\ufffd') != std::u16string::npos) {
      return Unprepared("the string holds a prohibited character");
    }
    return prepared;
  }
}

// A space that carries a combining mark is not a space (RFC 4518 2.6.1).
bool MarkFollows(std::string_view text, std::size_t offset) {
  if (offset >= text.size() || static_cast<unsigned char>(text[offset]) < 0x80) return false;
  UChar32 character = 0;
  std::size_t i = offset;
  U8_NEXT(text.data(), i, text.size(), character);
  return character >= 0 && (U_GET_GC_MASK(character) & U_GC_M_MASK) != 0;
}

std::string SqueezeSpaces(std::string_view text, Edges edges) {
  SpaceSqueezer squeezer(edges, text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ' && !MarkFollows(text, i + 1)) {
      squeezer.AddSpace();
    } else {
      squeezer.Add(text[i]);
    }
  }
  return std::move(squeezer).Finish();
}

// More marks on one character than this are no text: Unicode's stream-safe format has 30.
constexpr int kMostMarks = 128;

// Does normalising leave the character where marks around it can meet? Marks do, and what the
// preparation drops (RFC 4518 2.2) may.
bool MarksMeetAcross(UChar32 c) {
  constexpr std::uint32_t kMask = U_GC_M_MASK | U_GC_CC_MASK | U_GC_CF_MASK;
  return (U_GET_GC_MASK(c) & kMask) != 0 || c == 0x1806 || c == 0xfffc;
}

// Normalising sorts the marks of a character, in time that grows with the square of their number.
bool HasTooManyMarks(const std::u16string& text) {
  int marks = 0;
  for (std::size_t i = 0; i < text.size();) {
    UChar32 c = 0;
    U16_NEXT(text.data(), i, text.size(), c);
    if (!MarksMeetAcross(c)) {
      marks = 0;
    } else if (u_getCombiningClass(c) != 0 && ++marks > kMostMarks) {
      return true;
    }
  }
  return false;
}

Result<std::string> Prepare(std::string_view text, CaseHandling letter_case, Edges edges) {
  if (IsAscii(text)) return PrepareAscii(text, letter_case, edges);
  if (!IsValidUtf8(text)) return Unprepared("the string is not UTF-8");
  TT_ASSIGN_OR_RETURN(std::u16string utf16, ToUtf16(text));
  if (HasTooManyMarks(utf16)) {
    return Unprepared("more than " + std::to_string(kMostMarks) + " marks on one character");
  }
  TT_ASSIGN_OR_RETURN(std::u16string prepared, RunProfile(utf16, letter_case));
  TT_ASSIGN_OR_RETURN(std::string utf8, ToUtf8(prepared));
  return SqueezeSpaces(utf8, edges);
}

bool PreparedAsciiEquals(std::string_view value, CaseHandling letter_case,
                         std::string_view prepared) {
  const std::array<char, 128>& map = AsciiMap(letter_case);
  std::size_t matched = 0;
  bool pending_space = false;
  for (char c : value) {
    const char mapped = map[static_cast<unsigned char>(c)];
    if (mapped == ' ') {
      pending_space = matched > 0;
      continue;
    }
    if (mapped == kDropped) continue;
    if (pending_space) {
      if (matched == prepared.size() || prepared[matched] != ' ') return false;
      ++matched;
      pending_space = false;
    }
    if (matched == prepared.size() || prepared[matched] != mapped) return false;
    ++matched;
  }
  return matched == 0 ? prepared == " " : matched == prepared.size();
}

}  // namespace

Result<std::string> PrepareValue(std::string_view value, CaseHandling letter_case) {
  return Prepare(value, letter_case, Edges{});
}

Result<std::string> PreparePiece(std::string_view piece, CaseHandling letter_case,
                                 SubstringPosition position) {
  if (piece.empty()) return std::string();
  return Prepare(piece, letter_case, EdgesOf(position));
}

bool PreparedEquals(std::string_view value, CaseHandling letter_case, std::string_view prepared) {
  if (IsAscii(value)) return PreparedAsciiEquals(value, letter_case, prepared);
  const Result<std::string> key = PrepareValue(value, letter_case);
  return key.ok() && *key == prepared;
}

std::string ExpandSpaces(std::string_view prepared) {
  if (prepared == " ") return "  ";
  std::string expanded = " ";
  for (char c : prepared) {
    if (c == '\n') {
      expanded.append(" \n ");
    } else {
      expanded.append(c == ' ' ? 2 : 1, c);
    }
  }
  expanded.push_back(' ');
  return expanded;
}

std::string ExpandPieceSpaces(std::string_view prepared, SubstringPosition position) {
  if (prepared.empty() || prepared == " ") return std::string(prepared);
  std::string expanded;
  if (position == SubstringPosition::kInitial) expanded.push_back(' ');
  for (std::size_t i = 0; i < prepared.size(); ++i) {
    const bool inner = i > 0 && i + 1 < prepared.size();
    expanded.append(prepared[i] == ' ' && inner ? 2 : 1, prepared[i]);
  }
  if (position == SubstringPosition::kFinal) expanded.push_back(' ');
  return expanded;
}

}  // namespace twintree::model
