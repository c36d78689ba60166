#include "services/access/access.h"

#include <algorithm>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "services/access/rule.h"
#include "services/access/rule_parser.h"

namespace twintree::access {

using directory::Subject;
using model::AttributeType;
using model::DnKey;
using model::Result;
using model::Schema;

// The outcome of one set of applicable rules: rights by attribute.
class PolicyDecision {
 public:
  // `deciding`: rules that apply, in order, with their rights.
  PolicyDecision(const std::vector<std::pair<const Rule*, Rights>>& deciding,
                 const Schema& schema) {
    by_type_.reserve(schema.attribute_types().size());
    for (const auto& type : schema.attribute_types()) by_type_.push_back(Decide(deciding, *type));
    access_.entry_ =
        First(deciding, [](const Rule& rule) { return rule.all_attributes || rule.entry; });
    access_.children_ =
        First(deciding, [](const Rule& rule) { return rule.all_attributes || rule.children; });
    access_.default_ = First(deciding, [](const Rule& rule) { return rule.all_attributes; });
    access_.by_type_ = &by_type_;
    NoteWhatIsRead(schema);
  }
  // Everything is allowed.
  explicit PolicyDecision(const Schema& schema) : by_type_(schema.attribute_types().size()) {
    std::fill(by_type_.begin(), by_type_.end(), kAllRights);
    access_.entry_ = access_.children_ = access_.default_ = kAllRights;
    access_.by_type_ = &by_type_;
    access_.reads_all_ = true;
  }
  PolicyDecision(const PolicyDecision&) = delete;
  PolicyDecision& operator=(const PolicyDecision&) = delete;

  const EntryAccess& access() const { return access_; }

 private:
  template <typename Covers>
  static Rights First(const std::vector<std::pair<const Rule*, Rights>>& deciding, Covers covers) {
    for (const auto& [rule, rights] : deciding) {
      if (covers(*rule)) return rights;
    }
    return 0;
  }

  static Rights Decide(const std::vector<std::pair<const Rule*, Rights>>& deciding,
                       const AttributeType& type) {
    for (const auto& [rule, rights] : deciding) {
      if (rule->Covers(type)) return rule->Limit(rights, type);
    }
    return 0;
  }

  void NoteWhatIsRead(const Schema& schema) {
    access_.reads_all_ = (access_.default_ & kRead) != 0;
    for (const auto& type : schema.attribute_types()) {
      if (type->operational()) continue;
      access_.reads_all_ = access_.reads_all_ && (by_type_[type->index] & kRead) != 0;
    }
  }

  std::vector<Rights> by_type_;
  EntryAccess access_;
};

namespace {

constexpr Rights kUndecided = 0xff;
// Beyond this many distinct combinations decisions are made anew for each request.
constexpr std::size_t kMostProfiles = 1024;
constexpr std::size_t kMostDecisions = 1024;

// What all rules give to subjects of one kind: two octets a rule (if self, otherwise). Decisions
// made once are shared by all requests with the same rights.
//
// Thread-safety: safe.
class Profile {
 public:
  explicit Profile(std::string rights) : rights_(std::move(rights)) {}

  bool decides(std::size_t rule) const { return if_self(rule) != kUndecided; }
  // The rule gives the subject other rights on its own entry.
  bool minds_self(std::size_t rule) const { return if_self(rule) != otherwise(rule); }
  Rights if_self(std::size_t rule) const { return static_cast<Rights>(rights_[rule * 2]); }
  Rights otherwise(std::size_t rule) const { return static_cast<Rights>(rights_[rule * 2 + 1]); }

  // The decision for the rules marked in `mask` ('n': does not apply, 's': own entry, 'o': other).
  std::shared_ptr<const PolicyDecision> Decision(const std::string& mask,
                                                 const std::vector<Rule>& rules,
                                                 const Schema& schema) {
    {
      const std::shared_lock lock(mutex_);
      if (const auto found = decisions_.find(mask); found != decisions_.end()) return found->second;
    }
    auto made = std::make_shared<const PolicyDecision>(Deciding(mask, rules), schema);
    const std::unique_lock lock(mutex_);
    if (decisions_.size() < kMostDecisions) decisions_.emplace(mask, made);
    return made;
  }

