#include "services/model/result.h"

namespace twintree::model {

std::string_view ResultCodeName(ResultCode code) {
  switch (code) {
    case ResultCode::kSuccess: return "success";
    case ResultCode::kOperationsError: return "operationsError";
    case ResultCode::kProtocolError: return "protocolError";
    case ResultCode::kTimeLimitExceeded: return "timeLimitExceeded";
    case ResultCode::kSizeLimitExceeded: return "sizeLimitExceeded";
    case ResultCode::kCompareFalse: return "compareFalse";
    case ResultCode::kCompareTrue: return "compareTrue";
    case ResultCode::kAuthMethodNotSupported: return "authMethodNotSupported";
    case ResultCode::kStrongerAuthRequired: return "strongerAuthRequired";
    case ResultCode::kReferral: return "referral";
    case ResultCode::kAdminLimitExceeded: return "adminLimitExceeded";
    case ResultCode::kUnavailableCriticalExtension: return "unavailableCriticalExtension";
    case ResultCode::kConfidentialityRequired: return "confidentialityRequired";
    case ResultCode::kSaslBindInProgress: return "saslBindInProgress";
    case ResultCode::kNoSuchAttribute: return "noSuchAttribute";
    case ResultCode::kUndefinedAttributeType: return "undefinedAttributeType";
    case ResultCode::kInappropriateMatching: return "inappropriateMatching";
    case ResultCode::kConstraintViolation: return "constraintViolation";
    case ResultCode::kAttributeOrValueExists: return "attributeOrValueExists";
    case ResultCode::kInvalidAttributeSyntax: return "invalidAttributeSyntax";
    case ResultCode::kNoSuchObject: return "noSuchObject";
    case ResultCode::kAliasProblem: return "aliasProblem";
    case ResultCode::kInvalidDnSyntax: return "invalidDNSyntax";
    case ResultCode::kAliasDereferencingProblem: return "aliasDereferencingProblem";
    case ResultCode::kInappropriateAuthentication: return "inappropriateAuthentication";
    case ResultCode::kInvalidCredentials: return "invalidCredentials";
    case ResultCode::kInsufficientAccessRights: return "insufficientAccessRights";
    case ResultCode::kBusy: return "busy";
    case ResultCode::kUnavailable: return "unavailable";
    case ResultCode::kUnwillingToPerform: return "unwillingToPerform";
    case ResultCode::kLoopDetect: return "loopDetect";
    case ResultCode::kNamingViolation: return "namingViolation";
    case ResultCode::kObjectClassViolation: return "objectClassViolation";
    case ResultCode::kNotAllowedOnNonLeaf: return "notAllowedOnNonLeaf";
    case ResultCode::kNotAllowedOnRdn: return "notAllowedOnRDN";
    case ResultCode::kEntryAlreadyExists: return "entryAlreadyExists";
    case ResultCode::kObjectClassModsProhibited: return "objectClassModsProhibited";
    case ResultCode::kAffectsMultipleDsas: return "affectsMultipleDSAs";
    case ResultCode::kOther: return "other";
    case ResultCode::kCanceled: return "canceled";
    case ResultCode::kNoSuchOperation: return "noSuchOperation";
    case ResultCode::kTooLate: return "tooLate";
    case ResultCode::kCannotCancel: return "cannotCancel";
    case ResultCode::kAssertionFailed: return "assertionFailed";
  }
  return "unknown";
}

}  // namespace twintree::model
