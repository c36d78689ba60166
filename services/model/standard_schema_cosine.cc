// COSINE (RFC 4524, with what data of RFC 1274's time still uses) and inetOrgPerson (RFC 2798).
#include "services/model/standard_schema.h"

namespace twintree::model {

const std::string_view kCosineSchema = R"(
attributetype ( 0.9.2342.19200300.100.1.37 NAME 'associatedDomain' DESC 'A related DNS domain'
  EQUALITY caseIgnoreIA5Match SUBSTR caseIgnoreIA5SubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.26 )
attributetype ( 0.9.2342.19200300.100.1.38 NAME 'associatedName'
  DESC 'The entry of the organisation to which a domain belongs'
  EQUALITY distinguishedNameMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.12 )
attributetype ( 0.9.2342.19200300.100.1.48 NAME 'buildingName' DESC 'The name of a building'
  EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15{256} )
attributetype ( 0.9.2342.19200300.100.1.43 NAME ( 'co' 'friendlyCountryName' )
  DESC 'The name of a country as people write it'
  EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )
attributetype ( 0.9.2342.19200300.100.1.14 NAME 'documentAuthor' DESC 'Who wrote the document'
  EQUALITY distinguishedNameMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.12 )
attributetype ( 0.9.2342.19200300.100.1.11 NAME 'documentIdentifier'
  DESC 'An identifier of the document'
  EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15{256} )
attributetype ( 0.9.2342.19200300.100.1.15 NAME 'documentLocation' DESC 'Where the document is'
  EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15{256} )
attributetype ( 0.9.2342.19200300.100.1.56 NAME 'documentPublisher'
  DESC 'Who published the document'
  EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )
attributetype ( 0.9.2342.19200300.100.1.12 NAME 'documentTitle' DESC 'The title of the document'
  EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15{256} )
attributetype ( 0.9.2342.19200300.100.1.13 NAME 'documentVersion'
  DESC 'The version of the document'
  EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15{256} )
attributetype ( 0.9.2342.19200300.100.1.5 NAME ( 'drink' 'favouriteDrink' )
  DESC 'What the person likes to drink'
  EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15{256} )
attributetype ( 0.9.2342.19200300.100.1.20 NAME ( 'homePhone' 'homeTelephoneNumber' )
  DESC 'A telephone number at home'
  EQUALITY telephoneNumberMatch SUBSTR telephoneNumberSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.50 )
attributetype ( 0.9.2342.19200300.100.1.39 NAME 'homePostalAddress'
  DESC 'The address of the home, line by line'
  EQUALITY caseIgnoreListMatch SUBSTR caseIgnoreListSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.41 )
attributetype ( 0.9.2342.19200300.100.1.9 NAME 'host' DESC 'A computer'
  EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15{256} )
attributetype ( 0.9.2342.19200300.100.1.4 NAME 'info' DESC 'Anything worth knowing'
  EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15{2048} )
attributetype ( 0.9.2342.19200300.100.1.3 NAME ( 'mail' 'rfc822Mailbox' ) DESC 'A mail address'
  EQUALITY caseIgnoreIA5Match SUBSTR caseIgnoreIA5SubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.26{256} )
attributetype ( 0.9.2342.19200300.100.1.10 NAME 'manager' DESC 'The entry of the superior'
  EQUALITY distinguishedNameMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.12 )
attributetype ( 0.9.2342.19200300.100.1.41 NAME ( 'mobile' 'mobileTelephoneNumber' )
  DESC 'A mobile telephone number'
  EQUALITY telephoneNumberMatch SUBSTR telephoneNumberSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.50 )
attributetype ( 0.9.2342.19200300.100.1.45 NAME 'organizationalStatus'
  DESC 'The kind of position that a person has'
  EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15{256} )
attributetype ( 0.9.2342.19200300.100.1.42 NAME ( 'pager' 'pagerTelephoneNumber' )
  DESC 'A pager number'
  EQUALITY telephoneNumberMatch SUBSTR telephoneNumberSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.50 )
attributetype ( 0.9.2342.19200300.100.1.40 NAME 'personalTitle'
  DESC 'A title that goes with the name'
  EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15{256} )
attributetype ( 0.9.2342.19200300.100.1.6 NAME 'roomNumber' DESC 'A room'
  EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15{256} )
attributetype ( 0.9.2342.19200300.100.1.21 NAME 'secretary' DESC 'The entry of the secretary'
  EQUALITY distinguishedNameMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.12 )
attributetype ( 0.9.2342.19200300.100.1.44 NAME 'uniqueIdentifier'
  DESC 'Tells apart what has had the same name'
  EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15{256} )
attributetype ( 0.9.2342.19200300.100.1.8 NAME 'userClass' DESC 'The kind of user'
  EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15{256} )

attributetype ( 0.9.2342.19200300.100.1.2 NAME 'textEncodedORAddress' DESC 'An X.400 address'
  EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15{256} X-ORIGIN 'RFC 1274' )
attributetype ( 0.9.2342.19200300.100.1.7 NAME 'photo' DESC 'A picture in fax form'
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.23{25000} X-ORIGIN 'RFC 1274' )
attributetype ( 0.9.2342.19200300.100.1.22 NAME 'otherMailbox' DESC 'A mailbox of another system'
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.39 X-ORIGIN 'RFC 1274' )
attributetype ( 0.9.2342.19200300.100.1.26 NAME 'aRecord' DESC 'DNS: an address'
  EQUALITY caseIgnoreIA5Match SYNTAX 1.3.6.1.4.1.1466.115.121.1.26 X-ORIGIN 'RFC 1274' )
attributetype ( 0.9.2342.19200300.100.1.27 NAME 'mDRecord' DESC 'DNS: a mail destination'
  EQUALITY caseIgnoreIA5Match SYNTAX 1.3.6.1.4.1.1466.115.121.1.26 X-ORIGIN 'RFC 1274' )
attributetype ( 0.9.2342.19200300.100.1.28 NAME 'mXRecord' DESC 'DNS: a mail exchanger'
  EQUALITY caseIgnoreIA5Match SYNTAX 1.3.6.1.4.1.1466.115.121.1.26 X-ORIGIN 'RFC 1274' )
attributetype ( 0.9.2342.19200300.100.1.29 NAME 'nSRecord' DESC 'DNS: a name server'
  EQUALITY caseIgnoreIA5Match SYNTAX 1.3.6.1.4.1.1466.115.121.1.26 X-ORIGIN 'RFC 1274' )
attributetype ( 0.9.2342.19200300.100.1.30 NAME 'sOARecord' DESC 'DNS: the start of a zone'
  EQUALITY caseIgnoreIA5Match SYNTAX 1.3.6.1.4.1.1466.115.121.1.26 X-ORIGIN 'RFC 1274' )
attributetype ( 0.9.2342.19200300.100.1.31 NAME 'cNAMERecord' DESC 'DNS: the canonical name'
  EQUALITY caseIgnoreIA5Match SYNTAX 1.3.6.1.4.1.1466.115.121.1.26 X-ORIGIN 'RFC 1274' )
attributetype ( 0.9.2342.19200300.100.1.46 NAME 'janetMailbox' DESC 'A mailbox in Janet form'
  EQUALITY caseIgnoreIA5Match SUBSTR caseIgnoreIA5SubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.26{256} X-ORIGIN 'RFC 1274' )
attributetype ( 0.9.2342.19200300.100.1.47 NAME 'mailPreferenceOption'
  DESC 'Whether the address may be put on mailing lists'
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 X-ORIGIN 'RFC 1274' )
attributetype ( 0.9.2342.19200300.100.1.49 NAME 'dSAQuality' DESC 'How good a server is'
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.19 SINGLE-VALUE X-ORIGIN 'RFC 1274' )
attributetype ( 0.9.2342.19200300.100.1.50 NAME 'singleLevelQuality'
  DESC 'How good the data one level below are'
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.13 SINGLE-VALUE X-ORIGIN 'RFC 1274' )
attributetype ( 0.9.2342.19200300.100.1.51 NAME 'subtreeMinimumQuality'
  DESC 'The lowest quality of data below'
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.13 SINGLE-VALUE X-ORIGIN 'RFC 1274' )
attributetype ( 0.9.2342.19200300.100.1.52 NAME 'subtreeMaximumQuality'
  DESC 'The highest quality of data below'
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.13 SINGLE-VALUE X-ORIGIN 'RFC 1274' )
attributetype ( 0.9.2342.19200300.100.1.53 NAME 'personalSignature'
  DESC 'A picture of the signature'
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.23 X-ORIGIN 'RFC 1274' )
attributetype ( 0.9.2342.19200300.100.1.54 NAME 'dITRedirect' DESC 'Where the object has gone'
  EQUALITY distinguishedNameMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.12 X-ORIGIN 'RFC 1274' )
attributetype ( 0.9.2342.19200300.100.1.55 NAME 'audio' DESC 'A sound'
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.4{25000} X-ORIGIN 'RFC 1274' )

objectclass ( 0.9.2342.19200300.100.4.5 NAME 'account' DESC 'An account on a computer'
  SUP top STRUCTURAL MUST uid MAY ( description $ seeAlso $ l $ o $ ou $ host ) )
objectclass ( 0.9.2342.19200300.100.4.6 NAME 'document' DESC 'A document' SUP top STRUCTURAL
  MUST documentIdentifier
  MAY ( cn $ description $ seeAlso $ l $ o $ ou $ documentTitle $ documentVersion $
        documentAuthor $ documentLocation $ documentPublisher ) )
objectclass ( 0.9.2342.19200300.100.4.9 NAME 'documentSeries' DESC 'A series of documents'
  SUP top STRUCTURAL
  MUST cn MAY ( description $ l $ o $ ou $ seeAlso $ telephoneNumber ) )
objectclass ( 0.9.2342.19200300.100.4.13 NAME 'domain' DESC 'A DNS domain' SUP top STRUCTURAL
  MUST dc
  MAY ( userPassword $ searchGuide $ seeAlso $ businessCategory $ x121Address $
        registeredAddress $ destinationIndicator $ preferredDeliveryMethod $ telexNumber $
        teletexTerminalIdentifier $ telephoneNumber $ internationalISDNNumber $
        facsimileTelephoneNumber $ street $ postOfficeBox $ postalCode $ postalAddress $
        physicalDeliveryOfficeName $ st $ l $ description $ o $ associatedName ) )
objectclass ( 0.9.2342.19200300.100.4.17 NAME 'domainRelatedObject'
  DESC 'An object that has a DNS domain' SUP top AUXILIARY MUST associatedDomain )
objectclass ( 0.9.2342.19200300.100.4.18 NAME 'friendlyCountry'
  DESC 'A country that is also named as people write it' SUP country STRUCTURAL MUST co )
objectclass ( 0.9.2342.19200300.100.4.14 NAME 'rFC822localPart'
  DESC 'The local part of mail addresses' SUP domain STRUCTURAL
  MAY ( cn $ description $ destinationIndicator $ facsimileTelephoneNumber $
        internationalISDNNumber $ physicalDeliveryOfficeName $ postalAddress $ postalCode $
        postOfficeBox $ preferredDeliveryMethod $ registeredAddress $ seeAlso $ sn $ street $
        telephoneNumber $ teletexTerminalIdentifier $ telexNumber $ x121Address ) )
objectclass ( 0.9.2342.19200300.100.4.7 NAME 'room' DESC 'A room' SUP top STRUCTURAL
  MUST cn MAY ( roomNumber $ description $ seeAlso $ telephoneNumber ) )
objectclass ( 0.9.2342.19200300.100.4.19 NAME 'simpleSecurityObject'
  DESC 'An object that has a password' SUP top AUXILIARY MUST userPassword )

objectclass ( 0.9.2342.19200300.100.4.4 NAME ( 'pilotPerson' 'newPilotPerson' )
  DESC 'A person in the COSINE pilot' SUP person STRUCTURAL
  MAY ( uid $ textEncodedORAddress $ mail $ drink $ roomNumber $ userClass $ homePhone $
        homePostalAddress $ secretary $ personalTitle $ preferredDeliveryMethod $
        businessCategory $ janetMailbox $ otherMailbox $ mobile $ pager $
        organizationalStatus $ mailPreferenceOption $ personalSignature )
  X-ORIGIN 'RFC 1274' )
objectclass ( 0.9.2342.19200300.100.4.15 NAME 'dNSDomain' DESC 'A DNS domain with its records'
  SUP domain STRUCTURAL
  MAY ( aRecord $ mDRecord $ mXRecord $ nSRecord $ sOARecord $ cNAMERecord )
  X-ORIGIN 'RFC 1274' )
objectclass ( 0.9.2342.19200300.100.4.20 NAME 'pilotOrganization'
  DESC 'An organisation in the COSINE pilot' SUP ( organization $ organizationalUnit ) STRUCTURAL
  MAY buildingName X-ORIGIN 'RFC 1274' )
objectclass ( 0.9.2342.19200300.100.4.21 NAME 'pilotDSA' DESC 'A server in the COSINE pilot'
  SUP dSA STRUCTURAL MAY dSAQuality X-ORIGIN 'RFC 1274' )
objectclass ( 0.9.2342.19200300.100.4.22 NAME 'qualityLabelledData'
  DESC 'Data whose quality is stated' SUP top AUXILIARY
  MUST dSAQuality MAY ( subtreeMinimumQuality $ subtreeMaximumQuality ) X-ORIGIN 'RFC 1274' )
)";

