// The attributes of the models themselves (RFC 4512) and operational ones defined elsewhere.
#include "services/model/standard_schema.h"

namespace twintree::model {

const std::string_view kModelsSchema = R"(
attributetype ( 2.5.4.0 NAME 'objectClass' DESC 'The object classes of the entry'
  EQUALITY objectIdentifierMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.38 )
attributetype ( 2.5.4.1 NAME ( 'aliasedObjectName' 'aliasedEntryName' )
  DESC 'The entry for which an alias stands'
  EQUALITY distinguishedNameMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.12 SINGLE-VALUE )

attributetype ( 2.5.18.1 NAME 'createTimestamp' DESC 'When the entry was added'
  EQUALITY generalizedTimeMatch ORDERING generalizedTimeOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.24
  SINGLE-VALUE NO-USER-MODIFICATION USAGE directoryOperation )
attributetype ( 2.5.18.2 NAME 'modifyTimestamp' DESC 'When the entry was last changed'
  EQUALITY generalizedTimeMatch ORDERING generalizedTimeOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.24
  SINGLE-VALUE NO-USER-MODIFICATION USAGE directoryOperation )
attributetype ( 2.5.18.3 NAME 'creatorsName' DESC 'Who added the entry'
  EQUALITY distinguishedNameMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.12
  SINGLE-VALUE NO-USER-MODIFICATION USAGE directoryOperation )
attributetype ( 2.5.18.4 NAME 'modifiersName' DESC 'Who last changed the entry'
  EQUALITY distinguishedNameMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.12
  SINGLE-VALUE NO-USER-MODIFICATION USAGE directoryOperation )
attributetype ( 2.5.18.10 NAME 'subschemaSubentry' DESC 'The entry that holds the schema in force'
  EQUALITY distinguishedNameMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.12
  SINGLE-VALUE NO-USER-MODIFICATION USAGE directoryOperation )
attributetype ( 2.5.21.9 NAME 'structuralObjectClass'
  DESC 'The most derived structural class of the entry'
  EQUALITY objectIdentifierMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.38
  SINGLE-VALUE NO-USER-MODIFICATION USAGE directoryOperation )
attributetype ( 2.5.21.10 NAME 'governingStructureRule'
  DESC 'The number of the structure rule that governs the entry'
  EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27
  SINGLE-VALUE NO-USER-MODIFICATION USAGE directoryOperation )

attributetype ( 2.5.21.1 NAME 'dITStructureRules' DESC 'Rules on where entries may be placed'
  EQUALITY integerFirstComponentMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.17
  USAGE directoryOperation )
attributetype ( 2.5.21.2 NAME 'dITContentRules' DESC 'Rules on what entries of a class may hold'
  EQUALITY objectIdentifierFirstComponentMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.16
  USAGE directoryOperation )
attributetype ( 2.5.21.4 NAME 'matchingRules' DESC 'The matching rules that are known'
  EQUALITY objectIdentifierFirstComponentMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.30
  USAGE directoryOperation )
attributetype ( 2.5.21.5 NAME 'attributeTypes' DESC 'The attribute types that are known'
  EQUALITY objectIdentifierFirstComponentMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.3
  USAGE directoryOperation )
attributetype ( 2.5.21.6 NAME 'objectClasses' DESC 'The object classes that are known'
  EQUALITY objectIdentifierFirstComponentMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.37
  USAGE directoryOperation )
attributetype ( 2.5.21.7 NAME 'nameForms' DESC 'Rules on how entries of a class are named'
  EQUALITY objectIdentifierFirstComponentMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.35
  USAGE directoryOperation )
attributetype ( 2.5.21.8 NAME 'matchingRuleUse'
  DESC 'The attribute types to which a matching rule may be applied'
  EQUALITY objectIdentifierFirstComponentMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.31
  USAGE directoryOperation )
attributetype ( 1.3.6.1.4.1.1466.101.120.16 NAME 'ldapSyntaxes' DESC 'The syntaxes that are known'
  EQUALITY objectIdentifierFirstComponentMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.54
  USAGE directoryOperation )

attributetype ( 1.3.6.1.4.1.1466.101.120.5 NAME 'namingContexts'
  DESC 'The tops of the trees that the server holds'
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.12 USAGE dSAOperation )
attributetype ( 1.3.6.1.4.1.1466.101.120.6 NAME 'altServer'
  DESC 'URIs of servers to try when this one cannot be reached'
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.26 USAGE dSAOperation )
attributetype ( 1.3.6.1.4.1.1466.101.120.7 NAME 'supportedExtension'
  DESC 'The extended operations that the server offers'
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.38 USAGE dSAOperation )
attributetype ( 1.3.6.1.4.1.1466.101.120.13 NAME 'supportedControl'
  DESC 'The controls that the server offers'
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.38 USAGE dSAOperation )
attributetype ( 1.3.6.1.4.1.1466.101.120.14 NAME 'supportedSASLMechanisms'
  DESC 'The SASL mechanisms that the server offers'
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 USAGE dSAOperation )
attributetype ( 1.3.6.1.4.1.1466.101.120.15 NAME 'supportedLDAPVersion'
  DESC 'The versions of LDAP that the server speaks'
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 USAGE dSAOperation )
attributetype ( 1.3.6.1.4.1.4203.1.3.5 NAME 'supportedFeatures'
  DESC 'The optional features that the server has'
  EQUALITY objectIdentifierMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.38 USAGE dSAOperation )

objectclass ( 2.5.6.0 NAME 'top' DESC 'The class above all others' ABSTRACT MUST objectClass )
objectclass ( 2.5.6.1 NAME 'alias' DESC 'Another name for an entry' SUP top STRUCTURAL
  MUST aliasedObjectName )
objectclass ( 2.5.20.1 NAME 'subschema' DESC 'Holds a schema' AUXILIARY
  MAY ( dITStructureRules $ nameForms $ dITContentRules $ objectClasses $ attributeTypes $
        matchingRules $ matchingRuleUse $ ldapSyntaxes ) )
objectclass ( 1.3.6.1.4.1.1466.101.120.111 NAME 'extensibleObject'
  DESC 'The entry may hold any user attribute' SUP top AUXILIARY )
)";

