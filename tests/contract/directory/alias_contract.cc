#include <gmock/gmock.h>

#include "tests/contract/directory_contract.h"

namespace twintree::directory {
namespace {

using model::ResultCode;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

class AliasTree {
 public:
  AliasTree(DirectoryContract&, DirectoryClient& admin) : admin_(admin) {
    admin_.Load(R"(dn: ou=real,dc=example,dc=com
objectClass: organizationalUnit
ou: real

dn: cn=p,ou=real,dc=example,dc=com
objectClass: person
cn: p
sn: x

dn: ou=box,dc=example,dc=com
objectClass: organizationalUnit
ou: box
)");
    AddAlias("cn=link,ou=box,dc=example,dc=com", "ou=real,dc=example,dc=com");
  }

  void AddAlias(const std::string& dn, const std::string& target) {
    const Outcome outcome = admin_.Add(
        dn, {{"objectClass", {"alias", "extensibleObject"}}, {"aliasedObjectName", {target}}});
    EXPECT_EQ(outcome.code, ResultCode::kSuccess) << outcome.diagnostic;
  }

  Found Search(std::string_view base, Scope scope, DerefAliases deref) {
    SearchRequest request = MakeSearch(base, scope, "(objectClass=*)", {"1.1"});
    request.deref = deref;
    return admin_.Search(request);
  }

 private:
  DirectoryClient& admin_;
};

TEST_P(DirectoryContract, AliasIsAnEntryUnlessDereferenced) {
  AliasTree tree(*this, admin());
  const std::string link = "cn=link,ou=box,dc=example,dc=com";
  EXPECT_THAT(tree.Search(link, Scope::kBase, DerefAliases::kNever).dns(), ElementsAre(link));
  EXPECT_THAT(tree.Search(link, Scope::kBase, DerefAliases::kInSearching).dns(), ElementsAre(link));
  EXPECT_THAT(tree.Search(link, Scope::kBase, DerefAliases::kFindingBase).dns(),
              ElementsAre("ou=real,dc=example,dc=com"));
}

TEST_P(DirectoryContract, AliasOnTheWayToTheBase) {
  AliasTree tree(*this, admin());
  EXPECT_THAT(
      tree.Search("cn=p,cn=link,ou=box,dc=example,dc=com", Scope::kBase, DerefAliases::kAlways)
          .dns(),
      ElementsAre("cn=p,ou=real,dc=example,dc=com"));
}

TEST_P(DirectoryContract, AliasInSearching) {
  AliasTree tree(*this, admin());
  const std::string box = "ou=box,dc=example,dc=com";
  const std::string real = "ou=real,dc=example,dc=com";
  EXPECT_THAT(tree.Search(box, Scope::kOneLevel, DerefAliases::kInSearching).dns(),
              ElementsAre(real));
  EXPECT_THAT(tree.Search(box, Scope::kSubtree, DerefAliases::kAlways).dns(),
              UnorderedElementsAre(box, real, "cn=p," + real));
  EXPECT_THAT(tree.Search(kSuffix, Scope::kSubtree, DerefAliases::kAlways).dns(),
              UnorderedElementsAre(std::string(kSuffix), box, real, "cn=p," + real));
}

TEST_P(DirectoryContract, AliasLoopsAndDanglingOnes) {
  AliasTree tree(*this, admin());
  tree.AddAlias("cn=one,dc=example,dc=com", "cn=two,dc=example,dc=com");
  tree.AddAlias("cn=two,dc=example,dc=com", "cn=one,dc=example,dc=com");
  tree.AddAlias("cn=up,ou=real,dc=example,dc=com", "dc=example,dc=com");
  tree.AddAlias("cn=lost,dc=example,dc=com", "cn=none,dc=example,dc=com");
  EXPECT_EQ(tree.Search("cn=one,dc=example,dc=com", Scope::kBase, DerefAliases::kAlways).code(),
            ResultCode::kLoopDetect);
  EXPECT_EQ(tree.Search("cn=lost,dc=example,dc=com", Scope::kBase, DerefAliases::kAlways).code(),
            ResultCode::kAliasProblem);
  const Found found = tree.Search(kSuffix, Scope::kSubtree, DerefAliases::kAlways);
  EXPECT_EQ(found.code(), ResultCode::kSuccess);
  EXPECT_EQ(found.entries.size(), 4u);
}

}  // namespace
}  // namespace twintree::directory
