// Schema's normalisation of names.
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "services/model/ascii.h"
#include "services/model/dn.h"
#include "services/model/dn_scanner.h"
#include "services/model/quotation.h"
#include "services/model/schema.h"
#include "services/model/schema_content.h"
#include "services/model/text_hash.h"
#include "services/model/utf8.h"

namespace twintree::model {
namespace {

Error InvalidDn(std::string message) {
  return {ResultCode::kInvalidDnSyntax, std::move(message), {}};
}

bool MustBeEscaped(std::string_view value, std::size_t i) {
  constexpr std::string_view kSpecial = "\"+,;<>\\";
  const char c = value[i];
  if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return true;
  if (c == '#') return i == 0;
  if (c == ' ') return i == 0 || i + 1 == value.size();
  return kSpecial.find(c) != std::string_view::npos;
}

void AppendEscaped(std::string_view value, std::string& out) {
  for (std::size_t i = 0; i < value.size();) {
    const std::size_t length = Utf8CharacterLength(value, i);
    if (length == 0 || (length == 1 && MustBeEscaped(value, i))) {
      out.push_back('\\');
      AppendHex(value[i++], out);
    } else {
      out.append(value, i, length);
      i += length;
    }
  }
}

// Printable ASCII without special characters: fold the letters if asked, squeeze inner spaces.
// Gives what string preparation would give.
template <bool kFold>
void AppendPlain(std::string_view value, std::string& out) {
  if (value.empty()) {
    out.append("\\20");
    return;
  }
  const std::size_t start = out.size();
  out.resize(start + value.size());
  char* target = out.data() + start;
  bool after_space = false;
  for (char c : value) {
    if (c == ' ' && after_space) continue;
    after_space = c == ' ';
    *target++ = kFold ? ToLower(c) : c;
  }
  out.resize(static_cast<std::size_t>(target - out.data()));
}

// Appends the value's key when it has a short way; false when it has not.
bool AppendFast(const ScannedAva& ava, AvaForm form, std::string& out) {
  if (!ava.plain) return false;
  switch (form) {
    case AvaForm::kGeneral: return false;
    case AvaForm::kCaseIgnoreFilled:
      if (ava.value.empty()) return false;
      [[fallthrough]];
    case AvaForm::kCaseIgnore: AppendPlain<true>(ava.value, out); return true;
    case AvaForm::kCaseExactFilled:
      if (ava.value.empty()) return false;
      [[fallthrough]];
    case AvaForm::kCaseExact: AppendPlain<false>(ava.value, out); return true;
  }
  return false;
}

// Printable, and special nowhere in a name.
constexpr bool IsInnerCharacter(char c) {
  switch (c) {
    case '"':
    case '#':
    case '+':
    case ',':
    case ';':
    case '<':
    case '=':
    case '>':
    case '\\': return false;
    default: return c > ' ' && c < '\x7f';
  }
}

// Does preparation leave this character of a value that begins at `start` in its place, letter case
// apart? True for a space only between two characters that are none. REQUIRES: i + 1 < text.size().
constexpr bool StandsForItself(std::string_view text, std::size_t i, std::size_t start) {
  if (text[i] != ' ') return IsInnerCharacter(text[i]);
  return i > start && IsInnerCharacter(text[i - 1]) && IsInnerCharacter(text[i + 1]);
}

thread_local int nesting_depth = 0;

// Counts how deep names are nested in values of names: member=member=... is a DN whose value is a
// DN, and so on.
class NestingGuard {
 public:
  NestingGuard() { ++nesting_depth; }
  ~NestingGuard() { --nesting_depth; }
  NestingGuard(const NestingGuard&) = delete;
  NestingGuard& operator=(const NestingGuard&) = delete;

  static bool TooDeep() { return nesting_depth > kMaxNesting; }

 private:
  static constexpr int kMaxNesting = 8;
};

// The long way, for any octets.
Status AppendValueKey(const AttributeType& type, std::string_view value, std::string& out) {
  const NestingGuard guard;
  if (NestingGuard::TooDeep()) return InvalidDn("names are nested too deep in a DN");
  if (const char* problem = type.syntax->Check(value)) {
    return InvalidDn("invalid value of " + type.name() + " in a DN: " + problem);
  }
  if (type.equality == nullptr) {
    AppendEscaped(value, out);
    return OkStatus();
  }
  const Result<std::string> spelling = type.equality->CanonicalValue(value);
  if (!spelling.ok()) {
    return InvalidDn("invalid value of " + type.name() + " in a DN: " + spelling.error().message);
  }
  AppendEscaped(*spelling, out);
  return OkStatus();
}

// Puts the AVAs of one RDN, which stand one after the other from `starts[0]` to the end of `out`,
// into their order, and `+` between them.
Status SortAvas(const std::vector<std::size_t>& starts, std::string& out) {
  std::vector<std::string> avas;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::size_t end = i + 1 < starts.size() ? starts[i + 1] : out.size();
    avas.push_back(out.substr(starts[i], end - starts[i]));
  }
  std::sort(avas.begin(), avas.end());
  if (std::adjacent_find(avas.begin(), avas.end()) != avas.end()) {
    return InvalidDn("an RDN holds the same attribute value twice");
  }
  out.resize(starts.front());
  for (std::size_t i = 0; i < avas.size(); ++i) {
    if (i > 0) out.push_back('+');
    out.append(avas[i]);
  }
  return OkStatus();
}

// Collects RDNs into a key's text.
class KeyWriter {
 public:
  // `starts` may be null.
  KeyWriter(std::string& out, std::vector<std::uint32_t>* starts) : out_(out), starts_(starts) {}