const std::string_view kOperationalSchema = R"(
attributetype ( 1.3.6.1.1.16.4 NAME 'entryUUID' DESC 'The identifier that the entry keeps for life'
  EQUALITY UUIDMatch ORDERING UUIDOrderingMatch SYNTAX 1.3.6.1.1.16.1
  SINGLE-VALUE NO-USER-MODIFICATION USAGE directoryOperation X-ORIGIN 'RFC 4530' )
attributetype ( 1.3.6.1.1.20 NAME 'entryDN' DESC 'The name of the entry'
  EQUALITY distinguishedNameMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.12
  SINGLE-VALUE NO-USER-MODIFICATION USAGE directoryOperation X-ORIGIN 'RFC 5020' )
attributetype ( 1.3.6.1.1.4 NAME 'vendorName' DESC 'Who made the server'
  EQUALITY caseExactIA5Match SYNTAX 1.3.6.1.4.1.1466.115.121.1.15
  SINGLE-VALUE NO-USER-MODIFICATION USAGE dSAOperation X-ORIGIN 'RFC 3045' )
attributetype ( 1.3.6.1.1.5 NAME 'vendorVersion' DESC 'Which version of the server this is'
  EQUALITY caseExactIA5Match SYNTAX 1.3.6.1.4.1.1466.115.121.1.15
  SINGLE-VALUE NO-USER-MODIFICATION USAGE dSAOperation X-ORIGIN 'RFC 3045' )
attributetype ( 2.5.18.9 NAME 'hasSubordinates' DESC 'Whether there are entries below this one'
  EQUALITY booleanMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.7
  SINGLE-VALUE NO-USER-MODIFICATION USAGE directoryOperation X-ORIGIN 'X.501' )
attributetype ( 1.3.6.1.4.1.453.16.2.103 NAME 'numSubordinates'
  DESC 'How many entries are directly below this one'
  EQUALITY integerMatch ORDERING integerOrderingMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27
  SINGLE-VALUE NO-USER-MODIFICATION USAGE directoryOperation )
attributetype ( 1.3.6.1.4.1.4203.666.1.7 NAME 'entryCSN'
  DESC 'The sequence number of the last change to the entry'
  EQUALITY CSNMatch ORDERING CSNOrderingMatch SYNTAX 1.3.6.1.4.1.4203.666.11.2.1{64}
  SINGLE-VALUE NO-USER-MODIFICATION USAGE directoryOperation )
attributetype ( 1.2.840.113556.1.2.102 NAME 'memberOf'
  DESC 'The groups that name this entry; not kept by this server'
  EQUALITY distinguishedNameMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.12
  NO-USER-MODIFICATION USAGE directoryOperation )
)";

const std::string_view kReferralSchema = R"(
attributetype ( 2.16.840.1.113730.3.1.34 NAME 'ref' DESC 'Where the subtree is to be found: a URI'
  EQUALITY caseExactMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 USAGE distributedOperation )
objectclass ( 2.16.840.1.113730.3.2.6 NAME 'referral' DESC 'A subtree that another server holds'
  SUP top STRUCTURAL MUST ref )
)";

