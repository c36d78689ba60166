#include "services/model/schema_parser.h"

#include <charconv>
#include <cstddef>
#include <span>
#include <utility>

#include "services/model/ascii.h"
#include "services/model/utf8.h"

namespace twintree::model {
namespace {

enum class FieldShape { kFlag, kOne, kList };

struct KeywordRule {
  std::string_view keyword;
  FieldShape shape;
};

constexpr KeywordRule kAttributeTypeKeywords[] = {
    {"NAME", FieldShape::kList},
    {"DESC", FieldShape::kOne},
    {"OBSOLETE", FieldShape::kFlag},
    {"SUP", FieldShape::kOne},
    {"EQUALITY", FieldShape::kOne},
    {"ORDERING", FieldShape::kOne},
    {"SUBSTR", FieldShape::kOne},
    {"SYNTAX", FieldShape::kOne},
    {"SINGLE-VALUE", FieldShape::kFlag},
    {"COLLECTIVE", FieldShape::kFlag},
    {"NO-USER-MODIFICATION", FieldShape::kFlag},
    {"USAGE", FieldShape::kOne},
};
constexpr KeywordRule kObjectClassKeywords[] = {
    {"NAME", FieldShape::kList},      {"DESC", FieldShape::kOne},
    {"OBSOLETE", FieldShape::kFlag},  {"SUP", FieldShape::kList},
    {"ABSTRACT", FieldShape::kFlag},  {"STRUCTURAL", FieldShape::kFlag},
    {"AUXILIARY", FieldShape::kFlag}, {"MUST", FieldShape::kList},
    {"MAY", FieldShape::kList},
};
constexpr KeywordRule kMatchingRuleKeywords[] = {
    {"NAME", FieldShape::kList},
    {"DESC", FieldShape::kOne},
    {"OBSOLETE", FieldShape::kFlag},
    {"SYNTAX", FieldShape::kOne},
};
constexpr KeywordRule kMatchingRuleUseKeywords[] = {
    {"NAME", FieldShape::kList},
    {"DESC", FieldShape::kOne},
    {"OBSOLETE", FieldShape::kFlag},
    {"APPLIES", FieldShape::kList},
};
constexpr KeywordRule kLdapSyntaxKeywords[] = {{"DESC", FieldShape::kOne}};
constexpr KeywordRule kNamedLdapSyntaxKeywords[] = {{"NAME", FieldShape::kList},
                                                    {"DESC", FieldShape::kOne}};
constexpr KeywordRule kDitContentRuleKeywords[] = {
    {"NAME", FieldShape::kList}, {"DESC", FieldShape::kOne},  {"OBSOLETE", FieldShape::kFlag},
    {"AUX", FieldShape::kList},  {"MUST", FieldShape::kList}, {"MAY", FieldShape::kList},
    {"NOT", FieldShape::kList},
};
constexpr KeywordRule kDitStructureRuleKeywords[] = {
    {"NAME", FieldShape::kList}, {"DESC", FieldShape::kOne}, {"OBSOLETE", FieldShape::kFlag},
    {"FORM", FieldShape::kOne},  {"SUP", FieldShape::kList},
};
constexpr KeywordRule kNameFormKeywords[] = {
    {"NAME", FieldShape::kList}, {"DESC", FieldShape::kOne},  {"OBSOLETE", FieldShape::kFlag},
    {"OC", FieldShape::kOne},    {"MUST", FieldShape::kList}, {"MAY", FieldShape::kList},
};

std::span<const KeywordRule> KeywordsOf(DescriptionForm form) {
  switch (form) {
    case DescriptionForm::kAttributeType: return kAttributeTypeKeywords;
    case DescriptionForm::kObjectClass: return kObjectClassKeywords;
    case DescriptionForm::kMatchingRule: return kMatchingRuleKeywords;
    case DescriptionForm::kMatchingRuleUse: return kMatchingRuleUseKeywords;
    case DescriptionForm::kLdapSyntax: return kLdapSyntaxKeywords;
    case DescriptionForm::kNamedLdapSyntax: return kNamedLdapSyntaxKeywords;
    case DescriptionForm::kDitContentRule: return kDitContentRuleKeywords;
    case DescriptionForm::kDitStructureRule: return kDitStructureRuleKeywords;
    case DescriptionForm::kNameForm: return kNameFormKeywords;
  }
  return {};
}

std::vector<std::string_view> RequiredKeywords(DescriptionForm form) {
  switch (form) {
    case DescriptionForm::kMatchingRule: return {"SYNTAX"};
    case DescriptionForm::kMatchingRuleUse: return {"APPLIES"};
    case DescriptionForm::kDitStructureRule: return {"FORM"};
    case DescriptionForm::kNameForm: return {"OC", "MUST"};
    default: return {};
  }
}

Error Malformed(std::string message) {
  return {ResultCode::kInvalidAttributeSyntax, std::move(message), {}};
}

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

struct Token {
  enum class Kind { kEnd, kOpen, kClose, kDollar, kWord, kQuoted };
  Kind kind = Kind::kEnd;
  std::string text;
};

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text) {}

