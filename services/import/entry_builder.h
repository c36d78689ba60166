// From the attributes of an LDIF record to an entry as the store keeps it.
//
// The rules are those of an add, with two differences: operational attributes that the record holds
// are kept (they came from an export), and passwords stay as they are unless asked otherwise.
//
//   names      the values of the RDN are added when they are missing
//   kept       entryUUID, entryCSN, createTimestamp, creatorsName, modifyTimestamp, modifiersName,
//              and any other operational attribute that the schema defines, when valid
//   made anew  structuralObjectClass, always; the six above when they are missing
//   left out   memberOf: the server that wrote the file derived it from the groups, and this one
//   does
//              not keep it up to date
//   ignored    entryDN, hasSubordinates, numSubordinates, subschemaSubentry, contextCSN: they are
//              derived, or belong to the server that wrote the file
//
// Thread-safety: safe (immutable).
// Source: RFC 4512 2.3-2.5, 3.4; RFC 4511 4.7; RFC 4530.
#ifndef TWINTREE_SERVICES_IMPORT_ENTRY_BUILDER_H_
#define TWINTREE_SERVICES_IMPORT_ENTRY_BUILDER_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "services/model/attribute.h"
#include "services/model/dn.h"
#include "services/model/entry.h"
#include "services/model/ldif.h"
#include "services/model/schema.h"
#include "services/passwords/passwords.h"

namespace twintree::import {

// An entry that is ready to be stored, once its parent is found.
struct PreparedEntry {
  model::DnKey key;
  std::string dn;   // the whole name, in the spelling given
  std::string rdn;  // its first RDN
  std::string entry_uuid;
  model::Entry entry;
  bool has_own_uuid = false;          // entry_uuid comes from the record
  std::uint64_t left_out_values = 0;  // of memberOf
};

struct EntryBuilderOptions {
  // What stands in creatorsName and modifiersName of entries that come without.
  std::string creator_dn;
  // The time of entries that come without.
  std::chrono::system_clock::time_point now;
  // What clear-text passwords become; nullopt: they are kept.
  std::optional<passwords::Scheme> hash_passwords;
};

// Passwords in which users of another server may trust in vain.
struct PasswordCounts {
  std::uint64_t clear = 0;         // clear text
  std::uint64_t unverifiable = 0;  // hashes that nothing can match here; see passwords::CanVerify()

  PasswordCounts& operator+=(const PasswordCounts& other);
};

class EntryBuilder {
 public:
  // `schema` must outlive the builder.
  EntryBuilder(const model::Schema& schema, EntryBuilderOptions options);

  // `number` counts the entries of an import from 0; higher ones get higher change sequence
  // numbers. Takes 20 to 100 ms a clear-text password when passwords are hashed expensively.
  // Errors: those of an add (kInvalidDnSyntax, kUndefinedAttributeType, kInvalidAttributeSyntax,
  // kAttributeOrValueExists, kObjectClassViolation, kConstraintViolation, kNamingViolation;
  // kUnwillingToPerform for the empty name).
  model::Result<PreparedEntry> Build(const std::string& dn,
                                     std::vector<model::RawAttribute> attributes,
                                     std::uint64_t number) const;

  // Values of userPassword in the record.
  PasswordCounts CountPasswords(const model::LdifRecord& record) const;

 private:
  using Attributes = std::vector<model::Attribute>;

  model::Result<Attributes> Bind(std::vector<model::RawAttribute> raw,
                                 std::uint64_t* left_out_values) const;
  bool IsIgnored(const model::AttributeType& type) const;
  model::Status HashPasswords(Attributes* attributes) const;
  void Complete(const model::ObjectClass& structural_class, std::uint64_t number,
                Attributes* attributes) const;
  std::string ChangeSequenceNumber(std::uint64_t number) const;
  bool IsPassword(std::string_view description) const;
  PasswordCounts CountPasswords(const model::RawAttribute& attribute) const;

  const model::Schema& schema_;
  const model::Schema::WellKnown& types_;
  const EntryBuilderOptions options_;
  const model::AttributeType* const member_of_;
  const std::string timestamp_;  // of options_.now
};

}  // namespace twintree::import

#endif  // TWINTREE_SERVICES_IMPORT_ENTRY_BUILDER_H_
