// Evaluation of compiled filters: the hot loop of every scan.
#include <algorithm>

#include "services/model/compiled_filter.h"

namespace twintree::model {
namespace {

Truth ToTruth(bool matches) { return matches ? Truth::kTrue : Truth::kFalse; }

// Evaluates one item against one target.
class ItemEvaluator {
 public:
  ItemEvaluator(const CompiledFilter& item, FilterTarget& target, const Schema& schema)
      : item_(item), target_(target), schema_(schema) {}

  Truth Run() {
    if (item_.undefined) return Truth::kUndefined;
    const AttributeType* type = item_.description.type;
    if (type == nullptr) return ToTruth(AnyAttribute() || (item_.dn_attributes && AnyInDn()));
    if (!target_.MaySearch(*type)) return Truth::kUndefined;
    switch (item_.kind) {
      case FilterKind::kPresent: return ToTruth(AnyValue([](std::string_view) { return true; }));
      case FilterKind::kEquality:
      case FilterKind::kApprox: return ToTruth(AnyEqual());
      case FilterKind::kGreaterOrEqual:
        return ToTruth(AnyKey([this](const std::string& key) { return key >= item_.key; }));
      case FilterKind::kLessOrEqual:
        return ToTruth(AnyKey([this](const std::string& key) { return key <= item_.key; }));
      case FilterKind::kSubstrings:
        return ToTruth(
            AnyKey([this](const std::string& key) { return item_.holds_pieces.Matches(key); }));
      default: return ToTruth(AnyExtensible());
    }
  }

 private:
  bool Covers(const StoredAttribute& attribute) const {
    const AttributeType* type = item_.description.type;
    if (attribute.type() == nullptr) return false;
    if (attribute.type() != type &&
        (!attribute.type()->IsSubtypeOf(*type) || !target_.MaySearch(*attribute.type()))) {
      return false;
    }
    return item_.description.options.empty() ||
           (attribute.has_options() &&
            HasOptions(attribute.description(), item_.description.options));
  }

  // Is there a value of the item's attribute, or of a subtype, for which `matches` is true?
  template <typename Matches>
  bool AnyValue(Matches matches) {
    for (const StoredAttribute& attribute : target_.entry().attributes()) {
      if (Covers(attribute) && AnyOf(attribute.values(), matches)) return true;
    }
    return item_.derived && item_.description.options.empty() &&
           AnyOf(target_.DerivedValues(*item_.description.type), matches);
  }

  template <typename Values, typename Matches>
  static bool AnyOf(const Values& values, Matches matches) {
    for (const std::string_view value : values) {
      if (matches(value)) return true;
    }
    return false;
  }

  template <typename Matches>
  bool AnyKey(Matches matches) {
    return AnyValue([this, matches](std::string_view value) {
      const Result<std::string> key = item_.rule->ValueKey(value);
      return key.ok() && matches(*key);
    });
  }

  bool AnyEqual() {
    if (item_.object_class != nullptr) {
      return AnyValue([this](std::string_view value) { return IsOfClass(value); });
    }
    if (item_.description.type == schema_.well_known().entry_dn &&
        item_.description.options.empty()) {
      return target_.dn_key().text() == item_.key;
    }
    return AnyValue(
        [this](std::string_view value) { return item_.rule->Equals(value, item_.key); });
  }

  bool IsOfClass(std::string_view value) const {
    const ObjectClass* object_class = schema_.FindObjectClass(value);
    return object_class != nullptr && object_class->IsSubclassOf(*item_.object_class);
  }

  bool IsAnyOfClass(const StoredAttribute& attribute) const {
    return item_.object_class != nullptr && attribute.type() == schema_.well_known().object_class &&
           AnyOf(attribute.values(), [this](std::string_view value) { return IsOfClass(value); });
  }

  bool AnyExtensible() {
    const bool in_entry =
        item_.object_class != nullptr
            ? AnyEqual()
            : AnyValue([this](std::string_view value) { return SatisfiesRule(value); });
    return in_entry || (item_.dn_attributes && AnyInDn());
  }