  Result<Token> Next() {
    while (position_ < text_.size() && IsBlank(text_[position_])) ++position_;
    if (position_ == text_.size()) return Token{};
    switch (text_[position_]) {
      case '(': return Punctuation(Token::Kind::kOpen);
      case ')': return Punctuation(Token::Kind::kClose);
      case '$': return Punctuation(Token::Kind::kDollar);
      case '\'': return Quoted();
      default: return Word();
    }
  }

 private:
  Token Punctuation(Token::Kind kind) {
    ++position_;
    return {kind, {}};
  }

  Token Word() {
    const std::size_t start = position_;
    while (position_ < text_.size() && !IsBlank(text_[position_]) &&
           std::string_view("()$'").find(text_[position_]) == std::string_view::npos) {
      ++position_;
    }
    return {Token::Kind::kWord, std::string(text_.substr(start, position_ - start))};
  }

  // \27 and \5c stand for the quote and the backslash; other backslashes for themselves.
  Result<Token> Quoted() {
    Token token{Token::Kind::kQuoted, {}};
    for (++position_; position_ < text_.size(); ++position_) {
      const char c = text_[position_];
      if (c == '\'') {
        ++position_;
        return token;
      }
      if (c == '\\' && text_.substr(position_ + 1, 2) == "27") {
        token.text.push_back('\'');
        position_ += 2;
      } else if (c == '\\' && EqualsIgnoreCase(text_.substr(position_ + 1, 2), "5c")) {
        token.text.push_back('\\');
        position_ += 2;
      } else {
        token.text.push_back(c);
      }
    }
    return Malformed("a quoted string is not closed");
  }

  std::string_view text_;
  std::size_t position_ = 0;
};

class DescriptionReader {
 public:
  DescriptionReader(std::string_view text, DescriptionForm form)
      : tokenizer_(text), keywords_(KeywordsOf(form)) {}

  Result<Description> Read() {
    TT_RETURN_IF_ERROR(Advance());
    if (token_.kind != Token::Kind::kOpen)
      return Malformed("the description must start with \"(\"");
    TT_RETURN_IF_ERROR(Advance());
    if (!AtValue() || token_.text.empty()) return Malformed("the object identifier is missing");
    Description description;
    description.id = std::move(token_.text);
    TT_RETURN_IF_ERROR(Advance());
    while (token_.kind == Token::Kind::kWord) TT_RETURN_IF_ERROR(ReadField(description));
    if (token_.kind != Token::Kind::kClose) return Malformed("a keyword or \")\" is expected");
    TT_RETURN_IF_ERROR(Advance());
    if (token_.kind != Token::Kind::kEnd) return Malformed("text follows the closing parenthesis");
    return description;
  }

 private:
  bool AtValue() const {
    return token_.kind == Token::Kind::kWord || token_.kind == Token::Kind::kQuoted;
  }

  Status Advance() {
    TT_ASSIGN_OR_RETURN(token_, tokenizer_.Next());
    return OkStatus();
  }

  Status ReadField(Description& description) {
    DescriptionField field;
    for (char c : token_.text)
      field.keyword.push_back(IsAlpha(c) ? static_cast<char>(c & ~0x20) : c);
    const FieldShape* shape = FindShape(field.keyword);
    if (shape == nullptr) return Malformed("unknown keyword \"" + token_.text + "\"");
    if (description.Find(field.keyword) != nullptr) {
      return Malformed("the keyword " + field.keyword + " is given twice");
    }
    TT_RETURN_IF_ERROR(Advance());
    if (*shape != FieldShape::kFlag) {
      TT_RETURN_IF_ERROR(ReadValues(field));
      if (*shape == FieldShape::kOne && field.values.size() != 1) {
        return Malformed(field.keyword + " takes one value");
      }
    }
    description.fields.push_back(std::move(field));
    return OkStatus();
  }