 private:
  std::vector<std::pair<const Rule*, Rights>> Deciding(const std::string& mask,
                                                       const std::vector<Rule>& rules) const {
    std::vector<std::pair<const Rule*, Rights>> deciding;
    for (std::size_t i = 0; i < rules.size(); ++i) {
      if (mask[i] == 'n') continue;
      const Rights rights = mask[i] == 's' ? if_self(i) : otherwise(i);
      if (rights != kUndecided) deciding.emplace_back(&rules[i], rights);
    }
    return deciding;
  }

  const std::string rights_;
  std::shared_mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<const PolicyDecision>> decisions_;
};

// The root identity, and nobody else.
class UnrestrictedAccess : public RequestAccess {
 public:
  explicit UnrestrictedAccess(std::shared_ptr<const PolicyDecision> all) : all_(std::move(all)) {}
  EntryAccess ForEntry(model::FilterTarget&) override { return all_->access(); }
  bool unrestricted() const override { return true; }

 private:
  std::shared_ptr<const PolicyDecision> all_;
};

// Filters of rules look at the entry itself, not at what the requester may search.
class RuleTarget : public model::FilterTarget {
 public:
  explicit RuleTarget(model::FilterTarget& target) : target_(target) {}
  const model::Entry& entry() override { return target_.entry(); }
  const DnKey& dn_key() override { return target_.dn_key(); }
  std::vector<std::string> DerivedValues(const AttributeType& type) override {
    return target_.DerivedValues(type);
  }
  bool MaySearch(const AttributeType&) override { return true; }

 private:
  model::FilterTarget& target_;
};

// What a policy and its requests share.
struct RuleSet {
  std::vector<Rule> rules;
  std::shared_ptr<const Schema> schema;
};

class RuleAccess : public RequestAccess {
 public:
  RuleAccess(std::shared_ptr<const RuleSet> set, std::shared_ptr<Profile> profile,
             DnKey subject_key)
      : set_(std::move(set)), profile_(std::move(profile)), subject_key_(std::move(subject_key)) {}

  EntryAccess ForEntry(model::FilterTarget& target) override {
    mask_.clear();
    for (std::size_t i = 0; i < set_->rules.size(); ++i) mask_.push_back(Applies(i, target));
    if (mask_ != decided_mask_ || held_.empty()) {
      // Held for the whole request: EntryAccess points into it.
      held_.push_back(profile_->Decision(mask_, set_->rules, *set_->schema));
      decided_mask_ = mask_;
      if (held_.size() > 1) KeepEachOnce();
    }
    return held_[current_]->access();
  }
  bool unrestricted() const override { return false; }

 private:
  char Applies(std::size_t i, model::FilterTarget& target) const {
    const Rule& rule = set_->rules[i];
    if (!profile_->decides(i)) return 'n';
    if (rule.subtree && !target.dn_key().IsWithin(*rule.subtree)) return 'n';
    if (rule.filter) {
      RuleTarget whole(target);
      if (rule.filter->Evaluate(whole, *set_->schema) != model::Truth::kTrue) return 'n';
    }
    return profile_->minds_self(i) && target.dn_key() == subject_key_ ? 's' : 'o';
  }

  void KeepEachOnce() {
    const auto last = std::prev(held_.end());
    const auto found = std::find(held_.begin(), last, *last);
    current_ = static_cast<std::size_t>(found - held_.begin());
    if (found != last) held_.pop_back();
  }

  std::shared_ptr<const RuleSet> set_;
  std::shared_ptr<Profile> profile_;
  DnKey subject_key_;
  std::string mask_;
  std::string decided_mask_;
  std::vector<std::shared_ptr<const PolicyDecision>> held_;
  std::size_t current_ = 0;
};

class RulePolicy : public AccessPolicy {
 public:
  RulePolicy(std::vector<Rule> rules, std::shared_ptr<const Schema> schema)
      : set_(std::make_shared<const RuleSet>(RuleSet{std::move(rules), std::move(schema)})) {
    all_ = std::make_shared<const PolicyDecision>(*set_->schema);
  }

  std::unique_ptr<RequestAccess> ForRequest(const Subject& subject,
                                            GroupLookup groups) const override {
    if (subject.kind == Subject::Kind::kRoot) return std::make_unique<UnrestrictedAccess>(all_);
    DnKey subject_key = DnKey::FromNormalized(subject.dn_key);
    std::string rights;
    for (const Rule& rule : set_->rules) {
      const RuleRights given = RightsOf(rule, subject, subject_key, groups);
      rights.push_back(static_cast<char>(given.if_self.value_or(kUndecided)));
      rights.push_back(static_cast<char>(given.otherwise.value_or(kUndecided)));
    }
    return std::make_unique<RuleAccess>(set_, ProfileFor(rights), std::move(subject_key));
  }

