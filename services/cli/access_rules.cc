#include "services/cli/access_rules.h"

#include <algorithm>
#include <set>
#include <utility>

#include "services/cli/input_files.h"
#include "services/log/log.h"

namespace twintree::cli {
namespace {

using access::AccessPolicy;
using access::RuleName;
using model::Error;
using model::Result;
using model::ResultCode;
using model::Schema;

// What cannot be found out is not missing.
bool IsMissing(const directory::LocalDirectory& directory, const std::string& dn) {
  const Result<bool> found = directory.HasEntry(dn);
  return found.ok() && !*found;
}

}  // namespace

AccessRules::AccessRules(std::string access, std::shared_ptr<const Schema> schema,
                         std::shared_ptr<const AccessPolicy> policy)
    : access_(std::move(access)),
      schema_(std::move(schema)),
      policy_(std::make_shared<access::ReplaceablePolicy>(std::move(policy))) {}

Result<std::shared_ptr<AccessRules>> AccessRules::Load(std::string access,
                                                       std::shared_ptr<const Schema> schema) {
  std::shared_ptr<AccessRules> rules(
      new AccessRules(std::move(access), std::move(schema), nullptr));
  TT_ASSIGN_OR_RETURN(auto policy, rules->Read());
  rules->policy_->Replace(std::move(policy));
  return rules;
}

Result<std::shared_ptr<const AccessPolicy>> AccessRules::Read() const {
  if (access_ == "secure") return AccessPolicy::Secure(schema_);
  if (access_ == "open") return AccessPolicy::Open(schema_);
  const Result<std::string> text = ReadTextFile(access_);
  if (!text.ok() && access_.find_first_of("./") == std::string::npos) {
    return Error{ResultCode::kOther,
                 text.error().message + "; it is secure, open or a file of rules", ""};
  }
  if (!text.ok()) return text.error();
  auto policy = AccessPolicy::Parse(*text, schema_);
  if (!policy.ok()) return Error{ResultCode::kOther, access_ + ": " + policy.error().message, ""};
  return policy;
}

model::Status AccessRules::CheckNames(const AccessPolicy& policy) const {
  model::Status status = access::CheckNames(policy, contexts_);
  if (status.ok()) return status;
  return Error{ResultCode::kOther, access_ + ": " + status.error().message, ""};
}

model::Status AccessRules::SetContexts(const std::vector<std::string>& suffixes) {
  contexts_.clear();
  for (const std::string& suffix : suffixes) {
    TT_ASSIGN_OR_RETURN(model::DnKey key, schema_->NormalizeDn(suffix));
    contexts_.push_back(std::move(key));
  }
  suffixes_ = suffixes;
  return CheckNames(*policy_);
}

void AccessRules::WarnOfDoubts(const directory::LocalDirectory& directory) const {
  if (!policy_->grants_anything()) {
    log::Warning("access_rules_grant_nothing")
        .With("file", access_)
        .With("effect", "nobody but the root name may do anything, or bind");
  }
  WarnOfMissingEntries(directory);
}

void AccessRules::WarnOfMissingEntries(const directory::LocalDirectory& directory) const {
  const bool empty =
      std::all_of(suffixes_.begin(), suffixes_.end(),
                  [&](const std::string& suffix) { return IsMissing(directory, suffix); });
  if (empty) return;
  std::set<std::string> told;
  for (const RuleName& name : policy_->names()) {
    const bool above =
        std::any_of(contexts_.begin(), contexts_.end(),
                    [&](const model::DnKey& context) { return context.IsWithin(name.key); });
    if (above || !told.insert(name.place).second || !IsMissing(directory, name.dn)) continue;
    log::Warning("access_rule_names_no_entry").With("file", access_).With("rule", name.place);
  }
}

void AccessRules::Reload(const directory::LocalDirectory& directory) {
  if (!IsFile()) return;
  auto policy = Read();
  model::Status status = policy.status();
  if (status.ok()) status = CheckNames(**policy);
  if (!status.ok()) {
    log::Error("access_rules_refused").With("error", status.error().message);
    return;
  }
  policy_->Replace(std::move(policy).value());
  log::Info("access_rules_reloaded").With("file", access_);
  WarnOfDoubts(directory);
}

}  // namespace twintree::cli
