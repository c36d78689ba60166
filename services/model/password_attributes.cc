#include "services/model/password_attributes.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "services/model/ascii.h"

namespace twintree::model {
namespace {

constexpr std::array<std::string_view, 20> kNames = {
    "userPassword",  // RFC 4519
    "authPassword",  // RFC 3112
    "pwdHistory",    // draft-behera-ldap-password-policy
    // Samba
    "sambaLMPassword", "sambaNTPassword", "sambaPasswordHistory", "sambaClearTextPassword",
    "sambaPreviousClearTextPassword", "lmPassword", "ntPassword",
    // Kerberos, FreeIPA
    "krbPrincipalKey", "krbPwdHistory", "krbMKey", "ipaNTHash",
    // Active Directory
    "unicodePwd", "dBCSPwd", "ntPwdHistory", "lmPwdHistory", "supplementalCredentials",
    // One-time passwords (RFC 4226)
    "oathSecret"};

bool IsListed(const std::string& name) {
  return std::any_of(kNames.begin(), kNames.end(),
                     [&name](std::string_view one) { return EqualsIgnoreCase(one, name); });
}

}  // namespace

bool HoldsPasswords(const AttributeType& type) {
  for (const AttributeType* at = &type; at != nullptr; at = at->superior) {
    if (std::any_of(at->names.begin(), at->names.end(), IsListed)) return true;
  }
  return false;
}

}  // namespace twintree::model
