#include "services/directory/engine/attribute_changes.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "services/directory/engine/decimals.h"
#include "services/model/matching_rule.h"

namespace twintree::directory {
namespace {

using model::Attribute;
using model::Error;
using model::ModificationKind;
using model::Result;
using model::ResultCode;
using model::Status;

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

bool IsByKey(const BoundModification& one) {
  return (one.kind == ModificationKind::kAdd || one.kind == ModificationKind::kDelete) &&
         one.clear.empty() && one.attribute.description.type->equality != nullptr;
}

}  // namespace

void AttributeChanges::Take(Attribute attribute, std::size_t place) {
  present_ = std::move(attribute);
  place_ = place;
  Renew();
}

void AttributeChanges::Appear(const Attribute& attribute) {
  present_ = attribute;
  place_ = shared_->next_place++;
  Renew();
}

void AttributeChanges::Disappear() {
  present_.reset();
  Renew();
}

void AttributeChanges::Renew() {
  looked_ = false;
  gone_.clear();
}

Status AttributeChanges::ApplyNext() {
  const Planned& planned = planned_[next_++];
  const BoundModification& modification = *planned.modification;
  switch (modification.kind) {
    case ModificationKind::kAdd: return Add(planned);
    case ModificationKind::kDelete: return Delete(planned);
    case ModificationKind::kReplace: Replace(modification.attribute); return {};
    case ModificationKind::kIncrement: return Increment(modification.attribute);
  }
  return Error{ResultCode::kProtocolError, "unknown kind of modification", {}};
}

void AttributeChanges::Finish() {
  if (!present_ || !looked_ || left_ == gone_.size()) return;
  std::size_t place = 0;
  present_->values.RemoveAll([&](std::string_view) { return gone_[place++]; });
  Renew();
}

Status AttributeChanges::Add(const Planned& planned) {
  const Attribute& added = planned.modification->attribute;
  if (!present_) {
    Appear(added);
    return {};
  }
  if (!planned.modification->clear.empty()) return AddPasswords(*planned.modification);
  if (added.description.type->equality == nullptr) return NoRule(added);
  Look();
  TT_RETURN_IF_ERROR(CheckKeys(planned));
  const std::span<const std::size_t> keys = KeysOf(planned);
  if (std::any_of(keys.begin(), keys.end(), [&](std::size_t key) { return IsThere(key); })) {
    return Exists(added);
  }
  for (const std::size_t key : keys) {
    PlacesOf(key).all.push_back(gone_.size());
    gone_.push_back(false);
    ++left_;
  }
  present_->values.Append(added.values);
  return {};
}

Status AttributeChanges::Delete(const Planned& planned) {
  const Attribute& deleted = planned.modification->attribute;
  if (!present_) return NoSuchAttribute(deleted);
  if (deleted.values.empty()) {
    Disappear();
    return {};
  }
  if (!planned.modification->clear.empty()) return DeletePasswords(*planned.modification);
  return DeleteValues(planned);
}

Status AttributeChanges::DeleteValues(const Planned& planned) {
  const Attribute& deleted = planned.modification->attribute;
  if (deleted.description.type->equality == nullptr) return NoRule(deleted);
  Look();
  TT_RETURN_IF_ERROR(CheckKeys(planned));
  std::vector<std::size_t> keys(KeysOf(planned).begin(), KeysOf(planned).end());
  for (const std::size_t key : keys) {
    if (!IsThere(key)) return NoSuchValue(*present_);
    Places& places = PlacesOf(key);
    gone_[places.all[places.begin++]] = true;
    --left_;
  }
  // A value that is named twice is found once.
  std::sort(keys.begin(), keys.end());
  if (std::adjacent_find(keys.begin(), keys.end()) != keys.end()) return NoSuchValue(*present_);
  if (left_ == 0) Disappear();
  return {};
}

void AttributeChanges::Replace(const Attribute& replacement) {
  if (replacement.values.empty()) return Disappear();
  if (!present_) return Appear(replacement);
  // The values are new, and so is the spelling of the options.
  present_ = replacement;
  Renew();
}

Status AttributeChanges::Increment(const Attribute& increment) {
  if (!present_) return NoSuchAttribute(increment);
  Finish();
  if (std::exchange(shared_->incremented, true)) {
    shared_->incremented_bytes +=
        present_->values.elements().size() + increment.values.elements().size();
    if (shared_->incremented_bytes > kMaxIncrementedBytes) {
      return Error{ResultCode::kAdminLimitExceeded,
                   "the increments of this request go through too many values",
                   {}};
    }
  }
  model::ValueList sums;
  for (std::string_view value : present_->values) {
    sums.Append(AddDecimals(value, increment.values.front()));
  }
  present_->values = std::move(sums);
  Renew();
  return {};
}

// The place of the stored password that `value` is, or whose clear text it is, when `clear` is its
// number in the matches; nullopt for none.
Result<std::optional<std::size_t>> AttributeChanges::FindPassword(
    std::string_view value, std::optional<std::size_t> clear) {
  std::size_t place = 0;
  for (std::string_view stored : present_->values) {
    if (stored == value) return std::optional(place);
    if (clear) {
      const std::optional<bool> match = shared_->matches->Match(std::string(stored), *clear);
      if (!match) return PasswordsUnknown();
      if (*match) return std::optional(place);
    }
    ++place;
  }
  return std::optional<std::size_t>();
}

Status AttributeChanges::AddPasswords(const BoundModification& modification) {
  auto clear = modification.clear.begin();
  for (std::string_view value : modification.attribute.values) {
    TT_ASSIGN_OR_RETURN(const auto found, FindPassword(value, *clear++));
    if (found) return Exists(*present_);
  }
  present_->values.Append(modification.attribute.values);
  return {};
}

Status AttributeChanges::DeletePasswords(const BoundModification& modification) {
  auto clear = modification.clear.begin();
  for (std::string_view value : modification.attribute.values) {
    TT_ASSIGN_OR_RETURN(const auto found, FindPassword(value, *clear++));
    if (!found) return NoSuchValue(*present_);
    std::size_t place = 0;
    present_->values.RemoveAll([&](std::string_view) { return place++ == *found; });
  }
  if (present_->values.empty()) Disappear();
  return {};
}

void AttributeChanges::Look() {
  if (looked_) return;
  looked_ = true;
  if (!search_) NumberKeys();
  ++round_;
  for (std::string_view value : present_->values) {
    const std::optional<std::size_t> key = search_->Find(value);
    if (key) PlacesOf(*key).all.push_back(gone_.size());
    gone_.push_back(false);
  }
  left_ = gone_.size();
}

// Of the modification that is being made and those after it.
void AttributeChanges::NumberKeys() {
  const model::AttributeType& type = *present_->description.type;
  std::unordered_map<std::string, std::size_t> numbers;
  for (std::size_t i = next_ - 1; i < planned_.size(); ++i) {
    planned_[i].first_key = key_numbers_.size();
    if (!IsByKey(*planned_[i].modification)) continue;
    for (std::string_view value : planned_[i].modification->attribute.values) {
      Result<std::string> key = type.EqualityKey(value);
      key_numbers_.push_back(
          key.ok() ? numbers.try_emplace(*std::move(key), numbers.size()).first->second : kNoKey);
    }
  }
  keys_.resize(numbers.size());
  while (!numbers.empty()) {
    auto key = numbers.extract(numbers.begin());
    keys_[key.mapped()] = std::move(key.key());
  }
  places_.resize(keys_.size());
  search_.emplace(*type.equality, keys_);
}

std::span<const std::size_t> AttributeChanges::KeysOf(const Planned& planned) const {
  return std::span(key_numbers_)
      .subspan(planned.first_key, planned.modification->attribute.values.size());
}

Status AttributeChanges::CheckKeys(const Planned& planned) const {
  const std::span<const std::size_t> keys = KeysOf(planned);
  if (std::find(keys.begin(), keys.end(), kNoKey) == keys.end()) return {};
  const Attribute& attribute = planned.modification->attribute;
  for (std::string_view value : attribute.values) {
    const Result<std::string> key = attribute.description.type->EqualityKey(value);
    if (!key.ok()) return key.error();
  }
  return {};
}

AttributeChanges::Places& AttributeChanges::PlacesOf(std::size_t key) {
  Places& places = places_[key];
  if (places.round != round_) places = {round_, 0, {}};
  return places;
}

bool AttributeChanges::IsThere(std::size_t key) {
  const Places& places = PlacesOf(key);
  return places.begin < places.all.size();
}

}  // namespace twintree::directory
