#include "services/model/ldif_parser.h"

#include <optional>
#include <unordered_map>
#include <utility>

#include "services/model/ascii.h"
#include "services/model/base64.h"
#include "services/model/ldif_url.h"

namespace twintree::model {
namespace {

std::string_view SkipSpaces(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  return text;
}

std::string_view TrimEnd(std::string_view text) {
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

bool IsDash(std::string_view text) { return TrimEnd(text) == "-"; }

// At most this much of a bad input goes into a message.
std::string Quoted(std::string_view text) { return "'" + std::string(text.substr(0, 80)) + "'"; }

// Cuts the word `name` off the front of `text`, ignoring case; false if another word is there.
bool TakeWord(std::string_view word, std::string_view* text) {
  if (!EqualsIgnoreCase(text->substr(0, word.size()), word)) return false;
  const std::string_view rest = text->substr(word.size());
  if (!rest.empty() && rest[0] != ' ' && rest[0] != ':') return false;
  *text = SkipSpaces(rest);
  return true;
}

std::optional<ModificationKind> KindOf(std::string_view name) {
  if (EqualsIgnoreCase(name, "add")) return ModificationKind::kAdd;
  if (EqualsIgnoreCase(name, "delete")) return ModificationKind::kDelete;
  if (EqualsIgnoreCase(name, "replace")) return ModificationKind::kReplace;
  if (EqualsIgnoreCase(name, "increment")) return ModificationKind::kIncrement;
  return std::nullopt;
}

// Gathers the values of one description, wherever in the record they stand.
class AttributeCollector {
 public:
  explicit AttributeCollector(std::vector<RawAttribute>* attributes) : attributes_(*attributes) {}

  RawAttribute& For(std::string_view description) {
    // Values of one attribute nearly always follow each other.
    if (!attributes_.empty() && EqualsIgnoreCase(attributes_[last_].description, description)) {
      return attributes_[last_];
    }
    const auto [found, inserted] =
        positions_.try_emplace(ToLowerCopy(description), attributes_.size());
    if (inserted) attributes_.push_back({std::string(description), {}});
    last_ = found->second;
    return attributes_[last_];
  }

 private:
  std::vector<RawAttribute>& attributes_;
  std::unordered_map<std::string, std::size_t> positions_;
  std::size_t last_ = 0;
};

}  // namespace

bool LdifParser::Fail(std::string problem) {
  problem_ = std::move(problem);
  problem_line_ = lines_[position_ < lines_.size() ? position_ : lines_.size() - 1].number;
  return false;
}

// For something that is missing where the record ends.
bool LdifParser::FailAtLastLine(std::string problem) {
  position_ = lines_.size() - 1;
  return Fail(std::move(problem));
}

bool LdifParser::Parse(LdifRecord* record) {
  if (!ParseDn(record) || !ParseControls(record)) return false;
  Field field;
  if (!at_end() && Split(&field) && EqualsIgnoreCase(field.name, "changetype")) {
    std::string type;
    if (!DecodeSpec(field.spec, &type) || !ParseChange(TrimEnd(type), record)) return false;
    return true;
  }
  if (!problem_.empty()) return false;
  if (!record->controls.empty()) return Fail("'changetype:' must follow a control");
  record->change = LdifChange::kContent;
  return ParseAttributes(record);
}

// Splits the line at the position.
bool LdifParser::Split(Field* field) {
  const std::string_view text = lines_[position_].text;
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return Fail("no ':' in the line");
  field->name = text.substr(0, colon);
  field->spec = text.substr(colon + 1);
  if (field->name.empty()) return Fail("no attribute before ':'");
  if (!IsAttributeDescription(field->name)) {
    return Fail("what stands before ':' is not an attribute description");
  }
  return true;
}

// Decodes what follows a name and its colon: text, `: base64` or `< url`.
bool LdifParser::DecodeSpec(std::string_view spec, std::string* value) {
  if (spec.starts_with('<')) return DecodeUrl(TrimEnd(SkipSpaces(spec.substr(1))), value);
  if (spec.starts_with(':')) {
    std::optional<std::string> decoded = DecodeBase64(TrimEnd(SkipSpaces(spec.substr(1))));
    if (!decoded) return Fail("bad base64");
    *value = *std::move(decoded);
  } else {
    if (spec.find('\0') != std::string_view::npos) return Fail("NUL in a line");
    *value = SkipSpaces(spec);
  }
  return CountBytes(value->size());
}

bool LdifParser::DecodeUrl(std::string_view url, std::string* value) {
  if (!options_.allow_file_urls) return Fail(std::string(kUrlsNotAllowed));
  Result<std::string> octets = ReadFileUrl(url, options_.max_record_bytes - bytes_);
  if (!octets.ok()) return Fail(octets.error().message);
  *value = std::move(octets).value();
  return CountBytes(value->size());
}

bool LdifParser::CountBytes(std::size_t bytes) {
  if (bytes > options_.max_record_bytes - bytes_) return Fail("the record is too long");
  bytes_ += bytes;
  return true;
}

// Takes the line `name: value`, which must be the next one.
bool LdifParser::TakeNamed(std::string_view name, std::string* value) {
  if (at_end()) return FailAtLastLine("'" + std::string(name) + ":' is missing");
  Field field;
  if (!Split(&field)) return false;
  if (!EqualsIgnoreCase(field.name, name)) return Fail("'" + std::string(name) + ":' expected");
  if (!DecodeSpec(field.spec, value)) return false;
  ++position_;
  return true;
}

bool LdifParser::ParseDn(LdifRecord* record) {
  record->line = lines_[position_].number;
  return TakeNamed("dn", &record->dn);
}

bool LdifParser::ParseControls(LdifRecord* record) {
  Field field;
  while (!at_end() && Split(&field) && EqualsIgnoreCase(field.name, "control")) {
    if (!ParseControl(SkipSpaces(field.spec), &record->controls.emplace_back())) return false;
    ++position_;
  }
  return problem_.empty();
}

// oid [true | false] [":" value]
bool LdifParser::ParseControl(std::string_view spec, LdifControl* control) {
  const std::string_view oid = spec.substr(0, spec.find_first_of(" :"));
  if (!IsNumericOid(oid)) return Fail("control: " + Quoted(oid) + " is not an OID");
  control->oid = oid;
  spec = SkipSpaces(spec.substr(oid.size()));
  if (TakeWord("true", &spec)) {
    control->critical = true;
  } else {
    TakeWord("false", &spec);
  }
  if (spec.empty()) return true;
  if (spec[0] != ':') return Fail("control: 'true', 'false' or ':' expected");
  return DecodeSpec(spec.substr(1), &control->value.emplace());
}

// The position is on the changetype line.
bool LdifParser::ParseChange(std::string_view type, LdifRecord* record) {
  if (EqualsIgnoreCase(type, "add")) {
    record->change = LdifChange::kAdd;
  } else if (EqualsIgnoreCase(type, "delete")) {
    record->change = LdifChange::kDelete;
  } else if (EqualsIgnoreCase(type, "modify")) {
    record->change = LdifChange::kModify;
  } else if (EqualsIgnoreCase(type, "modrdn") || EqualsIgnoreCase(type, "moddn")) {
    record->change = LdifChange::kModifyDn;
  } else {
    return Fail("unknown changetype " + Quoted(type));
  }
  ++position_;
  switch (record->change) {
    case LdifChange::kDelete: return ExpectEnd();
    case LdifChange::kModify: return ParseModifications(record);
    case LdifChange::kModifyDn: return ParseModifyDn(record);
    default: return ParseAttributes(record);
  }
}

bool LdifParser::ExpectEnd() { return at_end() || Fail("an empty line must follow here"); }

bool LdifParser::ParseAttributes(LdifRecord* record) {
  if (at_end()) return FailAtLastLine("the entry has no attributes");
  AttributeCollector collector(&record->attributes);
  for (; !at_end(); ++position_) {
    Field field;
    if (!Split(&field)) return false;
    if (EqualsIgnoreCase(field.name, "dn") || EqualsIgnoreCase(field.name, "changetype")) {
      return Fail("'" + std::string(field.name) + ":' inside a record");
    }
    std::string value;
    if (!CountBytes(field.name.size() + kLdifValueCost) || !DecodeSpec(field.spec, &value))
      return false;
    collector.For(field.name).values.push_back(std::move(value));
  }
  return true;
}

bool LdifParser::ParseModifications(LdifRecord* record) {
  while (!at_end()) {
    if (!ParseModification(&record->modifications.emplace_back())) return false;
  }
  return true;
}

bool LdifParser::ParseModification(Modification* modification) {
  Field field;
  if (!Split(&field)) return false;
  const std::optional<ModificationKind> kind = KindOf(field.name);
  if (!kind) return Fail("'add:', 'delete:', 'replace:' or 'increment:' expected");
  modification->kind = *kind;
  std::string description;
  if (!DecodeSpec(field.spec, &description)) return false;
  modification->attribute.description = TrimEnd(description);
  if (!IsAttributeDescription(modification->attribute.description)) {
    return Fail("what stands after ':' is not an attribute description");
  }
  ++position_;
  return ParseValues(&modification->attribute);
}

// The values of one change, up to and with its dash.
bool LdifParser::ParseValues(RawAttribute* attribute) {
  for (; !at_end(); ++position_) {
    if (IsDash(lines_[position_].text)) {
      ++position_;
      return true;
    }
    Field field;
    if (!Split(&field)) return false;
    if (!EqualsIgnoreCase(field.name, attribute->description)) {
      return Fail("'" + attribute->description + ":' or '-' expected");
    }
    std::string value;
    if (!CountBytes(field.name.size() + kLdifValueCost) || !DecodeSpec(field.spec, &value))
      return false;
    attribute->values.push_back(std::move(value));
  }
  return true;
}

bool LdifParser::ParseModifyDn(LdifRecord* record) {
  std::string delete_old;
  if (!TakeNamed("newrdn", &record->new_rdn) || !TakeNamed("deleteoldrdn", &delete_old)) {
    return false;
  }
  const std::string_view digit = TrimEnd(delete_old);
  if (digit != "0" && digit != "1") {
    --position_;
    return Fail("deleteoldrdn: 0 or 1 expected");
  }
  record->delete_old_rdn = digit == "1";
  if (!at_end() && !TakeNamed("newsuperior", &record->new_superior.emplace())) return false;
  return ExpectEnd();
}

}  // namespace twintree::model