  const FieldShape* FindShape(std::string_view keyword) const {
    static constexpr FieldShape kExtensionShape = FieldShape::kList;
    if (keyword.starts_with("X-")) return &kExtensionShape;
    for (const KeywordRule& rule : keywords_) {
      if (rule.keyword == keyword) return &rule.shape;
    }
    return nullptr;
  }

  Status ReadValues(DescriptionField& field) {
    if (AtValue()) {
      field.values.push_back(std::move(token_.text));
      TT_RETURN_IF_ERROR(Advance());
      // The bound after a quoted syntax: SYNTAX '1.2.3'{64}.
      if (token_.kind != Token::Kind::kWord || !token_.text.starts_with('{')) return OkStatus();
      field.values.back().append(token_.text);
      return Advance();
    }
    if (token_.kind != Token::Kind::kOpen)
      return Malformed("a value of " + field.keyword + " is missing");
    TT_RETURN_IF_ERROR(Advance());
    while (token_.kind != Token::Kind::kClose) {
      if (AtValue()) {
        field.values.push_back(std::move(token_.text));
      } else if (token_.kind != Token::Kind::kDollar) {
        return Malformed("the list of " + field.keyword + " is not closed");
      }
      TT_RETURN_IF_ERROR(Advance());
    }
    return Advance();
  }

  Tokenizer tokenizer_;
  std::span<const KeywordRule> keywords_;
  Token token_;
};

bool IsOid(std::string_view text) { return IsKeyString(text) || IsNumericOid(text); }

// `SYNTAX 1.2.3{64}` cut in two.
Status SplitSyntax(std::string_view text, std::string& oid, std::uint32_t& max_length) {
  const std::size_t brace = text.find('{');
  oid = text.substr(0, brace);
  if (brace == std::string_view::npos) return OkStatus();
  const std::string_view bound = text.substr(brace + 1);
  const char* const end = bound.data() + bound.size();
  const auto [stop, error] = std::from_chars(bound.data(), end, max_length);
  if (error != std::errc() || stop + 1 != end || *stop != '}') {
    return Malformed("malformed bound in SYNTAX \"" + std::string(text) + "\"");
  }
  return OkStatus();
}

Status ParseUsage(std::string_view text, AttributeUsage& usage) {
  constexpr std::pair<std::string_view, AttributeUsage> kUsages[] = {
      {"userApplications", AttributeUsage::kUserApplications},
      {"directoryOperation", AttributeUsage::kDirectoryOperation},
      {"distributedOperation", AttributeUsage::kDistributedOperation},
      {"dSAOperation", AttributeUsage::kDsaOperation},
  };
  for (const auto& [name, value] : kUsages) {
    if (EqualsIgnoreCase(name, text)) {
      usage = value;
      return OkStatus();
    }
  }
  return Malformed("unknown USAGE \"" + std::string(text) + "\"");
}

Status CheckOids(const std::vector<std::string>& oids, std::string_view keyword) {
  for (const std::string& oid : oids) {
    if (!IsOid(oid))
      return Malformed(std::string(keyword) + ": \"" + oid + "\" is neither name nor OID");
  }
  return OkStatus();
}

Status CheckNames(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (!IsKeyString(name)) return Malformed("\"" + name + "\" is not a valid NAME");
  }
  return OkStatus();
}

void AppendFlag(std::string_view keyword, bool value, std::string& out) {
  if (value) out.append(" ").append(keyword);
}

void AppendWord(std::string_view keyword, std::string_view value, std::string& out) {
  if (!value.empty()) out.append(" ").append(keyword).append(" ").append(value);
}

void AppendQuotedString(std::string_view value, std::string& out) {
  out.push_back('\'');
  for (char c : value) {
    if (c == '\'') {
      out.append("\\27");
    } else if (c == '\\') {
      out.append("\\5C");
    } else {
      out.push_back(c);
    }
  }
  out.push_back('\'');
}

void AppendQuotedList(std::string_view keyword, const std::vector<std::string>& values,
                      std::string& out) {
  out.append(" ").append(keyword).append(values.size() == 1 ? " " : " ( ");
  for (const std::string& value : values) {
    AppendQuotedString(value, out);
    if (values.size() > 1) out.push_back(' ');
  }
  if (values.size() > 1) out.push_back(')');
}

