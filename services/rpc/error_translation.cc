#include "services/rpc/error_translation.h"

#include <charconv>
#include <cstddef>
#include <string>
#include <utility>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "services/rpc/utf8.h"

namespace twintree::rpc {
namespace {

using model::ResultCode;

constexpr std::size_t kMaxMessageBytes = 512;
constexpr std::size_t kMaxNameBytes = 768;
constexpr int kRetryMilliseconds = 200;

template <typename Detail>
void AddDetail(const Detail& detail, google::rpc::Status* status) {
  status->add_details()->PackFrom(detail);
}

google::rpc::ErrorInfo MakeErrorInfo(const model::Error& error, const char* reason,
                                     const std::string& matched_dn) {
  google::rpc::ErrorInfo info;
  info.set_reason(reason);
  info.set_domain(kErrorDomain);
  auto& metadata = *info.mutable_metadata();
  metadata["ldap_result_code"] = std::to_string(static_cast<int>(error.code));
  metadata["ldap_result_name"] = std::string(model::ResultCodeName(error.code));
  if (!matched_dn.empty()) metadata["matched_dn"] = matched_dn;
  return info;
}

void AddBadRequest(const ErrorContext& context, const std::string& text,
                   google::rpc::Status* status) {
  google::rpc::BadRequest detail;
  auto* violation = detail.add_field_violations();
  violation->set_field(std::string(context.field));
  violation->set_description(text);
  AddDetail(detail, status);
}

void AddPreconditionFailure(const char* reason, const std::string& dn, const std::string& text,
                            google::rpc::Status* status) {
  google::rpc::PreconditionFailure detail;
  auto* violation = detail.add_violations();
  violation->set_type(reason);
  violation->set_subject(dn);
  violation->set_description(text);
  AddDetail(detail, status);
}

void AddQuotaFailure(const char* reason, const std::string& text, google::rpc::Status* status) {
  google::rpc::QuotaFailure detail;
  auto* violation = detail.add_violations();
  violation->set_subject(reason);
  violation->set_description(text);
  AddDetail(detail, status);
}

void AddResourceInfo(const std::string& dn, google::rpc::Status* status) {
  google::rpc::ResourceInfo detail;
  detail.set_resource_type("twintree.directory.v1.Entry");
  detail.set_resource_name(dn);
  AddDetail(detail, status);
}

void AddRetryInfo(google::rpc::Status* status) {
  google::rpc::RetryInfo detail;
  detail.mutable_retry_delay()->set_nanos(kRetryMilliseconds * 1'000'000);
  AddDetail(detail, status);
}

// The detail that goes with a kind of status, next to ErrorInfo.
void AddDetailOfKind(const StatusClass& kind, const ErrorContext& context, const std::string& text,
                     google::rpc::Status* status) {
  const std::string dn = PrintableText(context.dn, kMaxNameBytes);
  switch (kind.code) {
    case grpc::StatusCode::INVALID_ARGUMENT: return AddBadRequest(context, text, status);
    case grpc::StatusCode::FAILED_PRECONDITION:
      return AddPreconditionFailure(kind.reason, dn, text, status);
    case grpc::StatusCode::RESOURCE_EXHAUSTED: return AddQuotaFailure(kind.reason, text, status);
    case grpc::StatusCode::NOT_FOUND:
    case grpc::StatusCode::ALREADY_EXISTS: return AddResourceInfo(dn, status);
    case grpc::StatusCode::UNAVAILABLE: return AddRetryInfo(status);
    default: return;
  }
}

// For a status that some other server, a proxy or gRPC itself made.
ResultCode ResultOfStatusCode(grpc::StatusCode code) {
  switch (code) {
    case grpc::StatusCode::OK: return ResultCode::kSuccess;
    case grpc::StatusCode::CANCELLED: return ResultCode::kCanceled;
    case grpc::StatusCode::INVALID_ARGUMENT:
    case grpc::StatusCode::OUT_OF_RANGE: return ResultCode::kProtocolError;
    case grpc::StatusCode::DEADLINE_EXCEEDED: return ResultCode::kTimeLimitExceeded;
    case grpc::StatusCode::NOT_FOUND: return ResultCode::kNoSuchObject;
    case grpc::StatusCode::ALREADY_EXISTS: return ResultCode::kEntryAlreadyExists;
    case grpc::StatusCode::PERMISSION_DENIED: return ResultCode::kInsufficientAccessRights;
    case grpc::StatusCode::RESOURCE_EXHAUSTED: return ResultCode::kAdminLimitExceeded;
    case grpc::StatusCode::FAILED_PRECONDITION: return ResultCode::kUnwillingToPerform;
    case grpc::StatusCode::ABORTED: return ResultCode::kAssertionFailed;
    case grpc::StatusCode::UNIMPLEMENTED: return ResultCode::kUnwillingToPerform;
    case grpc::StatusCode::UNAVAILABLE: return ResultCode::kUnavailable;
    case grpc::StatusCode::UNAUTHENTICATED: return ResultCode::kInvalidCredentials;
    case grpc::StatusCode::UNKNOWN:
    case grpc::StatusCode::INTERNAL:
    case grpc::StatusCode::DATA_LOSS:
    case grpc::StatusCode::DO_NOT_USE: break;
  }
  return ResultCode::kOther;
}

// Overwrites what ErrorInfo of ours knows better.
void ReadErrorInfo(const google::rpc::ErrorInfo& info, model::Error* error) {
  if (info.domain() != kErrorDomain) return;
  const auto code = info.metadata().find("ldap_result_code");
  if (code != info.metadata().end()) {
    const std::string& digits = code->second;
    int number = 0;
    const auto [end, failure] =
        std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (failure == std::errc() && end == digits.data() + digits.size() && number > 0) {
      error->code = static_cast<ResultCode>(number);
    }
  }
  const auto matched = info.metadata().find("matched_dn");
  if (matched != info.metadata().end()) error->matched_dn = matched->second;
}

}  // namespace

StatusClass ClassifyResult(ResultCode code) {
  using grpc::StatusCode;
  switch (code) {
    case ResultCode::kSuccess:
    case ResultCode::kCompareFalse:
    case ResultCode::kCompareTrue: return {StatusCode::OK, ""};
    case ResultCode::kOperationsError:
    case ResultCode::kOther: return {StatusCode::INTERNAL, "OPERATIONS_ERROR"};
    case ResultCode::kProtocolError:
    case ResultCode::kInvalidAttributeSyntax:
    case ResultCode::kInvalidDnSyntax: return {StatusCode::INVALID_ARGUMENT, "INVALID_SYNTAX"};
    case ResultCode::kTimeLimitExceeded: return {StatusCode::DEADLINE_EXCEEDED, "TIME_LIMIT"};
    case ResultCode::kSizeLimitExceeded:
    case ResultCode::kAdminLimitExceeded: return {StatusCode::RESOURCE_EXHAUSTED, "SIZE_LIMIT"};
    case ResultCode::kAuthMethodNotSupported:
    case ResultCode::kUnavailableCriticalExtension:
      return {StatusCode::UNIMPLEMENTED, "CONTROL_NOT_SUPPORTED"};
    case ResultCode::kStrongerAuthRequired:
    case ResultCode::kConfidentialityRequired:
      return {StatusCode::FAILED_PRECONDITION, "CONFIDENTIALITY_REQUIRED"};
    case ResultCode::kReferral: return {StatusCode::FAILED_PRECONDITION, "REFERRAL"};
    case ResultCode::kSaslBindInProgress:
      return {StatusCode::FAILED_PRECONDITION, "BIND_IN_PROGRESS"};
    case ResultCode::kNoSuchAttribute:
    case ResultCode::kNoSuchObject: return {StatusCode::NOT_FOUND, "NO_SUCH_OBJECT"};
    case ResultCode::kUndefinedAttributeType:
    case ResultCode::kInappropriateMatching:
    case ResultCode::kNamingViolation:
    case ResultCode::kObjectClassViolation:
    case ResultCode::kObjectClassModsProhibited:
      return {StatusCode::INVALID_ARGUMENT, "SCHEMA_VIOLATION"};
    case ResultCode::kConstraintViolation:
      return {StatusCode::FAILED_PRECONDITION, "CONSTRAINT_VIOLATION"};
    case ResultCode::kAttributeOrValueExists:
    case ResultCode::kEntryAlreadyExists: return {StatusCode::ALREADY_EXISTS, "ALREADY_EXISTS"};
    case ResultCode::kAliasProblem:
    case ResultCode::kAliasDereferencingProblem:
    case ResultCode::kLoopDetect: return {StatusCode::FAILED_PRECONDITION, "ALIAS_PROBLEM"};
    case ResultCode::kInappropriateAuthentication:
    case ResultCode::kInvalidCredentials:
      return {StatusCode::UNAUTHENTICATED, "INVALID_CREDENTIALS"};
    case ResultCode::kInsufficientAccessRights:
      return {StatusCode::PERMISSION_DENIED, "ACCESS_DENIED"};
    case ResultCode::kBusy:
    case ResultCode::kUnavailable: return {StatusCode::UNAVAILABLE, "BUSY"};
    case ResultCode::kUnwillingToPerform:
    case ResultCode::kNotAllowedOnNonLeaf:
    case ResultCode::kNotAllowedOnRdn:
    case ResultCode::kNoSuchOperation:
    case ResultCode::kTooLate:
    case ResultCode::kCannotCancel: return {StatusCode::FAILED_PRECONDITION, "UNWILLING"};
    case ResultCode::kAffectsMultipleDsas: return {StatusCode::UNIMPLEMENTED, "MULTIPLE_DSAS"};
    case ResultCode::kCanceled: return {StatusCode::CANCELLED, "CANCELED"};
    case ResultCode::kAssertionFailed: return {StatusCode::ABORTED, "ETAG_MISMATCH"};
  }
  return {StatusCode::INTERNAL, "OPERATIONS_ERROR"};
}

grpc::Status ToGrpcStatus(const model::Error& error, const ErrorContext& context) {
  StatusClass kind = ClassifyResult(error.code);
  if (kind.code == grpc::StatusCode::OK) return grpc::Status::OK;
  if (context.sets_password && error.code == ResultCode::kConstraintViolation) {
    kind.code = grpc::StatusCode::INVALID_ARGUMENT;
  }
  std::string text = PrintableText(error.message, kMaxMessageBytes);
  if (text.empty()) text = std::string(model::ResultCodeName(error.code));

  google::rpc::Status status;
  status.set_code(static_cast<int>(kind.code));
  status.set_message(text);
  AddDetail(MakeErrorInfo(error, kind.reason, PrintableText(error.matched_dn, kMaxNameBytes)),
            &status);
  AddDetailOfKind(kind, context, text, &status);
  return grpc::Status(kind.code, text, status.SerializeAsString());
}

model::Error FromGrpcStatus(const grpc::Status& status) {
  model::Error error;
  error.code = ResultOfStatusCode(status.error_code());
  error.message = status.error_message();
  google::rpc::Status details;
  if (!details.ParseFromString(status.error_details())) return error;
  for (const auto& detail : details.details()) {
    google::rpc::ErrorInfo info;
    if (detail.UnpackTo(&info)) ReadErrorInfo(info, &error);
  }
  return error;
}

std::string PrintableText(std::string_view text, std::size_t max_bytes) {
  std::string printable;
  while (!text.empty()) {
    const std::size_t length = Utf8SequenceLength(text);
    if (printable.size() + (length == 0 ? 1 : length) > max_bytes) break;
    if (length == 0) {
      printable.push_back('?');
      text.remove_prefix(1);
    } else {
      printable.append(text.substr(0, length));
      text.remove_prefix(length);
    }
  }
  return printable;
}

}  // namespace twintree::rpc
