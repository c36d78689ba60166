// Accounts, groups and maps of UNIX systems (RFC 2307), with its successor's changes: automount
// maps, and posixGroup as an auxiliary class (see ObjectClass::structural_when_alone).
#include "services/model/standard_schema.h"

namespace twintree::model {

const std::string_view kNisSchema = R"(
attributetype ( 1.3.6.1.1.1.1.0 NAME 'uidNumber' DESC 'The number of a user'
  EQUALITY integerMatch ORDERING integerOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.3.6.1.1.1.1.1 NAME 'gidNumber' DESC 'The number of a group'
  EQUALITY integerMatch ORDERING integerOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.3.6.1.1.1.1.2 NAME 'gecos' DESC 'What the password file says about a user'
  EQUALITY caseIgnoreIA5Match SUBSTR caseIgnoreIA5SubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.26 SINGLE-VALUE )
attributetype ( 1.3.6.1.1.1.1.3 NAME 'homeDirectory' DESC 'The path of the home directory'
  EQUALITY caseExactIA5Match SYNTAX 1.3.6.1.4.1.1466.115.121.1.26 SINGLE-VALUE )
attributetype ( 1.3.6.1.1.1.1.4 NAME 'loginShell' DESC 'The path of the shell'
  EQUALITY caseExactIA5Match SYNTAX 1.3.6.1.4.1.1466.115.121.1.26 SINGLE-VALUE )
attributetype ( 1.3.6.1.1.1.1.5 NAME 'shadowLastChange'
  DESC 'The day of the last password change, counted from 1970'
  EQUALITY integerMatch ORDERING integerOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.3.6.1.1.1.1.6 NAME 'shadowMin' DESC 'Days before a password may be changed'
  EQUALITY integerMatch ORDERING integerOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.3.6.1.1.1.1.7 NAME 'shadowMax' DESC 'Days before a password must be changed'
  EQUALITY integerMatch ORDERING integerOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.3.6.1.1.1.1.8 NAME 'shadowWarning'
  DESC 'Days of warning before a password must be changed'
  EQUALITY integerMatch ORDERING integerOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.3.6.1.1.1.1.9 NAME 'shadowInactive'
  DESC 'Days after which an account with an old password is closed'
  EQUALITY integerMatch ORDERING integerOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.3.6.1.1.1.1.10 NAME 'shadowExpire'
  DESC 'The day on which the account closes, counted from 1970'
  EQUALITY integerMatch ORDERING integerOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.3.6.1.1.1.1.11 NAME 'shadowFlag' DESC 'Flags of the shadow file'
  EQUALITY integerMatch ORDERING integerOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.3.6.1.1.1.1.12 NAME 'memberUid' DESC 'The login name of a member of the group'
  EQUALITY caseExactIA5Match SUBSTR caseExactIA5SubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.26 )
attributetype ( 1.3.6.1.1.1.1.13 NAME 'memberNisNetgroup' DESC 'A netgroup within the netgroup'
  EQUALITY caseExactIA5Match SUBSTR caseExactIA5SubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.26 )
attributetype ( 1.3.6.1.1.1.1.14 NAME 'nisNetgroupTriple' DESC 'Host, user and NIS domain'
  SYNTAX 1.3.6.1.1.1.0.0 )
attributetype ( 1.3.6.1.1.1.1.15 NAME 'ipServicePort' DESC 'The port of a service'
  EQUALITY integerMatch ORDERING integerOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.3.6.1.1.1.1.16 NAME 'ipServiceProtocol' DESC 'The protocol of a service'
  SUP name )
attributetype ( 1.3.6.1.1.1.1.17 NAME 'ipProtocolNumber' DESC 'The number of an IP protocol'
  EQUALITY integerMatch ORDERING integerOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.3.6.1.1.1.1.18 NAME 'oncRpcNumber' DESC 'The number of an RPC program'
  EQUALITY integerMatch ORDERING integerOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.3.6.1.1.1.1.19 NAME 'ipHostNumber' DESC 'An IP address'
  EQUALITY caseIgnoreIA5Match SYNTAX 1.3.6.1.4.1.1466.115.121.1.26{128} )
attributetype ( 1.3.6.1.1.1.1.20 NAME 'ipNetworkNumber' DESC 'The address of an IP network'
  EQUALITY caseIgnoreIA5Match SYNTAX 1.3.6.1.4.1.1466.115.121.1.26{128} SINGLE-VALUE )
attributetype ( 1.3.6.1.1.1.1.21 NAME 'ipNetmaskNumber' DESC 'The mask of an IP network'
  EQUALITY caseIgnoreIA5Match SYNTAX 1.3.6.1.4.1.1466.115.121.1.26{128} SINGLE-VALUE )
attributetype ( 1.3.6.1.1.1.1.22 NAME 'macAddress' DESC 'The hardware address of an interface'
  EQUALITY caseIgnoreIA5Match SYNTAX 1.3.6.1.4.1.1466.115.121.1.26{128} )
attributetype ( 1.3.6.1.1.1.1.23 NAME 'bootParameter' DESC 'A parameter for a booting client'
  SYNTAX 1.3.6.1.1.1.0.1 )
attributetype ( 1.3.6.1.1.1.1.24 NAME 'bootFile' DESC 'The file that a client boots'
  EQUALITY caseExactIA5Match SYNTAX 1.3.6.1.4.1.1466.115.121.1.26 )
attributetype ( 1.3.6.1.1.1.1.26 NAME 'nisMapName' DESC 'The name of a NIS map' SUP name )
attributetype ( 1.3.6.1.1.1.1.27 NAME 'nisMapEntry' DESC 'The value of an entry in a NIS map'
  EQUALITY caseExactIA5Match SUBSTR caseExactIA5SubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.26{1024} SINGLE-VALUE )
attributetype ( 1.3.6.1.1.1.1.28 NAME 'nisPublicKey' DESC 'A public key of NIS'
  EQUALITY octetStringMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 SINGLE-VALUE
  X-ORIGIN 'draft-howard-rfc2307bis' )
attributetype ( 1.3.6.1.1.1.1.29 NAME 'nisSecretKey' DESC 'A secret key of NIS'
  EQUALITY octetStringMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 SINGLE-VALUE
  X-ORIGIN 'draft-howard-rfc2307bis' )
attributetype ( 1.3.6.1.1.1.1.30 NAME 'nisDomain' DESC 'A NIS domain'
  EQUALITY caseIgnoreIA5Match SYNTAX 1.3.6.1.4.1.1466.115.121.1.26
  X-ORIGIN 'draft-howard-rfc2307bis' )
attributetype ( 1.3.6.1.1.1.1.31 NAME 'automountMapName' DESC 'The name of an automount map'
  EQUALITY caseExactIA5Match SUBSTR caseExactIA5SubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.26 SINGLE-VALUE X-ORIGIN 'draft-howard-rfc2307bis' )
attributetype ( 1.3.6.1.1.1.1.32 NAME 'automountKey' DESC 'The key of an automount entry'
  EQUALITY caseExactIA5Match SUBSTR caseExactIA5SubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.26 SINGLE-VALUE X-ORIGIN 'draft-howard-rfc2307bis' )
attributetype ( 1.3.6.1.1.1.1.33 NAME 'automountInformation' DESC 'What is mounted, and how'
  EQUALITY caseExactIA5Match SUBSTR caseExactIA5SubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.26 SINGLE-VALUE X-ORIGIN 'draft-howard-rfc2307bis' )

objectclass ( 1.3.6.1.1.1.2.0 NAME 'posixAccount' DESC 'An account on UNIX systems'
  SUP top AUXILIARY
  MUST ( cn $ uid $ uidNumber $ gidNumber $ homeDirectory )
  MAY ( userPassword $ loginShell $ gecos $ description ) )
objectclass ( 1.3.6.1.1.1.2.1 NAME 'shadowAccount' DESC 'An account whose password ages'
  SUP top AUXILIARY
  MUST uid
  MAY ( userPassword $ shadowLastChange $ shadowMin $ shadowMax $ shadowWarning $
        shadowInactive $ shadowExpire $ shadowFlag $ description ) )
objectclass ( 1.3.6.1.1.1.2.2 NAME 'posixGroup' DESC 'A group on UNIX systems' SUP top AUXILIARY
  MUST ( cn $ gidNumber ) MAY ( userPassword $ memberUid $ description )
  X-STRUCTURAL-WHEN-ALONE 'TRUE' )
objectclass ( 1.3.6.1.1.1.2.3 NAME 'ipService' DESC 'A service of the Internet'
  SUP top STRUCTURAL
  MUST ( cn $ ipServicePort $ ipServiceProtocol ) MAY description )
objectclass ( 1.3.6.1.1.1.2.4 NAME 'ipProtocol' DESC 'A protocol above IP' SUP top STRUCTURAL
  MUST ( cn $ ipProtocolNumber ) MAY description )
objectclass ( 1.3.6.1.1.1.2.5 NAME 'oncRpc' DESC 'An RPC program' SUP top STRUCTURAL
  MUST ( cn $ oncRpcNumber ) MAY description )
objectclass ( 1.3.6.1.1.1.2.6 NAME 'ipHost' DESC 'A host with IP addresses' SUP top AUXILIARY
  MUST ( cn $ ipHostNumber ) MAY ( l $ description $ manager $ userPassword ) )
objectclass ( 1.3.6.1.1.1.2.7 NAME 'ipNetwork' DESC 'An IP network' SUP top STRUCTURAL
  MUST ( cn $ ipNetworkNumber ) MAY ( ipNetmaskNumber $ l $ description $ manager ) )
objectclass ( 1.3.6.1.1.1.2.8 NAME 'nisNetgroup' DESC 'A netgroup' SUP top STRUCTURAL
  MUST cn MAY ( nisNetgroupTriple $ memberNisNetgroup $ description ) )
objectclass ( 1.3.6.1.1.1.2.9 NAME 'nisMap' DESC 'A NIS map' SUP top STRUCTURAL
  MUST nisMapName MAY description )
objectclass ( 1.3.6.1.1.1.2.10 NAME 'nisObject' DESC 'An entry in a NIS map' SUP top STRUCTURAL
  MUST ( cn $ nisMapEntry $ nisMapName ) MAY description )
objectclass ( 1.3.6.1.1.1.2.11 NAME 'ieee802Device' DESC 'A device with hardware addresses'
  SUP top AUXILIARY MAY macAddress )
objectclass ( 1.3.6.1.1.1.2.12 NAME 'bootableDevice' DESC 'A device that boots from the network'
  SUP top AUXILIARY MAY ( bootFile $ bootParameter ) )
objectclass ( 1.3.6.1.1.1.2.14 NAME 'nisKeyObject' DESC 'An object that has keys of NIS'
  SUP top AUXILIARY
  MUST ( cn $ nisPublicKey $ nisSecretKey ) MAY ( uidNumber $ description )
  X-ORIGIN 'draft-howard-rfc2307bis' )
objectclass ( 1.3.6.1.1.1.2.15 NAME 'nisDomainObject' DESC 'An object with a NIS domain'
  SUP top AUXILIARY MUST nisDomain X-ORIGIN 'draft-howard-rfc2307bis' )
objectclass ( 1.3.6.1.1.1.2.16 NAME 'automountMap' DESC 'An automount map' SUP top STRUCTURAL
  MUST automountMapName MAY description X-ORIGIN 'draft-howard-rfc2307bis' )
objectclass ( 1.3.6.1.1.1.2.17 NAME 'automount' DESC 'An entry in an automount map'
  SUP top STRUCTURAL
  MUST ( automountKey $ automountInformation ) MAY description
  X-ORIGIN 'draft-howard-rfc2307bis' )
)";

}  // namespace twintree::model