std::string_view UsageName(AttributeUsage usage) {
  switch (usage) {
    case AttributeUsage::kUserApplications: return "";
    case AttributeUsage::kDirectoryOperation: return "directoryOperation";
    case AttributeUsage::kDistributedOperation: return "distributedOperation";
    case AttributeUsage::kDsaOperation: return "dSAOperation";
  }
  return "";
}

}  // namespace

const DescriptionField* Description::Find(std::string_view keyword) const {
  for (const DescriptionField& field : fields) {
    if (field.keyword == keyword) return &field;
  }
  return nullptr;
}

std::string Description::First(std::string_view keyword) const {
  const DescriptionField* field = Find(keyword);
  return field == nullptr || field->values.empty() ? std::string() : field->values.front();
}

std::vector<std::string> Description::All(std::string_view keyword) const {
  const DescriptionField* field = Find(keyword);
  return field == nullptr ? std::vector<std::string>() : field->values;
}

std::vector<DescriptionField> Description::Extensions() const {
  std::vector<DescriptionField> extensions;
  for (const DescriptionField& field : fields) {
    if (field.keyword.starts_with("X-")) extensions.push_back(field);
  }
  return extensions;
}

Result<Description> ParseDescription(std::string_view text, DescriptionForm form) {
  if (!IsValidUtf8(text)) return Malformed("the description is not UTF-8");
  return DescriptionReader(text, form).Read();
}

Status CheckDescription(std::string_view text, DescriptionForm form) {
  TT_ASSIGN_OR_RETURN(Description description, ParseDescription(text, form));
  bool id_ok = IsNumericOid(description.id);
  if (form == DescriptionForm::kDitStructureRule) {
    id_ok = description.id.find_first_not_of("0123456789") == std::string::npos;
  }
  if (!id_ok) return Malformed("\"" + description.id + "\" is not a valid identifier");
  for (std::string_view required : RequiredKeywords(form)) {
    if (description.Find(required) == nullptr) {
      return Malformed(std::string(required) + " is missing");
    }
  }
  TT_RETURN_IF_ERROR(CheckNames(description.All("NAME")));
  if (form == DescriptionForm::kAttributeType) {
    TT_RETURN_IF_ERROR(AttributeTypeDescription::Parse(text));
  }
  if (form == DescriptionForm::kObjectClass) {
    TT_RETURN_IF_ERROR(ObjectClassDescription::Parse(text));
  }
  return OkStatus();
}

std::string_view FirstComponent(std::string_view text) {
  std::size_t start = 0;
  const auto skip_blanks = [&] {
    while (start < text.size() && IsBlank(text[start])) ++start;
  };
  skip_blanks();
  if (start == text.size() || text[start] != '(') return {};
  ++start;
  skip_blanks();
  if (start < text.size() && text[start] == '\'') {
    const std::size_t end = text.find('\'', start + 1);
    return end == std::string_view::npos ? std::string_view()
                                         : text.substr(start + 1, end - start - 1);
  }
  std::size_t end = start;
  while (end < text.size() && !IsBlank(text[end]) && text[end] != ')') ++end;
  return text.substr(start, end - start);
}

Result<AttributeTypeDescription> AttributeTypeDescription::Parse(std::string_view text) {
  TT_ASSIGN_OR_RETURN(Description fields, ParseDescription(text, DescriptionForm::kAttributeType));
  AttributeTypeDescription type;
  type.oid = fields.id;
  type.names = fields.All("NAME");
  type.description = fields.First("DESC");
  type.obsolete = fields.Find("OBSOLETE") != nullptr;
  type.superior = fields.First("SUP");
  type.equality = fields.First("EQUALITY");
  type.ordering = fields.First("ORDERING");
  type.substring = fields.First("SUBSTR");
  type.single_value = fields.Find("SINGLE-VALUE") != nullptr;
  type.collective = fields.Find("COLLECTIVE") != nullptr;
  type.no_user_modification = fields.Find("NO-USER-MODIFICATION") != nullptr;
  type.extensions = fields.Extensions();
  TT_RETURN_IF_ERROR(CheckNames(type.names));
  TT_RETURN_IF_ERROR(SplitSyntax(fields.First("SYNTAX"), type.syntax, type.max_length));
  if (fields.Find("USAGE") != nullptr) {
    TT_RETURN_IF_ERROR(ParseUsage(fields.First("USAGE"), type.usage));
  }
  if (type.superior.empty() && type.syntax.empty()) return Malformed("SUP or SYNTAX is missing");
  if (type.collective && type.single_value) {
    return Malformed("a COLLECTIVE attribute cannot be SINGLE-VALUE");
  }
  return type;
}

