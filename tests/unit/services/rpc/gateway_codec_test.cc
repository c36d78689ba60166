#include "services/rpc/gateway_codec.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "services/model/filter.h"

namespace twintree::rpc {
namespace {

using directory::RequestContext;
using directory::Subject;
using model::ResultCode;
using std::chrono::steady_clock;

// A message after the wire.
template <typename Message>
Message Sent(const Message& message) {
  Message received;
  EXPECT_TRUE(received.ParseFromString(message.SerializeAsString()));
  return received;
}

template <typename Request>
gateway_pb::Operation SentRequest(const Request& request) {
  gateway_pb::Operation operation;
  EncodeRequest(request, &operation);
  return Sent(operation);
}

const std::string kOctets("\x00\xff\x80not UTF-8", 12);

directory::Controls AllControls() {
  directory::Controls controls;
  controls.assertion = std::make_shared<model::Filter>(*model::Filter::Parse("(cn=a)"));
  controls.paged = directory::PagedResults{7, kOctets};
  controls.pre_read = directory::ReadEntry{{"cn", kOctets}};
  controls.post_read = directory::ReadEntry{{"*"}};
  controls.manage_dsa_it = true;
  return controls;
}

void ExpectAllControls(const directory::Controls& controls) {
  ASSERT_NE(controls.assertion, nullptr);
  EXPECT_EQ(controls.assertion->ToString(), "(cn=a)");
  ASSERT_TRUE(controls.paged.has_value());
  EXPECT_EQ(controls.paged->size, 7u);
  EXPECT_EQ(controls.paged->cookie, kOctets);
  ASSERT_TRUE(controls.pre_read.has_value());
  EXPECT_EQ(controls.pre_read->attributes, (std::vector<std::string>{"cn", kOctets}));
  ASSERT_TRUE(controls.post_read.has_value());
  EXPECT_EQ(controls.post_read->attributes, std::vector<std::string>{"*"});
  EXPECT_TRUE(controls.manage_dsa_it);
}

TEST(GatewayCodecTest, CarriesSubjectAndTimeLeft) {
  const auto now = steady_clock::now();
  RequestContext context;
  context.subject = {Subject::Kind::kRoot, kOctets, "key"};
  context.deadline = now + std::chrono::milliseconds(1500);
  context.client = 7;
  gateway_pb::Operation operation;
  EncodeContext(context, now, &operation);
  operation = Sent(operation);
  const auto later = now + std::chrono::hours(1);
  const RequestContext decoded = DecodeContext(&operation, later);
  EXPECT_EQ(decoded.subject.kind, Subject::Kind::kRoot);
  EXPECT_EQ(decoded.subject.dn, kOctets);
  EXPECT_EQ(decoded.subject.dn_key, "key");
  EXPECT_EQ(decoded.deadline, later + std::chrono::milliseconds(1500));
  EXPECT_EQ(operation.client(), 7u);
}

TEST(GatewayCodecTest, NoDeadlineStaysNoDeadline) {
  gateway_pb::Operation operation;
  EncodeContext({}, steady_clock::now(), &operation);
  EXPECT_EQ(DecodeContext(&operation, steady_clock::now()).deadline,
            steady_clock::time_point::max());
  operation.set_timeout_micros(~std::uint64_t{0});
  EXPECT_EQ(DecodeContext(&operation, steady_clock::now()).deadline,
            steady_clock::time_point::max());
}

TEST(GatewayCodecTest, APassedDeadlineStaysPassed) {
  const auto now = steady_clock::now();
  RequestContext context;
  context.deadline = now - std::chrono::seconds(5);
  gateway_pb::Operation operation;
  EncodeContext(context, now, &operation);
  EXPECT_EQ(DecodeContext(&operation, now).deadline, now + std::chrono::microseconds(1));
}

TEST(GatewayCodecTest, AnUnknownKindOfSubjectIsNobody) {
  gateway_pb::Operation operation;
  operation.mutable_subject()->set_dn("cn=root");
  operation.mutable_subject()->set_kind(static_cast<gateway_pb::Subject::Kind>(17));
  const Subject subject = DecodeContext(&operation, steady_clock::now()).subject;
  EXPECT_TRUE(subject.anonymous());
  EXPECT_EQ(subject.dn, "");
}

TEST(GatewayCodecTest, CarriesBind) {
  auto operation = SentRequest(directory::BindRequest{"cn=a", model::Secret(kOctets)});
  ASSERT_TRUE(operation.has_bind());
  const auto request = DecodeBind(&operation);
  EXPECT_EQ(request.dn, "cn=a");
  EXPECT_EQ(request.password.Reveal(), kOctets);
}

TEST(GatewayCodecTest, CarriesSearch) {
  directory::SearchRequest request;
  request.base = kOctets;
  request.scope = directory::Scope::kSubordinate;
  request.deref = directory::DerefAliases::kAlways;
  request.size_limit = 5;
  request.time_limit = std::chrono::seconds(6);
  request.types_only = true;
  request.filter = std::make_shared<model::Filter>(*model::Filter::Parse("(|(a=b)(!(c=*d*)))"));
  request.attributes = {"cn", "+"};
  request.controls = AllControls();
  auto operation = SentRequest(request);
  const auto decoded = DecodeSearch(&operation);
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(decoded->base, kOctets);
  EXPECT_EQ(decoded->scope, directory::Scope::kSubordinate);
  EXPECT_EQ(decoded->deref, directory::DerefAliases::kAlways);
  EXPECT_EQ(decoded->size_limit, 5u);
  EXPECT_EQ(decoded->time_limit, std::chrono::seconds(6));
  EXPECT_TRUE(decoded->types_only);
  EXPECT_EQ(decoded->filter->ToString(), "(|(a=b)(!(c=*d*)))");
  EXPECT_EQ(decoded->attributes, (std::vector<std::string>{"cn", "+"}));
  ExpectAllControls(decoded->controls);
}

TEST(GatewayCodecTest, CarriesEveryScopeAndDereference) {
  for (const int number : {0, 1, 2, 3}) {
    directory::SearchRequest request;
    request.scope = static_cast<directory::Scope>(number);
    request.deref = static_cast<directory::DerefAliases>(number);
    request.filter = std::make_shared<model::Filter>(model::PresentFilter("cn"));
    auto operation = SentRequest(request);
    const auto decoded = DecodeSearch(&operation);
    ASSERT_TRUE(decoded.ok());
    EXPECT_EQ(decoded->scope, request.scope);
    EXPECT_EQ(decoded->deref, request.deref);
  }
}

TEST(GatewayCodecTest, SendsDoorAttributesOnlyForTheRootDse) {
  directory::SearchRequest request;
  request.filter = std::make_shared<model::Filter>(model::PresentFilter("cn"));
  request.door_attributes = std::make_shared<const std::vector<model::RawAttribute>>(
      std::vector<model::RawAttribute>{{"supportedControl", {"1.2.3", "1.2.4"}}});
  auto operation = SentRequest(request);
  const auto decoded = DecodeSearch(&operation);
  ASSERT_TRUE(decoded.ok());
  ASSERT_NE(decoded->door_attributes, nullptr);
  EXPECT_EQ(decoded->door_attributes->at(0).values, (std::vector<std::string>{"1.2.3", "1.2.4"}));
  request.base = "dc=example";
  EXPECT_EQ(SentRequest(request).search().door_attributes_size(), 0);
}

TEST(GatewayCodecTest, CarriesAFilterOfAnyLegalDepth) {
  std::string text = "(cn=a)";
  for (int depth = 0; depth < 200; ++depth) text = "(!" + text + ")";
  directory::SearchRequest request;
  request.filter = std::make_shared<model::Filter>(*model::Filter::Parse(text));
  auto operation = SentRequest(request);
  const auto decoded = DecodeSearch(&operation);
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(decoded->filter->ToString(), text);
}

TEST(GatewayCodecTest, RefusesABrokenFilterAndUnknownEnumerators) {
  gateway_pb::Operation operation;
  operation.mutable_search()->set_scope(gateway_pb::Search::SCOPE_BASE);
  operation.mutable_search()->set_deref(gateway_pb::Search::DEREF_NEVER);
  operation.mutable_search()->set_filter("\x01");
  EXPECT_EQ(DecodeSearch(&operation).code(), ResultCode::kProtocolError);
  operation.mutable_search()->set_scope(gateway_pb::Search::SCOPE_UNSPECIFIED);
  EXPECT_EQ(DecodeSearch(&operation).code(), ResultCode::kProtocolError);
  operation.mutable_modify()->add_modifications();
  EXPECT_EQ(DecodeModify(&operation).code(), ResultCode::kProtocolError);
}

TEST(GatewayCodecTest, CarriesCompare) {
  auto operation = SentRequest(directory::CompareRequest{"cn=a", "sn", kOctets, AllControls()});
  const auto decoded = DecodeCompare(&operation);
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(decoded->dn, "cn=a");
  EXPECT_EQ(decoded->attribute, "sn");
  EXPECT_EQ(decoded->value, kOctets);
  ExpectAllControls(decoded->controls);
}

TEST(GatewayCodecTest, CarriesAdd) {
  auto operation = SentRequest(
      directory::AddRequest{kOctets, {{"cn", {"a", kOctets}}, {"empty", {}}}, AllControls()});
  const auto decoded = DecodeAdd(&operation);
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(decoded->dn, kOctets);
  ASSERT_EQ(decoded->attributes.size(), 2u);
  EXPECT_EQ(decoded->attributes[0].description, "cn");
  EXPECT_EQ(decoded->attributes[0].values, (std::vector<std::string>{"a", kOctets}));
  EXPECT_TRUE(decoded->attributes[1].values.empty());
  ExpectAllControls(decoded->controls);
}

TEST(GatewayCodecTest, CarriesModifyOfEveryKind) {
  directory::ModifyRequest request{"cn=a", {}, AllControls()};
  for (const int kind : {0, 1, 2, 3}) {
    request.modifications.push_back(
        {static_cast<model::ModificationKind>(kind), {"x", {std::to_string(kind)}}});
  }
  auto operation = SentRequest(request);
  const auto decoded = DecodeModify(&operation);
  ASSERT_TRUE(decoded.ok());
  ASSERT_EQ(decoded->modifications.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(decoded->modifications[i].kind, request.modifications[i].kind);
    EXPECT_EQ(decoded->modifications[i].attribute.values, std::vector{std::to_string(i)});
  }
  ExpectAllControls(decoded->controls);
}

TEST(GatewayCodecTest, CarriesDelete) {
  auto operation = SentRequest(directory::DeleteRequest{"cn=a", AllControls()});
  ASSERT_TRUE(operation.has_delete_());
  const auto decoded = DecodeDelete(&operation);
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(decoded->dn, "cn=a");
  ExpectAllControls(decoded->controls);
}

TEST(GatewayCodecTest, CarriesModifyDn) {
  auto operation = SentRequest(directory::ModifyDnRequest{"cn=a", "cn=b", true, "", AllControls()});
  const auto decoded = DecodeModifyDn(&operation);
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(decoded->new_rdn, "cn=b");
  EXPECT_TRUE(decoded->delete_old_rdn);
  EXPECT_EQ(decoded->new_superior, "");
  operation = SentRequest(directory::ModifyDnRequest{"cn=a", "cn=b", false, std::nullopt, {}});
  EXPECT_EQ(DecodeModifyDn(&operation)->new_superior, std::nullopt);
}

TEST(GatewayCodecTest, CarriesModifyPassword) {
  auto operation = SentRequest(
      directory::ModifyPasswordRequest{"cn=a", model::Secret(kOctets), model::Secret("")});
  auto decoded = DecodeModifyPassword(&operation);
  EXPECT_EQ(decoded.user, "cn=a");
  EXPECT_EQ(decoded.old_password->Reveal(), kOctets);
  ASSERT_TRUE(decoded.new_password.has_value());
  EXPECT_EQ(decoded.new_password->Reveal(), "");
  operation = SentRequest(directory::ModifyPasswordRequest{});
  decoded = DecodeModifyPassword(&operation);
  EXPECT_FALSE(decoded.old_password.has_value());
  EXPECT_FALSE(decoded.new_password.has_value());
}

TEST(GatewayCodecTest, CarriesABindOutcome) {
  gateway_pb::Outcome message;
  EncodeOutcome(
      directory::BindOutcome{ResultCode::kSuccess, "d", {Subject::Kind::kUser, "cn=a", "cn=a"}},
      &message);
  message = Sent(message);
  const auto outcome = DecodeBindOutcome(&message);
  EXPECT_EQ(outcome.code, ResultCode::kSuccess);
  EXPECT_EQ(outcome.diagnostic, "d");
  EXPECT_EQ(outcome.subject.kind, Subject::Kind::kUser);
  EXPECT_EQ(outcome.subject.dn, "cn=a");
}

TEST(GatewayCodecTest, AFailedBindIsAnonymous) {
  gateway_pb::Outcome message;
  EncodeOutcome(
      directory::BindOutcome{
          ResultCode::kInvalidCredentials, "", {Subject::Kind::kRoot, "cn=a", "cn=a"}},
      &message);
  EXPECT_TRUE(DecodeBindOutcome(&message).subject.anonymous());
}

TEST(GatewayCodecTest, CarriesASearchOutcome) {
  gateway_pb::Outcome message;
  EncodeOutcome(directory::SearchOutcome{ResultCode::kSizeLimitExceeded, "m", kOctets, 9,
                                         directory::PagedResults{3, kOctets}},
                &message);
  message = Sent(message);
  const auto outcome = DecodeSearchOutcome(&message);
  EXPECT_EQ(outcome.code, ResultCode::kSizeLimitExceeded);
  EXPECT_EQ(outcome.matched_dn, "m");
  EXPECT_EQ(outcome.diagnostic, kOctets);
  EXPECT_EQ(outcome.entries, 9u);
  ASSERT_TRUE(outcome.paged.has_value());
  EXPECT_EQ(outcome.paged->size, 3u);
  EXPECT_EQ(outcome.paged->cookie, kOctets);
}

TEST(GatewayCodecTest, CarriesAnOutcome) {
  directory::Outcome sent;
  sent.code = ResultCode::kNoSuchObject;
  sent.matched_dn = "dc=b";
  sent.diagnostic = kOctets;
  sent.change_number = ~std::uint64_t{0};
  sent.pre_read = directory::ReadEntryResult{"cn=a", kOctets};
  sent.post_read = directory::ReadEntryResult{"cn=b", ""};
  sent.generated_password = model::Secret("x");
  gateway_pb::Outcome message;
  EncodeOutcome(sent, &message);
  message = Sent(message);
  const auto outcome = DecodeOutcome(&message);
  EXPECT_EQ(outcome.code, sent.code);
  EXPECT_EQ(outcome.matched_dn, sent.matched_dn);
  EXPECT_EQ(outcome.diagnostic, sent.diagnostic);
  EXPECT_EQ(outcome.change_number, sent.change_number);
  ASSERT_TRUE(outcome.pre_read && outcome.post_read && outcome.generated_password);
  EXPECT_EQ(outcome.pre_read->attributes, kOctets);
  EXPECT_EQ(outcome.post_read->dn, "cn=b");
  EXPECT_EQ(outcome.generated_password->Reveal(), "x");
}

TEST(GatewayCodecTest, CarriesEveryResultCode) {
  for (int number = 0; number < 200; ++number) {
    directory::Outcome sent;
    sent.code = static_cast<ResultCode>(number);
    gateway_pb::Outcome message;
    EncodeOutcome(sent, &message);
    message = Sent(message);
    EXPECT_EQ(DecodeOutcome(&message).code, sent.code);
  }
}

}  // namespace
}  // namespace twintree::rpc
