#include "services/access/rule.h"

#include <algorithm>

#include "services/model/password_attributes.h"

namespace twintree::access {
namespace {

bool Names(const Grant& grant, const directory::Subject& subject, const model::DnKey& subject_key,
           const GroupLookup& groups) {
  switch (grant.to) {
    case Grant::To::kAnyone: return true;
    case Grant::To::kAnonymous: return subject.anonymous();
    case Grant::To::kUsers: return !subject.anonymous();
    case Grant::To::kSelf: return false;  // depends on the entry
    case Grant::To::kDn: return !subject.anonymous() && subject_key == grant.name;
    case Grant::To::kSubtree: return !subject.anonymous() && subject_key.IsWithin(grant.name);
    case Grant::To::kGroup:
      return !subject.anonymous() && groups && groups(grant.name.text(), subject.dn_key);
  }
  return false;
}

}  // namespace

bool Rule::Covers(const model::AttributeType& type) const {
  if (all_attributes) return true;
  if (type.operational() ? operational_attributes : user_attributes) return true;
  return Lists(type);
}

bool Rule::Lists(const model::AttributeType& type) const {
  return std::any_of(attributes.begin(), attributes.end(),
                     [&](const model::AttributeType* each) { return type.IsSubtypeOf(*each); });
}

Rights Rule::Limit(Rights granted, const model::AttributeType& type) const {
  constexpr Rights kWithheld = kCompare | kSearch | kRead;
  if ((granted & kWithheld) == 0 || !model::HoldsPasswords(type) || Lists(type)) return granted;
  return granted & static_cast<Rights>(~kWithheld);
}

RuleRights RightsOf(const Rule& rule, const directory::Subject& subject,
                    const model::DnKey& subject_key, const GroupLookup& groups) {
  RuleRights rights;
  for (const Grant& grant : rule.grants) {
    if (grant.to == Grant::To::kSelf) {
      if (!subject.anonymous() && !rights.if_self) rights.if_self = grant.rights;
    } else if (Names(grant, subject, subject_key, groups)) {
      rights.otherwise = grant.rights;
      break;
    }
  }
  if (!rights.if_self) rights.if_self = rights.otherwise;
  return rights;
}

}  // namespace twintree::access
