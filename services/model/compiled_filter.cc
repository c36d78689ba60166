#include "services/model/compiled_filter.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "services/model/ascii.h"

namespace twintree::model {
namespace {

bool IsDerived(const AttributeType* type, const Schema& schema) {
  const Schema::WellKnown& known = schema.well_known();
  return type == known.entry_dn || type == known.has_subordinates ||
         type == known.num_subordinates || type == known.subschema_subentry;
}

// The pieces of a substring assertion, not normalised yet.
struct Pieces {
  std::string initial;
  std::vector<std::string> any;
  std::string final_piece;
};

// Reads `initial*any*final`, in which `*` and `\` are written \2A and \5C (RFC 4517 3.3.30).
std::optional<Pieces> ParseSubstringAssertion(std::string_view text) {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '*') {
      parts.emplace_back();
    } else if (text[i] != '\\') {
      parts.back().push_back(text[i]);
    } else if (EqualsIgnoreCase(text.substr(i, 3), "\\2a")) {
      parts.back().push_back('*');
      i += 2;
    } else if (EqualsIgnoreCase(text.substr(i, 3), "\\5c")) {
      parts.back().push_back('\\');
      i += 2;
    } else {
      return std::nullopt;
    }
  }
  if (parts.size() < 2) return std::nullopt;
  Pieces pieces;
  pieces.initial = std::move(parts.front());
  pieces.final_piece = std::move(parts.back());
  pieces.any.assign(std::make_move_iterator(parts.begin() + 1),
                    std::make_move_iterator(parts.end() - 1));
  return pieces;
}

// Normalises one piece; false when the rule's syntax refuses it. An empty key says nothing.
bool CompilePiece(const MatchingRule& rule, std::string_view piece, SubstringPosition position,
                  std::string* key) {
  if (piece.empty()) return true;
  Result<std::string> normalized = rule.PieceKey(piece, position);
  if (!normalized.ok()) return false;
  *key = std::move(normalized).value();
  return true;
}

bool CompilePieces(const MatchingRule& rule, const Pieces& pieces, CompiledFilter* out) {
  SubstringKeys* const keys = &out->pieces;
  for (const std::string& piece : pieces.any) {
    std::string key;
    if (!CompilePiece(rule, piece, SubstringPosition::kAny, &key)) return false;
    if (!key.empty()) keys->any.push_back(std::move(key));
  }
  if (!CompilePiece(rule, pieces.initial, SubstringPosition::kInitial, &keys->initial) ||
      !CompilePiece(rule, pieces.final_piece, SubstringPosition::kFinal, &keys->final_piece)) {
    return false;
  }
  out->holds_pieces = SubstringMatcher(*keys);
  return true;
}

// Takes the key out of `result`; false when the value was refused.
bool TakeKey(Result<std::string> result, std::string* key) {
  if (!result.ok()) return false;
  *key = std::move(result).value();
  return true;
}

// The Bind functions return false for what can only be Undefined.

bool BindAttribute(std::string_view attribute, const Schema& schema, CompiledFilter* out) {
  Result<AttributeDescription> description = AttributeDescription::Parse(attribute, schema);
  if (!description.ok()) return false;
  out->description = std::move(description).value();
  out->derived = IsDerived(out->description.type, schema);
  return true;
}

bool BindEquality(std::string_view value, const Schema& schema, CompiledFilter* out) {
  const AttributeType& type = *out->description.type;
  out->rule = type.equality;
  if (out->rule == nullptr || !TakeKey(type.AssertionKey(value), &out->key)) return false;
  if (&type != schema.well_known().object_class) return true;
  out->object_class = schema.FindObjectClass(value);
  return out->object_class != nullptr;
}

bool BindOrdering(std::string_view value, CompiledFilter* out) {
  out->rule = out->description.type->ordering;
  return out->rule != nullptr && TakeKey(out->rule->AssertionKey(value), &out->key);
}

bool BindSubstrings(const Filter& filter, CompiledFilter* out) {
  out->rule = out->description.type->substring;
  return out->rule != nullptr &&
         CompilePieces(*out->rule, {filter.initial, filter.any, filter.final_piece}, out);
}

bool BindExtensible(const Filter& filter, const Schema& schema, CompiledFilter* out) {
  out->dn_attributes = filter.dn_attributes;
  if (!filter.attribute.empty() && !BindAttribute(filter.attribute, schema, out)) return false;
  const AttributeType* type = out->description.type;
  if (filter.matching_rule.empty()) {
    return type != nullptr && BindEquality(filter.value, schema, out);
  }
  out->rule = schema.FindMatchingRule(filter.matching_rule);
  if (out->rule == nullptr) return false;
  const AttributeType* const object_class = schema.well_known().object_class;
  // Classes imply their superclasses, whichever way they are asked for.
  if (type == object_class && out->rule == type->equality) {
    return BindEquality(filter.value, schema, out);
  }
  if (type == nullptr && out->rule == object_class->equality) {
    out->object_class = schema.FindObjectClass(filter.value);
  }
  if (type != nullptr && !out->rule->AppliesTo(*type)) return false;
  if (out->rule->kind() != MatchingKind::kSubstring) {
    return TakeKey(out->rule->AssertionKey(filter.value), &out->key);
  }
  const std::optional<Pieces> pieces = ParseSubstringAssertion(filter.value);
  return pieces && CompilePieces(*out->rule, *pieces, out);
}

bool BindItem(const Filter& filter, const Schema& schema, CompiledFilter* out) {
  if (filter.kind == FilterKind::kExtensible) return BindExtensible(filter, schema, out);
  if (!BindAttribute(filter.attribute, schema, out)) return false;
  switch (filter.kind) {
    case FilterKind::kEquality:
    case FilterKind::kApprox: return BindEquality(filter.value, schema, out);
    case FilterKind::kGreaterOrEqual:
    case FilterKind::kLessOrEqual: return BindOrdering(filter.value, out);
    case FilterKind::kSubstrings: return BindSubstrings(filter, out);
    default: return true;
  }
}

}  // namespace

CompiledFilter CompiledFilter::Compile(const Filter& filter, const Schema& schema) {
  CompiledFilter compiled;
  compiled.kind = filter.kind;
  switch (filter.kind) {
    case FilterKind::kAnd:
    case FilterKind::kOr:
    case FilterKind::kNot:
      compiled.children.reserve(filter.children.size());
      for (const Filter& child : filter.children) {
        compiled.children.push_back(Compile(child, schema));
      }
      break;
    default: compiled.undefined = !BindItem(filter, schema, &compiled);
  }
  return compiled;
}

bool CompiledFilter::MatchesEverything(const Schema& schema) const {
  const auto child_does = [&schema](const CompiledFilter& child) {
    return child.MatchesEverything(schema);
  };
  switch (kind) {
    case FilterKind::kAnd: return std::all_of(children.begin(), children.end(), child_does);
    case FilterKind::kOr: return std::any_of(children.begin(), children.end(), child_does);
    case FilterKind::kPresent:
      return !undefined && description.type == schema.well_known().object_class &&
             description.options.empty();
    default: return false;
  }
}

}  // namespace twintree::model
