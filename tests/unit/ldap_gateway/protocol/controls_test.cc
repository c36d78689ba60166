#include "ldap_gateway/protocol/controls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ldap_gateway/protocol/oids.h"
#include "tests/unit/ldap_gateway/protocol/golden.h"
#include "tests/unit/ldap_gateway/testing/messages.h"

namespace twintree::ldap {
namespace {

using model::ResultCode;
using testing::Control;
using ::testing::ElementsAre;
using testing::Octets;

ResultCode CodeOf(std::string_view controls, OperationKind kind) {
  return DecodeControls(controls, kind).code();
}

auto Golden(const std::string& message) {
  const Envelope envelope = DecodeEnvelope(message).value();
  return DecodeControls(*envelope.controls, envelope.kind);
}

TEST(ControlsTest, DecodesPagedResults) {
  const auto controls = Golden(Octets(testing::golden::kPagedSearch));
  ASSERT_TRUE(controls.ok());
  ASSERT_TRUE(controls->paged_results.has_value());
  EXPECT_EQ(controls->paged_results->size, 2u);
  EXPECT_EQ(controls->paged_results->cookie, "");
}

TEST(ControlsTest, DecodesAssertionAndManageDsaIt) {
  const auto controls = Golden(Octets(testing::golden::kDeleteAsserted));
  ASSERT_TRUE(controls.ok());
  ASSERT_NE(controls->assertion, nullptr);
  EXPECT_EQ(controls->assertion->ToString(), "(sn=x)");
  EXPECT_TRUE(controls->manage_dsa_it);
}

TEST(ControlsTest, DecodesReadEntry) {
  const auto controls = Golden(Octets(testing::golden::kModifyReadEntry));
  ASSERT_TRUE(controls.ok());
  EXPECT_THAT(controls->pre_read.value(), ElementsAre("cn", "sn"));
  EXPECT_THAT(controls->post_read.value(), ElementsAre("*"));
}

TEST(ControlsTest, UnknownOnesMatterOnlyWhenCritical) {
  EXPECT_EQ(CodeOf(Control("1.2.3.4"), OperationKind::kSearch), ResultCode::kSuccess);
  EXPECT_EQ(CodeOf(Control("1.2.3.4", false, Octets("30030101ff")), OperationKind::kSearch),
            ResultCode::kSuccess);
  EXPECT_EQ(CodeOf(Control("1.2.3.4", true), OperationKind::kSearch),
            ResultCode::kUnavailableCriticalExtension);
  EXPECT_EQ(CodeOf(Control("1.2.3.4") + Control("1.2.3.5", true), OperationKind::kDelete),
            ResultCode::kUnavailableCriticalExtension);
}

TEST(ControlsTest, KnownOnesAreUnknownToOtherOperations) {
  const std::string value = testing::PagedValue(2, "");
  EXPECT_EQ(CodeOf(Control(oid::kPagedResults, true, value), OperationKind::kModify),
            ResultCode::kUnavailableCriticalExtension);
  EXPECT_EQ(CodeOf(Control(oid::kPagedResults, false, value), OperationKind::kModify),
            ResultCode::kSuccess);
  EXPECT_EQ(CodeOf(Control(oid::kPreRead, true, Octets("3000")), OperationKind::kAdd),
            ResultCode::kUnavailableCriticalExtension);
  EXPECT_EQ(CodeOf(Control(oid::kPostRead, true, Octets("3000")), OperationKind::kDelete),
            ResultCode::kUnavailableCriticalExtension);
  EXPECT_EQ(CodeOf(Control(oid::kManageDsaIt, true), OperationKind::kBind),
            ResultCode::kUnavailableCriticalExtension);
}

TEST(ControlsTest, RefusesMalformedValues) {
  const auto search = OperationKind::kSearch;
  EXPECT_EQ(CodeOf(Control(oid::kPagedResults), search), ResultCode::kProtocolError);
  EXPECT_EQ(CodeOf(Control(oid::kPagedResults, false, "x"), search), ResultCode::kProtocolError);
  EXPECT_EQ(CodeOf(Control(oid::kPagedResults, false, testing::PagedValue(-1, "")), search),
            ResultCode::kProtocolError);
  EXPECT_EQ(CodeOf(Control(oid::kAssertion, true), search), ResultCode::kProtocolError);
  EXPECT_EQ(CodeOf(Control(oid::kAssertion, true, "x"), search), ResultCode::kProtocolError);
  EXPECT_EQ(CodeOf(Control(oid::kManageDsaIt, true, ""), search), ResultCode::kProtocolError);
  EXPECT_EQ(CodeOf(Control(oid::kPreRead, true, "x"), OperationKind::kModify),
            ResultCode::kProtocolError);
}

TEST(ControlsTest, RefusesOneThatComesTwice) {
  const std::string control = Control(oid::kManageDsaIt);
  EXPECT_EQ(CodeOf(control + control, OperationKind::kSearch), ResultCode::kProtocolError);
}

TEST(ControlsTest, RefusesWhatIsNoControl) {
  EXPECT_EQ(CodeOf(Octets("0400"), OperationKind::kSearch), ResultCode::kProtocolError);
  EXPECT_EQ(CodeOf(Octets("3000"), OperationKind::kSearch), ResultCode::kProtocolError);
  EXPECT_EQ(CodeOf(Octets("3006 0401 31 0200 "), OperationKind::kSearch),
            ResultCode::kProtocolError);
}

TEST(ControlsTest, AppendsPagedResults) {
  std::string controls;
  AppendPagedResults(5, "ck", &controls);
  EXPECT_EQ(controls, Control(oid::kPagedResults, false, testing::PagedValue(5, "ck")));
}

TEST(ControlsTest, AppendsReadEntry) {
  std::string controls;
  const std::string attributes = testing::EncodeAttributes({{"cn", {"n"}}});
  AppendReadEntry(oid::kPreRead, "cn=n", attributes, &controls);
  // SearchResultEntry: [APPLICATION 4] { "cn=n", { { "cn", { "n" } } } }
  EXPECT_EQ(controls,
            Control(oid::kPreRead, false, Octets("6413 0404636e3d6e 300b 30090402636e310304016e")));
}

}  // namespace
}  // namespace twintree::ldap
