#include "services/model/entry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace twintree::model {
namespace {

using namespace std::string_view_literals;
using testing::ElementsAre;
using testing::IsEmpty;

class EntryTest : public testing::Test {
 protected:
  Attribute Make(std::string_view description, const ValueList& values) {
    Result<AttributeDescription> parsed = AttributeDescription::Parse(description, *schema_);
    EXPECT_TRUE(parsed.ok()) << description;
    return {std::move(parsed).value(), values};
  }
  Entry MakePerson() {
    const std::vector<Attribute> attributes = {
        Make("objectClass", {"inetOrgPerson"}),
        Make("createTimestamp", {"20240102030405Z"}),
        Make("CN", {"a", "b"}),
        Make("cn;lang-de", {"c"}),
        Make("description", {}),
    };
    return Entry::Encode(attributes, *schema_);
  }
  static std::vector<std::string> ValuesOf(const StoredAttribute& attribute) {
    std::vector<std::string> values;
    for (const std::string_view value : attribute.values()) values.emplace_back(value);
    return values;
  }
  ResultCode DecodeCode(std::string_view octets) {
    return Entry::Decode(std::string(octets), *schema_).code();
  }

  std::shared_ptr<const Schema> schema_ = Schema::Standard();
};

TEST_F(EntryTest, StoredFormIsAsDescribed) {
  const std::vector<Attribute> attributes = {Make("createTimestamp", {"20240102030405Z"}),
                                             Make("sn", {"x", ""})};
  const Entry entry = Entry::Encode(attributes, *schema_);
  EXPECT_EQ(entry.octets(),
            "\x01\x0d\x00\x00\x00"
            "\x30\x0b\x04\x02sn\x31\x05\x04\x01x\x04\x00"
            "\x30\x24\x04\x0f"
            "createTimestamp\x31\x11\x04\x0f"
            "20240102030405Z"sv);
}

TEST_F(EntryTest, SectionsSeparateUserAndOperationalAttributes) {
  const Entry entry = MakePerson();
  ASSERT_EQ(entry.attributes().size(), 4u);
  EXPECT_EQ(entry.user_attribute_count(), 3u);
  EXPECT_EQ(entry.attributes()[0].description(), "objectClass");
  EXPECT_EQ(entry.attributes()[1].description(), "cn");
  EXPECT_EQ(entry.attributes()[2].description(), "cn;lang-de");
  EXPECT_EQ(entry.attributes()[3].description(), "createTimestamp");
  EXPECT_EQ(entry.user_section().size() + entry.operational_section().size() + 5,
            entry.octets().size());
  EXPECT_EQ(entry.operational_section(), entry.attributes()[3].encoded());
}

TEST_F(EntryTest, ReadsValuesInPlace) {
  const Entry entry = MakePerson();
  const StoredAttribute& cn = entry.attributes()[1];
  EXPECT_EQ(cn.type(), schema_->FindAttributeType("cn"));
  EXPECT_FALSE(cn.has_options());
  EXPECT_TRUE(entry.attributes()[2].has_options());
  EXPECT_EQ(cn.values().CountValues(), 2u);
  EXPECT_THAT(ValuesOf(cn), ElementsAre("a", "b"));
}

TEST_F(EntryTest, EmptyAndLongValuesAreValues) {
  const std::string long_value(70000, 'x');
  const std::vector<Attribute> attributes = {Make("description", {"", long_value, ""})};
  const Entry entry = Entry::Encode(attributes, *schema_);
  EXPECT_THAT(ValuesOf(entry.attributes()[0]), ElementsAre("", long_value, ""));
}

TEST_F(EntryTest, FindsATypeWithoutOptionsOnly) {
  const Entry entry = MakePerson();
  const AttributeType& cn = *schema_->FindAttributeType("cn");
  EXPECT_EQ(entry.Find(cn), &entry.attributes()[1]);
  EXPECT_EQ(entry.Find(*schema_->FindAttributeType("name")), nullptr);
  const std::vector<Attribute> german = {Make("cn;lang-de", {"c"})};
  EXPECT_EQ(Entry::Encode(german, *schema_).Find(cn), nullptr);
}

TEST_F(EntryTest, DecodeReadsWhatEncodeMade) {
  const Entry entry = MakePerson();
  const Result<Entry> decoded = Entry::Decode(std::string(entry.octets()), *schema_);
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(decoded->octets(), entry.octets());
  EXPECT_EQ(decoded->user_attribute_count(), 3u);
  EXPECT_EQ(decoded->attributes().size(), 4u);
}

TEST_F(EntryTest, CopyToAttributesEncodesToTheSameOctets) {
  const Entry entry = MakePerson();
  const std::vector<Attribute> attributes = entry.ToAttributes(*schema_);
  EXPECT_THAT(attributes[2].description.options, ElementsAre("lang-de"));
  EXPECT_EQ(Entry::Encode(attributes, *schema_).octets(), entry.octets());
}

TEST_F(EntryTest, EmptyEntryHasNoAttributes) {
  const Entry entry = Entry::Encode({}, *schema_);
  EXPECT_EQ(entry.octets(), "\x01\x00\x00\x00\x00"sv);
  EXPECT_THAT(entry.attributes(), IsEmpty());
  EXPECT_THAT(entry.user_section(), IsEmpty());
}

TEST_F(EntryTest, EveryTruncationIsDamageUnlessItEndsBetweenOperationalAttributes) {
  const Entry entry = MakePerson();
  const std::size_t user_end = 5 + entry.user_section().size();
  for (std::size_t size = 0; size < entry.octets().size(); ++size) {
    const ResultCode expected = size == user_end ? ResultCode::kSuccess : ResultCode::kOther;
    EXPECT_EQ(DecodeCode(entry.octets().substr(0, size)), expected) << size;
  }
}

TEST_F(EntryTest, RefusesDamage) {
  EXPECT_EQ(DecodeCode("\x02\x00\x00\x00\x00"sv), ResultCode::kOther) << "version";
  EXPECT_EQ(DecodeCode("\x01\x01\x00\x00\x00"sv), ResultCode::kOther) << "section length";
  EXPECT_EQ(DecodeCode("\x01\x02\x00\x00\x00\x31\x00"sv), ResultCode::kOther) << "no SEQUENCE";
  EXPECT_EQ(DecodeCode("\x01\x08\x00\x00\x00\x30\x06\x04\x02sn\x31\x00"sv), ResultCode::kOther)
      << "no values";
  EXPECT_EQ(DecodeCode("\x01\x0a\x00\x00\x00\x30\x08\x04\x02sn\x31\x02\x02\x00"sv),
            ResultCode::kOther)
      << "INTEGER as value";
  EXPECT_EQ(DecodeCode("\x01\x0c\x00\x00\x00\x30\x0a\x04\x02sn\x31\x02\x04\x00\x05\x00"sv),
            ResultCode::kOther)
      << "something after the SET";
}

TEST_F(EntryTest, KeepsAttributesThatTheSchemaDoesNotKnow) {
  const std::string octets("\x01\x0c\x00\x00\x00\x30\x0a\x04\x03old\x31\x03\x04\x01x"sv);
  const Result<Entry> entry = Entry::Decode(octets, *schema_);
  ASSERT_TRUE(entry.ok());
  EXPECT_EQ(entry->attributes()[0].type(), nullptr);
  const std::vector<Attribute> attributes = entry->ToAttributes(*schema_);
  EXPECT_EQ(attributes[0].description.text, "old");
  EXPECT_EQ(Entry::Encode(attributes, *schema_).octets(), octets);
}

// The stored form as earlier versions wrote it: each attribute in the spelling that it was given.
std::string OldForm(const std::vector<std::pair<std::string_view, ValueList>>& attributes) {
  std::string section;
  for (const auto& [description, values] : attributes) {
    AppendPartialAttribute(description, values, &section);
  }
  return std::string("\x01") + static_cast<char>(section.size()) + std::string(3, '\0') + section;
}

TEST_F(EntryTest, ReadsAliasesAsFirstNames) {
  const std::string octets =
      OldForm({{"CommonName", {"x", "y"}}, {"SN;X-a;lang-de", {"z"}}, {"old", {"z"}}});
  const Entry entry = Entry::Decode(octets, *schema_).value();
  ASSERT_EQ(entry.attributes().size(), 3u);
  EXPECT_EQ(entry.user_attribute_count(), 3u);
  EXPECT_EQ(entry.attributes()[0].description(), "cn");
  EXPECT_THAT(ValuesOf(entry.attributes()[0]), ElementsAre("x", "y"));
  EXPECT_EQ(entry.attributes()[1].description(), "sn;X-a;lang-de");
  EXPECT_EQ(entry.attributes()[2].description(), "old");
  EXPECT_EQ(Entry::Decode(entry.octets(), *schema_)->octets(), entry.octets());
}

TEST_F(EntryTest, ReadsWithoutBinaryWhatIsNoBer) {
  const std::string octets = OldForm({{"jpegPhoto;Binary", {"a"}},
                                      {"jpegPhoto", {"a", "b"}},
                                      {"cn;x-a;binary;lang-de", {"c"}},
                                      {"userPKCS12;binary", {"d"}}});
  const Entry entry = Entry::Decode(octets, *schema_).value();
  ASSERT_EQ(entry.attributes().size(), 3u);
  EXPECT_EQ(entry.attributes()[0].description(), "jpegPhoto");
  EXPECT_FALSE(entry.attributes()[0].has_options());
  EXPECT_THAT(ValuesOf(entry.attributes()[0]), ElementsAre("a", "b"));
  EXPECT_EQ(entry.attributes()[1].description(), "cn;x-a;lang-de");
  EXPECT_EQ(entry.attributes()[2].description(), "userPKCS12;binary");
}

TEST_F(EntryTest, ReadsCertificatesAsTransferredByBinary) {
  const std::string octets = OldForm({{"userCertificate", {"a", "b"}},
                                      {"usercertificate;BINARY", {"b", "c"}},
                                      {"userCertificate;binary", {"d"}}});
  const Entry entry = Entry::Decode(octets, *schema_).value();
  ASSERT_EQ(entry.attributes().size(), 1u);
  EXPECT_EQ(entry.attributes()[0].description(), "userCertificate;binary");
  EXPECT_THAT(ValuesOf(entry.attributes()[0]), ElementsAre("a", "b", "c", "d"));
}

TEST_F(EntryTest, ViewsSurviveAMove) {
  Entry entry = MakePerson();
  const char* const octets = entry.octets().data();
  Entry moved(std::move(entry));
  EXPECT_EQ(moved.octets().data(), octets);
  EXPECT_THAT(ValuesOf(moved.attributes()[1]), ElementsAre("a", "b"));
  Entry assigned = Entry::Encode({}, *schema_);
  assigned = std::move(moved);
  EXPECT_THAT(ValuesOf(assigned.attributes()[1]), ElementsAre("a", "b"));
}

TEST_F(EntryTest, MemorySizeCountsOctetsAndIndex) {
  const Entry entry = MakePerson();
  EXPECT_GE(entry.memory_size(),
            sizeof(Entry) + entry.octets().size() + 4 * sizeof(StoredAttribute));
}

TEST_F(EntryTest, ObjectClassesAreResolvedAndUnknownOnesLeftOut) {
  const std::vector<Attribute> attributes = {Make("objectClass", {"PERSON", "nope", "2.5.6.0"})};
  const Entry entry = Entry::Encode(attributes, *schema_);
  EXPECT_THAT(ObjectClassesOf(entry, *schema_),
              ElementsAre(schema_->FindObjectClass("person"), schema_->well_known().top));
  EXPECT_THAT(ObjectClassesOf(Entry::Encode({}, *schema_), *schema_), IsEmpty());
}

TEST(AppendPartialAttributeTest, WritesAnEmptySetForNoValues) {
  std::string out = "x";
  AppendPartialAttribute("sn", {}, &out);
  EXPECT_EQ(out, "x\x30\x06\x04\x02sn\x31\x00"sv);
}

}  // namespace
}  // namespace twintree::model
