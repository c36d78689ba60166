// Distinguished names: their string form, and the normalised keys by which they are compared.
//
// `Dn` is syntax only: it keeps the spelling that was given and needs no schema. `DnKey` is what
// two spellings of one name have in common; it is made with a schema, once a request, and is what
// the store, the caches and access rules compare.
//
//   TT_ASSIGN_OR_RETURN(DnKey key, schema.NormalizeDn("CN=Doe\\, John , ou=People,dc=example"));
//   key.text();          // "cn=doe\2c john,ou=people,dc=example"
//   key.rdn(0);          // "cn=doe\2c john", the entry's own RDN
//   key.parent();        // "ou=people,dc=example"
//
// Source: RFC 4514; RFC 4512 2.3; RFC 4517 4.2.15; RFC 4518.
#ifndef TWINTREE_SERVICES_MODEL_DN_H_
#define TWINTREE_SERVICES_MODEL_DN_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "services/model/result.h"

namespace twintree::model {

// One attribute value assertion of an RDN.
//
// Shape: `type` as it was written (name or OID, no spaces); `value` the decoded octets: for the
// string form the unescaped UTF-8, for the #hex form the content octets of the BER value.
struct Ava {
  std::string type;
  std::string value;
};

// One relative distinguished name: one or more AVAs in the order given.
struct Rdn {
  std::vector<Ava> avas;
  std::string text;  // the spelling given, outer spaces removed; valid RFC 4514

  // Parses exactly one RDN; more than one, or none, is kInvalidDnSyntax.
  static Result<Rdn> Parse(std::string_view text);
};

// A parsed name, leaf first. The empty name is the root DSE's.
//
// Errors: kInvalidDnSyntax with the octet offset in the message. Accepts what RFC 4514 section 3
// allows and, as RFC 2253 servers did, spaces around separators and `;` is NOT a separator.
class Dn {
 public:
  // At most this many RDNs; a longer name is kInvalidDnSyntax.
  static constexpr std::size_t kMaxRdns = 256;

  Dn() = default;
  static Result<Dn> Parse(std::string_view text);

  bool empty() const { return rdns_.empty(); }
  std::size_t size() const { return rdns_.size(); }
  const std::vector<Rdn>& rdns() const { return rdns_; }
  const Rdn& rdn(std::size_t i) const { return rdns_[i]; }
  // The spelling given, without spaces around separators.
  std::string ToString() const;

 private:
  std::vector<Rdn> rdns_;
};

// `value` escaped for the string form of a name (RFC 4514 2.4). Octets that are not UTF-8 are
// escaped as hex pairs.
std::string EscapeDnValue(std::string_view value);

// A name in normalised string form. Two names are equal under distinguishedNameMatch exactly if
// their keys' texts are equal octet for octet.
//
// Shape: RDNs joined by `,`; each RDN its AVAs sorted and joined by `+`; each AVA the attribute
// type's first schema name in lower case (dotted OID when it has none), `=`, the value in the one
// spelling that the type's equality rule gives it (MatchingRule::CanonicalValue), escaped so that
// `,` and `+` never occur in it unescaped (they appear as backslash and two hex digits). Always
// valid UTF-8 or escaped; no spaces around separators. An ancestor's key is a suffix of the text
// at an RDN boundary. The text is a spelling of the name: its own key is itself.
class DnKey {
 public:
  DnKey() = default;
  // REQUIRES: `text` is normalised (a key's text or a part of it at RDN boundaries).
  static DnKey FromNormalized(std::string text);

  bool empty() const { return text_.empty(); }
  const std::string& text() const { return text_; }
  std::size_t size() const { return starts_.size(); }  // number of RDNs
  std::string_view rdn(std::size_t i) const;           // 0 is the leaf
  // The text from RDN i to the end; suffix(1) is the parent, suffix(size()) is empty.
  std::string_view suffix(std::size_t i) const;
  std::string_view parent() const { return empty() ? std::string_view() : suffix(1); }

  // True if this name is `ancestor` or below it. The empty name is an ancestor of all.
  bool IsWithin(const DnKey& ancestor) const;

  friend bool operator==(const DnKey& a, const DnKey& b) { return a.text_ == b.text_; }

 private:
  friend class Schema;
  std::string text_;
  std::vector<std::uint32_t> starts_;  // offset of each RDN in text_
};

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_DN_H_
