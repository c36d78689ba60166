#include "services/directory/engine/modifications.h"

#include <algorithm>
#include <utility>

#include "services/directory/engine/schema_check.h"
#include "services/model/key_search.h"
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
  for (std::string_view value : attribute.values) {
    TT_ASSIGN_OR_RETURN(std::string key, attribute.description.type->EqualityKey(value));
    keys.push_back(std::move(key));
  }
  return keys;
}

// The place of the stored password that `value` is, or whose clear text it is, when `clear` is its
// number in `matches`; nullopt for none.
Result<std::optional<std::size_t>> FindPassword(std::string_view value,
                                                std::optional<std::size_t> clear,
                                                PasswordMatches* matches,
                                                const Attribute& present) {
  std::size_t place = 0;
  for (std::string_view stored : present.values) {
    if (stored == value) return std::optional(place);
    if (clear) {
      const std::optional<bool> match = matches->Match(std::string(stored), *clear);
      if (!match) return PasswordsUnknown();
      if (*match) return std::optional(place);
    }
    ++place;
  }
  return std::optional<std::size_t>();
}

Status CheckPasswordsAbsent(const BoundModification& modification, PasswordMatches* matches,
                            const Attribute& present) {
  auto clear = modification.clear.begin();
  for (std::string_view value : modification.attribute.values) {
    TT_ASSIGN_OR_RETURN(const auto found, FindPassword(value, *clear++, matches, present));
    if (found) return Exists(present);
  }
  return {};
}

Status CheckAbsent(const Attribute& added, const Attribute& present) {
  if (added.description.type->equality == nullptr) return NoRule(added);
  TT_ASSIGN_OR_RETURN(const std::vector<std::string> keys, KeysOf(added));
  const model::KeySearch search(*added.description.type->equality, keys);
  const bool exists = std::any_of(present.values.begin(), present.values.end(),
                                  [&](std::string_view value) { return search.Find(value); });
  return exists ? Status(Exists(added)) : Status();
}

Status Add(const BoundModification& modification, PasswordMatches* matches,
           Attributes* attributes) {
  const Attribute& added = modification.attribute;
  const auto present = Find(added, attributes);
  if (present == attributes->end()) {
    attributes->push_back(added);
    return {};
  }
  TT_RETURN_IF_ERROR(modification.clear.empty()
                         ? CheckAbsent(added, *present)
                         : CheckPasswordsAbsent(modification, matches, *present));
  present->values.Append(added.values);
  return {};
}

Status DeletePasswords(const BoundModification& modification, PasswordMatches* matches,
                       Attribute* present) {
  auto clear = modification.clear.begin();
  for (std::string_view value : modification.attribute.values) {
    TT_ASSIGN_OR_RETURN(const auto found, FindPassword(value, *clear++, matches, *present));
    if (!found) return NoSuchValue(*present);
    std::size_t place = 0;
    present->values.RemoveAll([&](std::string_view) { return place++ == *found; });
  }
  return {};
}

Status DeleteValues(const Attribute& deleted, Attribute* present) {
  if (deleted.description.type->equality == nullptr) return NoRule(deleted);
  TT_ASSIGN_OR_RETURN(const std::vector<std::string> keys, KeysOf(deleted));
  const model::KeySearch search(*deleted.description.type->equality, keys);
  std::vector<bool> gone(keys.size());
  std::size_t left = keys.size();
  present->values.RemoveAll([&](std::string_view value) {
    if (left == 0) return false;
    const std::optional<std::size_t> place = search.Find(value);
    if (!place || gone[*place]) return false;
    gone[*place] = true;
    --left;
    return true;
  });
  // A value that is named twice is found once.
  return left == 0 ? Status() : Status(NoSuchValue(*present));
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
  TT_RETURN_IF_ERROR(modification.clear.empty()
                         ? DeleteValues(deleted, &*present)
                         : DeletePasswords(modification, matches, &*present));
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
    // The values are new, and so is the spelling of the options.
    *present = replacement;
  }
  return {};
}

Status Increment(const Attribute& increment, Attributes* attributes) {
  const auto present = Find(increment, attributes);
  if (present == attributes->end()) return NoSuchAttribute(increment);
  model::ValueList sums;
  for (std::string_view value : present->values) {
    sums.Append(AddDecimals(value, increment.values.front()));
  }
  present->values = std::move(sums);
  return {};
}

bool TakesValuesByKey(const BoundModification& one) {
  return (one.kind == ModificationKind::kAdd || one.kind == ModificationKind::kDelete) &&
         !one.attribute.values.empty() && one.clear.empty() &&
         one.attribute.description.type->equality != nullptr;
}

bool CanBeDoneTogether(const BoundModification& one, const BoundModification& next) {
  return one.kind == next.kind && TakesValuesByKey(one) && TakesValuesByKey(next) &&
         one.attribute.description.SameAs(next.attribute.description);
}

Status ApplyTogether(std::span<const BoundModification> same, PasswordMatches* matches,
                     Attributes* attributes) {
  BoundModification all = same.front();
  for (const BoundModification& one : same.subspan(1)) {
    all.attribute.values.Append(one.attribute.values);
  }
  if (all.kind == ModificationKind::kAdd) TT_RETURN_IF_ERROR(CheckDistinct(all.attribute));
  return ApplyModification(all, matches, attributes);
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

Status ApplyModifications(std::span<const BoundModification> modifications,
                          PasswordMatches* matches, Attributes* attributes) {
  while (!modifications.empty()) {
    std::size_t count = 1;
    while (count < modifications.size() &&
           CanBeDoneTogether(modifications[count - 1], modifications[count])) {
      ++count;
    }
    TT_RETURN_IF_ERROR(count == 1 ? ApplyModification(modifications.front(), matches, attributes)
                                  : ApplyTogether(modifications.first(count), matches, attributes));
    modifications = modifications.subspan(count);
  }
  return {};
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
