#include "services/directory/engine/selection.h"

#include <gmock/gmock.h>

#include "tests/unit/services/directory/engine/engine_fixture.h"

namespace twintree::directory {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class SelectionTest : public testing::Test {
 protected:
  std::vector<std::string> Selected(std::vector<std::string> names) {
    const auto selection = AttributeSelection::Make(names, *schema_);
    std::vector<std::string> selected;
    std::size_t user = entry_.user_attribute_count();
    for (const model::StoredAttribute& attribute : entry_.attributes()) {
      const bool is_user = user > 0;
      if (is_user) --user;
      if (selection.Selects(attribute, is_user)) selected.emplace_back(attribute.description());
    }
    return selected;
  }

  std::shared_ptr<const model::Schema> schema_ = model::Schema::Standard();
  model::Entry entry_ =
      model::Entry::Encode(ParseAttributes("cn: a\ncn;lang-de: b\nsn: c\nmail: d\nentryUUID: "
                                           "597ae2f6-16a6-1027-98f4-d28b5365dc14",
                                           *schema_),
                           *schema_);
};

TEST_F(SelectionTest, NothingAskedIsAllUserAttributes) {
  EXPECT_THAT(Selected({}), ElementsAre("cn", "cn;lang-de", "sn", "mail"));
  EXPECT_TRUE(AttributeSelection::Make({}, *schema_).just_all_user());
}

TEST_F(SelectionTest, Specials) {
  EXPECT_THAT(Selected({"*"}), ElementsAre("cn", "cn;lang-de", "sn", "mail"));
  EXPECT_THAT(Selected({"+"}), ElementsAre("entryUUID"));
  EXPECT_THAT(Selected({"1.1"}), IsEmpty());
  EXPECT_THAT(Selected({"1.1", "mail"}), ElementsAre("mail"));
  EXPECT_THAT(Selected({"@person"}), ElementsAre("cn", "cn;lang-de", "sn"));
  EXPECT_THAT(Selected({"@noSuchClass", "@", ""}), IsEmpty());
  EXPECT_THAT(Selected({"@extensibleObject"}), ElementsAre("cn", "cn;lang-de", "sn", "mail"));
}

TEST_F(SelectionTest, NamesTakeSubtypesAndOptions) {
  EXPECT_THAT(Selected({"CN"}), ElementsAre("cn", "cn;lang-de"));
  EXPECT_THAT(Selected({"2.5.4.41"}), ElementsAre("cn", "cn;lang-de", "sn"));
  EXPECT_THAT(Selected({"cn;LANG-de"}), ElementsAre("cn;lang-de"));
  EXPECT_THAT(Selected({"name;lang-de"}), ElementsAre("cn;lang-de"));
  EXPECT_THAT(Selected({"cn;lang-en"}), IsEmpty());
  EXPECT_THAT(Selected({"cn;lang-"}), ElementsAre("cn;lang-de"));
}

TEST_F(SelectionTest, DerivedOnesComeByNameOrPlus) {
  const auto& known = schema_->well_known();
  EXPECT_FALSE(AttributeSelection::Make({}, *schema_).SelectsDerived(*known.entry_dn));
  const std::vector<std::string> plus{"+"};
  EXPECT_TRUE(AttributeSelection::Make(plus, *schema_).SelectsDerived(*known.entry_dn));
  const std::vector<std::string> name{"entrydn"};
  EXPECT_TRUE(AttributeSelection::Make(name, *schema_).SelectsDerived(*known.entry_dn));
  EXPECT_FALSE(AttributeSelection::Make(name, *schema_).SelectsDerived(*known.has_subordinates));
}

}  // namespace
}  // namespace twintree::directory
