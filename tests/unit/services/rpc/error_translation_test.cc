#include "services/rpc/error_translation.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"

namespace twintree::rpc {
namespace {

using grpc::StatusCode;
using model::ResultCode;

// Every code of the enumeration: those that have a name.
std::vector<ResultCode> AllCodes() {
  std::vector<ResultCode> codes;
  for (int number = 0; number < 1000; ++number) {
    const auto code = static_cast<ResultCode>(number);
    if (model::ResultCodeName(code) != "unknown") codes.push_back(code);
  }
  return codes;
}

google::rpc::Status DetailsOf(const grpc::Status& status) {
  google::rpc::Status details;
  EXPECT_TRUE(details.ParseFromString(status.error_details()));
  return details;
}

template <typename Detail>
std::vector<Detail> DetailsOfType(const grpc::Status& status) {
  std::vector<Detail> found;
  const google::rpc::Status details = DetailsOf(status);
  for (const auto& any : details.details()) {
    Detail detail;
    if (any.UnpackTo(&detail)) found.push_back(detail);
  }
  return found;
}

TEST(ErrorTranslationTest, KnowsEveryCodeByName) { EXPECT_EQ(AllCodes().size(), 44u); }

TEST(ErrorTranslationTest, EveryCodeComesBack) {
  for (const ResultCode code : AllCodes()) {
    const grpc::Status status = ToGrpcStatus({code, "why", "dc=example"});
    if (ClassifyResult(code).code == StatusCode::OK) {
      EXPECT_TRUE(status.ok());
      continue;
    }
    const model::Error back = FromGrpcStatus(status);
    EXPECT_EQ(back.code, code) << model::ResultCodeName(code);
    EXPECT_EQ(back.message, "why");
    EXPECT_EQ(back.matched_dn, "dc=example");
  }
}

TEST(ErrorTranslationTest, EveryErrorHasOneErrorInfoAndNoDetailTwice) {
  for (const ResultCode code : AllCodes()) {
    const StatusClass kind = ClassifyResult(code);
    if (kind.code == StatusCode::OK) continue;
    const grpc::Status status = ToGrpcStatus({code, "", ""});
    const auto infos = DetailsOfType<google::rpc::ErrorInfo>(status);
    ASSERT_EQ(infos.size(), 1u);
    EXPECT_EQ(infos[0].reason(), kind.reason);
    EXPECT_EQ(infos[0].domain(), kErrorDomain);
    EXPECT_EQ(infos[0].metadata().at("ldap_result_code"), std::to_string(static_cast<int>(code)));
    std::set<std::string> types;
    const google::rpc::Status details = DetailsOf(status);
    for (const auto& any : details.details()) {
      EXPECT_TRUE(types.insert(any.type_url()).second) << any.type_url();
    }
  }
}

TEST(ErrorTranslationTest, FollowsTheTable) {
  const std::map<int, std::pair<StatusCode, std::string>> table = {
      {1, {StatusCode::INTERNAL, "OPERATIONS_ERROR"}},
      {80, {StatusCode::INTERNAL, "OPERATIONS_ERROR"}},
      {2, {StatusCode::INVALID_ARGUMENT, "INVALID_SYNTAX"}},
      {21, {StatusCode::INVALID_ARGUMENT, "INVALID_SYNTAX"}},
      {34, {StatusCode::INVALID_ARGUMENT, "INVALID_SYNTAX"}},
      {3, {StatusCode::DEADLINE_EXCEEDED, "TIME_LIMIT"}},
      {4, {StatusCode::RESOURCE_EXHAUSTED, "SIZE_LIMIT"}},
      {11, {StatusCode::RESOURCE_EXHAUSTED, "SIZE_LIMIT"}},
      {7, {StatusCode::UNIMPLEMENTED, "CONTROL_NOT_SUPPORTED"}},
      {12, {StatusCode::UNIMPLEMENTED, "CONTROL_NOT_SUPPORTED"}},
      {8, {StatusCode::FAILED_PRECONDITION, "CONFIDENTIALITY_REQUIRED"}},
      {13, {StatusCode::FAILED_PRECONDITION, "CONFIDENTIALITY_REQUIRED"}},
      {16, {StatusCode::NOT_FOUND, "NO_SUCH_OBJECT"}},
      {32, {StatusCode::NOT_FOUND, "NO_SUCH_OBJECT"}},
      {17, {StatusCode::INVALID_ARGUMENT, "SCHEMA_VIOLATION"}},
      {65, {StatusCode::INVALID_ARGUMENT, "SCHEMA_VIOLATION"}},
      {69, {StatusCode::INVALID_ARGUMENT, "SCHEMA_VIOLATION"}},
      {19, {StatusCode::FAILED_PRECONDITION, "CONSTRAINT_VIOLATION"}},
      {20, {StatusCode::ALREADY_EXISTS, "ALREADY_EXISTS"}},
      {68, {StatusCode::ALREADY_EXISTS, "ALREADY_EXISTS"}},
      {49, {StatusCode::UNAUTHENTICATED, "INVALID_CREDENTIALS"}},
      {50, {StatusCode::PERMISSION_DENIED, "ACCESS_DENIED"}},
      {51, {StatusCode::UNAVAILABLE, "BUSY"}},
      {52, {StatusCode::UNAVAILABLE, "BUSY"}},
      {53, {StatusCode::FAILED_PRECONDITION, "UNWILLING"}},
      {66, {StatusCode::FAILED_PRECONDITION, "UNWILLING"}},
      {67, {StatusCode::FAILED_PRECONDITION, "UNWILLING"}},
      {71, {StatusCode::UNIMPLEMENTED, "MULTIPLE_DSAS"}},
      {118, {StatusCode::CANCELLED, "CANCELED"}},
      {122, {StatusCode::ABORTED, "ETAG_MISMATCH"}},
  };
  for (const auto& [number, expected] : table) {
    const StatusClass kind = ClassifyResult(static_cast<ResultCode>(number));
    EXPECT_EQ(kind.code, expected.first) << number;
    EXPECT_EQ(kind.reason, expected.second) << number;
  }
}

TEST(ErrorTranslationTest, NamesTheFieldOfAnInvalidArgument) {
  const auto status = ToGrpcStatus({ResultCode::kInvalidDnSyntax, "bad name", ""}, {"x", "dn"});
  const auto details = DetailsOfType<google::rpc::BadRequest>(status);
  ASSERT_EQ(details.size(), 1u);
  ASSERT_EQ(details[0].field_violations_size(), 1);
  EXPECT_EQ(details[0].field_violations(0).field(), "dn");
  EXPECT_EQ(details[0].field_violations(0).description(), "bad name");
}

TEST(ErrorTranslationTest, NamesTheMissingEntry) {
  const auto status = ToGrpcStatus({ResultCode::kNoSuchObject, "", ""}, {"cn=a,dc=b", "dn"});
  const auto details = DetailsOfType<google::rpc::ResourceInfo>(status);
  ASSERT_EQ(details.size(), 1u);
  EXPECT_EQ(details[0].resource_name(), "cn=a,dc=b");
}

TEST(ErrorTranslationTest, TellsWhenToTryAgain) {
  const auto details =
      DetailsOfType<google::rpc::RetryInfo>(ToGrpcStatus({ResultCode::kBusy, "", ""}));
  ASSERT_EQ(details.size(), 1u);
  EXPECT_GT(details[0].retry_delay().nanos(), 0);
}

TEST(ErrorTranslationTest, TellsTheConditionAndTheQuota) {
  const auto unwilling = DetailsOfType<google::rpc::PreconditionFailure>(
      ToGrpcStatus({ResultCode::kNotAllowedOnNonLeaf, "", ""}, {"cn=a", "dn"}));
  ASSERT_EQ(unwilling.size(), 1u);
  EXPECT_EQ(unwilling[0].violations(0).subject(), "cn=a");
  const auto quota = DetailsOfType<google::rpc::QuotaFailure>(
      ToGrpcStatus({ResultCode::kAdminLimitExceeded, "too much", ""}));
  ASSERT_EQ(quota.size(), 1u);
  EXPECT_EQ(quota[0].violations(0).description(), "too much");
}

TEST(ErrorTranslationTest, ABadPasswordIsAnInvalidArgument) {
  const model::Error error{ResultCode::kConstraintViolation, "too short", ""};
  EXPECT_EQ(ToGrpcStatus(error, {"", "new_password", true}).error_code(),
            StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(ToGrpcStatus(error).error_code(), StatusCode::FAILED_PRECONDITION);
}

TEST(ErrorTranslationTest, TrailersStayBelowEightKibibytes) {
  const std::string endless(100000, '\xff');
  const auto status = ToGrpcStatus({ResultCode::kNoSuchObject, endless, endless}, {endless, "dn"});
  // The message is percent-encoded on the wire.
  EXPECT_LT(status.error_message().size() * 3 + status.error_details().size() * 4 / 3, 8000u);
  EXPECT_EQ(status.error_message(), std::string(512, '?'));
}

TEST(ErrorTranslationTest, UnderstandsStatusesOfOthers) {
  EXPECT_EQ(FromGrpcStatus({StatusCode::UNAVAILABLE, "refused"}).code, ResultCode::kUnavailable);
  EXPECT_EQ(FromGrpcStatus({StatusCode::DEADLINE_EXCEEDED, ""}).code,
            ResultCode::kTimeLimitExceeded);
  EXPECT_EQ(FromGrpcStatus({StatusCode::UNKNOWN, ""}).code, ResultCode::kOther);
  EXPECT_EQ(FromGrpcStatus({StatusCode::NOT_FOUND, "", "no protobuf \xff"}).code,
            ResultCode::kNoSuchObject);
}

TEST(PrintableTextTest, KeepsUtf8AndReplacesTheRest) {
  EXPECT_EQ(PrintableText("Gr\xc3\xbc\xc3\x9f", 100), "Gr\xc3\xbc\xc3\x9f");
  EXPECT_EQ(PrintableText("a\xff \xc3z\xed\xa0\x80", 100), "a? ?z???");
}

TEST(PrintableTextTest, CutsBetweenCharacters) {
  EXPECT_EQ(PrintableText("ab\xc3\xbc", 3), "ab");
  EXPECT_EQ(PrintableText("ab\xc3\xbc", 4), "ab\xc3\xbc");
}

}  // namespace
}  // namespace twintree::rpc
