#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "storage/index.h"

namespace twintree::storage {

namespace {

using model::Error;
using model::Result;
using model::ResultCode;

// Changes whenever keys are made differently, so that old indexes are built anew.
constexpr std::string_view kKeyFormat = "keys-1";

struct KindName {
  std::string_view name;
  IndexKind kind;
};
constexpr std::array<KindName, 4> kKindNames = {{{"eq", kEqualityIndex},
                                                 {"pres", kPresenceIndex},
                                                 {"sub", kSubstringIndex},
                                                 {"ord", kOrderingIndex}}};

std::optional<IndexKind> KindOf(std::string_view name) {
  for (const KindName& known : kKindNames) {
    if (known.name == name) return known.kind;
  }
  return std::nullopt;
}

Error SpecError(std::string_view text, std::string what) {
  return Error{ResultCode::kOther, "index \"" + std::string(text) + "\": " + std::move(what), ""};
}

Error MissingRule(const model::AttributeType& type, std::string_view rule) {
  return Error{ResultCode::kInappropriateMatching,
               "attribute " + type.name() + " has no " + std::string(rule) +
                   " rule, so it can have no such index",
               ""};
}

model::Status CheckRules(const model::AttributeType& type, std::uint8_t kinds) {
  if ((kinds & kEqualityIndex) != 0 && type.equality == nullptr)
    return MissingRule(type, "equality");
  if ((kinds & kOrderingIndex) != 0 && (type.ordering == nullptr || type.equality == nullptr)) {
    return MissingRule(type, "ordering");
  }
  if ((kinds & kSubstringIndex) != 0 && type.substring == nullptr) {
    return MissingRule(type, "substring");
  }
  return model::OkStatus();
}

}  // namespace

Result<IndexSpec> IndexSpec::Parse(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return SpecError(text, "must be ATTRIBUTE=KIND,KIND…");
  IndexSpec spec;
  spec.attribute = std::string(text.substr(0, equals));
  if (spec.attribute.empty()) return SpecError(text, "the attribute is missing");
  std::string_view rest = text.substr(equals + 1);
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::string_view name = rest.substr(0, comma);
    const std::optional<IndexKind> kind = KindOf(name);
    if (!kind) {
      return SpecError(text, "\"" + std::string(name) + "\" is none of eq, pres, sub, ord");
    }
    spec.kinds |= *kind;
    if (comma == std::string_view::npos) return spec;
    rest.remove_prefix(comma + 1);
  }
}

std::string ToString(const IndexSpec& spec) {
  std::string text = spec.attribute;
  char separator = '=';
  for (const KindName& known : kKindNames) {
    if ((spec.kinds & known.kind) == 0) continue;
    text += separator;
    text += known.name;
    separator = ',';
  }
  return text;
}

std::vector<IndexSpec> DefaultIndexes() {
  constexpr std::uint8_t kName = kEqualityIndex | kPresenceIndex | kSubstringIndex;
  constexpr std::uint8_t kNumber = kEqualityIndex | kOrderingIndex;
  std::vector<IndexSpec> specs = {{"objectClass", kEqualityIndex}};
  for (const char* name : {"uid", "cn", "sn", "givenName", "mail", "displayName"}) {
    specs.push_back({name, kName});
  }
  for (const char* name :
       {"uidNumber", "gidNumber", "entryCSN", "createTimestamp", "modifyTimestamp"}) {
    specs.push_back({name, kNumber});
  }
  for (const char* name :
       {"entryUUID", "memberUid", "member", "uniqueMember", "memberOf", "manager", "ou", "dc", "o",
        "telephoneNumber", "employeeNumber", "ipHostNumber"}) {
    specs.push_back({name, kEqualityIndex});
  }
  return specs;
}

Result<IndexSet> IndexSet::Make(std::span<const IndexSpec> specs, const model::Schema& schema) {
  std::vector<std::uint8_t> kinds(schema.attribute_types().size(), 0);
  for (const IndexSpec& spec : specs) {
    const model::AttributeType* type = schema.FindAttributeType(spec.attribute);
    if (type == nullptr) {
      return Error{ResultCode::kUndefinedAttributeType,
                   "index for an unknown attribute: " + spec.attribute, ""};
    }
    TT_RETURN_IF_ERROR(CheckRules(*type, spec.kinds));
    kinds[type->index] |= spec.kinds;
  }
  std::vector<IndexedAttribute> attributes;
  for (const auto& type : schema.attribute_types()) {
    if (kinds[type->index] != 0) attributes.push_back({0, type.get(), kinds[type->index]});
  }
  // Numbers must not depend on the order in which the schema was read.
  std::sort(attributes.begin(), attributes.end(),
            [](const IndexedAttribute& a, const IndexedAttribute& b) {
              return a.type->oid < b.type->oid;
            });
  IndexSet set;
  set.attributes_ = std::move(attributes);
  set.by_type_index_.assign(kinds.size(), -1);
  for (std::size_t i = 0; i < set.attributes_.size(); ++i) {
    set.attributes_[i].number = static_cast<AttributeNumber>(i);
    set.by_type_index_[set.attributes_[i].type->index] = static_cast<std::int32_t>(i);
  }
  return set;
}

std::string Describe(const IndexSet& indexes) {
  std::vector<std::string> texts;
  for (const IndexedAttribute& attribute : indexes.attributes()) {
    texts.push_back(ToString({attribute.type->name(), attribute.kinds}));
  }
  std::sort(texts.begin(), texts.end());
  std::string text;
  for (const std::string& one : texts) text += (text.empty() ? "" : " ") + one;
  return text;
}

const IndexedAttribute* IndexSet::Find(const model::AttributeType& type) const {
  if (type.index >= by_type_index_.size()) return nullptr;
  const std::int32_t number = by_type_index_[type.index];
  if (number < 0) return nullptr;
  const IndexedAttribute& found = attributes_[static_cast<std::size_t>(number)];
  return found.type == &type ? &found : nullptr;
}

std::vector<IndexSpec> IndexSet::Specs() const {
  std::vector<IndexSpec> specs;
  specs.reserve(attributes_.size());
  for (const IndexedAttribute& attribute : attributes_) {
    specs.push_back({attribute.type->oid, attribute.kinds});
  }
  return specs;
}

std::string IndexSet::Fingerprint() const {
  std::string text(kKeyFormat);
  for (const IndexedAttribute& attribute : attributes_) {
    text += ' ';
    text += ToString(IndexSpec{attribute.type->oid, attribute.kinds});
  }
  return text;
}

}  // namespace twintree::storage
