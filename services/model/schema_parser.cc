#include "services/model/schema_parser.h"

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

}  // namespace twintree::model
