#include "services/metrics/results.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace twintree::metrics {
namespace {

using model::ResultCode;
using Codes = std::vector<ResultCode>;

constexpr auto kOtherIndex = static_cast<std::size_t>(ResultCode::kOther);

bool HasName(ResultCode code) { return model::ResultCodeName(code) != "unknown"; }

Codes With(Codes codes, std::initializer_list<ResultCode> more) {
  codes.insert(codes.end(), more);
  return codes;
}

// What anything that needs the store can come to.
Codes Any(std::initializer_list<ResultCode> more) {
  return With({ResultCode::kBusy, ResultCode::kUnavailable, ResultCode::kOther}, more);
}

// What anything that names an entry can come to.
Codes OfEntry(std::initializer_list<ResultCode> more) {
  return With(Any({ResultCode::kNoSuchObject, ResultCode::kInvalidDnSyntax,
                   ResultCode::kInsufficientAccessRights, ResultCode::kAssertionFailed}),
              more);
}

Codes OfUpdate(std::initializer_list<ResultCode> more) {
  return With(OfEntry({ResultCode::kSuccess, ResultCode::kUnwillingToPerform,
                       ResultCode::kConstraintViolation, ResultCode::kObjectClassViolation}),
              more);
}

Codes OfBind() {
  return Any({ResultCode::kSuccess, ResultCode::kInvalidCredentials, ResultCode::kInvalidDnSyntax,
              ResultCode::kUnwillingToPerform});
}

Codes OfSearch() {
  return OfEntry({ResultCode::kSuccess, ResultCode::kTimeLimitExceeded,
                  ResultCode::kSizeLimitExceeded, ResultCode::kAdminLimitExceeded,
                  ResultCode::kCanceled});
}

Codes OfCompare() {
  return OfEntry({ResultCode::kCompareTrue, ResultCode::kCompareFalse, ResultCode::kNoSuchAttribute,
                  ResultCode::kUndefinedAttributeType, ResultCode::kInvalidAttributeSyntax});
}

Codes OfAdd() {
  return OfUpdate({ResultCode::kEntryAlreadyExists, ResultCode::kNamingViolation,
                   ResultCode::kUndefinedAttributeType, ResultCode::kInvalidAttributeSyntax});
}

Codes OfModify() {
  return OfUpdate({ResultCode::kNoSuchAttribute, ResultCode::kAttributeOrValueExists,
                   ResultCode::kNotAllowedOnRdn, ResultCode::kUndefinedAttributeType,
                   ResultCode::kInvalidAttributeSyntax});
}

Codes OfDelete() { return OfUpdate({ResultCode::kNotAllowedOnNonLeaf}); }

Codes OfModifyDn() {
  return OfUpdate({ResultCode::kEntryAlreadyExists, ResultCode::kNamingViolation});
}

// What the LDAP door answers by itself.
Codes AtDoor(Codes codes) {
  return With(std::move(codes),
              {ResultCode::kProtocolError, ResultCode::kUnavailableCriticalExtension});
}

}  // namespace

void AddResults(prometheus::MetricFamily* family, const Labels& labels,
                std::span<const std::uint64_t, kResults> counts,
                std::span<const ResultCode> expected) {
  std::array<std::uint64_t, kResults> named{};
  std::copy(counts.begin(), counts.end(), named.begin());
  for (std::size_t code = 0; code < kResults; ++code) {
    if (HasName(static_cast<ResultCode>(code))) continue;
    named[kOtherIndex] += named[code];
    named[code] = 0;
  }
  for (std::size_t i = 0; i < kResults; ++i) {
    const auto code = static_cast<ResultCode>(i);
    const bool wanted = std::find(expected.begin(), expected.end(), code) != expected.end();
    if (named[i] == 0 && !wanted) continue;
    Labels with_result = labels;
    with_result.emplace_back("result", std::string(model::ResultCodeName(code)));
    AddCounter(family, with_result, static_cast<double>(named[i]));
  }
}

std::vector<CountedOperation> DirectoryOperations() {
  return {{"bind", OfBind()},
          {"search", OfSearch()},
          {"compare", OfCompare()},
          {"add", OfAdd()},
          {"modify", OfModify()},
          {"delete", OfDelete()},
          {"modify_dn", OfModifyDn()},
          {"modify_password", OfUpdate({ResultCode::kInvalidCredentials})}};
}

std::vector<CountedOperation> LdapOperations() {
  return {
      {"bind", With(AtDoor(OfBind()), {ResultCode::kAuthMethodNotSupported})},
      {"unbind", {ResultCode::kSuccess}},
      {"search", AtDoor(OfSearch())},
      {"modify", AtDoor(OfModify())},
      {"add", AtDoor(OfAdd())},
      {"delete", AtDoor(OfDelete())},
      {"modify_dn", AtDoor(OfModifyDn())},
      {"compare", AtDoor(OfCompare())},
      {"abandon", {ResultCode::kSuccess, ResultCode::kProtocolError}},
      {"extended", AtDoor(OfUpdate({ResultCode::kOperationsError, ResultCode::kInvalidCredentials,
                                    ResultCode::kNoSuchOperation, ResultCode::kTooLate,
                                    ResultCode::kCannotCancel}))}};
}

}  // namespace twintree::metrics
