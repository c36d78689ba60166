// Cuts a schema file as OpenLDAP writes them into statements.
//
//   # a comment
//   objectidentifier acme 1.3.6.1.4.1.99999
//   attributetype ( acme:1 NAME 'acmeBadge'
//     SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )
//
// A line that starts with a blank belongs to the line before, comments included.
//
// A file whose first line is that of an LDIF record is read as LDIF, as slapd's cn=config and other
// servers' subschema entries are written: values of (olc)attributeTypes, (olc)objectClasses,
// (olc)ldapSyntaxes and olcObjectIdentifier are the statements, without their {N}; other attributes
// are passed over.
//
// Source: slapd.conf(5), slapd-config(5), RFC 2849.
#ifndef TWINTREE_SERVICES_MODEL_SCHEMA_FILE_H_
#define TWINTREE_SERVICES_MODEL_SCHEMA_FILE_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "services/model/result.h"

namespace twintree::model {

struct SchemaStatement {
  int line = 0;         // where it starts, from 1
  std::string keyword;  // lower case
  std::string body;     // continuation lines joined by single spaces
};

std::vector<SchemaStatement> SplitSchemaFile(std::string_view text);

// The macros that objectidentifier statements define.
class OidMacros {
 public:
  // `body`: a name and an OID, which may itself use a macro. The same may be said again.
  // Errors: kOther.
  Status Define(std::string_view body);
  // "acme:1" and "acme" written out; anything else as it is.
  std::string Expand(std::string_view text) const;

 private:
  std::map<std::string, std::string> oids_;  // by name in lower case
};

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_SCHEMA_FILE_H_
