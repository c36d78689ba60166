#include "services/rpc/entry_codec.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "services/model/entry.h"
#include "services/rpc/entry_message.h"

namespace twintree::rpc {
namespace {

using model::ResultCode;

std::string Elements(
    const std::vector<std::pair<std::string, std::vector<std::string>>>& attributes) {
  std::string elements;
  for (const auto& [name, values] : attributes) {
    model::AppendPartialAttribute(name, values, &elements);
  }
  return elements;
}

TEST(EntryCodecTest, FillsAttributesInOrder) {
  const std::string octets("\x00\xff", 2);
  directory_pb::Entry entry;
  ASSERT_TRUE(
      FillEntry("cn=a", Elements({{"cn", {"a", "b"}}, {"photo", {octets}}}), true, &entry).ok());
  EXPECT_EQ(entry.dn(), "cn=a");
  ASSERT_EQ(entry.attributes_size(), 2);
  EXPECT_EQ(entry.attributes(0).name(), "cn");
  EXPECT_EQ(entry.attributes(0).values(1), "b");
  EXPECT_EQ(entry.attributes(1).values(0), octets);
  EXPECT_EQ(entry.etag(), "");
}

// The octets are those that protobuf itself would write.
TEST(EntryMessageTest, IsWhatASerializedMessageWouldBe) {
  const std::string many = Elements({{"cn", {"a", "", std::string(300, 'x')}},
                                     {"member;lang-en", std::vector<std::string>(200, "uid=a")},
                                     {"odd\xff", {std::string(70000, '\0')}},
                                     {"entryCSN", {"2026#1"}}});
  const std::string one = Elements({{"sn", {}}});
  const std::vector<std::string_view> pieces = {many, one};
  for (const bool hide_csn : {true, false}) {
    EntryMessage message;
    ASSERT_TRUE(message.Read("cn=\xff", pieces, hide_csn).ok());
    directory_pb::Entry entry;
    ASSERT_TRUE(entry.ParseFromString(message.ToString()));
    EXPECT_EQ(entry.SerializeAsString(), message.ToString());
    EXPECT_EQ(entry.dn(), "cn=\\ff");
    EXPECT_EQ(entry.etag(), "2026#1");
    ASSERT_EQ(entry.attributes_size(), hide_csn ? 4 : 5);
    EXPECT_EQ(entry.attributes(0).values(2), std::string(300, 'x'));
    EXPECT_EQ(entry.attributes(1).values_size(), 200);
    EXPECT_EQ(entry.attributes(2).name(), "odd?");
    std::string fields;
    message.AppendField(directory_pb::SearchEntriesResponse::kEntriesFieldNumber, &fields);
    message.AppendField(directory_pb::SearchEntriesResponse::kEntriesFieldNumber, &fields);
    directory_pb::SearchEntriesResponse response;
    ASSERT_TRUE(response.ParseFromString(fields));
    EXPECT_EQ(response.entries(1).SerializeAsString(), message.ToString());
  }
}

TEST(EntryCodecTest, TakesTheEtagFromEntryCsn) {
  const std::string elements = Elements({{"cn", {"a"}}, {"EntryCSN", {"2026#1"}}});
  directory_pb::Entry hidden;
  ASSERT_TRUE(FillEntry("cn=a", elements, true, &hidden).ok());
  EXPECT_EQ(hidden.etag(), "2026#1");
  EXPECT_EQ(hidden.attributes_size(), 1);
  directory_pb::Entry shown;
  ASSERT_TRUE(FillEntry("cn=a", elements, false, &shown).ok());
  EXPECT_EQ(shown.etag(), "2026#1");
  EXPECT_EQ(shown.attributes_size(), 2);
}

TEST(EntryCodecTest, KeepsTypesWithoutValues) {
  directory_pb::Entry entry;
  ASSERT_TRUE(FillEntry("", Elements({{"cn", {}}, {"entryCSN", {}}}), true, &entry).ok());
  ASSERT_EQ(entry.attributes_size(), 1);
  EXPECT_EQ(entry.attributes(0).values_size(), 0);
  EXPECT_EQ(entry.etag(), "");
}

TEST(EntryCodecTest, EveryTruncationIsAnError) {
  const std::string whole = Elements({{"cn", {"abc"}}});
  for (std::size_t size = 1; size < whole.size(); ++size) {
    directory_pb::Entry entry;
    EXPECT_EQ(FillEntry("", whole.substr(0, size), true, &entry).code(), ResultCode::kOther)
        << size;
  }
}

TEST(EntryCodecTest, EscapesOctetsThatAreNotUtf8) {
  EXPECT_EQ(Utf8Dn("cn=\xc3\xbc"), "cn=\xc3\xbc");
  EXPECT_EQ(Utf8Dn("cn=\xff\xc3\xbc\x80"), "cn=\\ff\xc3\xbc\\80");
}

TEST(EntryCodecTest, AsksForTheCsnBesideWhatWasAsked) {
  directory_pb::GetEntryRequest request;
  AttributeSelection selection = SelectWithEtag(request.attributes());
  EXPECT_EQ(selection.attributes, (std::vector<std::string>{"*", "entryCSN"}));
  EXPECT_TRUE(selection.hide_csn);
  request.add_attributes("cn");
  EXPECT_EQ(SelectWithEtag(request.attributes()).attributes,
            (std::vector<std::string>{"cn", "entryCSN"}));
  request.add_attributes("ENTRYCSN");
  EXPECT_FALSE(SelectWithEtag(request.attributes()).hide_csn);
}

TEST(EntryCodecTest, ASearchWithoutWordsIsForEverythingBelow) {
  directory_pb::SearchEntriesRequest request;
  request.set_base_dn("dc=example");
  const auto search = ToSearchRequest(request, {{"cn"}, true});
  ASSERT_TRUE(search.ok());
  EXPECT_EQ(search->base, "dc=example");
  EXPECT_EQ(search->scope, directory::Scope::kSubtree);
  EXPECT_EQ(search->filter->ToString(), "(objectClass=*)");
  EXPECT_EQ(search->time_limit.count(), 0);
}

TEST(EntryCodecTest, KeepsEverySearchField) {
  directory_pb::SearchEntriesRequest request;
  request.set_scope(directory_pb::SEARCH_SCOPE_ONE_LEVEL);
  request.set_filter("(&(cn=a*)(sn=b))");
  request.set_size_limit(3);
  request.mutable_time_limit()->set_seconds(2);
  request.mutable_time_limit()->set_nanos(1);
  request.set_types_only(true);
  const auto search = ToSearchRequest(request, {{"cn"}, true});
  ASSERT_TRUE(search.ok());
  EXPECT_EQ(search->scope, directory::Scope::kOneLevel);
  EXPECT_EQ(search->filter->ToString(), "(&(cn=a*)(sn=b))");
  EXPECT_EQ(search->size_limit, 3u);
  EXPECT_EQ(search->time_limit, std::chrono::seconds(3));
  EXPECT_TRUE(search->types_only);
  EXPECT_EQ(search->attributes, std::vector<std::string>{"cn"});
}

TEST(EntryCodecTest, RefusesABadFilterAndAnUnknownScope) {
  directory_pb::SearchEntriesRequest request;
  request.set_filter("(cn=");
  EXPECT_EQ(ToSearchRequest(request, {}).code(), ResultCode::kProtocolError);
  request.set_filter("");
  request.set_scope(static_cast<directory_pb::SearchScope>(99));
  EXPECT_EQ(ToSearchRequest(request, {}).code(), ResultCode::kProtocolError);
}

TEST(EntryCodecTest, AnEtagBecomesAnAssertion) {
  directory_pb::ModifyEntryRequest request;
  request.set_etag("20260101000000.000000Z#000000#000#000000");
  const auto modify = ToModifyRequest(request);
  ASSERT_TRUE(modify.ok());
  ASSERT_NE(modify->controls.assertion, nullptr);
  EXPECT_EQ(modify->controls.assertion->ToString(),
            "(entryCSN=20260101000000.000000Z#000000#000#000000)");
  request.clear_etag();
  EXPECT_EQ(ToModifyRequest(request)->controls.assertion, nullptr);
}

TEST(EntryCodecTest, KeepsModificationsInOrder) {
  directory_pb::ModifyEntryRequest request;
  for (const auto operation :
       {directory_pb::Modification::OPERATION_DELETE, directory_pb::Modification::OPERATION_ADD,
        directory_pb::Modification::OPERATION_INCREMENT,
        directory_pb::Modification::OPERATION_REPLACE}) {
    auto* change = request.add_modifications();
    change->set_operation(operation);
    change->set_attribute("x");
    change->add_values("v");
  }
  const auto modify = ToModifyRequest(request);
  ASSERT_TRUE(modify.ok());
  ASSERT_EQ(modify->modifications.size(), 4u);
  EXPECT_EQ(modify->modifications[0].kind, model::ModificationKind::kDelete);
  EXPECT_EQ(modify->modifications[1].kind, model::ModificationKind::kAdd);
  EXPECT_EQ(modify->modifications[2].kind, model::ModificationKind::kIncrement);
  EXPECT_EQ(modify->modifications[3].kind, model::ModificationKind::kReplace);
  EXPECT_EQ(modify->modifications[3].attribute.values, std::vector<std::string>{"v"});
}

TEST(EntryCodecTest, RefusesAModificationWithoutOperation) {
  directory_pb::ModifyEntryRequest request;
  request.add_modifications()->set_attribute("cn");
  EXPECT_EQ(ToModifyRequest(request).code(), ResultCode::kProtocolError);
}

TEST(EntryCodecTest, RenamesAwayFromTheOldNameUnlessTold) {
  directory_pb::RenameEntryRequest request;
  request.set_new_rdn("cn=b");
  EXPECT_TRUE(ToModifyDnRequest(request).delete_old_rdn);
  EXPECT_EQ(ToModifyDnRequest(request).new_superior, std::nullopt);
  request.set_keep_old_rdn(true);
  request.set_new_superior_dn("");
  EXPECT_FALSE(ToModifyDnRequest(request).delete_old_rdn);
  EXPECT_EQ(ToModifyDnRequest(request).new_superior, "");
}

}  // namespace
}  // namespace twintree::rpc
