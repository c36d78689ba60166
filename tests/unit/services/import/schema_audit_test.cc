#include "services/import/schema_audit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/services/import/import_fixture.h"

namespace twintree::import {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr const char* kExtra =
    "attributetype ( 1.3.6.1.4.1.32473.1.1 NAME 'shoeSize' EQUALITY integerMatch\n"
    "  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 )\n"
    "objectclass ( 1.3.6.1.4.1.32473.2.1 NAME 'shoeOwner' SUP top AUXILIARY MAY shoeSize )\n";

class SchemaAuditTest : public ImportFixture {
 protected:
  void SetUp() override {
    auto schema = model::Schema::StandardWith(kExtra);
    ASSERT_TRUE(schema.ok()) << schema.error().message;
    schema_ = std::move(schema).value();
    store_ = NewMemoryStore(*schema_);
    ASSERT_TRUE(
        Import(WithTop(PersonRecord("a") + "dn: cn=b,dc=example,dc=com\nobjectClass: person\n"
                                           "objectClass: shoeOwner\nsn: x\nshoeSize: 43\n"))
            .ok());
  }

  SchemaAudit Audit(const model::Schema& schema, std::size_t max_findings = 10) {
    auto reader = store_->Read();
    const auto audit = AuditSchema(schema, reader->get(), max_findings,
                                   [this](const SchemaFinding& one) { findings_.push_back(one); });
    EXPECT_TRUE(audit.ok());
    return audit.ok() ? *audit : SchemaAudit{};
  }

  std::vector<SchemaFinding> findings_;
};

TEST_F(SchemaAuditTest, FindsNothingWhereAllIsInOrder) {
  const SchemaAudit audit = Audit(*schema_);
  EXPECT_EQ(audit.entries, 3u);
  EXPECT_EQ(audit.findings, 0u);
}

// Reads the entries of another store with the standard schema.
TEST_F(SchemaAuditTest, FindsAnEntryThatTheSchemaNoLongerAllows) {
  const auto standard = model::Schema::Standard();
  const auto other = NewMemoryStore(*standard);
  std::vector<storage::StoredEntryPtr> entries;
  ASSERT_TRUE((*store_->Read())->Scan(0, {10}, &entries).ok());
  auto load = other->StartBulkLoad();
  for (const storage::StoredEntryPtr& one : entries) {
    auto entry = model::Entry::Decode(std::string(one->entry.octets()), *standard);
    ASSERT_TRUE(entry.ok());
    ASSERT_TRUE(
        (*load)->Insert({one->parent, one->rdn, one->rdn_key, std::move(entry).value()}).ok());
  }
  ASSERT_TRUE((*load)->Finish({}).ok());
  store_ = other;
  EXPECT_EQ(Audit(*standard).findings, 1u);
  ASSERT_THAT(findings_, SizeIs(1));
  EXPECT_EQ(findings_[0].dn, "cn=b,dc=example,dc=com");
  EXPECT_THAT(findings_[0].what, HasSubstr("shoeSize"));
  findings_.clear();
  EXPECT_EQ(Audit(*standard, 0).findings, 1u);
  EXPECT_THAT(findings_, SizeIs(0));
}

}  // namespace
}  // namespace twintree::import