const std::string_view kServerSchema = R"(
attributetype ( 2.5.4.2 NAME 'knowledgeInformation' DESC 'What a server knows of other servers'
  EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15{32768} )
attributetype ( 2.5.4.29 NAME 'presentationAddress' DESC 'Where an application is reached in OSI'
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.43 SINGLE-VALUE )
attributetype ( 2.5.4.30 NAME 'supportedApplicationContext'
  DESC 'The application contexts that an application supports'
  EQUALITY objectIdentifierMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.38 )
attributetype ( 2.5.4.48 NAME 'protocolInformation'
  DESC 'The protocols that work at a presentation address'
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.42 )
objectclass ( 2.5.6.12 NAME 'applicationEntity' DESC 'What of an application is reached in OSI'
  SUP top STRUCTURAL
  MUST ( presentationAddress $ cn )
  MAY ( supportedApplicationContext $ seeAlso $ ou $ o $ l $ description ) )
objectclass ( 2.5.6.13 NAME 'dSA' DESC 'A directory server' SUP applicationEntity STRUCTURAL
  MAY knowledgeInformation )
)";

const std::string_view kSudoSchema = R"(
attributetype ( 1.3.6.1.4.1.15953.9.1.1 NAME 'sudoUser' DESC 'Who may run sudo'
  EQUALITY caseExactIA5Match SUBSTR caseExactIA5SubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.26 )
attributetype ( 1.3.6.1.4.1.15953.9.1.2 NAME 'sudoHost' DESC 'Where sudo may be run'
  EQUALITY caseExactIA5Match SUBSTR caseExactIA5SubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.26 )
attributetype ( 1.3.6.1.4.1.15953.9.1.3 NAME 'sudoCommand' DESC 'What may be run by sudo'
  EQUALITY caseExactIA5Match SYNTAX 1.3.6.1.4.1.1466.115.121.1.26 )
attributetype ( 1.3.6.1.4.1.15953.9.1.4 NAME 'sudoRunAs'
  DESC 'As whom commands may be run; sudoRunAsUser has taken its place'
  EQUALITY caseExactIA5Match SYNTAX 1.3.6.1.4.1.1466.115.121.1.26 )
attributetype ( 1.3.6.1.4.1.15953.9.1.5 NAME 'sudoOption' DESC 'Options of the rule'
  EQUALITY caseExactIA5Match SYNTAX 1.3.6.1.4.1.1466.115.121.1.26 )
attributetype ( 1.3.6.1.4.1.15953.9.1.6 NAME 'sudoRunAsUser'
  DESC 'As which users commands may be run'
  EQUALITY caseExactIA5Match SYNTAX 1.3.6.1.4.1.1466.115.121.1.26 )
attributetype ( 1.3.6.1.4.1.15953.9.1.7 NAME 'sudoRunAsGroup'
  DESC 'As which groups commands may be run'
  EQUALITY caseExactIA5Match SYNTAX 1.3.6.1.4.1.1466.115.121.1.26 )
attributetype ( 1.3.6.1.4.1.15953.9.1.8 NAME 'sudoNotBefore' DESC 'When the rule begins to hold'
  EQUALITY generalizedTimeMatch ORDERING generalizedTimeOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.24 )
attributetype ( 1.3.6.1.4.1.15953.9.1.9 NAME 'sudoNotAfter' DESC 'When the rule ceases to hold'
  EQUALITY generalizedTimeMatch ORDERING generalizedTimeOrderingMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.24 )
attributetype ( 1.3.6.1.4.1.15953.9.1.10 NAME 'sudoOrder' DESC 'The place of the rule among others'
  EQUALITY integerMatch ORDERING integerOrderingMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 )
objectclass ( 1.3.6.1.4.1.15953.9.2.1 NAME 'sudoRole' DESC 'A rule of sudo' SUP top STRUCTURAL
  MUST cn
  MAY ( sudoUser $ sudoHost $ sudoCommand $ sudoRunAs $ sudoRunAsUser $ sudoRunAsGroup $
        sudoOption $ sudoOrder $ sudoNotBefore $ sudoNotAfter $ description ) )
)";

const std::string_view kSshSchema = R"(
attributetype ( 1.3.6.1.4.1.24552.500.1.1.1.13 NAME 'sshPublicKey'
  DESC 'A public key with which the user may log in by SSH'
  EQUALITY octetStringMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 )
objectclass ( 1.3.6.1.4.1.24552.500.1.1.2.0 NAME 'ldapPublicKey'
  DESC 'A user who has SSH keys' SUP top AUXILIARY MAY ( sshPublicKey $ uid ) )
)";

}  // namespace twintree::model
