// Schema's normalisation of names.
#include <algorithm>
#include <cstdint>
#include <utility>

#include "services/model/ascii.h"
#include "services/model/dn.h"
#include "services/model/dn_scanner.h"
#include "services/model/schema.h"
#include "services/model/schema_content.h"
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

}  // namespace

Result<const AttributeType*> Schema::DnAttributeType(std::string_view name) const {
  const AttributeType* type = FindAttributeType(name);
  if (type == nullptr) {
    return InvalidDn("unknown attribute type \"" + std::string(name) + "\" in a DN");
  }
  return type;
}

Status Schema::AppendDnKey(std::string_view text, std::string& out,
                           std::vector<std::uint32_t>* starts) const {
  DnScanner scanner(text);
  ScannedAva ava;
  KeyWriter writer(out, starts);
  while (scanner.Next(ava)) {
    TT_ASSIGN_OR_RETURN(const AttributeType* type, DnAttributeType(ava.type));
    TT_RETURN_IF_ERROR(writer.BeginAva());
    out.append(content_->ava_prefixes[type->index]);
    if (!AppendFast(ava, content_->ava_forms[type->index], out)) {
      TT_ASSIGN_OR_RETURN(std::string value, DecodeAvaValue(ava));
      TT_RETURN_IF_ERROR(AppendValueKey(*type, value, out));
    }
    TT_RETURN_IF_ERROR(writer.EndAva(ava.ends_rdn));
  }
  if (scanner.failed()) return scanner.error();
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

bool Schema::DnEquals(std::string_view text, std::string_view key) const {
  // Groups hold many names; their comparison should not allocate for each.
  thread_local std::string scratch;
  scratch.clear();
  return AppendDnKey(text, scratch, nullptr).ok() && scratch == key;
}

}  // namespace twintree::model