  // Without attribute: every attribute that the rule suits.
  bool AnyAttribute() {
    const auto matches = [this](std::string_view value) { return SatisfiesRule(value); };
    for (const StoredAttribute& attribute : target_.entry().attributes()) {
      if (attribute.type() == nullptr || !IsSearchedByRule(*attribute.type())) continue;
      if (AnyOf(attribute.values(), matches) || IsAnyOfClass(attribute)) return true;
    }
    const Schema::WellKnown& known = schema_.well_known();
    const AttributeType* const derived[] = {known.entry_dn, known.has_subordinates,
                                            known.num_subordinates, known.subschema_subentry};
    return std::any_of(std::begin(derived), std::end(derived), [&](const AttributeType* type) {
      return IsSearchedByRule(*type) && AnyOf(target_.DerivedValues(*type), matches);
    });
  }

  bool IsSearchedByRule(const AttributeType& type) {
    return item_.rule->AppliesTo(type) && target_.MaySearch(type);
  }

  bool SatisfiesRule(std::string_view value) const {
    if (item_.rule->kind() == MatchingKind::kEquality) return item_.rule->Equals(value, item_.key);
    const Result<std::string> key = item_.rule->ValueKey(value);
    if (!key.ok()) return false;
    return item_.rule->kind() == MatchingKind::kOrdering ? *key < item_.key
                                                         : item_.holds_pieces.Matches(*key);
  }

  // The values in the entry's name. They are taken from its spelling: the key has lost what a rule
  // other than the type's own may look at.
  bool AnyInDn() {
    for (const std::string& text : target_.DerivedValues(*schema_.well_known().entry_dn)) {
      const Result<Dn> dn = Dn::Parse(text);
      if (dn.ok() && AnyOfRdns(dn->rdns())) return true;
    }
    return false;
  }

  bool AnyOfRdns(const std::vector<Rdn>& rdns) {
    for (const Rdn& rdn : rdns) {
      for (const Ava& ava : rdn.avas) {
        if (CoversInDn(schema_.FindAttributeType(ava.type)) && SatisfiesRule(ava.value)) {
          return true;
        }
      }
    }
    return false;
  }

  bool CoversInDn(const AttributeType* type) {
    if (type == nullptr) return false;
    if (item_.description.type == nullptr) return IsSearchedByRule(*type);
    return item_.description.options.empty() && type->IsSubtypeOf(*item_.description.type) &&
           target_.MaySearch(*type);
  }

  const CompiledFilter& item_;
  FilterTarget& target_;
  const Schema& schema_;
};

// Evaluates until a child has the truth that decides; Undefined outweighs the other one.
Truth EvaluateList(const std::vector<CompiledFilter>& children, Truth decisive, Truth otherwise,
                   FilterTarget& target, const Schema& schema) {
  Truth result = otherwise;
  for (const CompiledFilter& child : children) {
    const Truth truth = child.Evaluate(target, schema);
    if (truth == decisive) return decisive;
    if (truth == Truth::kUndefined) result = Truth::kUndefined;
  }
  return result;
}

Truth Negate(Truth truth) {
  if (truth == Truth::kUndefined) return Truth::kUndefined;
  return ToTruth(truth == Truth::kFalse);
}

}  // namespace

Truth CompiledFilter::Evaluate(FilterTarget& target, const Schema& schema) const {
  switch (kind) {
    case FilterKind::kAnd:
      return EvaluateList(children, Truth::kFalse, Truth::kTrue, target, schema);
    case FilterKind::kOr:
      return EvaluateList(children, Truth::kTrue, Truth::kFalse, target, schema);
    case FilterKind::kNot: return Negate(children.front().Evaluate(target, schema));
    default: return ItemEvaluator(*this, target, schema).Run();
  }
}

}  // namespace twintree::model