const std::string_view kInetOrgPersonSchema = R"(
attributetype ( 1.3.6.1.4.1.250.1.57 NAME 'labeledURI' DESC 'A URI, then a space and a label'
  EQUALITY caseExactMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 X-ORIGIN 'RFC 2079' )
attributetype ( 2.16.840.1.113730.3.1.1 NAME 'carLicense' DESC 'The plate of a vehicle'
  EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )
attributetype ( 2.16.840.1.113730.3.1.2 NAME 'departmentNumber' DESC 'A department by its number'
  EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )
attributetype ( 2.16.840.1.113730.3.1.241 NAME 'displayName' DESC 'The name to show in lists'
  EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )
attributetype ( 2.16.840.1.113730.3.1.3 NAME 'employeeNumber' DESC 'The number of an employee'
  EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )
attributetype ( 2.16.840.1.113730.3.1.4 NAME 'employeeType' DESC 'The kind of employment'
  EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )
attributetype ( 0.9.2342.19200300.100.1.60 NAME 'jpegPhoto' DESC 'A picture in JPEG form'
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.28 )
attributetype ( 2.16.840.1.113730.3.1.39 NAME 'preferredLanguage'
  DESC 'Languages to use with the person, as in HTTP'
  EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )
attributetype ( 2.16.840.1.113730.3.1.40 NAME 'userSMIMECertificate'
  DESC 'Certificates and abilities for S/MIME, as PKCS 7'
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.5 )
attributetype ( 2.16.840.1.113730.3.1.216 NAME 'userPKCS12'
  DESC 'Keys and certificates, as PKCS 12' SYNTAX 1.3.6.1.4.1.1466.115.121.1.5 )

objectclass ( 2.16.840.1.113730.3.2.2 NAME 'inetOrgPerson'
  DESC 'A person in an organisation, with the means of the Internet'
  SUP organizationalPerson STRUCTURAL
  MAY ( audio $ businessCategory $ carLicense $ departmentNumber $ displayName $
        employeeNumber $ employeeType $ givenName $ homePhone $ homePostalAddress $ initials $
        jpegPhoto $ labeledURI $ mail $ manager $ mobile $ o $ pager $ photo $ roomNumber $
        secretary $ uid $ userCertificate $ x500UniqueIdentifier $ preferredLanguage $
        userSMIMECertificate $ userPKCS12 ) )
objectclass ( 1.3.6.1.4.1.250.3.15 NAME 'labeledURIObject' DESC 'An object that has URIs'
  SUP top AUXILIARY MAY labeledURI X-ORIGIN 'RFC 2079' )
)";

}  // namespace twintree::model
