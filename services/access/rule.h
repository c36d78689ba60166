// One rule of an access policy, bound to the schema.
//
// Thread-safety: safe (immutable).
#ifndef TWINTREE_SERVICES_ACCESS_RULE_H_
#define TWINTREE_SERVICES_ACCESS_RULE_H_

#include <optional>
#include <string>
#include <vector>

#include "services/access/access.h"
#include "services/directory/directory.h"
#include "services/model/compiled_filter.h"
#include "services/model/dn.h"
#include "services/model/schema.h"

namespace twintree::access {

inline constexpr Rights kAllRights = kAuth | kCompare | kSearch | kRead | kWrite;

struct Grant {
  enum class To { kAnyone, kAnonymous, kUsers, kSelf, kDn, kSubtree, kGroup };
  To to = To::kAnyone;
  model::DnKey name;  // kDn, kSubtree, kGroup
  Rights rights = 0;
};

struct Rule {
  std::optional<model::DnKey> subtree;
  std::optional<model::CompiledFilter> filter;
  // No list: every attribute and both pseudo-attributes.
  bool all_attributes = true;
  bool user_attributes = false;         // `*`
  bool operational_attributes = false;  // `+`
  bool entry = false;
  bool children = false;
  std::vector<const model::AttributeType*> attributes;
  std::vector<Grant> grants;
  std::vector<RuleName> names;  // those of the target and of the grants

  bool Covers(const model::AttributeType& type) const;
  // Is it, or a type above it, in the list by its own name?
  bool Lists(const model::AttributeType& type) const;
  // What of the rights that it grants holds for an attribute that it covers: those on passwords
  // that it does not list are to bind and to write.
  Rights Limit(Rights granted, const model::AttributeType& type) const;
};

// What a rule gives to one subject: the rights if the entry is the subject's own, and otherwise.
// nullopt: the rule does not decide.
struct RuleRights {
  std::optional<Rights> if_self;
  std::optional<Rights> otherwise;

  bool decides() const { return if_self || otherwise; }
};

RuleRights RightsOf(const Rule& rule, const directory::Subject& subject,
                    const model::DnKey& subject_key, const GroupLookup& groups);

}  // namespace twintree::access

#endif  // TWINTREE_SERVICES_ACCESS_RULE_H_
