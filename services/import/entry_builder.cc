#include "services/import/entry_builder.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>
#include <utility>

#include "services/directory/engine/new_entry.h"
#include "services/directory/engine/operational.h"
#include "services/directory/engine/password_values.h"
#include "services/directory/engine/schema_check.h"
#include "services/model/ascii.h"
#include "services/model/secret.h"

namespace twintree::import {

using model::Attribute;
using model::AttributeDescription;
using model::AttributeType;
using model::Error;
using model::OkStatus;
using model::RawAttribute;
using model::Result;
using model::ResultCode;
using model::Status;

namespace {

constexpr std::string_view kContextCsn = "contextCSN";

AttributeDescription Describe(const AttributeType& type) {
  AttributeDescription description;
  description.type = &type;
  description.text = type.name();
  return description;
}

Attribute* Find(const AttributeDescription& description, std::vector<Attribute>* attributes) {
  const auto found = std::find_if(
      attributes->begin(), attributes->end(),
      [&](const Attribute& attribute) { return attribute.description.SameAs(description); });
  return found == attributes->end() ? nullptr : &*found;
}

// Gives `type` the value unless the entry has one.
void SetMissing(const AttributeType& type, const std::string& value,
                std::vector<Attribute>* attributes) {
  AttributeDescription description = Describe(type);
  const Attribute* const present = Find(description, attributes);
  if (present != nullptr && !present->values.empty()) return;
  attributes->push_back({std::move(description), {value}});
}

}  // namespace

EntryBuilder::EntryBuilder(const model::Schema& schema, EntryBuilderOptions options)
    : schema_(schema),
      types_(schema.well_known()),
      options_(std::move(options)),
      member_of_(schema.FindAttributeType("memberOf")),
      timestamp_(directory::GeneralizedTime(options_.now)) {}

Result<PreparedEntry> EntryBuilder::Build(const std::string& dn,
                                          std::vector<RawAttribute> raw_attributes,
                                          std::uint64_t number) const {
  TT_ASSIGN_OR_RETURN(const model::Dn name, model::Dn::Parse(dn));
  TT_ASSIGN_OR_RETURN(model::DnKey key, schema_.NormalizeDn(name));
  if (key.empty()) {
    return Error{ResultCode::kUnwillingToPerform, "the empty name is that of the root DSE", ""};
  }
  std::uint64_t left_out_values = 0;
  TT_ASSIGN_OR_RETURN(Attributes attributes, Bind(std::move(raw_attributes), &left_out_values));
  for (const Attribute& attribute : attributes) {
    TT_RETURN_IF_ERROR(directory::CheckValues(attribute, schema_));
  }
  TT_RETURN_IF_ERROR(directory::AddRdnValues(name.rdn(0), schema_, &attributes));
  TT_ASSIGN_OR_RETURN(const model::ObjectClass* structural_class,
                      directory::CheckEntry(attributes, schema_));
  TT_RETURN_IF_ERROR(HashPasswords(&attributes));
  const Attribute* const own_uuid = Find(Describe(*types_.entry_uuid), &attributes);
  const bool has_own_uuid = own_uuid != nullptr && !own_uuid->values.empty();
  Complete(*structural_class, number, &attributes);
  std::string entry_uuid(Find(Describe(*types_.entry_uuid), &attributes)->values.front());
  return PreparedEntry{std::move(key),
                       name.ToString(),
                       name.rdn(0).text,
                       std::move(entry_uuid),
                       model::Entry::Encode(attributes, schema_),
                       has_own_uuid,
                       left_out_values};
}

// Binds descriptions to the schema; what is said of one attribute under two names is joined.
Result<EntryBuilder::Attributes> EntryBuilder::Bind(std::vector<RawAttribute> raw,
                                                    std::uint64_t* left_out_values) const {
  Attributes attributes;
  attributes.reserve(raw.size() + 8);
  for (RawAttribute& one : raw) {
    if (model::EqualsIgnoreCase(one.description, kContextCsn)) continue;
    TT_ASSIGN_OR_RETURN(AttributeDescription description,
                        directory::ParseStorable(one.description, schema_));
    if (IsIgnored(*description.type)) continue;
    if (description.type == member_of_) {
      *left_out_values += one.values.size();
      continue;
    }
    // Made anew in this place, so that an export of an import keeps its order.
    if (description.type == types_.structural_object_class) one.values.clear();
    Attribute* const present = Find(description, &attributes);
    if (present == nullptr) {
      attributes.push_back({std::move(description), one.values});
    } else {
      present->values.AppendAll(one.values);
    }
  }
  return attributes;
}

bool EntryBuilder::IsIgnored(const AttributeType& type) const {
  return &type == types_.entry_dn || &type == types_.has_subordinates ||
         &type == types_.num_subordinates || &type == types_.subschema_subentry;
}

Status EntryBuilder::HashPasswords(Attributes* attributes) const {
  if (!options_.hash_passwords) return OkStatus();
  for (Attribute& attribute : *attributes) {
    if (attribute.description.type != types_.user_password) continue;
    TT_RETURN_IF_ERROR(directory::HashPasswords(*options_.hash_passwords, &attribute));
  }
  return OkStatus();
}

void EntryBuilder::Complete(const model::ObjectClass& structural_class, std::uint64_t number,
                            Attributes* attributes) const {
  directory::SetValue(*types_.structural_object_class, structural_class.name(), attributes);
  const Attribute* const uuid = Find(Describe(*types_.entry_uuid), attributes);
  if (uuid == nullptr) SetMissing(*types_.entry_uuid, directory::MakeUuid(), attributes);
  SetMissing(*types_.creators_name, options_.creator_dn, attributes);
  SetMissing(*types_.create_timestamp, timestamp_, attributes);
  SetMissing(*types_.entry_csn, ChangeSequenceNumber(number), attributes);
  SetMissing(*types_.modifiers_name, options_.creator_dn, attributes);
  SetMissing(*types_.modify_timestamp, timestamp_, attributes);
}

// All entries of an import share one moment; the count tells them apart, and beyond its range the
// microseconds do.
std::string EntryBuilder::ChangeSequenceNumber(std::uint64_t number) const {
  constexpr std::uint64_t kCounts = 0x1000000;
  const auto moment = std::chrono::time_point_cast<std::chrono::microseconds>(options_.now) +
                      std::chrono::microseconds(number / kCounts);
  const auto micros = moment.time_since_epoch().count() % 1000000;
  std::array<char, 40> tail{};
  std::snprintf(tail.data(), tail.size(), ".%06lldZ#%06llx#000#000000",
                static_cast<long long>(micros), static_cast<unsigned long long>(number % kCounts));
  std::string text = directory::GeneralizedTime(moment);
  text.pop_back();  // the Z follows the fraction
  return text + tail.data();
}

PasswordCounts& PasswordCounts::operator+=(const PasswordCounts& other) {
  clear += other.clear;
  unverifiable += other.unverifiable;
  return *this;
}

PasswordCounts EntryBuilder::CountPasswords(const model::LdifRecord& record) const {
  PasswordCounts counts;
  for (const RawAttribute& attribute : record.attributes) counts += CountPasswords(attribute);
  for (const model::Modification& modification : record.modifications) {
    if (modification.kind == model::ModificationKind::kDelete) continue;
    counts += CountPasswords(modification.attribute);
  }
  return counts;
}

bool EntryBuilder::IsPassword(std::string_view description) const {
  const std::string_view name = description.substr(0, description.find(';'));
  const AttributeType& password = *types_.user_password;
  return name == password.oid ||
         std::any_of(password.names.begin(), password.names.end(),
                     [name](const std::string& one) { return model::EqualsIgnoreCase(name, one); });
}

PasswordCounts EntryBuilder::CountPasswords(const RawAttribute& attribute) const {
  PasswordCounts counts;
  if (!IsPassword(attribute.description)) return counts;
  for (const std::string& value : attribute.values) {
    if (!passwords::HasScheme(value)) {
      ++counts.clear;
    } else if (!passwords::CanVerify(value)) {
      ++counts.unverifiable;
    }
  }
  return counts;
}

}  // namespace twintree::import
