// Cuts the string form of a name into its parts without copying anything.
//
//   DnScanner scanner(text);
//   ScannedAva ava;
//   while (scanner.Next(ava)) Use(ava.type, ava.value, ava.ends_rdn);
//   if (scanner.failed()) return scanner.error();
//
// Source: RFC 4514 section 3, with spaces allowed around separators.
#ifndef TWINTREE_SERVICES_MODEL_DN_SCANNER_H_
#define TWINTREE_SERVICES_MODEL_DN_SCANNER_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "services/model/result.h"

namespace twintree::model {

struct ScannedAva {
  std::string_view type;   // checked: a keystring or numeric OID
  std::string_view value;  // as written, without insignificant outer spaces; escapes are checked
  bool hex = false;        // `value` is `#` and pairs of hexadecimal digits
  bool plain = false;      // printable ASCII without escapes: `value` stands for itself
  bool ends_rdn = false;   // false: a `+` follows
};

class DnScanner {
 public:
  explicit DnScanner(std::string_view text) : text_(text) {}

  // The next AVA; false at the end and on an error.
  bool Next(ScannedAva& ava);

  // What stands behind the last AVA and its separator.
  std::string_view rest() const { return text_.substr(position_); }

  bool failed() const { return problem_ != nullptr; }
  // REQUIRES: failed(). kInvalidDnSyntax with the offset.
  Error error() const;

 private:
  bool Fail(const char* problem);
  void SkipSpaces();
  bool ScanType(ScannedAva& ava);
  bool ScanHexValue(ScannedAva& ava);
  bool ScanStringValue(ScannedAva& ava);
  bool ScanEscape();
  bool ScanSeparator(ScannedAva& ava);

  std::string_view text_;
  std::size_t position_ = 0;
  bool expect_ava_ = false;  // a separator came before
  const char* problem_ = nullptr;
};

// The octets that an AVA's value stands for: unescaped, or the content of the BER value in hex
// form (a string type of ASN.1, or OCTET STRING).
//
// REQUIRES: `ava` comes from a DnScanner.
// Errors: kInvalidDnSyntax.
Result<std::string> DecodeAvaValue(const ScannedAva& ava);

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_DN_SCANNER_H_
