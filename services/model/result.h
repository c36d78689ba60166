// Result codes, errors and values that may be errors, for every layer of the project.
//
// A function that can fail returns Result<T> (a value or an Error) or Status (success or an Error).
// Errors travel upwards unchanged in code; layers on the way may add words to the message.
//
//   Result<Dn> dn = Dn::Parse(text);
//   if (!dn.ok()) return dn.error();
//   TT_ASSIGN_OR_RETURN(Dn base, Dn::Parse(text));   // the same in one line
//   TT_RETURN_IF_ERROR(schema.Check(entry));
//
// Source: RFC 4511 4.1.9 and appendix A; RFC 3909 (118-121); RFC 4528 (122).
#ifndef TWINTREE_SERVICES_MODEL_RESULT_H_
#define TWINTREE_SERVICES_MODEL_RESULT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace twintree::model {

// The LDAP result codes this server gives or understands. Values are those of the wire.
enum class ResultCode : std::int32_t {
  kSuccess = 0,
  kOperationsError = 1,
  kProtocolError = 2,
  kTimeLimitExceeded = 3,
  kSizeLimitExceeded = 4,
  kCompareFalse = 5,
  kCompareTrue = 6,
  kAuthMethodNotSupported = 7,
  kStrongerAuthRequired = 8,
  kReferral = 10,
  kAdminLimitExceeded = 11,
  kUnavailableCriticalExtension = 12,
  kConfidentialityRequired = 13,
  kSaslBindInProgress = 14,
  kNoSuchAttribute = 16,
  kUndefinedAttributeType = 17,
  kInappropriateMatching = 18,
  kConstraintViolation = 19,
  kAttributeOrValueExists = 20,
  kInvalidAttributeSyntax = 21,
  kNoSuchObject = 32,
  kAliasProblem = 33,
  kInvalidDnSyntax = 34,
  kAliasDereferencingProblem = 36,
  kInappropriateAuthentication = 48,
  kInvalidCredentials = 49,
  kInsufficientAccessRights = 50,
  kBusy = 51,
  kUnavailable = 52,
  kUnwillingToPerform = 53,
  kLoopDetect = 54,
  kNamingViolation = 64,
  kObjectClassViolation = 65,
  kNotAllowedOnNonLeaf = 66,
  kNotAllowedOnRdn = 67,
  kEntryAlreadyExists = 68,
  kObjectClassModsProhibited = 69,
  kAffectsMultipleDsas = 71,
  kOther = 80,
  kCanceled = 118,
  kNoSuchOperation = 119,
  kTooLate = 120,
  kCannotCancel = 121,
  kAssertionFailed = 122,
};

// The name that RFC 4511 gives to `code` ("noSuchObject"), or "unknown" for any other number.
std::string_view ResultCodeName(ResultCode code);

// Why something failed.
struct Error {
  ResultCode code = ResultCode::kOther;
  // UTF-8, for people; may travel to the client as diagnosticMessage. What a client chose stands in
  // it as Quoted() of quotation.h.
  std::string message;
  std::string matched_dn;  // string form; only with kNoSuchObject and its kin, else empty
};

// Success, or an Error.
//
// Thread-safety: compatible.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return !error_.has_value(); }
  // REQUIRES: !ok()
  const Error& error() const& { return *error_; }
  Error&& error() && { return *std::move(error_); }
  // kSuccess when ok().
  ResultCode code() const { return error_ ? error_->code : ResultCode::kSuccess; }

 private:
  std::optional<Error> error_;
};

inline Status OkStatus() { return Status(); }

// A value of type T, or an Error.
//
// Thread-safety: compatible.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT

  bool ok() const { return state_.index() == 0; }
  // REQUIRES: !ok()
  const Error& error() const& { return *std::get_if<1>(&state_); }
  Error&& error() && { return std::move(*std::get_if<1>(&state_)); }
  ResultCode code() const { return ok() ? ResultCode::kSuccess : error().code; }
  Status status() const { return ok() ? Status() : Status(error()); }

  // REQUIRES: ok()
  const T& value() const& { return *std::get_if<0>(&state_); }
  T& value() & { return *std::get_if<0>(&state_); }
  T&& value() && { return std::move(*std::get_if<0>(&state_)); }
  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  const T* operator->() const { return std::get_if<0>(&state_); }
  T* operator->() { return std::get_if<0>(&state_); }

 private:
  std::variant<T, Error> state_;
};

}  // namespace twintree::model

#define TT_CONCAT_INNER(a, b) a##b
#define TT_CONCAT(a, b) TT_CONCAT_INNER(a, b)

// Evaluates a Status (or Result) expression and returns its error from the calling function.
#define TT_RETURN_IF_ERROR(expression)                        \
  do {                                                        \
    auto tt_status = (expression);                            \
    if (!tt_status.ok()) return std::move(tt_status).error(); \
  } while (false)

// `declaration = value of the Result`, or returns its error from the calling function.
#define TT_ASSIGN_OR_RETURN(declaration, expression) \
  TT_ASSIGN_OR_RETURN_INNER(TT_CONCAT(tt_result_, __LINE__), declaration, expression)
#define TT_ASSIGN_OR_RETURN_INNER(result, declaration, expression) \
  auto result = (expression);                                      \
  if (!result.ok()) return std::move(result).error();              \
  declaration = std::move(result).value()

#endif  // TWINTREE_SERVICES_MODEL_RESULT_H_
