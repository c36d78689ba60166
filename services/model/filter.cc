#include "services/model/filter.h"

#include <utility>

#include "services/model/ascii.h"
#include "services/model/utf8.h"

namespace twintree::model {
namespace {

void AppendEscaped(char octet, std::string* out) {
  out->push_back('\\');
  AppendHex(octet, *out);
}

// `text` with everything escaped that has a meaning in filters or is not printable UTF-8.
void AppendValue(std::string_view text, std::string* out) {
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const std::size_t length = Utf8CharacterLength(text, i);
    const bool special = c == '*' || c == '(' || c == ')' || c == '\\';
    if (length == 0 || special || (length == 1 && (c < ' ' || c == 0x7f))) {
      AppendEscaped(c, out);
      ++i;
    } else {
      out->append(text.substr(i, length));
      i += length;
    }
  }
}

// An attribute description or rule. From the wire they may hold anything; what does not belong
// there is escaped, so that it cannot pass for an operator.
void AppendName(std::string_view text, std::string* out) {
  for (const char c : text) {
    if (IsAlnum(c) || c == '-' || c == '.' || c == ';') {
      out->push_back(c);
    } else {
      AppendEscaped(c, out);
    }
  }
}

void AppendSubstrings(const Filter& filter, std::string* out) {
  AppendValue(filter.initial, out);
  out->push_back('*');
  for (const std::string& piece : filter.any) {
    AppendValue(piece, out);
    out->push_back('*');
  }
  AppendValue(filter.final_piece, out);
}

void AppendExtensible(const Filter& filter, std::string* out) {
  if (filter.dn_attributes) out->append(":dn");
  if (!filter.dn_attributes && EqualsIgnoreCase(filter.matching_rule, "dn")) {
    out->append(":\\64n");  // a rule of that name is not the flag
  } else if (!filter.matching_rule.empty()) {
    out->push_back(':');
    AppendName(filter.matching_rule, out);
  }
  out->append(":=");
  AppendValue(filter.value, out);
}

std::string_view Operator(FilterKind kind) {
  switch (kind) {
    case FilterKind::kAnd: return "&";
    case FilterKind::kOr: return "|";
    case FilterKind::kNot: return "!";
    case FilterKind::kGreaterOrEqual: return ">=";
    case FilterKind::kLessOrEqual: return "<=";
    case FilterKind::kApprox: return "~=";
    case FilterKind::kPresent: return "=*";
    case FilterKind::kExtensible: return "";
    case FilterKind::kEquality:
    case FilterKind::kSubstrings: break;
  }
  return "=";
}

void AppendFilter(const Filter& filter, std::string* out);

void AppendItem(const Filter& filter, std::string* out) {
  AppendName(filter.attribute, out);
  out->append(Operator(filter.kind));
  if (filter.kind == FilterKind::kSubstrings) {
    AppendSubstrings(filter, out);
  } else if (filter.kind == FilterKind::kExtensible) {
    AppendExtensible(filter, out);
  } else if (filter.kind != FilterKind::kPresent) {
    AppendValue(filter.value, out);
  }
}

void AppendFilter(const Filter& filter, std::string* out) {
  out->push_back('(');
  switch (filter.kind) {
    case FilterKind::kAnd:
    case FilterKind::kOr:
    case FilterKind::kNot:
      out->append(Operator(filter.kind));
      for (const Filter& child : filter.children) AppendFilter(child, out);
      break;
    default: AppendItem(filter, out);
  }
  out->push_back(')');
}

}  // namespace

std::string Filter::ToString() const {
  std::string out;
  AppendFilter(*this, &out);
  return out;
}

Filter PresentFilter(std::string attribute) {
  Filter filter;
  filter.kind = FilterKind::kPresent;
  filter.attribute = std::move(attribute);
  return filter;
}

}  // namespace twintree::model
