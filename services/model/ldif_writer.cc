#include <algorithm>

#include "services/model/base64.h"
#include "services/model/ldif.h"

namespace twintree::model {
namespace {

constexpr std::size_t kColumns = 76;

// Can `value` stand in a line as it is (SAFE-STRING of RFC 2849)? A space at the end is legal there
// but would not survive editors, so note 8 asks for base64.
bool IsSafe(std::string_view value) {
  if (value.empty()) return true;
  if (value.front() == ' ' || value.front() == ':' || value.front() == '<' || value.back() == ' ') {
    return false;
  }
  return std::all_of(value.begin(), value.end(),
                     [](char c) { return c != '\0' && c != '\n' && c != '\r' && (c & 0x80) == 0; });
}

void AppendFolded(std::string_view line, std::string* out) {
  out->append(line.substr(0, kColumns));
  for (std::size_t i = kColumns; i < line.size(); i += kColumns - 1) {
    out->append("\n ");
    out->append(line.substr(i, kColumns - 1));
  }
  out->push_back('\n');
}

}  // namespace

void AppendLdifLine(std::string_view name, std::string_view value, std::string* out) {
  std::string line(name);
  line.push_back(':');
  if (!IsSafe(value)) {
    line.append(": ");
    line.append(EncodeBase64(value));
  } else if (!value.empty()) {
    line.push_back(' ');
    line.append(value);
  }
  AppendFolded(line, out);
}

void AppendLdifEntry(std::string_view dn, std::span<const RawAttribute> attributes,
                     std::string* out) {
  AppendLdifLine("dn", dn, out);
  for (const RawAttribute& attribute : attributes) {
    for (const std::string& value : attribute.values) {
      AppendLdifLine(attribute.description, value, out);
    }
  }
  out->push_back('\n');
}

}  // namespace twintree::model
