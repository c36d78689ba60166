// What OpenLDAP's overlays for password policy write into entries and policies. Nothing here
// follows such a policy: the definitions let a directory that has some move in, and out again,
// unchanged.
//
// Source: draft-behera-ldap-password-policy-11, and OpenLDAP 2.5 for what goes beyond it.
#include "services/model/standard_schema.h"

namespace twintree::model {

const std::string_view kPasswordPolicySchema = R"(
attributetype ( 1.3.6.1.4.1.42.2.27.8.1.1 NAME 'pwdAttribute'
  DESC 'The attribute that holds the passwords under this policy'
  EQUALITY objectIdentifierMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.38 )
attributetype ( 1.3.6.1.4.1.42.2.27.8.1.2 NAME 'pwdMinAge'
  DESC 'Seconds until a password may be changed again'
  EQUALITY integerMatch ORDERING integerOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.3.6.1.4.1.42.2.27.8.1.3 NAME 'pwdMaxAge'
  DESC 'Seconds until a password expires'
  EQUALITY integerMatch ORDERING integerOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.3.6.1.4.1.42.2.27.8.1.4 NAME 'pwdInHistory'
  DESC 'How many former passwords may not come back'
  EQUALITY integerMatch ORDERING integerOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.3.6.1.4.1.42.2.27.8.1.5 NAME 'pwdCheckQuality'
  DESC 'How strictly new passwords are checked: 0, 1 or 2'
  EQUALITY integerMatch ORDERING integerOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.3.6.1.4.1.42.2.27.8.1.6 NAME 'pwdMinLength'
  DESC 'Fewest characters of a password'
  EQUALITY integerMatch ORDERING integerOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.3.6.1.4.1.42.2.27.8.1.31 NAME 'pwdMaxLength'
  DESC 'Most characters of a password'
  EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.3.6.1.4.1.42.2.27.8.1.7 NAME 'pwdExpireWarning'
  DESC 'Seconds before a password expires from which on binds are warned'
  EQUALITY integerMatch ORDERING integerOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.3.6.1.4.1.42.2.27.8.1.8 NAME 'pwdGraceAuthNLimit'
  DESC 'How often an expired password may still be used'
  EQUALITY integerMatch ORDERING integerOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.3.6.1.4.1.42.2.27.8.1.30 NAME 'pwdGraceExpiry'
  DESC 'Seconds for which an expired password may still be used'
  EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.3.6.1.4.1.42.2.27.8.1.9 NAME 'pwdLockout'
  DESC 'Whether failed binds lock an account'
  EQUALITY booleanMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.7 SINGLE-VALUE )
attributetype ( 1.3.6.1.4.1.42.2.27.8.1.10 NAME 'pwdLockoutDuration'
  DESC 'Seconds for which an account stays locked'
  EQUALITY integerMatch ORDERING integerOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.3.6.1.4.1.42.2.27.8.1.11 NAME 'pwdMaxFailure'
  DESC 'Failed binds in a row that lock an account'
  EQUALITY integerMatch ORDERING integerOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.3.6.1.4.1.42.2.27.8.1.12 NAME 'pwdFailureCountInterval'
  DESC 'Seconds after which failed binds are forgotten'
  EQUALITY integerMatch ORDERING integerOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.3.6.1.4.1.42.2.27.8.1.13 NAME 'pwdMustChange'
  DESC 'Whether a password that was reset has to be changed'
  EQUALITY booleanMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.7 SINGLE-VALUE )
attributetype ( 1.3.6.1.4.1.42.2.27.8.1.14 NAME 'pwdAllowUserChange'
  DESC 'Whether users may change their own password'
  EQUALITY booleanMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.7 SINGLE-VALUE )
attributetype ( 1.3.6.1.4.1.42.2.27.8.1.15 NAME 'pwdSafeModify'
  DESC 'Whether the old password has to be given with a new one'
  EQUALITY booleanMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.7 SINGLE-VALUE )
attributetype ( 1.3.6.1.4.1.42.2.27.8.1.24 NAME 'pwdMinDelay'
  DESC 'Seconds by which the answer to the first failed bind is delayed'
  EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.3.6.1.4.1.42.2.27.8.1.25 NAME 'pwdMaxDelay'
  DESC 'Most seconds by which such an answer is delayed'
  EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.3.6.1.4.1.42.2.27.8.1.26 NAME 'pwdMaxIdle'
  DESC 'Seconds without a bind after which an account is locked'
  EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.3.6.1.4.1.42.2.27.8.1.32 NAME 'pwdMaxRecordedFailure'
  DESC 'How many failed binds are remembered'
  EQUALITY integerMatch ORDERING integerOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.3.6.1.4.1.42.2.27.8.1.16 NAME 'pwdChangedTime'
  DESC 'When the password was changed last'
  EQUALITY generalizedTimeMatch ORDERING generalizedTimeOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.24
  SINGLE-VALUE NO-USER-MODIFICATION USAGE directoryOperation )
attributetype ( 1.3.6.1.4.1.42.2.27.8.1.17 NAME 'pwdAccountLockedTime'
  DESC 'When the account was locked'
  EQUALITY generalizedTimeMatch ORDERING generalizedTimeOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.24
  SINGLE-VALUE USAGE directoryOperation )
attributetype ( 1.3.6.1.4.1.42.2.27.8.1.19 NAME 'pwdFailureTime'
  DESC 'When binds failed since the last that succeeded'
  EQUALITY generalizedTimeMatch ORDERING generalizedTimeOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.24
  NO-USER-MODIFICATION USAGE directoryOperation )
attributetype ( 1.3.6.1.4.1.42.2.27.8.1.20 NAME 'pwdHistory'
  DESC 'Former passwords, as hashes'
  EQUALITY octetStringMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.40
  NO-USER-MODIFICATION USAGE directoryOperation )
attributetype ( 1.3.6.1.4.1.42.2.27.8.1.21 NAME 'pwdGraceUseTime'
  DESC 'When an expired password was used'
  EQUALITY generalizedTimeMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.24
  NO-USER-MODIFICATION USAGE directoryOperation )
attributetype ( 1.3.6.1.4.1.42.2.27.8.1.22 NAME 'pwdReset'
  DESC 'Whether somebody else has set the password'
  EQUALITY booleanMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.7
  SINGLE-VALUE USAGE directoryOperation )
attributetype ( 1.3.6.1.4.1.42.2.27.8.1.23 NAME 'pwdPolicySubentry'
  DESC 'The policy for this entry'
  EQUALITY distinguishedNameMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.12
  SINGLE-VALUE USAGE directoryOperation )
attributetype ( 1.3.6.1.4.1.42.2.27.8.1.27 NAME 'pwdStartTime'
  DESC 'When the password begins to be good'
  EQUALITY generalizedTimeMatch ORDERING generalizedTimeOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.24
  SINGLE-VALUE USAGE directoryOperation )
attributetype ( 1.3.6.1.4.1.42.2.27.8.1.28 NAME 'pwdEndTime'
  DESC 'When the password ceases to be good'
  EQUALITY generalizedTimeMatch ORDERING generalizedTimeOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.24
  SINGLE-VALUE USAGE directoryOperation )
attributetype ( 1.3.6.1.4.1.42.2.27.8.1.29 NAME 'pwdLastSuccess'
  DESC 'When a bind succeeded last'
  EQUALITY generalizedTimeMatch ORDERING generalizedTimeOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.24
  SINGLE-VALUE NO-USER-MODIFICATION USAGE directoryOperation )
attributetype ( 1.3.6.1.4.1.42.2.27.8.1.33 NAME 'pwdAccountTmpLockoutEnd'
  DESC 'When a passing lock ends'
  EQUALITY generalizedTimeMatch ORDERING generalizedTimeOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.24
  SINGLE-VALUE NO-USER-MODIFICATION USAGE directoryOperation )
attributetype ( 1.3.6.1.4.1.453.16.2.188 NAME 'authTimestamp'
  DESC 'When the user authenticated last'
  EQUALITY generalizedTimeMatch ORDERING generalizedTimeOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.24
  SINGLE-VALUE NO-USER-MODIFICATION USAGE dSAOperation )
attributetype ( 1.3.6.1.4.1.4754.1.99.1 NAME 'pwdCheckModule'
  DESC 'The module that checks the quality of passwords'
  EQUALITY caseExactIA5Match SYNTAX 1.3.6.1.4.1.1466.115.121.1.26 SINGLE-VALUE )
attributetype ( 1.3.6.1.4.1.4754.1.99.2 NAME 'pwdCheckModuleArg'
  DESC 'What that module is given'
  EQUALITY octetStringMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 SINGLE-VALUE )
objectclass ( 1.3.6.1.4.1.4754.2.99.1 NAME 'pwdPolicyChecker'
  DESC 'A policy whose passwords a module checks' SUP top AUXILIARY
  MAY ( pwdCheckModule $ pwdCheckModuleArg ) )
objectclass ( 1.3.6.1.4.1.42.2.27.8.2.1 NAME 'pwdPolicy' DESC 'Rules for passwords'
  SUP top AUXILIARY MUST pwdAttribute
  MAY ( pwdMinAge $ pwdMaxAge $ pwdInHistory $ pwdCheckQuality $ pwdMinLength $ pwdMaxLength $
        pwdExpireWarning $ pwdGraceAuthNLimit $ pwdGraceExpiry $ pwdLockout $
        pwdLockoutDuration $ pwdMaxFailure $ pwdFailureCountInterval $ pwdMustChange $
        pwdAllowUserChange $ pwdSafeModify $ pwdMinDelay $ pwdMaxDelay $ pwdMaxIdle $
        pwdMaxRecordedFailure ) )
)";

}  // namespace twintree::model
