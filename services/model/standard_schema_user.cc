// User applications: people, organisations, groups and places (RFC 4519), certificates (RFC 4523).
#include "services/model/standard_schema.h"

namespace twintree::model {

const std::string_view kUserSchema = R"(
attributetype ( 2.5.4.41 NAME 'name' DESC 'The type from which other names derive'
  EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )
attributetype ( 2.5.4.49 NAME 'distinguishedName'
  DESC 'The type from which references to entries derive'
  EQUALITY distinguishedNameMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.12 )

attributetype ( 2.5.4.15 NAME 'businessCategory' DESC 'The kind of business'
  EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )
attributetype ( 2.5.4.6 NAME ( 'c' 'countryName' ) DESC 'A country: two letters of ISO 3166'
  SUP name SYNTAX 1.3.6.1.4.1.1466.115.121.1.11 SINGLE-VALUE )
attributetype ( 2.5.4.3 NAME ( 'cn' 'commonName' ) DESC 'A name by which the object is known'
  SUP name )
attributetype ( 0.9.2342.19200300.100.1.25 NAME ( 'dc' 'domainComponent' )
  DESC 'One label of a DNS domain'
  EQUALITY caseIgnoreIA5Match SUBSTR caseIgnoreIA5SubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.26 SINGLE-VALUE )
attributetype ( 2.5.4.13 NAME 'description' DESC 'Words about the object'
  EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )
attributetype ( 2.5.4.27 NAME 'destinationIndicator' DESC 'Where telegrams are to be delivered'
  EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.44 )
attributetype ( 2.5.4.46 NAME 'dnQualifier'
  DESC 'Keeps names from different sources apart that would otherwise be the same'
  EQUALITY caseIgnoreMatch ORDERING caseIgnoreOrderingMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.44 )
attributetype ( 2.5.4.47 NAME 'enhancedSearchGuide' DESC 'Filters worth trying from here'
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.21 )
attributetype ( 2.5.4.23 NAME ( 'facsimileTelephoneNumber' 'fax' ) DESC 'A fax number'
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.22 )
attributetype ( 2.5.4.44 NAME 'generationQualifier' DESC 'What follows a name, such as Jr or III'
  SUP name )
attributetype ( 2.5.4.42 NAME ( 'givenName' 'gn' ) DESC 'The part of a name that is not inherited'
  SUP name )
attributetype ( 2.5.4.51 NAME 'houseIdentifier' DESC 'A building within its surroundings'
  EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )
attributetype ( 2.5.4.43 NAME 'initials' DESC 'First letters of names, without that of the surname'
  SUP name )
attributetype ( 2.5.4.25 NAME 'internationalISDNNumber' DESC 'An ISDN number'
  EQUALITY numericStringMatch SUBSTR numericStringSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.36 )
attributetype ( 2.5.4.7 NAME ( 'l' 'localityName' ) DESC 'A town or another place' SUP name )
attributetype ( 2.5.4.31 NAME 'member' DESC 'An entry that belongs to the group'
  SUP distinguishedName )
attributetype ( 2.5.4.10 NAME ( 'o' 'organizationName' ) DESC 'The name of an organisation'
  SUP name )
attributetype ( 2.5.4.11 NAME ( 'ou' 'organizationalUnitName' )
  DESC 'The name of a part of an organisation' SUP name )
attributetype ( 2.5.4.32 NAME 'owner' DESC 'The entry that is responsible for the object'
  SUP distinguishedName )
attributetype ( 2.5.4.19 NAME 'physicalDeliveryOfficeName' DESC 'The post office that delivers'
  EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )
attributetype ( 2.5.4.16 NAME 'postalAddress' DESC 'An address, line by line'
  EQUALITY caseIgnoreListMatch SUBSTR caseIgnoreListSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.41 )
attributetype ( 2.5.4.17 NAME 'postalCode' DESC 'The code that the post gives to a place'
  EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )
attributetype ( 2.5.4.18 NAME 'postOfficeBox' DESC 'A box at a post office'
  EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )
attributetype ( 2.5.4.28 NAME 'preferredDeliveryMethod' DESC 'Ways to be contacted, best first'
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.14 SINGLE-VALUE )
attributetype ( 2.5.4.26 NAME 'registeredAddress' DESC 'An address where receipt is confirmed'
  SUP postalAddress SYNTAX 1.3.6.1.4.1.1466.115.121.1.41 )
attributetype ( 2.5.4.33 NAME 'roleOccupant' DESC 'An entry that fills the role'
  SUP distinguishedName )
attributetype ( 2.5.4.14 NAME 'searchGuide' DESC 'Filters worth trying from here, older form'
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.25 )
attributetype ( 2.5.4.34 NAME 'seeAlso' DESC 'A related entry' SUP distinguishedName )
attributetype ( 2.5.4.5 NAME 'serialNumber' DESC 'The serial number of a device'
  EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.44 )
attributetype ( 2.5.4.4 NAME ( 'sn' 'surname' ) DESC 'The family name' SUP name )
attributetype ( 2.5.4.8 NAME ( 'st' 'stateOrProvinceName' ) DESC 'A state or province' SUP name )
attributetype ( 2.5.4.9 NAME ( 'street' 'streetAddress' ) DESC 'Street and number'
  EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )
attributetype ( 2.5.4.20 NAME 'telephoneNumber' DESC 'A telephone number'
  EQUALITY telephoneNumberMatch SUBSTR telephoneNumberSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.50 )
attributetype ( 2.5.4.22 NAME 'teletexTerminalIdentifier' DESC 'A teletex terminal'
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.51 )
attributetype ( 2.5.4.21 NAME 'telexNumber' DESC 'A telex number'
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.52 )
attributetype ( 2.5.4.12 NAME 'title' DESC 'The position of a person in the organisation'
  SUP name )
attributetype ( 0.9.2342.19200300.100.1.1 NAME ( 'uid' 'userid' ) DESC 'A login name'
  EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )
attributetype ( 2.5.4.50 NAME 'uniqueMember'
  DESC 'An entry that belongs to the group, with an optional number that makes it unique'
  EQUALITY uniqueMemberMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.34 )
attributetype ( 2.5.4.35 NAME 'userPassword' DESC 'A password, as octets'
  EQUALITY octetStringMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 )
attributetype ( 2.5.4.24 NAME 'x121Address' DESC 'An address in a data network'
  EQUALITY numericStringMatch SUBSTR numericStringSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.36 )
attributetype ( 2.5.4.45 NAME 'x500UniqueIdentifier'
  DESC 'Tells objects apart that have had the same name'
  EQUALITY bitStringMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.6 )
attributetype ( 2.5.4.65 NAME 'pseudonym' DESC 'A name that is not the real one'
  SUP name X-ORIGIN 'RFC 3039' )
attributetype ( 1.2.840.113549.1.9.1 NAME ( 'email' 'emailAddress' 'pkcs9email' )
  DESC 'A mail address within the names of certificates'
  EQUALITY caseIgnoreIA5Match SUBSTR caseIgnoreIA5SubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.26{128} X-ORIGIN 'RFC 2985' )

objectclass ( 2.5.6.11 NAME 'applicationProcess' DESC 'A running application' SUP top STRUCTURAL
  MUST cn MAY ( seeAlso $ ou $ l $ description ) )
objectclass ( 2.5.6.2 NAME 'country' DESC 'A country' SUP top STRUCTURAL
  MUST c MAY ( searchGuide $ description ) )
objectclass ( 1.3.6.1.4.1.1466.344 NAME 'dcObject' DESC 'An object that is named by a domain label'
  SUP top AUXILIARY MUST dc )
objectclass ( 2.5.6.14 NAME 'device' DESC 'A piece of equipment' SUP top STRUCTURAL
  MUST cn MAY ( serialNumber $ seeAlso $ owner $ ou $ o $ l $ description ) )
objectclass ( 2.5.6.9 NAME 'groupOfNames' DESC 'A group of entries, which are named one by one'
  SUP top STRUCTURAL
  MUST ( member $ cn ) MAY ( businessCategory $ seeAlso $ owner $ ou $ o $ description ) )
objectclass ( 2.5.6.17 NAME 'groupOfUniqueNames'
  DESC 'A group of entries, which are named one by one with optional numbers'
  SUP top STRUCTURAL
  MUST ( uniqueMember $ cn ) MAY ( businessCategory $ seeAlso $ owner $ ou $ o $ description ) )
objectclass ( 2.5.6.3 NAME 'locality' DESC 'A place' SUP top STRUCTURAL
  MAY ( street $ seeAlso $ searchGuide $ st $ l $ description ) )
objectclass ( 2.5.6.4 NAME 'organization' DESC 'An organisation' SUP top STRUCTURAL
  MUST o
  MAY ( userPassword $ searchGuide $ seeAlso $ businessCategory $ x121Address $
        registeredAddress $ destinationIndicator $ preferredDeliveryMethod $ telexNumber $
        teletexTerminalIdentifier $ telephoneNumber $ internationalISDNNumber $
        facsimileTelephoneNumber $ street $ postOfficeBox $ postalCode $ postalAddress $
        physicalDeliveryOfficeName $ st $ l $ description ) )
objectclass ( 2.5.6.6 NAME 'person' DESC 'A person' SUP top STRUCTURAL
  MUST ( sn $ cn ) MAY ( userPassword $ telephoneNumber $ seeAlso $ description ) )
objectclass ( 2.5.6.7 NAME 'organizationalPerson' DESC 'A person in an organisation'
  SUP person STRUCTURAL
  MAY ( title $ x121Address $ registeredAddress $ destinationIndicator $
        preferredDeliveryMethod $ telexNumber $ teletexTerminalIdentifier $ telephoneNumber $
        internationalISDNNumber $ facsimileTelephoneNumber $ street $ postOfficeBox $
        postalCode $ postalAddress $ physicalDeliveryOfficeName $ ou $ st $ l ) )
objectclass ( 2.5.6.8 NAME 'organizationalRole' DESC 'A role in an organisation'
  SUP top STRUCTURAL
  MUST cn
  MAY ( x121Address $ registeredAddress $ destinationIndicator $ preferredDeliveryMethod $
        telexNumber $ teletexTerminalIdentifier $ telephoneNumber $ internationalISDNNumber $
        facsimileTelephoneNumber $ seeAlso $ roleOccupant $ street $ postOfficeBox $
        postalCode $ postalAddress $ physicalDeliveryOfficeName $ ou $ st $ l $ description ) )
objectclass ( 2.5.6.5 NAME 'organizationalUnit' DESC 'A part of an organisation'
  SUP top STRUCTURAL
  MUST ou
  MAY ( businessCategory $ description $ destinationIndicator $ facsimileTelephoneNumber $
        internationalISDNNumber $ l $ physicalDeliveryOfficeName $ postalAddress $ postalCode $
        postOfficeBox $ preferredDeliveryMethod $ registeredAddress $ searchGuide $ seeAlso $
        st $ street $ telephoneNumber $ teletexTerminalIdentifier $ telexNumber $
        userPassword $ x121Address ) )
objectclass ( 2.5.6.10 NAME 'residentialPerson' DESC 'A person at home' SUP person STRUCTURAL
  MUST l
  MAY ( businessCategory $ x121Address $ registeredAddress $ destinationIndicator $
        preferredDeliveryMethod $ telexNumber $ teletexTerminalIdentifier $ telephoneNumber $
        internationalISDNNumber $ facsimileTelephoneNumber $ street $ postOfficeBox $
        postalCode $ postalAddress $ physicalDeliveryOfficeName $ st $ l ) )
objectclass ( 1.3.6.1.1.3.1 NAME 'uidObject' DESC 'An object that is named by a login name'
  SUP top AUXILIARY MUST uid )
objectclass ( 1.2.826.0.1.3458854.2.1.1.1 NAME 'groupOfEntries'
  DESC 'A group of entries that may be empty' SUP top STRUCTURAL
  MUST cn MAY ( member $ businessCategory $ seeAlso $ owner $ ou $ o $ description )
  X-ORIGIN 'draft-findlay-ldap-groupofentries' )
)";

