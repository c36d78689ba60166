#include "services/directory/engine/planner.h"

#include <gmock/gmock.h>

#include "services/model/filter.h"
#include "tests/unit/services/directory/engine/engine_fixture.h"

namespace twintree::directory {
namespace {

using storage::EntryId;
using testing::ElementsAre;
using testing::IsEmpty;

class PlannerTest : public testing::Test {
 protected:
  PlannerTest() {
    base_ = Insert(*store_, 0, "dc=example", "objectClass: domain\ndc: example");
    for (int i = 0; i < 100; ++i) {
      const std::string name = "p" + std::to_string(i);
      people_.push_back(Insert(
          *store_, base_, "cn=" + name,
          "objectClass: inetOrgPerson\ncn: " + name + "\nsn: " + (i < 3 ? "rare" : "common") +
              "\nuidNumber: " + std::to_string(i) + "\nentryCSN: 202601020304" +
              std::to_string(10 + i % 50) + ".000000Z#000000#000#000000"));
    }
    group_ = Insert(*store_, base_, "cn=g", "objectClass: groupOfNames\ncn: g");
    reader_ = *store_->Read();
  }

  PlanState Plan(std::string_view text, std::size_t limit = 1000, std::size_t lookups = 1000) {
    const auto filter = model::Filter::Parse(text);
    EXPECT_TRUE(filter.ok());
    Planner planner(*schema_, relations_, store_->indexes(), *reader_,
                    [this](const model::DnKey& name) { return Locate(name); });
    const auto state = planner.Candidates(model::CompiledFilter::Compile(*filter, *schema_), limit,
                                          lookups, &ids_);
    EXPECT_TRUE(state.ok());
    return *state;
  }

  model::Result<EntryId> Locate(const model::DnKey& name) {
    if (name.size() != 2 || name.rdn(1) != "dc=example") return storage::kNoEntry;
    return reader_->FindChild(base_, name.rdn(0));
  }

