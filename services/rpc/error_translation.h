// The one place where LDAP results become gRPC statuses, and back.
//
//   OK                    0 success, 5 compareFalse, 6 compareTrue
//   every other result    the status code and reason of ClassifyResult()
//
// A status carries a google.rpc.Status in its details: ErrorInfo (reason, domain, metadata
// ldap_result_code, ldap_result_name, matched_dn), and by kind of status BadRequest,
// PreconditionFailure, QuotaFailure, ResourceInfo or RetryInfo.
//
// Texts are cut so that the trailers stay below 8 KiB, which is what clients accept.
#ifndef TWINTREE_SERVICES_RPC_ERROR_TRANSLATION_H_
#define TWINTREE_SERVICES_RPC_ERROR_TRANSLATION_H_

#include <grpcpp/support/status.h>

#include <string>
#include <string_view>

#include "services/model/result.h"

namespace twintree::rpc {

inline constexpr char kErrorDomain[] = "twintree.directory.v1.DirectoryService";

struct StatusClass {
  grpc::StatusCode code;
  const char* reason;  // UPPER_SNAKE_CASE
};

// What a result is on the gRPC side. Codes outside the enumeration are kOther's.
StatusClass ClassifyResult(model::ResultCode code);

// What the request was about; goes into the details.
struct ErrorContext {
  std::string_view dn;     // the entry; may be empty
  std::string_view field;  // the request's field to blame for INVALID_ARGUMENT, e.g. "entry"
  // A constraint violation is the caller's choice of password: INVALID_ARGUMENT.
  bool sets_password = false;
};

grpc::Status ToGrpcStatus(const model::Error& error, const ErrorContext& context = {});

// The error a status of DirectoryService stands for. Without details of ours the code follows from
// the status code. REQUIRES: !status.ok()
model::Error FromGrpcStatus(const grpc::Status& status);

// `text` as valid UTF-8 of at most `max_bytes`: other octets become '?'.
std::string PrintableText(std::string_view text, std::size_t max_bytes);

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_ERROR_TRANSLATION_H_
