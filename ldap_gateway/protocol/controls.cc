#include "ldap_gateway/protocol/controls.h"

#include <array>
#include <limits>
#include <utility>

#include "ldap_gateway/ber/ber.h"
#include "ldap_gateway/limits.h"
#include "ldap_gateway/protocol/oids.h"
#include "ldap_gateway/protocol/request.h"
#include "services/model/quotation.h"

namespace twintree::ldap {
namespace {

using model::Error;
using model::Result;
using model::ResultCode;
using model::Status;

struct RawControl {
  std::string_view type;
  bool critical = false;
  std::optional<std::string_view> value;
};

Error Malformed(std::string_view type, const char* what) {
  return Error{ResultCode::kProtocolError, "control " + model::Quoted(type) + ": " + what, {}};
}

bool DecodeRaw(std::string_view content, RawControl* control) {
  ber::Reader reader(content);
  if (!reader.Expect(ber::kOctetString, &control->type)) return false;
  if (!reader.at_end() && static_cast<ber::Tag>(reader.rest()[0]) == ber::kBoolean) {
    if (!reader.ExpectBoolean(&control->critical)) return false;
  }
  if (!reader.at_end()) control->value = reader.Optional(ber::kOctetString);
  return SkipExtensions(&reader);
}

Status DecodeAssertion(const RawControl& control, RequestControls* out) {
  if (out->assertion) return Malformed(control.type, "given twice");
  if (!control.value) return Malformed(control.type, "the value is missing");
  TT_ASSIGN_OR_RETURN(model::Filter filter, model::Filter::Decode(*control.value));
  out->assertion = std::make_shared<const model::Filter>(std::move(filter));
  return model::OkStatus();
}

Status DecodePaged(const RawControl& control, RequestControls* out) {
  if (out->paged_results) return Malformed(control.type, "given twice");
  if (!control.value) return Malformed(control.type, "the value is missing");
  ber::Reader outer(*control.value);
  std::string_view body;
  if (!outer.Expect(ber::kSequence, &body) || !outer.Finished()) {
    return Malformed(control.type, "the value is no SEQUENCE");
  }
  ber::Reader reader(body);
  std::int64_t size = 0;
  std::string_view cookie;
  if (!reader.ExpectInteger(&size) || size < 0 || size > std::numeric_limits<std::int32_t>::max()) {
    return Malformed(control.type, "the page size is not between 0 and 2147483647");
  }
  if (!reader.Expect(ber::kOctetString, &cookie) || !SkipExtensions(&reader)) {
    return Malformed(control.type, "the cookie cannot be read");
  }
  out->paged_results = PagedResultsControl{static_cast<std::uint32_t>(size), std::string(cookie)};
  return model::OkStatus();
}

Status DecodeReadEntry(const RawControl& control, std::optional<std::vector<std::string>>* out) {
  if (*out) return Malformed(control.type, "given twice");
  if (!control.value) return Malformed(control.type, "the value is missing");
  ber::Reader reader(*control.value);
  std::vector<std::string> names;
  TT_RETURN_IF_ERROR(DecodeSelection(&reader, &names));
  if (!reader.Finished()) return Malformed(control.type, "something follows the attributes");
  *out = std::move(names);
  return model::OkStatus();
}

Status DecodePreRead(const RawControl& control, RequestControls* out) {
  return DecodeReadEntry(control, &out->pre_read);
}

Status DecodePostRead(const RawControl& control, RequestControls* out) {
  return DecodeReadEntry(control, &out->post_read);
}

Status DecodeManageDsaIt(const RawControl& control, RequestControls* out) {
  if (out->manage_dsa_it) return Malformed(control.type, "given twice");
  if (control.value) return Malformed(control.type, "there must be no value");
  out->manage_dsa_it = true;
  return model::OkStatus();
}

constexpr unsigned Bit(OperationKind kind) { return 1u << static_cast<unsigned>(kind); }
constexpr unsigned kUpdates = Bit(OperationKind::kAdd) | Bit(OperationKind::kModify) |
                              Bit(OperationKind::kDelete) | Bit(OperationKind::kModifyDn);
constexpr unsigned kReads = Bit(OperationKind::kSearch) | Bit(OperationKind::kCompare);

// What is known about a control.
struct Known {
  std::string_view oid;
  ControlKind kind;
  unsigned operations;  // a Bit each
  Status (*decode)(const RawControl& control, RequestControls* out);
};
constexpr std::array kKnown = {
    Known{oid::kPagedResults, ControlKind::kPagedResults, Bit(OperationKind::kSearch), DecodePaged},
    Known{oid::kAssertion, ControlKind::kAssertion, kUpdates | kReads, DecodeAssertion},
    Known{oid::kPreRead, ControlKind::kPreRead, kUpdates & ~Bit(OperationKind::kAdd),
          DecodePreRead},
    Known{oid::kPostRead, ControlKind::kPostRead, kUpdates & ~Bit(OperationKind::kDelete),
          DecodePostRead},
    Known{oid::kManageDsaIt, ControlKind::kManageDsaIt, kUpdates | kReads, DecodeManageDsaIt},
};

const Known* Find(std::string_view oid) {
  for (const Known& known : kKnown) {
    if (known.oid == oid) return &known;
  }
  return nullptr;
}

Status DecodeOne(const RawControl& control, const Known* known, OperationKind operation,
                 RequestControls* out) {
  if (known != nullptr && (known->operations & Bit(operation)) != 0) {
    return known->decode(control, out);
  }
  if (!control.critical) return model::OkStatus();
  return Error{ResultCode::kUnavailableCriticalExtension,
               "critical control " + model::Quoted(control.type) + " is not available for " +
                   std::string(OperationName(operation)),
               {}};
}

void AppendControl(std::string_view oid, std::string_view value, std::string* controls) {
  ber::Writer writer(controls);
  const std::size_t mark = writer.Begin(ber::kSequence);
  writer.OctetString(oid);
  writer.OctetString(value);
  writer.End(mark);
}

}  // namespace

Result<RequestControls> DecodeControls(std::string_view content, OperationKind operation,
                                       ControlCounts* seen) {
  RequestControls controls;
  ber::Reader reader(content);
  std::size_t count = 0;
  std::string_view item;
  while (!reader.at_end()) {
    RawControl raw;
    if (!reader.Expect(ber::kSequence, &item) || !DecodeRaw(item, &raw)) {
      return Error{ResultCode::kProtocolError, "a control cannot be read", {}};
    }
    if (++count > kMaxControlsPerMessage) {
      return Error{ResultCode::kAdminLimitExceeded,
                   "more than " + std::to_string(kMaxControlsPerMessage) + " controls",
                   {}};
    }
    const Known* const known = Find(raw.type);
    if (seen != nullptr) {
      ++(*seen)[static_cast<std::size_t>(known != nullptr ? known->kind : ControlKind::kOther)];
    }
    TT_RETURN_IF_ERROR(DecodeOne(raw, known, operation, &controls));
  }
  return controls;
}

std::span<const std::string_view> SupportedControls() {
  static constexpr auto kOids = [] {
    std::array<std::string_view, kKnown.size()> oids;
    for (std::size_t i = 0; i < kKnown.size(); ++i) oids[i] = kKnown[i].oid;
    return oids;
  }();
  return kOids;
}

void AppendPagedResults(std::uint32_t estimate, std::string_view cookie, std::string* controls) {
  std::string value;
  ber::Writer writer(&value);
  const std::size_t mark = writer.Begin(ber::kSequence);
  writer.Integer(estimate);
  writer.OctetString(cookie);
  writer.End(mark);
  AppendControl(oid::kPagedResults, value, controls);
}

void AppendReadEntry(std::string_view oid, std::string_view dn, std::string_view attributes,
                     std::string* controls) {
  std::string value;
  ber::Writer writer(&value);
  const std::size_t mark = writer.Begin(ber::Application(4, true));
  writer.OctetString(dn);
  writer.OctetString(attributes, ber::kSequence);
  writer.End(mark);
  AppendControl(oid, value, controls);
}

}  // namespace twintree::ldap