  std::shared_ptr<const model::Schema> schema_ = model::Schema::Standard();
  SchemaRelations relations_{*schema_};
  std::shared_ptr<storage::EntryStore> store_ = MakeMemoryStore();
  EntryId base_ = 0;
  EntryId group_ = 0;
  std::vector<EntryId> people_;
  std::unique_ptr<storage::ReadTransaction> reader_;
  std::vector<EntryId> ids_;
};

TEST_F(PlannerTest, EqualityGivesItsEntries) {
  EXPECT_EQ(Plan("(cn=P7)"), PlanState::kFound);
  EXPECT_THAT(ids_, ElementsAre(people_[7]));
}

TEST_F(PlannerTest, UnindexedItemsGiveNothing) {
  EXPECT_EQ(Plan("(description=x)"), PlanState::kNotIndexed);
  EXPECT_EQ(Plan("(!(cn=p7))"), PlanState::kNotIndexed);
  EXPECT_EQ(Plan("(name=p7)"), PlanState::kNotIndexed);
  EXPECT_EQ(Plan("(objectClass=top)"), PlanState::kNotIndexed);
  EXPECT_EQ(Plan("(hasSubordinates=TRUE)"), PlanState::kNotIndexed);
  EXPECT_EQ(Plan("(cn:dn:=p7)"), PlanState::kNotIndexed);
}

TEST_F(PlannerTest, NamesLeadToTheirEntry) {
  EXPECT_EQ(Plan("(entryDN=CN = P7,DC=Example)"), PlanState::kFound);
  EXPECT_THAT(ids_, ElementsAre(people_[7]));
  EXPECT_EQ(Plan("(|(entryDN=cn=p9,dc=example)(entryDN=cn=p8,dc=example)(cn=p7))"),
            PlanState::kFound);
  EXPECT_THAT(ids_, ElementsAre(people_[7], people_[8], people_[9]));
  EXPECT_EQ(Plan("(&(sn=common)(entryDN=cn=p7,dc=example))"), PlanState::kFound);
  EXPECT_THAT(ids_, ElementsAre(people_[7]));
  for (std::string_view nobody :
       {"(entryDN=cn=none,dc=example)", "(entryDN=)", "(entryDN=no name)"}) {
    EXPECT_EQ(Plan(nobody), PlanState::kFound) << nobody;
    EXPECT_THAT(ids_, IsEmpty()) << nobody;
  }
}

TEST_F(PlannerTest, OtherMatchesOfNamesAreNotIndexed) {
  for (std::string_view filter :
       {"(entryDN=*)", "(entryDN:dn:=cn=p7,dc=example)", "(entryDN;x-a=cn=p7,dc=example)",
        "(!(entryDN=cn=p7,dc=example))", "(subschemaSubentry=cn=Subschema)"}) {
    EXPECT_EQ(Plan(filter), PlanState::kNotIndexed) << filter;
  }
}

TEST_F(PlannerTest, EachStepToANameIsALookUp) {
  EXPECT_EQ(Plan("(entryDN=cn=p7,dc=example)", 1000, 2), PlanState::kFound);
  EXPECT_EQ(Plan("(entryDN=cn=p7,dc=example)", 1000, 1), PlanState::kTooMany);
  EXPECT_EQ(Plan("(|(entryDN=cn=p7,dc=example)(entryDN=cn=p8,dc=example))", 1000, 3),
            PlanState::kTooMany);
}

TEST_F(PlannerTest, AndNeedsOneIndexedBranch) {
  EXPECT_EQ(Plan("(&(description=x)(!(sn=y))(sn=rare))"), PlanState::kFound);
  EXPECT_THAT(ids_, ElementsAre(people_[0], people_[1], people_[2]));
}

TEST_F(PlannerTest, AndTakesTheSmallestBranch) {
  EXPECT_EQ(Plan("(&(objectClass=person)(sn=common)(cn=p7))"), PlanState::kFound);
  EXPECT_THAT(ids_, ElementsAre(people_[7]));
}

TEST_F(PlannerTest, AndNarrowsLargeBranches) {
  EXPECT_EQ(Plan("(&(sn=common)(objectClass=groupOfNames))"), PlanState::kFound);
  EXPECT_LE(ids_.size(), 1u);
}

TEST_F(PlannerTest, OrNeedsAllBranchesIndexed) {
  EXPECT_EQ(Plan("(|(cn=p7)(cn=p5)(cn=p7))"), PlanState::kFound);
  EXPECT_THAT(ids_, ElementsAre(people_[5], people_[7]));
  EXPECT_EQ(Plan("(|(cn=p7)(description=x))"), PlanState::kNotIndexed);
  EXPECT_EQ(Plan("(|)"), PlanState::kFound);
  EXPECT_THAT(ids_, IsEmpty());
}

TEST_F(PlannerTest, UndefinedItemsMatchNothing) {
  EXPECT_EQ(Plan("(noSuch=1)"), PlanState::kFound);
  EXPECT_THAT(ids_, IsEmpty());
  EXPECT_EQ(Plan("(!(noSuch=1))"), PlanState::kFound);
  EXPECT_THAT(ids_, IsEmpty());
  EXPECT_EQ(Plan("(|(noSuch=1)(cn=p7))"), PlanState::kFound);
  EXPECT_THAT(ids_, ElementsAre(people_[7]));
}

TEST_F(PlannerTest, ClassesIncludeThoseBelow) {
  EXPECT_EQ(Plan("(objectClass=person)"), PlanState::kFound);
  EXPECT_EQ(ids_, people_);
  EXPECT_EQ(Plan("(objectClass=groupOfNames)"), PlanState::kFound);
  EXPECT_THAT(ids_, ElementsAre(group_));
}

TEST_F(PlannerTest, PrefixesAndPieces) {
  EXPECT_EQ(Plan("(cn=P9*)"), PlanState::kFound);
  EXPECT_EQ(ids_.size(), 11u);
  EXPECT_EQ(Plan("(sn=*ARE*)"), PlanState::kFound);
  EXPECT_THAT(ids_, ElementsAre(people_[0], people_[1], people_[2]));
}

TEST_F(PlannerTest, LimitsAreKept) {
  EXPECT_EQ(Plan("(sn=common)", 96), PlanState::kTooMany);
  EXPECT_EQ(Plan("(sn=common)", 97), PlanState::kFound);
  EXPECT_EQ(Plan("(|(cn=p1)(cn=p2)(cn=p3))", 2), PlanState::kTooMany);
  EXPECT_EQ(Plan("(|(cn=p1)(cn=p2)(cn=p3))", 100, 2), PlanState::kTooMany);
}

TEST_F(PlannerTest, ClosedRangeOfServerAttributeIsOneLookUp) {
  EXPECT_EQ(Plan("(&(entryCSN>=20260102030412.000000Z#000000#000#000000)"
                 "(entryCSN<=20260102030413.000000Z#000000#000#000000))",
                 7),
            PlanState::kFound);
  EXPECT_EQ(ids_.size(), 4u);
}

}  // namespace
}  // namespace twintree::directory