  std::vector<RuleName> names() const override {
    std::vector<RuleName> names;
    for (const Rule& rule : set_->rules) {
      names.insert(names.end(), rule.names.begin(), rule.names.end());
    }
    return names;
  }

  bool grants_anything() const override {
    return std::any_of(set_->rules.begin(), set_->rules.end(), [](const Rule& rule) {
      return std::any_of(rule.grants.begin(), rule.grants.end(),
                         [](const Grant& grant) { return grant.rights != 0; });
    });
  }

 private:
  std::shared_ptr<Profile> ProfileFor(const std::string& rights) const {
    {
      const std::shared_lock lock(mutex_);
      if (const auto found = profiles_.find(rights); found != profiles_.end()) return found->second;
    }
    auto made = std::make_shared<Profile>(rights);
    const std::unique_lock lock(mutex_);
    if (profiles_.size() >= kMostProfiles) return made;
    return profiles_.emplace(rights, made).first->second;
  }

  const std::shared_ptr<const RuleSet> set_;
  std::shared_ptr<const PolicyDecision> all_;
  mutable std::shared_mutex mutex_;
  mutable std::unordered_map<std::string, std::shared_ptr<Profile>> profiles_;
};

Rule PasswordRule(const Schema& schema) {
  Rule rule;
  rule.all_attributes = false;
  rule.attributes = {schema.well_known().user_password};
  rule.grants = {{Grant::To::kSelf, {}, kAuth | kWrite}, {Grant::To::kAnyone, {}, kAuth}};
  return rule;
}

Rule GrantRule(Grant::To to, Rights rights) {
  Rule rule;
  rule.grants = {{to, {}, rights}};
  return rule;
}

}  // namespace

std::shared_ptr<const AccessPolicy> AccessPolicy::Secure(std::shared_ptr<const Schema> schema) {
  std::vector<Rule> rules;
  rules.push_back(PasswordRule(*schema));
  rules.push_back(GrantRule(Grant::To::kSelf, kCompare | kSearch | kRead));
  return std::make_shared<RulePolicy>(std::move(rules), std::move(schema));
}

std::shared_ptr<const AccessPolicy> AccessPolicy::Open(std::shared_ptr<const Schema> schema) {
  std::vector<Rule> rules;
  rules.push_back(PasswordRule(*schema));
  rules.push_back(GrantRule(Grant::To::kAnyone, kCompare | kSearch | kRead));
  return std::make_shared<RulePolicy>(std::move(rules), std::move(schema));
}

Result<std::shared_ptr<const AccessPolicy>> AccessPolicy::Parse(
    std::string_view yaml, std::shared_ptr<const Schema> schema) {
  TT_ASSIGN_OR_RETURN(std::vector<Rule> rules, ParseRules(yaml, *schema));
  return std::shared_ptr<const AccessPolicy>(
      std::make_shared<RulePolicy>(std::move(rules), std::move(schema)));
}

model::Status CheckNames(const AccessPolicy& policy, const std::vector<DnKey>& contexts) {
  for (const RuleName& name : policy.names()) {
    const bool fits = std::any_of(contexts.begin(), contexts.end(), [&](const DnKey& context) {
      return name.key.IsWithin(context) ||
             (name.use == RuleName::Use::kTarget && context.IsWithin(name.key));
    });
    if (fits) continue;
    std::string known;
    for (const DnKey& context : contexts) {
      known.append(known.empty() ? "" : "; ").append(context.text());
    }
    return model::Error{
        model::ResultCode::kOther,
        "access rules: " + name.place + " lies outside what this directory holds: " + known, ""};
  }
  return model::OkStatus();
}

void ReplaceablePolicy::Replace(std::shared_ptr<const AccessPolicy> policy) {
  const std::unique_lock lock(mutex_);
  policy_.swap(policy);
}

std::shared_ptr<const AccessPolicy> ReplaceablePolicy::current() const {
  const std::shared_lock lock(mutex_);
  return policy_;
}

}  // namespace twintree::access
