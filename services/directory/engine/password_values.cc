#include "services/directory/engine/password_values.h"

#include <algorithm>

namespace twintree::directory {

using passwords::Scheme;

bool IsSlow(Scheme scheme) { return scheme == Scheme::kArgon2 || scheme == Scheme::kCrypt; }

bool NeedsHashing(const model::Attribute& attribute, const model::Schema& schema, Scheme scheme) {
  return scheme != Scheme::kClear &&
         attribute.description.type == schema.well_known().user_password &&
         !std::all_of(attribute.values.begin(), attribute.values.end(), passwords::HasScheme);
}

std::size_t CountPasswords(std::span<const model::Attribute> attributes,
                           const model::Schema& schema) {
  std::size_t count = 0;
  for (const model::Attribute& attribute : attributes) {
    if (attribute.description.type != schema.well_known().user_password) continue;
    count += attribute.values.size();
  }
  return count;
}

model::Status CheckPasswords(const model::Attribute& attribute, const model::Schema& schema) {
  if (attribute.description.type != schema.well_known().user_password) return {};
  for (const std::string_view value : attribute.values) {
    const std::optional<std::string_view> bound = passwords::CostBoundExceeded(value);
    if (!bound) continue;
    return model::Error{
        model::ResultCode::kConstraintViolation,
        "a password hash is too costly to be checked; allowed for " + std::string(*bound),
        {}};
  }
  return {};
}

model::Error TooManyPasswords() {
  return {model::ResultCode::kConstraintViolation,
          "an entry has at most " + std::to_string(kMaxPasswords) + " passwords",
          {}};
}

model::Status HashPasswords(Scheme scheme, model::Attribute* attribute) {
  model::ValueList hashed;
  for (std::string_view value : attribute->values) {
    if (passwords::HasScheme(value)) {
      hashed.Append(value);
      continue;
    }
    const model::Secret clear{std::string(value)};
    TT_ASSIGN_OR_RETURN(const std::string hash, passwords::Hash(scheme, clear));
    hashed.Append(hash);
  }
  attribute->values = std::move(hashed);
  return {};
}

std::size_t PasswordMatches::Add(model::Secret clear) {
  clear_.push_back(std::move(clear));
  return clear_.size() - 1;
}

std::optional<bool> PasswordMatches::Match(const std::string& stored, std::size_t number) {
  const auto known = known_.find({stored, number});
  if (known != known_.end()) return known->second;
  if (!passwords::IsExpensive(stored)) return passwords::Verify(stored, clear_[number]);
  unknown_.emplace_back(stored, number);
  return std::nullopt;
}

void PasswordMatches::Know(const std::string& stored, std::size_t number) {
  for (std::size_t i = 0; i < clear_.size(); ++i) {
    known_[{stored, i}] = clear_[i].Reveal() == clear_[number].Reveal();
  }
}

void PasswordMatches::LearnUnknown() {
  for (Pair& pair : unknown_) {
    const bool matches = passwords::Verify(pair.first, clear_[pair.second]);
    known_.emplace(std::move(pair), matches);
  }
  unknown_.clear();
}

}  // namespace twintree::directory
