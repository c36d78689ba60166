#include "services/directory/engine/modifications.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "services/directory/engine/schema_check.h"
#include "services/model/matching_rule.h"

namespace twintree::directory {
namespace {

using model::Attribute;
using model::AttributeType;
using model::Error;
using model::ModificationKind;
using model::Result;
using model::ResultCode;
using model::Status;

using Attributes = std::vector<Attribute>;

// Beyond this many values on one side, keys are hashed instead of compared one by one.
constexpr std::size_t kFewValues = 4;

Error NoRule(const Attribute& attribute) {
  return Error{ResultCode::kInappropriateMatching,
               attribute.description.text + " has no equality matching rule",
               {}};
}

Error NoSuchAttribute(const Attribute& attribute) {
  return Error{
      ResultCode::kNoSuchAttribute, "the entry does not have " + attribute.description.text, {}};
}

Error NoSuchValue(const Attribute& attribute) {
  return Error{ResultCode::kNoSuchAttribute,
               "the entry does not have this value of " + attribute.description.text,
               {}};
}

Error Exists(const Attribute& attribute) {
  return Error{ResultCode::kAttributeOrValueExists,
               "the entry has this value of " + attribute.description.text + " already",
               {}};
}

Error PasswordsUnknown() {
  return Error{ResultCode::kBusy, "passwords are still being compared", {}};
}

Attributes::iterator Find(const Attribute& like, Attributes* attributes) {
  return std::find_if(attributes->begin(), attributes->end(), [&](const Attribute& one) {
    return one.description.SameAs(like.description);
  });
}

Result<std::vector<std::string>> KeysOf(const Attribute& attribute) {
  std::vector<std::string> keys;
  keys.reserve(attribute.values.size());
  for (const std::string& value : attribute.values) {
    TT_ASSIGN_OR_RETURN(std::string key, attribute.description.type->EqualityKey(value));
    keys.push_back(std::move(key));
  }
  return keys;
}

// Is one of `keys` the key of a value that is present?
bool AnyPresent(const std::vector<std::string>& keys, const Attribute& present) {
  if (keys.size() <= kFewValues) {
    return std::any_of(keys.begin(), keys.end(),
                       [&](const std::string& key) { return HoldsKey(present, key); });
  }
  const std::unordered_set<std::string_view> wanted(keys.begin(), keys.end());
  return std::any_of(present.values.begin(), present.values.end(), [&](const std::string& value) {
    const Result<std::string> key = present.description.type->EqualityKey(value);
    return key.ok() && wanted.contains(*key);
  });
}

// Finds the stored password that the `i`th value of the modification is; end for none.
Result<std::vector<std::string>::iterator> FindPassword(const BoundModification& modification,
                                                        std::size_t i, PasswordMatches* matches,
                                                        Attribute* present) {
  const std::optional<std::size_t> clear = modification.clear[i];
  for (auto stored = present->values.begin(); stored != present->values.end(); ++stored) {
    if (*stored == modification.attribute.values[i]) return stored;
    if (!clear) continue;
    const std::optional<bool> match = matches->Match(*stored, *clear);
    if (!match) return PasswordsUnknown();
    if (*match) return stored;
  }
  return present->values.end();
}

Status CheckPasswordsAbsent(const BoundModification& modification, PasswordMatches* matches,
                            Attribute* present) {
  for (std::size_t i = 0; i < modification.clear.size(); ++i) {
    TT_ASSIGN_OR_RETURN(const auto found, FindPassword(modification, i, matches, present));
    if (found != present->values.end()) return Exists(*present);
  }
  return {};
}

Status Add(const BoundModification& modification, PasswordMatches* matches,
           Attributes* attributes) {
  const Attribute& added = modification.attribute;
  const auto present = Find(added, attributes);
  if (present == attributes->end()) {
    attributes->push_back(added);
    return {};
  }
  if (!modification.clear.empty()) {
    TT_RETURN_IF_ERROR(CheckPasswordsAbsent(modification, matches, &*present));
  } else {
    if (added.description.type->equality == nullptr) return NoRule(added);
    TT_ASSIGN_OR_RETURN(const std::vector<std::string> keys, KeysOf(added));
    if (AnyPresent(keys, *present)) return Exists(added);
  }
  present->values.insert(present->values.end(), added.values.begin(), added.values.end());
  return {};
}

Status DeletePasswords(const BoundModification& modification, PasswordMatches* matches,
                       Attribute* present) {
  for (std::size_t i = 0; i < modification.clear.size(); ++i) {
    TT_ASSIGN_OR_RETURN(const auto found, FindPassword(modification, i, matches, present));
    if (found == present->values.end()) return NoSuchValue(*present);
    present->values.erase(found);
  }
  return {};
}

// One by one: for few values.
Status DeleteFew(const std::vector<std::string>& keys, Attribute* present) {
  const model::MatchingRule& rule = *present->description.type->equality;
  for (const std::string& key : keys) {
    const auto found =
        std::find_if(present->values.begin(), present->values.end(),
                     [&](const std::string& value) { return rule.Equals(value, key); });
    if (found == present->values.end()) return NoSuchValue(*present);
    present->values.erase(found);
  }
  return {};
}

Status DeleteMany(const std::vector<std::string>& keys, Attribute* present) {
  std::unordered_set<std::string_view> left(keys.begin(), keys.end());
  if (left.size() < keys.size()) return NoSuchValue(*present);  // one is named twice
  std::erase_if(present->values, [&](const std::string& value) {
    const Result<std::string> key = present->description.type->EqualityKey(value);
    return key.ok() && left.erase(*key) > 0;
  });
  return left.empty() ? Status() : Status(NoSuchValue(*present));
}

Status Delete(const BoundModification& modification, PasswordMatches* matches,
              Attributes* attributes) {
  const Attribute& deleted = modification.attribute;
  const auto present = Find(deleted, attributes);
  if (present == attributes->end()) return NoSuchAttribute(deleted);
  if (deleted.values.empty()) {
    attributes->erase(present);
    return {};
  }
  if (!modification.clear.empty()) {
    TT_RETURN_IF_ERROR(DeletePasswords(modification, matches, &*present));
  } else {
    if (deleted.description.type->equality == nullptr) return NoRule(deleted);
    TT_ASSIGN_OR_RETURN(const std::vector<std::string> keys, KeysOf(deleted));
    TT_RETURN_IF_ERROR(keys.size() <= kFewValues ? DeleteFew(keys, &*present)
                                                 : DeleteMany(keys, &*present));
  }
  if (present->values.empty()) attributes->erase(present);
  return {};
}

Status Replace(const Attribute& replacement, Attributes* attributes) {
  const auto present = Find(replacement, attributes);
  if (present == attributes->end()) {
    if (!replacement.values.empty()) attributes->push_back(replacement);
  } else if (replacement.values.empty()) {
    attributes->erase(present);
  } else {
    // The values are new, and so is the spelling of the description.
    *present = replacement;
  }
  return {};
}

Status Increment(const Attribute& increment, Attributes* attributes) {
  const auto present = Find(increment, attributes);
  if (present == attributes->end()) return NoSuchAttribute(increment);
  for (std::string& value : present->values) {
    value = AddDecimals(value, increment.values.front());
  }
  return {};
}

// Digits without sign, most significant first.
struct Decimal {
  bool negative = false;
  std::string digits;
};

Decimal ParseDecimal(std::string_view text) {
  Decimal number;
  number.negative = text.starts_with('-');
  number.digits = text.substr(number.negative ? 1 : 0);
  return number;
}

bool SmallerDigits(const std::string& a, const std::string& b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

// a + b, or a - b for a >= b.
std::string Combine(const std::string& a, const std::string& b, bool subtract) {
  std::string result;
  int carry = 0;
  for (std::size_t i = 0; i < std::max(a.size(), b.size()) || carry != 0; ++i) {
    const int x = i < a.size() ? a[a.size() - 1 - i] - '0' : 0;
    const int y = i < b.size() ? b[b.size() - 1 - i] - '0' : 0;
    int digit = subtract ? x - y + carry : x + y + carry;
    carry = 0;
    if (digit < 0) {
      digit += 10;
      carry = -1;
    } else if (digit > 9) {
      digit -= 10;
      carry = 1;
    }
    result.push_back(static_cast<char>('0' + digit));
  }
  while (result.size() > 1 && result.back() == '0') result.pop_back();
  std::reverse(result.begin(), result.end());
  return result;
}

}  // namespace

std::string AddDecimals(std::string_view a, std::string_view b) {
  Decimal x = ParseDecimal(a);
  Decimal y = ParseDecimal(b);
  std::string digits;
  bool negative = x.negative;
  if (x.negative == y.negative) {
    digits = Combine(x.digits, y.digits, false);
  } else {
    if (SmallerDigits(x.digits, y.digits)) std::swap(x, y);
    negative = x.negative;
    digits = Combine(x.digits, y.digits, true);
  }
  if (digits == "0") negative = false;
  return negative ? "-" + digits : digits;
}

Status ApplyModification(const BoundModification& modification, PasswordMatches* matches,
                         Attributes* attributes) {
  switch (modification.kind) {
    case ModificationKind::kAdd: return Add(modification, matches, attributes);
    case ModificationKind::kDelete: return Delete(modification, matches, attributes);
    case ModificationKind::kReplace: return Replace(modification.attribute, attributes);
    case ModificationKind::kIncrement: return Increment(modification.attribute, attributes);
  }
  return Error{ResultCode::kProtocolError, "unknown kind of modification", {}};
}

}  // namespace twintree::directory
