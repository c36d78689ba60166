#include <gmock/gmock.h>

#include "tests/contract/directory_contract.h"

namespace twintree::directory {
namespace {

using model::ResultCode;

using Values = std::vector<std::string>;

constexpr std::string_view kName = "cn=p,dc=example,dc=com";
constexpr std::string_view kPerson = R"(dn: cn=p,dc=example,dc=com
objectClass: person
cn: p
sn: one
)";

Controls Assert(std::string_view filter) {
  Controls controls;
  controls.assertion = MakeFilter(filter);
  return controls;
}

Controls ReadBoth(Values attributes) {
  Controls controls;
  controls.pre_read = ReadEntry{attributes};
  controls.post_read = ReadEntry{attributes};
  return controls;
}

TEST_P(DirectoryContract, AssertionGuardsEveryOperation) {
  Load(kPerson);
  EXPECT_EQ(admin().Modify(kName, {ReplaceValues("sn", {"two"})}, Assert("(sn=nine)")).code,
            ResultCode::kAssertionFailed);
  EXPECT_EQ(admin().Modify(kName, {ReplaceValues("sn", {"two"})}, Assert("(sn=ONE)")).code,
            ResultCode::kSuccess);
  EXPECT_EQ(admin().Rename(kName, "cn=q", true, {}, Assert("(sn=one)")).code,
            ResultCode::kAssertionFailed);
  EXPECT_EQ(admin().Compare(kName, "sn", "two", Assert("(sn=one)")).code,
            ResultCode::kAssertionFailed);
  EXPECT_EQ(admin().Delete(kName, Assert("(noSuchType=1)")).code, ResultCode::kAssertionFailed);
  const std::vector<model::RawAttribute> person{{"objectClass", {"person"}}, {"sn", {"x"}}};
  EXPECT_EQ(admin().Add("cn=new,dc=example,dc=com", person, Assert("(sn=y)")).code,
            ResultCode::kAssertionFailed);
  EXPECT_EQ(admin().Add("cn=new,dc=example,dc=com", person, Assert("(sn=x)")).code,
            ResultCode::kSuccess);
  EXPECT_EQ(admin().Delete(kName, Assert("(sn=two)")).code, ResultCode::kSuccess);
}

TEST_P(DirectoryContract, AssertionOfASearchLooksAtItsBase) {
  Load(kPerson);
  SearchRequest request = MakeSearch(kSuffix, Scope::kSubtree);
  request.controls = Assert("(dc=example)");
  EXPECT_EQ(admin().Search(request).entries.size(), 2u);
  request.controls = Assert("(dc=other)");
  EXPECT_EQ(admin().Search(request).code(), ResultCode::kAssertionFailed);
}

TEST_P(DirectoryContract, PreAndPostReadShowBothStates) {
  Load(kPerson);
  const Outcome modified = admin().Modify(kName, {ReplaceValues("sn", {"two"})}, ReadBoth({"sn"}));
  ASSERT_TRUE(modified.pre_read && modified.post_read);
  EXPECT_EQ(DecodeAttributes(modified.pre_read->attributes).at("sn"), Values{"one"});
  EXPECT_EQ(DecodeAttributes(modified.post_read->attributes).at("sn"), Values{"two"});
  const Outcome renamed = admin().Rename(kName, "cn=q", true, {}, ReadBoth({"cn"}));
  ASSERT_TRUE(renamed.pre_read && renamed.post_read);
  EXPECT_EQ(renamed.pre_read->dn, kName);
  EXPECT_EQ(renamed.post_read->dn, "cn=q,dc=example,dc=com");
  const Outcome deleted = admin().Delete("cn=q,dc=example,dc=com", ReadBoth({}));
  ASSERT_TRUE(deleted.pre_read.has_value());
  EXPECT_FALSE(deleted.post_read.has_value());
  EXPECT_EQ(DecodeAttributes(deleted.pre_read->attributes).size(), 3u);
}

TEST_P(DirectoryContract, PostReadOfAnAddShowsWhatTheServerSet) {
  const Outcome added =
      admin().Add(kName, {{"objectClass", {"person"}}, {"sn", {"x"}}}, ReadBoth({"entryUUID"}));
  ASSERT_TRUE(added.post_read.has_value());
  EXPECT_EQ(DecodeAttributes(added.post_read->attributes), admin().Get(kName, {"entryUUID"}));
}

TEST_P(DirectoryContract, FailedWriteReadsNothing) {
  Load(kPerson);
  const Outcome outcome = admin().Modify(kName, {DeleteValues("sn")}, ReadBoth({}));
  EXPECT_EQ(outcome.code, ResultCode::kObjectClassViolation);
  EXPECT_FALSE(outcome.pre_read.has_value());
  EXPECT_FALSE(outcome.post_read.has_value());
}

}  // namespace
}  // namespace twintree::directory