const std::string_view kCertificateSchema = R"(
attributetype ( 2.5.4.36 NAME 'userCertificate' DESC 'An X.509 certificate of a user'
  EQUALITY certificateExactMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.8 )
attributetype ( 2.5.4.37 NAME 'cACertificate' DESC 'An X.509 certificate of an authority'
  EQUALITY certificateExactMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.8 )
attributetype ( 2.5.4.38 NAME 'authorityRevocationList' DESC 'Certificates of authorities, revoked'
  EQUALITY certificateListExactMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.9 )
attributetype ( 2.5.4.39 NAME 'certificateRevocationList' DESC 'Certificates that are revoked'
  EQUALITY certificateListExactMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.9 )
attributetype ( 2.5.4.40 NAME 'crossCertificatePair'
  DESC 'Certificates by which two authorities vouch for each other'
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.10 )
attributetype ( 2.5.4.52 NAME 'supportedAlgorithms' DESC 'Cryptographic algorithms of a user'
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.49 )
attributetype ( 2.5.4.53 NAME 'deltaRevocationList'
  DESC 'Certificates that were revoked since the last full list'
  EQUALITY certificateListExactMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.9 )

objectclass ( 2.5.6.21 NAME 'pkiUser' DESC 'Someone who has certificates' SUP top AUXILIARY
  MAY userCertificate )
