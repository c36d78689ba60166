// LDIF: reading records from a stream and writing entries.
//
//   LdifReader reader(stream, {});
//   for (;;) {
//     TT_ASSIGN_OR_RETURN(std::optional<LdifRecord> record, reader.Next());
//     if (!record) break;
//     ...
//   }
//
// Accepts LF and CRLF, folded lines and comments, base64, any number of empty lines, a missing last
// newline, a missing final `-`, UTF-8 that is not in base64, a byte order mark, and a version line
// at the head of any record (files may have been concatenated). Memory is one record, which is
// bounded.
//
// Errors: every error begins with "line N: " where N is the physical line that is wrong (the first
// one of a folded line), and error_line() tells it as a number; the code is kProtocolError.
// error_dn() is the name of the record that is wrong. After an error Next() can go on with the
// record behind the next empty line. A stream that cannot be read is kOther, and stays so.
//
// Source: RFC 2849.
#ifndef TWINTREE_SERVICES_MODEL_LDIF_H_
#define TWINTREE_SERVICES_MODEL_LDIF_H_

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "services/model/attribute.h"
#include "services/model/result.h"

namespace twintree::model {

enum class LdifChange { kContent, kAdd, kDelete, kModify, kModifyDn };

struct LdifControl {
  std::string oid;
  bool critical = false;
  std::optional<std::string> value;
};

struct LdifRecord {
  std::uint64_t line = 0;  // of the dn: line, from 1
  LdifChange change = LdifChange::kContent;
  std::string dn;
  std::vector<LdifControl> controls;
  std::vector<RawAttribute> attributes;     // kContent, kAdd; values of one description together
  std::vector<Modification> modifications;  // kModify
  std::string new_rdn;                      // kModifyDn
  bool delete_old_rdn = false;
  std::optional<std::string> new_superior;
};

// What a value counts beside its octets: about what it takes in memory.
inline constexpr std::size_t kLdifValueCost = 32;

// What the error of a value from a URL says that LdifOptions do not allow.
inline constexpr std::string_view kUrlsNotAllowed = "values from URLs are not allowed";

struct LdifOptions {
  // `attr:< file:///...` reads a local file; refused unless allowed.
  bool allow_file_urls = false;
  // The longest record in octets, decoded: names, values, and kLdifValueCost for each value. Longer
  // ones are an error.
  std::size_t max_record_bytes = 64u << 20;
};

class LdifReader {
 public:
  // `input` must outlive the reader.
  LdifReader(std::istream& input, LdifOptions options);
  ~LdifReader();

  // The next record, or nullopt at the end.
  Result<std::optional<LdifRecord>> Next();
  // The line of the last error, 0 before the first one.
  std::uint64_t error_line() const;
  // The name in the record of the last error; empty when there is none, or not in good order.
  const std::string& error_dn() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// Appends "dn: ...", a line for each value, and an empty line; folded at 76 columns, base64 where
// RFC 2849 wants it. An attribute without values writes nothing.
void AppendLdifEntry(std::string_view dn, std::span<const RawAttribute> attributes,
                     std::string* out);
// Appends one `name: value` line in the right form.
void AppendLdifLine(std::string_view name, std::string_view value, std::string* out);

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_LDIF_H_
