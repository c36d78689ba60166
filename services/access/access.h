// Access control: who may do what to which entries and attributes.
//
// A policy is an ordered list of rules. For an entry and an attribute, the first rule whose target
// (subtree, filter, attributes) covers both and whose subject covers the requester decides the
// rights; nothing matches: none. The root identity may do everything. The root DSE and the
// subschema entry are the server's own: rules do not reach them and everybody reads them.
//
// The policy is evaluated once a request (`ForRequest`: rules that can never apply to the
// subject are dropped, groups are resolved) and then cheaply an entry (`EntryAccess`).
//
// Rule file (YAML):
//
//   rules:
//     - subtree: "ou=People,dc=example,dc=com"     # optional: everything
//       filter: "(objectClass=person)"             # optional
//       attributes: [userPassword]                 # optional: all, with entry and children
//       grant:
//         - {to: self, rights: [auth, write]}      # first grant that names the requester counts
//         - {to: anyone, rights: [auth]}
//     - grant:
//         - {to: "group:cn=admins,ou=Groups,dc=example,dc=com", rights: [all]}
//         - {to: users, rights: [compare, search, read]}
//
// `to` is anyone, anonymous, users (whoever is bound), self (the entry is the requester's),
// "dn:NAME", "subtree:NAME" (NAME and whoever is below it) or "group:NAME" (member or uniqueMember
// of NAME). Attributes are names, `*` (all user attributes), `+` (all operational ones), and the
// pseudo-attributes `entry` and `children`. A rule without a grant for the requester does not
// decide; the next one is asked.
//
// Passwords (model::HoldsPasswords) may be searched, compared and read under a rule only that has
// them in its list by name: what another rule grants is on them to bind and to write.
//
// Rights: auth (bind against it), compare, search (use in filters), read, write, or all. None
// implies another. Seeing an entry at all, also as a search base or in matchedDN, needs read on
// `entry`. Adding needs write on the attributes and on `children` of the parent; deleting needs
// write on `entry` and on `children` of the parent; renaming needs write on `entry`, on the naming
// attributes, and on `children` of the old and the new parent.
//
// Thread-safety: safe.
#ifndef TWINTREE_SERVICES_ACCESS_ACCESS_H_
#define TWINTREE_SERVICES_ACCESS_ACCESS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "services/directory/directory.h"
#include "services/model/compiled_filter.h"
#include "services/model/schema.h"

namespace twintree::access {

enum Right : std::uint8_t { kAuth = 1, kCompare = 2, kSearch = 4, kRead = 8, kWrite = 16 };
using Rights = std::uint8_t;  // Right bits

// Tells whether `subject_key` is a value of member or uniqueMember of the entry `group_key`.
// Evaluated at most once a group and request.
using GroupLookup = std::function<bool(std::string_view group_key, std::string_view subject_key)>;

// The rights of one requester on one entry. Valid as long as the RequestAccess it came from.
class EntryAccess {
 public:
  Rights ForAttribute(const model::AttributeType& type) const {
    return by_type_ == nullptr || type.index >= by_type_->size() ? default_
                                                                 : (*by_type_)[type.index];
  }
  // Rights on attributes that the schema does not know.
  Rights for_unknown() const { return default_; }
  bool May(Right right, const model::AttributeType& type) const {
    return (ForAttribute(type) & right) != 0;
  }
  Rights for_entry() const { return entry_; }        // the pseudo-attribute `entry`
  Rights for_children() const { return children_; }  // the pseudo-attribute `children`
  // Every user attribute may be read, userPassword included: answers can be copied whole.
  bool reads_all_user_attributes() const { return reads_all_; }

 private:
  friend class PolicyDecision;
  Rights entry_ = 0;
  Rights children_ = 0;
  Rights default_ = 0;
  bool reads_all_ = false;
  const std::vector<Rights>* by_type_ = nullptr;  // by AttributeType::index; null: default_
};

// A policy bound to one request's subject.
//
// Thread-safety: confined.
class RequestAccess {
 public:
  virtual ~RequestAccess() = default;
  // The rights on the entry that `target` shows. Cached by the set of rules that apply, so a scan
  // of many like entries costs little.
  virtual EntryAccess ForEntry(model::FilterTarget& target) = 0;
  // Root: every check passes.
  virtual bool unrestricted() const = 0;
};

// A name that a rule mentions, for whoever knows which names there are.
struct RuleName {
  enum class Use { kTarget, kDn, kSubtree, kGroup };
  Use use = Use::kTarget;
  model::DnKey key;
  std::string dn;     // as written
  std::string place;  // "rule 2: line 7: 'group:cn=admins,dc=example,dc=com'"
};

class AccessPolicy {
 public:
  virtual ~AccessPolicy() = default;

  // As delivered: anonymous may bind and read the root DSE and the subschema, nothing else; users
  // may read their own entry except passwords and change their own userPassword; root everything.
  static std::shared_ptr<const AccessPolicy> Secure(std::shared_ptr<const model::Schema> schema);
  // For trying out: anybody reads, searches and compares everything but passwords; users change
  // their own userPassword; root everything.
  static std::shared_ptr<const AccessPolicy> Open(std::shared_ptr<const model::Schema> schema);
  // Rules from YAML text. A filter that holds an item which can never be true or false, such as an
  // unknown attribute, is an error. Errors: kOther, with line and the rule's number.
  static model::Result<std::shared_ptr<const AccessPolicy>> Parse(
      std::string_view yaml, std::shared_ptr<const model::Schema> schema);

  // May outlive the policy.
  virtual std::unique_ptr<RequestAccess> ForRequest(const directory::Subject& subject,
                                                    GroupLookup groups) const = 0;
  // Every name in the rules, in their order.
  virtual std::vector<RuleName> names() const { return {}; }
  // Is there anything for anybody but the root identity?
  virtual bool grants_anything() const { return true; }
};

// Can every name in the rules mean something in these naming contexts? A subtree must lie within
// one or hold one; whoever is granted something must be within one. Errors: kOther, as Parse.
model::Status CheckNames(const AccessPolicy& policy, const std::vector<model::DnKey>& contexts);

// A policy that can be exchanged while it is asked. What began under the old one ends under it.
class ReplaceablePolicy final : public AccessPolicy {
 public:
  explicit ReplaceablePolicy(std::shared_ptr<const AccessPolicy> policy)
      : policy_(std::move(policy)) {}

  void Replace(std::shared_ptr<const AccessPolicy> policy);

  std::unique_ptr<RequestAccess> ForRequest(const directory::Subject& subject,
                                            GroupLookup groups) const override {
    return current()->ForRequest(subject, std::move(groups));
  }
  std::vector<RuleName> names() const override { return current()->names(); }
  bool grants_anything() const override { return current()->grants_anything(); }

 private:
  std::shared_ptr<const AccessPolicy> current() const;

  mutable std::shared_mutex mutex_;
  std::shared_ptr<const AccessPolicy> policy_;  // guarded by mutex_
};

}  // namespace twintree::access

#endif  // TWINTREE_SERVICES_ACCESS_ACCESS_H_
