// The access rules in force, as --access names them; a file of rules can be read again.
#ifndef TWINTREE_SERVICES_CLI_ACCESS_RULES_H_
#define TWINTREE_SERVICES_CLI_ACCESS_RULES_H_

#include <memory>
#include <string>
#include <vector>

#include "services/access/access.h"
#include "services/directory/engine/local_directory.h"
#include "services/model/dn.h"
#include "services/model/result.h"
#include "services/model/schema.h"

namespace twintree::cli {

// Thread-safety: confined, but policy().
class AccessRules {
 public:
  // `access`: secure, open or a file. Errors: kOther, naming file, rule and line.
  static model::Result<std::shared_ptr<AccessRules>> Load(
      std::string access, std::shared_ptr<const model::Schema> schema);

  // Follows every Reload().
  std::shared_ptr<const access::AccessPolicy> policy() const { return policy_; }

  // From here on rules must fit into these naming contexts; do they? Errors: kOther.
  model::Status SetContexts(const std::vector<std::string>& suffixes);
  // Logs a warning for rules that grant nothing, and for each name in them that is no entry of
  // `directory`. An empty directory has nothing to compare with.
  void WarnOfDoubts(const directory::LocalDirectory& directory) const;
  // Reads the file again. Logs `access_rules_reloaded`, or `access_rules_refused` when it is wrong:
  // then the rules in force stay.
  void Reload(const directory::LocalDirectory& directory);

 private:
  AccessRules(std::string access, std::shared_ptr<const model::Schema> schema,
              std::shared_ptr<const access::AccessPolicy> policy);
  model::Result<std::shared_ptr<const access::AccessPolicy>> Read() const;
  model::Status CheckNames(const access::AccessPolicy& policy) const;
  void WarnOfMissingEntries(const directory::LocalDirectory& directory) const;
  bool IsFile() const { return access_ != "secure" && access_ != "open"; }

  const std::string access_;
  const std::shared_ptr<const model::Schema> schema_;
  std::shared_ptr<access::ReplaceablePolicy> policy_;
  std::vector<std::string> suffixes_;
  std::vector<model::DnKey> contexts_;
};

}  // namespace twintree::cli

#endif  // TWINTREE_SERVICES_CLI_ACCESS_RULES_H_
