// Requests as OpenLDAP's own tools (version 2.5.13) put them on the wire.
#ifndef TWINTREE_TESTS_UNIT_LDAP_GATEWAY_PROTOCOL_GOLDEN_H_
#define TWINTREE_TESTS_UNIT_LDAP_GATEWAY_PROTOCOL_GOLDEN_H_

#include <string_view>

namespace twintree::ldap::testing::golden {

// -D cn=admin,dc=example,dc=com -w secret
inline constexpr std::string_view kBind =
    "302c0201016027020103041a636e3d61646d696e2c64633d6578616d706c652c64633d636f6d8006736563726574";
// -x
inline constexpr std::string_view kAnonymousBind = "300c020101600702010304008000";
inline constexpr std::string_view kUnbind = "30050201034200";
// ldapsearch -b dc=example,dc=com -s sub -z 10 -l 5 '(&(objectClass=person)(uid=jdoe))' cn mail
inline constexpr std::string_view kSearch =
    "30590201026354041164633d6578616d706c652c64633d636f6d0a01020a010002010a020105010100a024a31504"
    "0b6f626a656374436c6173730406706572736f6ea30b040375696404046a646f65300a0402636e04046d61696c";
// ldapsearch -b '' -s base
//   '(|(!(cn=a*b*c))(sn>=x)(sn<=y)(sn~=z)(ou:dn:2.4.6.8:=v)(mail=*))' +
inline constexpr std::string_view kSearchAllFilters =
    "3066020102636104000a01000a0100020100020100010100a149a211a40f0402636e3009800161810162820163a5"
    "070402736e040178a6070402736e040179a8070402736e04017aa9138107322e342e362e3882026f758301768401"
    "ff87046d61696c300304012b";
// ldapsearch -E '!pr=2/noprompt' -b dc=x -s one '(cn=*)' 1.1
inline constexpr std::string_view kPagedSearch =
    "304d0201026320040464633d780a01010a01000201000201000101008702636e30050403312e31a0263024041631"
    "2e322e3834302e3131333535362e312e342e3331390101ff040730050201020400";
// ldapadd: objectClass top and person, cn n, sn 00ff
inline constexpr std::string_view kAdd =
    "304702010268420409636e3d6e2c64633d783035301c040b6f626a656374436c617373310d0403746f7004067065"
    "72736f6e30090402636e310304016e300a0402736e3104040200ff";
// ldapmodify: add two values of mail, delete sn, replace cn, increment uidNumber by 1
inline constexpr std::string_view kModify =
    "305f020102665a0409636e3d6e2c64633d78304d30170a0100301204046d61696c310a04036140780403624078300b"
    "0a010130060402736e3100300e0a010230090402636e310304016e30150a0103301004097569644e756d62657231"
    "03040131";
// ldapmodify -e preread=cn,sn -e '!postread=*': replace cn
inline constexpr std::string_view kModifyReadEntry =
    "305e020102661d0409636e3d6e2c64633d783010300e0a010230090402636e310304016ea03a301c040e312e332e"
    "362e312e312e31332e31040a30080402636e0402736e301a040e312e332e362e312e312e31332e320101ff040530"
    "0304012a";
// ldapdelete -e '!assert=(sn=x)' -e manageDSAit cn=n,dc=x
inline constexpr std::string_view kDeleteAsserted =
    "30490201024a09636e3d6e2c64633d78a039301c040c312e332e362e312e312e31320101ff0409a3070402736e04"
    "017830190417322e31362e3834302e312e3131333733302e332e342e32";
// ldapmodrdn -r -s ou=b,dc=x cn=n,dc=x cn=m
inline constexpr std::string_view kModifyDn =
    "30240201026c1f0409636e3d6e2c64633d780404636e3d6d0101ff80096f753d622c64633d78";
// ldapcompare cn=n,dc=x sn:x
inline constexpr std::string_view kCompare =
    "30190201026e140409636e3d6e2c64633d7830070402736e040178";
// ldapwhoami
inline constexpr std::string_view kWhoAmI =
    "301e02010277198017312e332e362e312e342e312e343230332e312e31312e33";
// ldappasswd -a old -s new cn=n,dc=x
inline constexpr std::string_view kPasswordModify =
    "303702010277328017312e332e362e312e342e312e343230332e312e31312e31811730158009636e3d6e2c64633d"
    "7881036f6c6482036e6577";
// ldapexop cancel 7
inline constexpr std::string_view kCancel =
    "30190201027714800b312e332e362e312e312e3881053003020107";
// ldapsearch -Z
inline constexpr std::string_view kStartTls =
    "301d02010177188016312e332e362e312e342e312e313436362e3230303337";
// By hand from RFC 4511 4.11: message 6 abandons message 5.
inline constexpr std::string_view kAbandon = "3006020106500105";

inline constexpr std::string_view kAll[] = {
    kBind,   kAnonymousBind,  kUnbind,          kSearch,         kSearchAllFilters, kPagedSearch,
    kAdd,    kModify,         kModifyReadEntry, kDeleteAsserted, kModifyDn,         kCompare,
    kWhoAmI, kPasswordModify, kCancel,          kStartTls,       kAbandon};

}  // namespace twintree::ldap::testing::golden

#endif  // TWINTREE_TESTS_UNIT_LDAP_GATEWAY_PROTOCOL_GOLDEN_H_
