// Requests that the directory answers: what it is asked, and what the client is told.
#include "ldap_gateway/protocol/oids.h"
#include "tests/unit/ldap_gateway/session/session_fixture.h"

namespace twintree::ldap::testing {
namespace {

using model::ResultCode;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST_F(SessionTest, SearchHandsOverEveryField) {
  SearchFields fields{"dc=x", 1, 3, 10, 5, true, "(cn=a*)", {"cn", "+"}};
  Exchange(Search(1, fields));
  const directory::SearchRequest& request = directory_->searches.at(0)->request;
  EXPECT_EQ(request.base, "dc=x");
  EXPECT_EQ(request.scope, directory::Scope::kOneLevel);
  EXPECT_EQ(request.deref, directory::DerefAliases::kAlways);
  EXPECT_EQ(request.size_limit, 10u);
  EXPECT_EQ(request.time_limit, std::chrono::seconds(5));
  EXPECT_TRUE(request.types_only);
  EXPECT_EQ(request.filter->ToString(), "(cn=a*)");
  EXPECT_THAT(request.attributes, ElementsAre("cn", "+"));
}

TEST_F(SessionTest, SearchSetsADeadlineFromTheTimeLimit) {
  const auto before = std::chrono::steady_clock::now();
  SearchFields fields;
  fields.time_limit = 5;
  Exchange(Search(1, fields));
  const auto deadline = directory_->searches.at(0)->context.deadline;
  EXPECT_GE(deadline, before + std::chrono::seconds(5));
  EXPECT_LE(deadline, std::chrono::steady_clock::now() + std::chrono::seconds(5));
}

TEST_F(SessionTest, SearchWithoutTimeLimitHasNoDeadline) {
  SearchFields timed;
  timed.time_limit = 5;
  Exchange(Search(1, timed) + PlainSearch(2));
  EXPECT_EQ(directory_->searches.at(1)->context.deadline,
            std::chrono::steady_clock::time_point::max());
}

TEST_F(SessionTest, SearchSendsEntriesThenTheResult) {
  directory_->entries = 2;
  directory_->attributes = EncodeAttributes({{"cn", {"a"}}});
  const auto responses = Exchange(PlainSearch(9));
  ASSERT_EQ(responses.size(), 3u);
  EXPECT_EQ(responses[0].tag, kSearchEntry);
  EXPECT_EQ(responses[0].dn, "cn=0,dc=example,dc=com");
  EXPECT_EQ(responses[0].attributes, directory_->attributes);
  EXPECT_EQ(responses[2].tag, kSearchDone);
  EXPECT_EQ(responses[2].code, 0);
}

TEST_F(SessionTest, SearchReportsTheMatchedDn) {
  directory_->entries = 0;
  directory_->search_outcome = {ResultCode::kNoSuchObject, "dc=com", "no such entry", 0, {}};
  const auto responses = Exchange(PlainSearch(1));
  EXPECT_EQ(responses.at(0).code, 32);
  EXPECT_EQ(responses.at(0).matched_dn, "dc=com");
  EXPECT_EQ(responses.at(0).diagnostic, "no such entry");
}

TEST_F(SessionTest, RootDseSearchCarriesWhatTheDoorAdds) {
  SearchFields fields;
  Exchange(Search(1, fields) + PlainSearch(2));
  EXPECT_EQ(directory_->searches.at(0)->request.door_attributes, door_->RootDse(false));
  EXPECT_EQ(directory_->searches.at(1)->request.door_attributes, nullptr);
}

TEST_F(SessionTest, PagedResultsGoBothWays) {
  directory_->search_outcome.paged = directory::PagedResults{5, "next"};
  SearchFields fields;
  const auto responses =
      Exchange(Search(1, fields, Control(oid::kPagedResults, true, PagedValue(2, "ck"))));
  const auto& asked = directory_->searches.at(0)->request.controls.paged;
  EXPECT_EQ(asked.value().size, 2u);
  EXPECT_EQ(asked.value().cookie, "ck");
  ASSERT_EQ(responses.back().controls.size(), 1u);
  EXPECT_EQ(responses.back().controls[0].first, oid::kPagedResults);
  EXPECT_EQ(responses.back().controls[0].second, PagedValue(5, "next"));
}

TEST_F(SessionTest, CompareAnswersWithItsCode) {
  directory_->outcome.code = ResultCode::kCompareTrue;
  const auto responses = Exchange(Compare(3, "cn=x", "sn", "v"));
  EXPECT_EQ(responses.at(0).tag, kCompareResponse);
  EXPECT_EQ(responses.at(0).code, 6);
  EXPECT_EQ(directory_->compares.at(0).dn, "cn=x");
  EXPECT_EQ(directory_->compares.at(0).attribute, "sn");
  EXPECT_EQ(directory_->compares.at(0).value, "v");
}

TEST_F(SessionTest, AddHandsOverTheEntry) {
  const auto responses = Exchange(Add(3, "cn=x", {{"cn", {"x"}}, {"sn", {"a", "b"}}}));
  EXPECT_EQ(responses.at(0).tag, kAddResponse);
  EXPECT_EQ(responses.at(0).code, 0);
  const directory::AddRequest& request = directory_->adds.at(0);
  EXPECT_EQ(request.dn, "cn=x");
  EXPECT_THAT(request.attributes.at(1).values, ElementsAre("a", "b"));
}

TEST_F(SessionTest, ModifyHandsOverTheChanges) {
  const auto responses = Exchange(Modify(3, "cn=x", {{1, "sn", {}}, {3, "uidNumber", {"1"}}}));
  EXPECT_EQ(responses.at(0).tag, kModifyResponse);
  const directory::ModifyRequest& request = directory_->modifies.at(0);
  EXPECT_EQ(request.modifications.at(0).kind, model::ModificationKind::kDelete);
  EXPECT_EQ(request.modifications.at(1).kind, model::ModificationKind::kIncrement);
}

TEST_F(SessionTest, DeleteHandsOverTheName) {
  EXPECT_EQ(Exchange(Delete(3, "cn=x")).at(0).tag, kDeleteResponse);
  EXPECT_EQ(directory_->deletes.at(0).dn, "cn=x");
}

TEST_F(SessionTest, ModifyDnHandsOverEveryField) {
  EXPECT_EQ(Exchange(ModifyDn(3, "cn=x", "cn=y", true, "ou=z")).at(0).tag, kModifyDnResponse);
  const directory::ModifyDnRequest& request = directory_->modify_dns.at(0);
  EXPECT_EQ(request.dn, "cn=x");
  EXPECT_EQ(request.new_rdn, "cn=y");
  EXPECT_TRUE(request.delete_old_rdn);
  EXPECT_EQ(request.new_superior, "ou=z");
}

TEST_F(SessionTest, FailuresReachTheClientInFull) {
  directory_->outcome = directory::OutcomeOf({ResultCode::kNoSuchObject, "gone", "dc=com"});
  const auto responses = Exchange(Delete(1, "cn=x"));
  EXPECT_EQ(responses.at(0).code, 32);
  EXPECT_EQ(responses.at(0).matched_dn, "dc=com");
  EXPECT_EQ(responses.at(0).diagnostic, "gone");
}

TEST_F(SessionTest, AssertionAndManageDsaItReachEveryOperation) {
  std::string filter;
  model::Filter::Parse("(sn=x)").value().Encode(&filter);
  const std::string controls =
      Control(oid::kAssertion, true, filter) + Control(oid::kManageDsaIt, true);
  Exchange(Add(1, "a", {{"cn", {"a"}}}, controls) + Modify(2, "a", {}, controls) +
           Delete(3, "a", controls) + ModifyDn(4, "a", "b", true, std::nullopt, controls) +
           Compare(5, "a", "b", "c", controls) + Search(6, {}, controls));
  for (const directory::Controls& given :
       {directory_->adds.at(0).controls, directory_->modifies.at(0).controls,
        directory_->deletes.at(0).controls, directory_->modify_dns.at(0).controls,
        directory_->compares.at(0).controls, directory_->searches.at(0)->request.controls}) {
    ASSERT_NE(given.assertion, nullptr);
    EXPECT_EQ(given.assertion->ToString(), "(sn=x)");
    EXPECT_TRUE(given.manage_dsa_it);
  }
}

TEST_F(SessionTest, ReadEntryControlsGoBothWays) {
  directory_->outcome.pre_read = directory::ReadEntryResult{"cn=x", "old"};
  directory_->outcome.post_read = directory::ReadEntryResult{"cn=x", "new"};
  const auto responses = Exchange(Modify(1, "cn=x", {},
                                         Control(oid::kPreRead, false, Octets("3004 0402636e")) +
                                             Control(oid::kPostRead, false, Octets("3000"))));
  EXPECT_THAT(directory_->modifies.at(0).controls.pre_read.value().attributes, ElementsAre("cn"));
  EXPECT_TRUE(directory_->modifies.at(0).controls.post_read.has_value());
  ASSERT_EQ(responses.at(0).controls.size(), 2u);
  EXPECT_EQ(responses[0].controls[0].first, oid::kPreRead);
  EXPECT_EQ(responses[0].controls[1].first, oid::kPostRead);
  EXPECT_THAT(responses[0].controls[1].second, ::testing::HasSubstr("new"));
}

TEST_F(SessionTest, CriticalUnknownControlHasNoEffect) {
  const auto responses =
      Exchange(Delete(1, "a", Control("1.2.3", true)) + Search(2, {}, Control("1.2.3", true)));
  ASSERT_THAT(IdsOf(responses), ElementsAre(1, 2));
  EXPECT_EQ(responses[0].code, 12);
  EXPECT_EQ(responses[1].code, 12);
  EXPECT_THAT(directory_->deletes, IsEmpty());
  EXPECT_THAT(directory_->searches, IsEmpty());
}

TEST_F(SessionTest, MalformedControlIsAProtocolError) {
  EXPECT_EQ(Exchange(Delete(1, "a", Control(oid::kAssertion))).at(0).code, 2);
  EXPECT_THAT(directory_->deletes, IsEmpty());
}

}  // namespace
}  // namespace twintree::ldap::testing
