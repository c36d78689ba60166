#include "services/model/attribute.h"

#include <algorithm>
#include <utility>

#include "services/model/ascii.h"
#include "services/model/quotation.h"
#include "services/model/syntax.h"

namespace twintree::model {
namespace {

constexpr std::string_view kBinaryOption = "binary";

bool IsOption(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return IsAlnum(c) || c == '-'; });
}

// Cuts the text before the next `;` off `rest`; false when nothing is left. REQUIRES: `rest` is
// empty or starts with `;`.
bool NextOption(std::string_view* rest, std::string_view* option) {
  if (rest->empty()) return false;
  rest->remove_prefix(1);
  const std::size_t size = std::min(rest->find(';'), rest->size());
  *option = rest->substr(0, size);
  rest->remove_prefix(size);
  return true;
}

bool StartsWithIgnoreCase(std::string_view text, std::string_view prefix) {
  return EqualsIgnoreCase(text.substr(0, prefix.size()), prefix);
}

bool IsLanguageRange(std::string_view option) {
  return option.starts_with("lang-") && option.ends_with('-');
}

// Does the option `have` satisfy `want`? The range `lang-en-` is satisfied
// by `lang-en` and by `lang-en-us` (RFC 3866 2.2).
bool SatisfiesOption(std::string_view have, std::string_view want) {
  if (!IsLanguageRange(want)) return EqualsIgnoreCase(have, want);
  return StartsWithIgnoreCase(have, want) ||
         EqualsIgnoreCase(have, want.substr(0, want.size() - 1));
}

bool IsKnownOption(std::string_view option) {
  return option == kBinaryOption || option.starts_with("lang-") ||
         (option.starts_with("x-") && option.size() > 2);
}

Error Undefined(std::string_view what, std::string_view name) {
  return Error{ResultCode::kUndefinedAttributeType,
               std::string(what) + " " + Quoted(name) + " is not known", ""};
}

Error NotBinary(const AttributeType& type) {
  return Error{ResultCode::kUndefinedAttributeType,
               "values of " + type.name() + " are not transferred by the option ;binary", ""};
}

}  // namespace

bool IsAttributeDescription(std::string_view text) {
  const std::size_t size = std::min(text.find(';'), text.size());
  const std::string_view name = text.substr(0, size);
  if (!IsKeyString(name) && !IsNumericOid(name)) return false;
  std::string_view rest = text.substr(size);
  std::string_view option;
  while (NextOption(&rest, &option)) {
    if (!IsOption(option)) return false;
  }
  return true;
}

bool HasOptions(std::string_view text, const std::vector<std::string>& options) {
  const std::string_view all = text.substr(std::min(text.find(';'), text.size()));
  return std::all_of(options.begin(), options.end(), [all](const std::string& want) {
    std::string_view rest = all;
    std::string_view option;
    while (NextOption(&rest, &option)) {
      if (SatisfiesOption(option, want)) return true;
    }
    return false;
  });
}

Result<AttributeDescription> AttributeDescription::Parse(std::string_view text,
                                                         const Schema& schema) {
  const std::size_t size = std::min(text.find(';'), text.size());
  const std::string_view name = text.substr(0, size);
  AttributeDescription description;
  description.type = schema.FindAttributeType(name);
  // What the schema knows is well spelled.
  const bool plain = size == text.size() && description.type != nullptr;
  if (!plain && !IsAttributeDescription(text)) {
    return Error{ResultCode::kProtocolError,
                 "a text that is not an attribute description stands for one", ""};
  }
  if (description.type == nullptr) return Undefined("attribute type", name);
  std::string_view rest = text.substr(size);
  description.text = description.type->name();
  if (plain) return description;
  description.text.append(rest);
  std::string_view option;
  while (NextOption(&rest, &option)) {
    std::string lower = ToLowerCopy(option);
    if (!IsKnownOption(lower)) return Undefined("attribute option", option);
    if (lower == kBinaryOption && !description.type->syntax->takes_binary_transfer()) {
      return NotBinary(*description.type);
    }
    description.options.push_back(std::move(lower));
  }
  auto& options = description.options;
  std::sort(options.begin(), options.end());
  options.erase(std::unique(options.begin(), options.end()), options.end());
  return description;
}

bool AttributeDescription::IsSubtypeOf(const AttributeDescription& other) const {
  if (type == nullptr || other.type == nullptr || !type->IsSubtypeOf(*other.type)) return false;
  return std::all_of(other.options.begin(), other.options.end(), [this](const std::string& want) {
    return std::any_of(options.begin(), options.end(),
                       [&want](const std::string& have) { return SatisfiesOption(have, want); });
  });
}

bool AttributeDescription::HasLanguageRange() const {
  return std::any_of(options.begin(), options.end(), IsLanguageRange);
}

}  // namespace twintree::model