objectclass ( 2.5.6.22 NAME 'pkiCA' DESC 'A certification authority' SUP top AUXILIARY
  MAY ( cACertificate $ certificateRevocationList $ authorityRevocationList $
        crossCertificatePair ) )
objectclass ( 2.5.6.19 NAME 'cRLDistributionPoint' DESC 'Where revocation lists are kept'
  SUP top STRUCTURAL
  MUST cn
  MAY ( certificateRevocationList $ authorityRevocationList $ deltaRevocationList ) )
objectclass ( 2.5.6.23 NAME 'deltaCRL' DESC 'Has lists of recent revocations' SUP top AUXILIARY
  MAY deltaRevocationList )
objectclass ( 2.5.6.15 NAME 'strongAuthenticationUser' DESC 'Has a certificate to log in with'
  SUP top AUXILIARY MUST userCertificate )
objectclass ( 2.5.6.18 NAME 'userSecurityInformation' DESC 'Tells which algorithms are usable'
  SUP top AUXILIARY MAY supportedAlgorithms )
objectclass ( 2.5.6.16 NAME 'certificationAuthority' DESC 'A certification authority, first form'
  SUP top AUXILIARY
  MUST ( authorityRevocationList $ certificateRevocationList $ cACertificate )
  MAY crossCertificatePair )
objectclass ( 2.5.6.16.2 NAME 'certificationAuthority-V2'
  DESC 'A certification authority, second form' SUP certificationAuthority AUXILIARY
  MAY deltaRevocationList )
)";

}  // namespace twintree::model
