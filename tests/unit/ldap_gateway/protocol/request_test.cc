#include "ldap_gateway/protocol/request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/ldap_gateway/protocol/golden.h"
#include "tests/unit/ldap_gateway/testing/messages.h"

namespace twintree::ldap {
namespace {

using model::ModificationKind;
using model::ResultCode;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
namespace golden = testing::golden;

// Decodes the operation inside `message`.
template <typename Decode>
auto Decoded(const std::string& message, Decode decode) {
  return decode(DecodeEnvelope(message).value().content);
}

TEST(BindRequestTest, DecodesNameAndPassword) {
  const auto bind = Decoded(testing::Octets(golden::kBind), DecodeBind);
  ASSERT_TRUE(bind.ok());
  EXPECT_EQ(bind->version, 3);
  EXPECT_EQ(bind->name, "cn=admin,dc=example,dc=com");
  EXPECT_EQ(bind->method, BindRequest::Method::kSimple);
  EXPECT_EQ(bind->password.Reveal(), "secret");
}

TEST(BindRequestTest, KeepsEveryOctetOfThePassword) {
  const std::string password("a\0b", 3);
  const auto bind = Decoded(testing::Bind(1, "cn=u", password), DecodeBind);
  EXPECT_EQ(bind.value().password.Reveal(), password);
}

TEST(BindRequestTest, DecodesOtherVersionsAndMethods) {
  EXPECT_EQ(Decoded(testing::Bind(1, "", "", 2), DecodeBind).value().version, 2);
  const auto sasl = Decoded(testing::SaslBind(1, "EXTERNAL"), DecodeBind);
  EXPECT_EQ(sasl.value().method, BindRequest::Method::kSasl);
  EXPECT_EQ(sasl.value().sasl_mechanism, "EXTERNAL");
  const auto kerberos = DecodeBind(testing::Octets("020103 0400 8100"));
  EXPECT_EQ(kerberos.value().method, BindRequest::Method::kUnknown);
}

TEST(SearchRequestTest, DecodesEveryField) {
  const auto search = Decoded(testing::Octets(golden::kSearch), DecodeSearch);
  ASSERT_TRUE(search.ok());
  EXPECT_EQ(search->base, "dc=example,dc=com");
  EXPECT_EQ(search->scope, 2);
  EXPECT_EQ(search->deref, 0);
  EXPECT_EQ(search->size_limit, 10u);
  EXPECT_EQ(search->time_limit_seconds, 5u);
  EXPECT_FALSE(search->types_only);
  EXPECT_EQ(search->filter->ToString(), "(&(objectClass=person)(uid=jdoe))");
  EXPECT_THAT(search->attributes, ElementsAre("cn", "mail"));
}

TEST(SearchRequestTest, DecodesEveryKindOfFilter) {
  const auto search = Decoded(testing::Octets(golden::kSearchAllFilters), DecodeSearch);
  ASSERT_TRUE(search.ok());
  EXPECT_EQ(search->filter->ToString(),
            "(|(!(cn=a*b*c))(sn>=x)(sn<=y)(sn~=z)(ou:dn:2.4.6.8:=v)(mail=*))");
}

TEST(SearchRequestTest, RefusesFieldsOutOfRange) {
  testing::SearchFields fields;
  const auto code = [&] { return Decoded(testing::Search(1, fields), DecodeSearch).code(); };
  fields.scope = 3;
  EXPECT_EQ(code(), ResultCode::kSuccess);
  fields.scope = 7;
  EXPECT_EQ(code(), ResultCode::kProtocolError);
  fields.scope = 0;
  fields.deref = 4;
  EXPECT_EQ(code(), ResultCode::kProtocolError);
  fields.deref = 0;
  fields.size_limit = -1;
  EXPECT_EQ(code(), ResultCode::kProtocolError);
  fields.size_limit = 2147483648;
  EXPECT_EQ(code(), ResultCode::kProtocolError);
  fields.size_limit = 2147483647;
  EXPECT_EQ(code(), ResultCode::kSuccess);
  fields.time_limit = -1;
  EXPECT_EQ(code(), ResultCode::kProtocolError);
}

TEST(SearchRequestTest, RefusesAFilterNobodyKnows) {
  const std::string message = testing::Octets("0400 0a0100 0a0100 020100 020100 010100 8b00 3000");
  EXPECT_EQ(DecodeSearch(message).code(), ResultCode::kProtocolError);
}

TEST(AddRequestTest, DecodesAttributesInOrder) {
  const auto add = Decoded(testing::Octets(golden::kAdd), DecodeAdd);
  ASSERT_TRUE(add.ok());
  EXPECT_EQ(add->dn, "cn=n,dc=x");
  ASSERT_EQ(add->attributes.size(), 3u);
  EXPECT_EQ(add->attributes[0].description, "objectClass");
  EXPECT_THAT(add->attributes[0].values, ElementsAre("top", "person"));
  EXPECT_THAT(add->attributes[2].values, ElementsAre(std::string("\0\xff", 2)));
}

TEST(AddRequestTest, RefusesAnAttributeWithoutValues) {
  const std::string message = testing::Add(1, "cn=n", {{"cn", {"n"}}, {"sn", {}}});
  EXPECT_EQ(Decoded(message, DecodeAdd).code(), ResultCode::kProtocolError);
}

TEST(ModifyRequestTest, DecodesEveryKindOfChange) {
  const auto modify = Decoded(testing::Octets(golden::kModify), DecodeModify);
  ASSERT_TRUE(modify.ok());
  ASSERT_EQ(modify->modifications.size(), 4u);
  EXPECT_EQ(modify->modifications[0].kind, ModificationKind::kAdd);
  EXPECT_THAT(modify->modifications[0].attribute.values, ElementsAre("a@x", "b@x"));
  EXPECT_EQ(modify->modifications[1].kind, ModificationKind::kDelete);
  EXPECT_THAT(modify->modifications[1].attribute.values, IsEmpty());
  EXPECT_EQ(modify->modifications[2].kind, ModificationKind::kReplace);
  EXPECT_EQ(modify->modifications[3].kind, ModificationKind::kIncrement);
  EXPECT_EQ(modify->modifications[3].attribute.description, "uidNumber");
}

TEST(ModifyRequestTest, RefusesUnknownKindsOfChange) {
  const auto code = [](std::int64_t kind) {
    return Decoded(testing::Modify(1, "cn=n", {{kind, "cn", {"n"}}}), DecodeModify).code();
  };
  EXPECT_EQ(code(4), ResultCode::kProtocolError);
  EXPECT_EQ(code(-1), ResultCode::kProtocolError);
}

TEST(ModifyRequestTest, AllowsNoChangesAtAll) {
  const auto modify = Decoded(testing::Modify(1, "cn=n", {}), DecodeModify);
  EXPECT_THAT(modify.value().modifications, IsEmpty());
}

TEST(ModifyDnRequestTest, DecodesEveryField) {
  const auto request = Decoded(testing::Octets(golden::kModifyDn), DecodeModifyDn);
  ASSERT_TRUE(request.ok());
  EXPECT_EQ(request->dn, "cn=n,dc=x");
  EXPECT_EQ(request->new_rdn, "cn=m");
  EXPECT_TRUE(request->delete_old_rdn);
  EXPECT_EQ(request->new_superior, "ou=b,dc=x");
}

TEST(ModifyDnRequestTest, TellsAnEmptySuperiorFromNone) {
  EXPECT_EQ(Decoded(testing::ModifyDn(1, "a", "b", false), DecodeModifyDn).value().new_superior,
            std::nullopt);
  EXPECT_EQ(Decoded(testing::ModifyDn(1, "a", "b", false, ""), DecodeModifyDn).value().new_superior,
            "");
}

TEST(CompareRequestTest, DecodesEveryField) {
  const auto request = Decoded(testing::Octets(golden::kCompare), DecodeCompare);
  ASSERT_TRUE(request.ok());
  EXPECT_EQ(request->dn, "cn=n,dc=x");
  EXPECT_EQ(request->attribute, "sn");
  EXPECT_EQ(request->value, "x");
}

TEST(AbandonRequestTest, DecodesTheTarget) {
  EXPECT_EQ(Decoded(testing::Octets(golden::kAbandon), DecodeAbandon).value(), 5);
  EXPECT_EQ(Decoded(testing::Abandon(1, -1), DecodeAbandon).code(), ResultCode::kProtocolError);
  EXPECT_EQ(DecodeAbandon("").code(), ResultCode::kProtocolError);
}

TEST(ExtendedRequestTest, DecodesNameAndValue) {
  const std::string who = testing::Octets(golden::kWhoAmI);
  const auto request = Decoded(who, DecodeExtended);
  EXPECT_EQ(request.value().name, "1.3.6.1.4.1.4203.1.11.3");
  EXPECT_EQ(request.value().value, std::nullopt);
}

TEST(PasswordModifyTest, DecodesEveryField) {
  const std::string message = testing::Octets(golden::kPasswordModify);
  const auto value = DecodePasswordModify(Decoded(message, DecodeExtended).value().value);
  ASSERT_TRUE(value.ok());
  EXPECT_EQ(value->user, "cn=n,dc=x");
  EXPECT_EQ(value->old_password->Reveal(), "old");
  EXPECT_EQ(value->new_password->Reveal(), "new");
}

TEST(PasswordModifyTest, NeedsNothing) {
  const auto none = DecodePasswordModify(std::nullopt);
  EXPECT_FALSE(none.value().new_password.has_value());
  const auto empty = DecodePasswordModify(testing::Octets("3000"));
  EXPECT_FALSE(empty.value().old_password.has_value());
}

TEST(PasswordModifyTest, RefusesAValueThatIsNone) {
  EXPECT_EQ(DecodePasswordModify("x").code(), ResultCode::kProtocolError);
  EXPECT_EQ(DecodePasswordModify(testing::Octets("30020401")).code(), ResultCode::kProtocolError);
}

TEST(CancelTest, DecodesTheTarget) {
  const std::string message = testing::Octets(golden::kCancel);
  EXPECT_EQ(DecodeCancel(Decoded(message, DecodeExtended).value().value).value(), 7);
  EXPECT_EQ(DecodeCancel(std::nullopt).code(), ResultCode::kProtocolError);
  EXPECT_EQ(DecodeCancel(testing::Octets("3000")).code(), ResultCode::kProtocolError);
}

}  // namespace
}  // namespace twintree::ldap