  // Call before each AVA.
  Status BeginAva() {
    if (in_rdn_) {
      ava_starts_.push_back(out_.size());
      return OkStatus();
    }
    if (rdn_count_ == Dn::kMaxRdns) return InvalidDn("the DN has too many RDNs");
    if (rdn_count_++ > 0) out_.push_back(',');
    if (starts_ != nullptr) starts_->push_back(static_cast<std::uint32_t>(out_.size()));
    rdn_start_ = out_.size();
    in_rdn_ = true;
    return OkStatus();
  }

  // Takes the rest of the name from another one's key.
  void AppendRdns(std::string_view key, std::span<const std::uint32_t> starts) {
    out_.push_back(',');
    for (const std::uint32_t start : starts) {
      starts_->push_back(static_cast<std::uint32_t>(out_.size()) + start);
    }
    out_.append(key);
  }

  // Call after each AVA.
  Status EndAva(bool ends_rdn) {
    if (!ends_rdn) return OkStatus();
    in_rdn_ = false;
    if (ava_starts_.empty()) return OkStatus();
    ava_starts_.insert(ava_starts_.begin(), rdn_start_);
    Status status = SortAvas(ava_starts_, out_);
    ava_starts_.clear();
    return status;
  }

 private:
  std::string& out_;
  std::vector<std::uint32_t>* const starts_;
  std::size_t rdn_count_ = 0;
  std::size_t rdn_start_ = 0;
  bool in_rdn_ = false;
  std::vector<std::size_t> ava_starts_;  // of the second and later AVAs of the RDN
};

// What this thread last made of some texts that names ended with: most names of a directory are
// spelled alike but for their first RDN.
class KnownParents {
 public:
  struct Parent {
    std::uint64_t schema = 0;
    std::string text;
    std::string key;
    std::vector<std::uint32_t> starts;  // of its RDNs, in `key`
  };

  // Null unless it was kept.
  static const Parent* Find(std::uint64_t schema, std::string_view text) {
    const Parent& parent = PlaceOf(text);
    return parent.schema == schema && parent.text == text ? &parent : nullptr;
  }

  // `key`: of a whole name, whose RDNs begin at `starts` and whose parent was spelled `text`.
  static void Keep(std::uint64_t schema, std::string_view text, std::string_view key,
                   std::span<const std::uint32_t> starts) {
    if (text.size() > kMaxText) return;
    Parent& parent = PlaceOf(text);
    parent.schema = schema;
    parent.text = text;
    parent.key = key.substr(starts[1]);
    parent.starts.clear();
    for (const std::uint32_t start : starts.subspan(1)) {
      parent.starts.push_back(start - starts[1]);
    }
  }

 private:
  static constexpr std::size_t kPlaces = 16;  // as many as four bits of a hash tell apart
  static constexpr std::size_t kMaxText = 256;

  static Parent& PlaceOf(std::string_view text) {
    thread_local std::array<Parent, kPlaces> parents;
    return parents[HashOfBeginning(text) >> 60];
  }
};

}  // namespace

Result<const AttributeType*> Schema::DnAttributeType(std::string_view name) const {
  const AttributeType* type = FindAttributeType(name);
  if (type == nullptr) {
    return InvalidDn("unknown attribute type " + Quoted(name) + " in a DN");
  }
  return type;
}

Status Schema::AppendAvaKey(const ScannedAva& ava, std::string& out) const {
  TT_ASSIGN_OR_RETURN(const AttributeType* type, DnAttributeType(ava.type));
  out.append(content_->ava_prefixes[type->index]);
  if (AppendFast(ava, content_->ava_forms[type->index], out)) return OkStatus();
  TT_ASSIGN_OR_RETURN(const std::string value, DecodeAvaValue(ava));
  return AppendValueKey(*type, value, out);
}

