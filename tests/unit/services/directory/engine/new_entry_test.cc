#include "services/directory/engine/new_entry.h"

#include <gtest/gtest.h>

#include "services/directory/engine/schema_check.h"

namespace twintree::directory {
namespace {

using model::ResultCode;

class NewEntryTest : public testing::Test {
 protected:
  model::Result<NewEntryParts> Check(std::string_view dn,
                                     std::vector<model::RawAttribute> attributes) {
    return CheckNewEntry(dn, attributes, *schema_);
  }
  std::shared_ptr<const model::Schema> schema_ = model::Schema::Standard();
};

TEST_F(NewEntryTest, PutsAttributesTogetherThatAreGivenTwice) {
  const auto parts = Check(
      "cn=a,dc=x",
      {{"objectClass", {"person"}}, {"sn", {"x"}}, {"surname", {"y"}}, {"objectclass", {"top"}}});
  ASSERT_TRUE(parts.ok()) << parts.error().message;
  EXPECT_EQ(parts->attributes.size(), 3u);
  EXPECT_EQ(parts->structural->name(), "person");
}

TEST_F(NewEntryTest, AddsMissingNamingValuesOnly) {
  const auto parts =
      Check("cn=A+sn=b,dc=x", {{"objectClass", {"person"}}, {"sn", {"x"}}, {"cn", {"a"}}});
  ASSERT_TRUE(parts.ok()) << parts.error().message;
  const auto* cn = FindAttribute(parts->attributes, *schema_->FindAttributeType("cn"));
  const auto* sn = FindAttribute(parts->attributes, *schema_->FindAttributeType("sn"));
  EXPECT_EQ(cn->values, model::ValueList{"a"});
  EXPECT_EQ(sn->values, (model::ValueList{"x", "b"}));
}

TEST_F(NewEntryTest, RefusesServerAttributesInNames) {
  EXPECT_EQ(Check("entryUUID=597ae2f6-16a6-1027-98f4-d28b5365dc14,dc=x",
                  {{"objectClass", {"person"}}, {"sn", {"x"}}, {"cn", {"a"}}})
                .code(),
            ResultCode::kConstraintViolation);
}

TEST_F(NewEntryTest, RefusesPasswordsInNames) {
  EXPECT_EQ(
      Check("userPassword=x,dc=x", {{"objectClass", {"person"}}, {"sn", {"x"}}, {"cn", {"a"}}})
          .code(),
      ResultCode::kNamingViolation);
}

}  // namespace
}  // namespace twintree::directory
