#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "services/model/compiled_filter.h"
#include "tests/unit/services/model/allocation_counter.h"
#include "tests/unit/services/model/filter_fixture.h"
#include "tests/unit/services/model/x509_values.h"

namespace twintree::model {
namespace {

class FilterEvaluationTest : public FilterFixture {
 protected:
  FilterEvaluationTest() {
    target_ = MakeTarget("cn=Doe\\, John+uid=JD,ou=Sales,dc=Example,dc=com",
                         {{"objectClass", {"inetOrgPerson", "posixAccount"}},
                          {"cn", {"Doe, John", "star*name"}},
                          {"cn;lang-de", {"Hans"}},
                          {"sn", {"Doe"}},
                          {"uid", {"jd"}},
                          {"uidNumber", {"1007"}},
                          {"mail", {"jd@example.com"}},
                          {"telephoneNumber", {"+1 555-0100"}},
                          {"manager", {"cn=Boss\\2c Big,dc=example,dc=com"}},
                          {"seeAlso", {"cn=Friend,dc=example,dc=com"}},
                          {"userCertificate;binary", {MakeCertificate("\x07", "CA")}},
                          {"createTimestamp", {"20240102030405Z"}}});
  }

  void ExpectTruth(Truth truth, const std::vector<std::string_view>& filters) {
    for (const std::string_view text : filters) EXPECT_EQ(Evaluate(*target_, text), truth) << text;
  }