Status Schema::AppendDnKey(std::string_view text, std::string& out,
                           std::vector<std::uint32_t>* starts) const {
  DnScanner scanner(text);
  ScannedAva ava;
  KeyWriter writer(out, starts);
  std::string_view parent;
  while (scanner.Next(ava)) {
    TT_RETURN_IF_ERROR(writer.BeginAva());
    TT_RETURN_IF_ERROR(AppendAvaKey(ava, out));
    TT_RETURN_IF_ERROR(writer.EndAva(ava.ends_rdn));
    if (starts == nullptr || starts->size() != 1 || !ava.ends_rdn) continue;
    parent = scanner.rest();
    const KnownParents::Parent* const known = KnownParents::Find(content_->serial, parent);
    if (known == nullptr) continue;
    writer.AppendRdns(known->key, known->starts);
    return OkStatus();
  }
  if (scanner.failed()) return scanner.error();
  if (starts != nullptr && !parent.empty())
    KnownParents::Keep(content_->serial, parent, out, *starts);
  return OkStatus();
}

Result<DnKey> Schema::NormalizeDn(std::string_view text) const {
  constexpr std::size_t kUsualRdns = 8;
  DnKey key;
  key.text_.reserve(text.size() + 16);
  key.starts_.reserve(kUsualRdns);
  TT_RETURN_IF_ERROR(AppendDnKey(text, key.text_, &key.starts_));
  return key;
}

Result<std::string> Schema::NormalizeDnText(std::string_view text) const {
  std::string key;
  key.reserve(text.size() + 16);
  TT_RETURN_IF_ERROR(AppendDnKey(text, key, nullptr));
  return key;
}

Result<DnKey> Schema::NormalizeDn(const Dn& dn) const {
  DnKey key;
  for (const Rdn& rdn : dn.rdns()) {
    TT_ASSIGN_OR_RETURN(std::string rdn_key, NormalizeRdn(rdn));
    if (!key.text_.empty()) key.text_.push_back(',');
    key.starts_.push_back(static_cast<std::uint32_t>(key.text_.size()));
    key.text_.append(rdn_key);
  }
  return key;
}

Result<std::string> Schema::NormalizeRdn(const Rdn& rdn) const {
  std::string key;
  KeyWriter writer(key, nullptr);
  for (std::size_t i = 0; i < rdn.avas.size(); ++i) {
    TT_ASSIGN_OR_RETURN(const AttributeType* type, DnAttributeType(rdn.avas[i].type));
    TT_RETURN_IF_ERROR(writer.BeginAva());
    key.append(content_->ava_prefixes[type->index]);
    TT_RETURN_IF_ERROR(AppendValueKey(*type, rdn.avas[i].value, key));
    TT_RETURN_IF_ERROR(writer.EndAva(i + 1 == rdn.avas.size()));
  }
  return key;
}

// True only if `text` is no spelling of `key`, and that can be seen without normalising anything:
// both begin with the same type and, as far as their values are plain, differ.
bool Schema::PlainlyDiffers(std::string_view text, std::string_view key) const {
  const std::size_t start = key.find('=') + 1;
  if (start == 0 || text.size() <= start) return false;
  if (!EqualsIgnoreCase(text.substr(0, start), key.substr(0, start))) return false;
  std::size_t i = start;
  const std::size_t end = std::min(text.size() - 1, key.size());
  while (i < end && StandsForItself(text, i, start) && ToLower(text[i]) == ToLower(key[i])) ++i;
  if (i == end || !StandsForItself(text, i, start)) return false;
  // A mark that follows would make another character of this one.
  if (text[i + 1] != ' ' && text[i + 1] != ',' && !IsInnerCharacter(text[i + 1])) return false;
  // With several AVAs the first of the text need not be the first of the key.
  if (key.substr(0, key.find(',')).find('+') != std::string_view::npos) return false;
  const AttributeType* const type = FindAttributeType(key.substr(0, start - 1));
  return type != nullptr && content_->ava_forms[type->index] != AvaForm::kGeneral;
}

bool Schema::DnEquals(std::string_view text, std::string_view key) const {
  if (PlainlyDiffers(text, key)) return false;
  // Groups hold many names; their comparison should not allocate for each.
  thread_local std::string scratch;
  scratch.clear();
  DnScanner scanner(text);
  ScannedAva ava;
  KeyWriter writer(scratch, nullptr);
  std::size_t compared = 0;
  while (scanner.Next(ava)) {
    if (!writer.BeginAva().ok() || !AppendAvaKey(ava, scratch).ok() ||
        !writer.EndAva(ava.ends_rdn).ok()) {
      return false;
    }
    if (!ava.ends_rdn) continue;
    const std::string_view fresh = std::string_view(scratch).substr(compared);
    if (key.substr(compared, fresh.size()) != fresh) return false;
    compared = scratch.size();
  }
  return !scanner.failed() && compared == key.size();
}

}  // namespace twintree::model
