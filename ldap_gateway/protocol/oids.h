// Object identifiers of the LDAP extensions that the gateway knows.
#ifndef TWINTREE_LDAP_GATEWAY_PROTOCOL_OIDS_H_
#define TWINTREE_LDAP_GATEWAY_PROTOCOL_OIDS_H_

#include <string_view>

namespace twintree::ldap::oid {

// Controls.
inline constexpr std::string_view kAssertion = "1.3.6.1.1.12";               // RFC 4528
inline constexpr std::string_view kPreRead = "1.3.6.1.1.13.1";               // RFC 4527
inline constexpr std::string_view kPostRead = "1.3.6.1.1.13.2";              // RFC 4527
inline constexpr std::string_view kPagedResults = "1.2.840.113556.1.4.319";  // RFC 2696
inline constexpr std::string_view kManageDsaIt = "2.16.840.1.113730.3.4.2";  // RFC 3296

// Extended operations.
inline constexpr std::string_view kStartTls = "1.3.6.1.4.1.1466.20037";         // RFC 4511 4.14
inline constexpr std::string_view kPasswordModify = "1.3.6.1.4.1.4203.1.11.1";  // RFC 3062
inline constexpr std::string_view kWhoAmI = "1.3.6.1.4.1.4203.1.11.3";          // RFC 4532
inline constexpr std::string_view kCancel = "1.3.6.1.1.8";                      // RFC 3909

// Unsolicited notifications.
inline constexpr std::string_view kNoticeOfDisconnection = "1.3.6.1.4.1.1466.20036";

// Features.
inline constexpr std::string_view kAllOperationalAttributes = "1.3.6.1.4.1.4203.1.5.1";  // RFC 3673
inline constexpr std::string_view kObjectClassLists = "1.3.6.1.4.1.4203.1.5.2";          // RFC 4529
inline constexpr std::string_view kAbsoluteFilters = "1.3.6.1.4.1.4203.1.5.3";           // RFC 4526
inline constexpr std::string_view kLanguageTags = "1.3.6.1.4.1.4203.1.5.4";              // RFC 3866
inline constexpr std::string_view kLanguageRanges = "1.3.6.1.4.1.4203.1.5.5";            // RFC 3866
inline constexpr std::string_view kModifyIncrement = "1.3.6.1.1.14";                     // RFC 4525

}  // namespace twintree::ldap::oid

#endif  // TWINTREE_LDAP_GATEWAY_PROTOCOL_OIDS_H_