  std::unique_ptr<TestTarget> target_;
};

constexpr Truth kTrue = Truth::kTrue;
constexpr Truth kFalse = Truth::kFalse;
constexpr Truth kUndefined = Truth::kUndefined;

TEST_F(FilterEvaluationTest, PresenceLooksAtTheEntry) {
  ExpectTruth(kTrue, {"(cn=*)", "(commonName=*)", "(2.5.4.3=*)", "(objectClass=*)",
                      "(createTimestamp=*)", "(!(employeeType=*))"});
  ExpectTruth(kFalse, {"(employeeType=*)", "(!(cn=*))"});
}

TEST_F(FilterEvaluationTest, EqualityFollowsTheRuleOfTheType) {
  ExpectTruth(kTrue, {"(cn=doe,  JOHN)", "(uidNumber=1007)", "(telephoneNumber=+15550100)",
                      "(mail=JD@EXAMPLE.COM)", "(cn=star\\2aname)"});
  ExpectTruth(kFalse, {"(cn=Doe)", "(uidNumber=1008)", "(cn=star\\2aNames)", "(description=x)",
                       "(cn=\\2a)"});
}

TEST_F(FilterEvaluationTest, ApproximateMatchingIsEquality) {
  ExpectTruth(kTrue, {"(sn~=DOE)"});
  ExpectTruth(kFalse, {"(sn~=Dough)"});
}

TEST_F(FilterEvaluationTest, NamesAreComparedAsNames) {
  ExpectTruth(kTrue, {"(manager=cn=Boss\\5c, Big,dc=example,dc=com)",
                      "(manager=CN = boss\\5c2C BIG , DC=Example,dc=com)",
                      "(manager=2.5.4.3=Boss\\5c, Big,dc=example,dc=com)"});
  ExpectTruth(kFalse, {"(manager=cn=Boss,dc=example,dc=com)"});
  ExpectTruth(kUndefined, {"(manager=cn=Boss, Big,dc=example,dc=com)"});
}

TEST_F(FilterEvaluationTest, SubstringsFollowTheRuleOfTheType) {
  ExpectTruth(kTrue, {"(cn=DOE*)", "(cn=*john)", "(cn=d*,*n)", "(cn=*\\2a*)", "(cn=**)",
                      "(mail=jd@*.COM)", "(telephoneNumber=*5550*)"});
  ExpectTruth(kFalse, {"(cn=john*)", "(cn=*doe)", "(cn=doe, john*john)", "(description=*a*)"});
}

TEST_F(FilterEvaluationTest, OrderingFollowsTheRuleOfTheType) {
  ExpectTruth(kTrue, {"(uidNumber>=1007)", "(uidNumber>=99)", "(uidNumber>=-2000)",
                      "(uidNumber<=1007)", "(uidNumber<=20000)",
                      "(createTimestamp>=20240101000000Z)", "(createTimestamp<=20240102030405Z)"});
  ExpectTruth(kFalse, {"(uidNumber>=1008)", "(uidNumber<=99)", "(gidNumber>=0)",
                       "(createTimestamp>=20250101000000Z)"});
}

TEST_F(FilterEvaluationTest, ItemsWithoutARuleAreUndefined) {
  ExpectTruth(kUndefined, {"(cn>=a)", "(uidNumber=1*)", "(manager=cn=*)", "(objectClass=inet*)",
                           "(xNoSuchAttr=1)", "(xNoSuchAttr=*)", "(uidNumber=x)"});
}

TEST_F(FilterEvaluationTest, SupertypesFindTheirSubtypes) {
  ExpectTruth(kTrue, {"(name=doe)", "(name=Doe, John)", "(name=*)", "(name=ha*)",
                      "(distinguishedName=CN=friend,dc=example,dc=com)"});
  ExpectTruth(kFalse, {"(name=nobody)", "(sn=Doe, John)"});
}

TEST_F(FilterEvaluationTest, OptionsNarrowWhatIsFound) {
  ExpectTruth(kTrue, {"(cn=hans)", "(cn;lang-de=hans)", "(cn;lang-de=*)", "(name;lang-de=hans)",
                      "(userCertificate=*)", "(userCertificate;binary=*)", "(cn;lang-=hans)"});
  ExpectTruth(kFalse, {"(cn;lang-de=star\\2aname)", "(cn;lang-en=*)", "(sn;lang-de=*)"});
}

TEST_F(FilterEvaluationTest, CertificatesAreFoundBySerialNumberAndIssuer) {
  ExpectTruth(kTrue, {"(userCertificate={ serialNumber 7, issuer rdnSequence:\"cn=ca,c=de\" })",
                      "(userCertificate;binary:certificateExactMatch:={issuer "
                      "rdnSequence:\"cn=ca,c=de\",serialNumber 7})"});
  ExpectTruth(kFalse, {"(userCertificate={ serialNumber 8, issuer rdnSequence:\"cn=ca,c=de\" })"});
  ExpectTruth(kUndefined, {"(userCertificate=7)", "(cn;binary=hans)"});
}

TEST_F(FilterEvaluationTest, ObjectClassMatchesBySuperclass) {
  ExpectTruth(kTrue, {"(objectClass=INETORGPERSON)", "(objectClass=person)", "(objectClass=top)",
                      "(objectClass=2.5.6.6)", "(2.5.4.0=person)", "(objectClass=posixAccount)",
                      "(objectClass~=person)", "(objectClass:=person)"});
  ExpectTruth(kFalse, {"(objectClass=groupOfNames)", "(objectClass=residentialPerson)",
                       "(!(objectClass=person))"});
  ExpectTruth(kUndefined, {"(objectClass=noSuchClass)", "(!(objectClass=noSuchClass))"});
}

TEST_F(FilterEvaluationTest, NotKeepsUndefined) {
  ExpectTruth(kUndefined, {"(!(xNoSuchAttr=1))", "(!(!(xNoSuchAttr=1)))"});
  ExpectTruth(kTrue, {"(!(cn=nobody))"});
  ExpectTruth(kFalse, {"(!(sn=Doe))"});
}

TEST_F(FilterEvaluationTest, AndIsDecidedByFalseOnly) {
  ExpectTruth(kFalse, {"(&(xNoSuchAttr=1)(cn=nobody))", "(&(cn=nobody)(xNoSuchAttr=1))"});
  ExpectTruth(kUndefined, {"(&(xNoSuchAttr=1)(sn=Doe))", "(&(sn=Doe)(xNoSuchAttr=1))"});
  ExpectTruth(kTrue, {"(&(sn=Doe)(uid=jd))", "(!(&(xNoSuchAttr=1)(cn=nobody)))"});
}

TEST_F(FilterEvaluationTest, OrIsDecidedByTrueOnly) {
  ExpectTruth(kTrue, {"(|(xNoSuchAttr=1)(sn=Doe))", "(|(sn=Doe)(xNoSuchAttr=1))"});
  ExpectTruth(kUndefined, {"(|(xNoSuchAttr=1)(cn=nobody))", "(|(cn=nobody)(xNoSuchAttr=1))"});
  ExpectTruth(kFalse, {"(|(cn=nobody)(sn=nobody))"});
}

TEST_F(FilterEvaluationTest, EmptyListsAreAbsolute) {
  ExpectTruth(kTrue, {"(&)", "(!(|))"});
  ExpectTruth(kFalse, {"(|)", "(!(&))"});
}

TEST_F(FilterEvaluationTest, ExtensibleMatchUsesTheRuleGiven) {
  ExpectTruth(kTrue, {"(sn:caseExactMatch:=Doe)", "(sn:2.5.13.2:=DOE)", "(sn:=DOE)",
                      "(name:caseExactMatch:=Doe)", "(|(sn:1.2.840.113556.1.4.1941:=x)(uid=jd))",
                      "(cn:caseExactSubstringsMatch:=Doe\\2aJ\\2an)",
                      "(cn:caseIgnoreSubstringsMatch:=\\2a\\5c2A\\2a)"});
  ExpectTruth(kFalse, {"(sn:caseExactMatch:=doe)", "(cn:caseExactSubstringsMatch:=doe\\2a)"});
  ExpectTruth(kUndefined, {"(sn:noSuchRule:=x)", "(!(sn:noSuchRule:=x))",
                           "(member:1.2.840.113556.1.4.1941:=cn=g)"});
}

TEST_F(FilterEvaluationTest, AnOrderingRuleInAnExtensibleMatchIsStrictlyLess) {
  ExpectTruth(kTrue, {"(uidNumber:integerOrderingMatch:=1008)"});
  ExpectTruth(kFalse,
              {"(uidNumber:integerOrderingMatch:=1007)", "(uidNumber:integerOrderingMatch:=99)"});
}

TEST_F(FilterEvaluationTest, ExtensibleMatchWithoutAttributeTriesAllThatSuit) {
  ExpectTruth(kTrue,
              {"(:caseExactMatch:=Doe)", "(:caseIgnoreMatch:=HANS)", "(:integerMatch:=1007)",
               "(:distinguishedNameMatch:=CN=Boss\\5c, Big,dc=example,dc=com)",
               "(:distinguishedNameMatch:=cn=doe\\5c, john+uid=jd,ou=sales,dc=example,dc=com)",
               "(:generalizedTimeMatch:=20240102030405Z)"});
  ExpectTruth(kFalse, {"(:caseExactMatch:=doe)", "(:integerMatch:=1)"});
  ExpectTruth(kUndefined, {"(:integerMatch:=x)"});
}

TEST_F(FilterEvaluationTest, TheDnFlagAddsTheValuesInTheName) {
  ExpectTruth(kTrue, {"(ou:dn:=sales)", "(ou:dn:caseExactMatch:=Sales)", "(dc:dn:=example)",
                      "(name:dn:=SALES)", "(:dn:caseExactMatch:=Sales)", "(cn:dn:=doe, john)",
                      "(uid:dn:caseExactMatch:=JD)"});
  ExpectTruth(kFalse, {"(ou:=sales)", "(ou:dn:caseExactMatch:=sales)", "(ou;lang-de:dn:=sales)",
                       "(:caseExactMatch:=Sales)", "(ou:dn:=example)", "(l:dn:=sales)"});
}

TEST_F(FilterEvaluationTest, DerivedAttributesWork) {
  ExpectTruth(kTrue, {"(entryDN=CN=Doe\\5c, John+UID=jd, OU=sales,dc=example,dc=com)",
                      "(entryDN=uid=jd+cn=doe\\5c2c john,ou=sales,dc=example,dc=com)",
                      "(entryDN=*)", "(hasSubordinates=TRUE)", "(hasSubordinates=*)",
                      "(numSubordinates>=3)", "(subschemaSubentry=cn=subschema)"});
  ExpectTruth(kFalse, {"(entryDN=ou=sales,dc=example,dc=com)", "(hasSubordinates=FALSE)",
                       "(numSubordinates>=4)", "(entryDN;x-a=*)"});
  ExpectTruth(kUndefined, {"(entryDN=no name)", "(hasSubordinates=maybe)"});
}

TEST_F(FilterEvaluationTest, AHiddenAttributeIsUndefinedWhetherThereOrNot) {
  target_->Hide("sn");
  target_->Hide("description");
  ExpectTruth(kUndefined, {"(sn=Doe)", "(sn=*)", "(!(sn=Doe))", "(sn=other)", "(description=*)",
                           "(sn:caseExactMatch:=Doe)", "(sn:dn:=Doe)"});
}

TEST_F(FilterEvaluationTest, AHiddenSubtypeIsAsIfItWereAbsent) {
  target_->Hide("sn");
  target_->Hide("ou");
  ExpectTruth(kFalse, {"(name=Doe)", "(:caseExactMatch:=Doe)", "(:dn:caseExactMatch:=Sales)",
                       "(name:dn:=sales)"});
  ExpectTruth(kTrue, {"(name=Hans)", "(!(name=Doe))"});
}

TEST_F(FilterEvaluationTest, AHiddenObjectClassCannotBeSearched) {
  target_->Hide("objectClass");
  ExpectTruth(kUndefined, {"(objectClass=person)", "(objectClass=*)"});
}

TEST_F(FilterEvaluationTest, EqualityAndPresenceDoNotAllocate) {
  for (const std::string_view text :
       {"(cn=*)", "(name=*)", "(cn;lang-de=*)", "(sn=DOE)", "(name=doe, john)", "(sn=nobody)",
        "(uidNumber=1007)", "(uid=jd)", "(mail=jd@example.com)", "(objectClass=person)",
        "(telephoneNumber=+15550100)", "(entryDN=dc=example,dc=com)",
        "(&(objectClass=inetOrgPerson)(|(uid=x)(!(cn=Hans))))"}) {
    const CompiledFilter filter = Compiled(text);
    const std::size_t before = CountAllocations();
    filter.Evaluate(*target_, *schema_);
    EXPECT_EQ(CountAllocations(), before) << text;
  }
}

TEST(AllocationCounterTest, Counts) {
  const std::size_t before = CountAllocations();
  const std::string long_text(1000, 'x');
  EXPECT_EQ(CountAllocations(), before + 1) << long_text.size();
}

}  // namespace
}  // namespace twintree::model