std::string AttributeTypeDescription::ToString() const {
  std::string out = "( " + oid;
  AppendNames(names, out);
  AppendQuoted("DESC", description, out);
  AppendFlag("OBSOLETE", obsolete, out);
  AppendWord("SUP", superior, out);
  AppendWord("EQUALITY", equality, out);
  AppendWord("ORDERING", ordering, out);
  AppendWord("SUBSTR", substring, out);
  AppendWord("SYNTAX", syntax, out);
  if (max_length != 0) out.append("{").append(std::to_string(max_length)).append("}");
  AppendFlag("SINGLE-VALUE", single_value, out);
  AppendFlag("COLLECTIVE", collective, out);
  AppendFlag("NO-USER-MODIFICATION", no_user_modification, out);
  AppendWord("USAGE", UsageName(usage), out);
  AppendExtensions(extensions, out);
  return out + " )";
}

Result<ObjectClassDescription> ObjectClassDescription::Parse(std::string_view text) {
  TT_ASSIGN_OR_RETURN(Description fields, ParseDescription(text, DescriptionForm::kObjectClass));
  ObjectClassDescription object_class;
  object_class.oid = fields.id;
  object_class.names = fields.All("NAME");
  object_class.description = fields.First("DESC");
  object_class.obsolete = fields.Find("OBSOLETE") != nullptr;
  object_class.superiors = fields.All("SUP");
  object_class.must = fields.All("MUST");
  object_class.may = fields.All("MAY");
  object_class.extensions = fields.Extensions();
  TT_RETURN_IF_ERROR(CheckNames(object_class.names));
  TT_RETURN_IF_ERROR(CheckOids(object_class.superiors, "SUP"));
  TT_RETURN_IF_ERROR(CheckOids(object_class.must, "MUST"));
  TT_RETURN_IF_ERROR(CheckOids(object_class.may, "MAY"));
  const bool abstract = fields.Find("ABSTRACT") != nullptr;
  const bool auxiliary = fields.Find("AUXILIARY") != nullptr;
  const bool structural = fields.Find("STRUCTURAL") != nullptr;
  if (abstract + auxiliary + structural > 1) return Malformed("the class is given two kinds");
  if (abstract) object_class.kind = ObjectClassKind::kAbstract;
  if (auxiliary) object_class.kind = ObjectClassKind::kAuxiliary;
  return object_class;
}

std::string ObjectClassDescription::ToString() const {
  std::string out = "( " + oid;
  AppendNames(names, out);
  AppendQuoted("DESC", description, out);
  AppendFlag("OBSOLETE", obsolete, out);
  AppendOids("SUP", superiors, out);
  AppendFlag("ABSTRACT", kind == ObjectClassKind::kAbstract, out);
  AppendFlag("STRUCTURAL", kind == ObjectClassKind::kStructural, out);
  AppendFlag("AUXILIARY", kind == ObjectClassKind::kAuxiliary, out);
  AppendOids("MUST", must, out);
  AppendOids("MAY", may, out);
  AppendExtensions(extensions, out);
  return out + " )";
}

void AppendNames(const std::vector<std::string>& names, std::string& out) {
  if (!names.empty()) AppendQuotedList("NAME", names, out);
}

void AppendQuoted(std::string_view keyword, std::string_view value, std::string& out) {
  if (value.empty()) return;
  out.append(" ").append(keyword).push_back(' ');
  AppendQuotedString(value, out);
}

void AppendOids(std::string_view keyword, const std::vector<std::string>& oids, std::string& out) {
  if (oids.empty()) return;
  out.append(" ").append(keyword).append(oids.size() == 1 ? " " : " ( ");
  for (std::size_t i = 0; i < oids.size(); ++i) {
    if (i > 0) out.append(" $ ");
    out.append(oids[i]);
  }
  if (oids.size() > 1) out.append(" )");
}

void AppendExtensions(const std::vector<DescriptionField>& extensions, std::string& out) {
  for (const DescriptionField& extension : extensions) {
    AppendQuotedList(extension.keyword, extension.values, out);
  }
}

}  // namespace twintree::model
