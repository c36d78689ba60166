#include "tests/contract/directory_contract.h"

#include "storage/index.h"

namespace twintree::directory {

DirectorySettings::DirectorySettings() : indexes(storage::DefaultIndexes()) {
  engine.suffixes = {std::string(kSuffix)};
  engine.root_dn = kRootDn;
  engine.root_password = model::Secret(std::string(kRootPassword));
  engine.password_scheme = passwords::Scheme::kSsha;
  engine.vendor_version = "test";
}

void DirectoryContract::Start(const DirectorySettings& settings) {
  admin_ = nullptr;
  under_test_ = nullptr;
  under_test_ = GetParam().make(settings);
  admin_ = std::make_unique<DirectoryClient>(directory(), RootSubject());
  for (const std::string& suffix : settings.engine.suffixes) {
    const std::string value(suffix.substr(3, suffix.find(',') - 3));
    const Outcome outcome = admin_->Add(
        suffix, {{"objectClass", {"organization", "dcObject"}}, {"o", {"x"}}, {"dc", {value}}});
    ASSERT_EQ(outcome.code, model::ResultCode::kSuccess) << outcome.diagnostic;
  }
}

void DirectoryContract::AddUnit(std::string_view name, std::string_view parent) {
  const std::string dn = "ou=" + std::string(name) + "," + std::string(parent);
  const Outcome outcome = admin_->Add(dn, {{"objectClass", {"organizationalUnit"}}});
  ASSERT_EQ(outcome.code, model::ResultCode::kSuccess) << dn << ": " << outcome.diagnostic;
}

void DirectoryContract::AddPerson(std::string_view name, std::string_view parent) {
  const std::string dn = "cn=" + std::string(name) + "," + std::string(parent);
  const Outcome outcome = admin_->Add(dn, {{"objectClass", {"inetOrgPerson"}}, {"sn", {"same"}}});
  ASSERT_EQ(outcome.code, model::ResultCode::kSuccess) << dn << ": " << outcome.diagnostic;
}

}  // namespace twintree::directory
