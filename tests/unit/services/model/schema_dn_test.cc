#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "services/model/dn.h"
#include "services/model/schema.h"

namespace twintree::model {
namespace {

class NormalizeDnTest : public testing::Test {
 protected:
  std::string Key(std::string_view text) {
    const Result<DnKey> key = schema_->NormalizeDn(text);
    return key.ok() ? key->text() : "error: " + key.error().message;
  }
  ResultCode Code(std::string_view text) { return schema_->NormalizeDn(text).code(); }

  std::shared_ptr<const Schema> schema_ = Schema::Standard();
};

TEST_F(NormalizeDnTest, FoldsCaseAndSpaces) {
  EXPECT_EQ(Key("CN=Doe\\, John , OU = People,dc=Example"), "cn=doe\\2c john,ou=people,dc=example");
  EXPECT_EQ(Key("cn=a   b"), "cn=a b");
  EXPECT_EQ(Key("cn=\\20a\\20\\20b\\20"), "cn=a b");
  EXPECT_EQ(Key(""), "");
}

// The second name of each pair ends as the first one does, which is then known.
TEST_F(NormalizeDnTest, AKnownParentChangesNothing) {
  for (std::string_view parent : {"ou=People,dc=example", " OU = People , DC=Example", "ou=a+cn=b",
                                  "ou=semi\\;colon,dc=#0C0141", "dc=x"}) {
    const std::string parent_text(parent);
    const std::string parent_key = Key(parent);
    Key("uid=first," + parent_text);
    const auto key = schema_->NormalizeDn("uid=second\\,ou=x+cn=Y ," + parent_text);
    ASSERT_TRUE(key.ok()) << parent;
    EXPECT_EQ(key->rdn(0), "cn=y+uid=second\\2cou=x");
    EXPECT_EQ(key->parent(), parent_key);
    const auto whole = DnKey::FromNormalized(key->text());
    ASSERT_EQ(key->size(), whole.size());
    for (std::size_t i = 0; i < key->size(); ++i) EXPECT_EQ(key->suffix(i), whole.suffix(i));
  }
}

TEST_F(NormalizeDnTest, AKnownParentExcusesNoError) {
  Key("uid=first,dc=example");
  EXPECT_EQ(Code("uid,dc=example"), ResultCode::kInvalidDnSyntax);
  EXPECT_EQ(Code(",dc=example"), ResultCode::kInvalidDnSyntax);
  EXPECT_EQ(Code("nonsense=1,dc=example"), ResultCode::kInvalidDnSyntax);
  EXPECT_EQ(Code("uid=first,"), ResultCode::kInvalidDnSyntax);
  EXPECT_EQ(Code("uid=first,dc=exa\\mple"), ResultCode::kInvalidDnSyntax);
}

TEST_F(NormalizeDnTest, AKnownParentIsItsSchemasOwn) {
  const std::string definition =
      "attributetype ( 1.3.6.1.4.1.55555.1 NAME 'level' EQUALITY caseIgnoreMatch "
      "SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )";
  for (int i = 0; i < 3; ++i) {
    const auto other = Schema::StandardWith(definition).value();
    EXPECT_EQ(other->NormalizeDn("uid=first,level=A,dc=x")->text(), "uid=first,level=a,dc=x");
    EXPECT_EQ(Code("uid=second,level=A,dc=x"), ResultCode::kInvalidDnSyntax);
  }
}

TEST_F(NormalizeDnTest, TypesAreOneByAnyName) {
  const std::string key = "uid=alias,ou=dn05,dc=example";
  EXPECT_EQ(Key("userid=alias,ou=dn05,dc=example"), key);
  EXPECT_EQ(Key("0.9.2342.19200300.100.1.1=Alias,organizationalUnitName=dn05,"
                "domainComponent=example"),
            key);
}

TEST_F(NormalizeDnTest, EscapesAndHexFormAreSpellings) {
  const std::string key = "ou=semi\\3bcolon \\3ca\\3e \\22q\\22 #1";
  EXPECT_EQ(Key("ou=semi\\;colon \\<a\\> \\\"q\\\" \\#1"), key);
  EXPECT_EQ(Key("ou=semi\\3bcolon \\3ca\\3e \\22q\\22 #1"), key);
  EXPECT_EQ(Key("cn=A\\2bB"), Key("cn=a\\+b"));
  EXPECT_EQ(Key("cn=#0C0141"), "cn=a");
  EXPECT_EQ(Key("cn=\\23x"), "cn=\\23x");
}

TEST_F(NormalizeDnTest, ValuesAreComparedByTheirRules) {
  EXPECT_EQ(Key("cn=Stra\xc3\x9f"
                "e"),
            Key("CN=STRASSE"));
  EXPECT_EQ(Key("telephoneNumber=\\+1 555-1"), "telephonenumber=\\2b15551");
  EXPECT_NE(Key("homeDirectory=/A"), Key("homeDirectory=/a"));
  EXPECT_EQ(Key("createTimestamp=20240101000000Z"), Key("createTimestamp=202401010100\\+0100"));
  EXPECT_EQ(Key("member=CN\\=a\\,dc\\=X"), "member=cn=a\\2cdc=x");
}

TEST_F(NormalizeDnTest, TheTextOfAKeyIsASpellingOfTheName) {
  for (std::string_view text :
       {"uidNumber=-70", "createTimestamp=2024010100.5\\+0100", "telephoneNumber=\\+1 5-5",
        "postalAddress=1 A  St$B \\5c24 C\\5c5cD$E", "dc=", "cn=\\20", "objectClass=2.5.6.6",
        "uniqueMember=CN\\=a#'01'B", "uniqueMember=homeDirectory\\=a\\5c23'0'B",
        "entryUUID=597AE2F6-16A6-1027-98F4-D28B5365DC14", "jpegPhoto=\\20\\ff#\\20",
        "member=sn\\=b\\+cn\\=A", "attributeTypes=( 1.2.3 SUP name )"}) {
    const std::string key = Key(text);
    EXPECT_EQ(Code(text), ResultCode::kSuccess) << key;
    EXPECT_EQ(Key(key), key) << text;
  }
  EXPECT_EQ(Key("uidNumber=-70"), "uidnumber=-70");
  EXPECT_EQ(Key("createTimestamp=202401010000\\+0100"), "createtimestamp=20231231230000Z");
  EXPECT_EQ(Key("postalAddress=A  B$C"), "postaladdress=a b$c");
  EXPECT_NE(Key("uniqueMember=homeDirectory\\=a\\5c23'0'B"),
            Key("uniqueMember=homeDirectory\\=a#'0'B"));
}

TEST_F(NormalizeDnTest, TypesWithoutEqualityRuleAreComparedByOctets) {
  EXPECT_EQ(Key("jpegPhoto=\\ff A"), "jpegphoto=\\ff A");
  EXPECT_NE(Key("jpegPhoto=A"), Key("jpegPhoto=a"));
}

TEST_F(NormalizeDnTest, AvasOfAnRdnAreASet) {
  EXPECT_EQ(Key("sn=b+cn=A,dc=x"), "cn=a+sn=b,dc=x");
  EXPECT_EQ(Key("CN=a + SN=b,dc=x"), Key("sn=B+cn=A,DC=x"));
  EXPECT_EQ(Key("ou=c+sn=b+cn=a"), "cn=a+ou=c+sn=b");
  EXPECT_EQ(Code("cn=a+CN=A"), ResultCode::kInvalidDnSyntax);
  EXPECT_EQ(Key("cn=b+cn=a"), "cn=a+cn=b");
}

TEST_F(NormalizeDnTest, BadNamesAreInvalidDnSyntax) {
  for (std::string_view text :
       {"not a dn", "cn=a,,dc=x", "cn=a\\", "cn=a\\zz,dc=x", "cn=a+,dc=x", "=a,dc=x", ",",
        "xNoSuchType=a,dc=x", "cn=#zz", "cn=", "c=USA", "uidNumber=007", "dc=\xc3\xbc", "cn=\\ff",
        "cn=\\ee\\80\\80", "cn=a;b=c"}) {
    EXPECT_EQ(Code(text), ResultCode::kInvalidDnSyntax) << text;
  }
  EXPECT_EQ(Code("cn=authentik%20Admins,dc=x"), ResultCode::kSuccess);
}

TEST_F(NormalizeDnTest, TheUnknownTypeIsNamed) {
  const Result<DnKey> key = schema_->NormalizeDn("xNoSuchType=a,dc=x");
  ASSERT_FALSE(key.ok());
  EXPECT_NE(key.error().message.find("xNoSuchType"), std::string::npos);
}

TEST_F(NormalizeDnTest, NamesNestedInNamesEndSomewhere) {
  std::string text;
  for (int i = 0; i < 200000; ++i) text += "member=";
  EXPECT_EQ(Code(text + "cn=a"), ResultCode::kInvalidDnSyntax);
  EXPECT_EQ(Key("member=member=cn=A"), "member=member=cn=a");
}

TEST_F(NormalizeDnTest, TooManyRdnsAreRefused) {
  std::string text = "dc=a";
  for (std::size_t i = 1; i < Dn::kMaxRdns; ++i) text += ",dc=a";
  EXPECT_EQ(schema_->NormalizeDn(text)->size(), Dn::kMaxRdns);
  EXPECT_EQ(Code(text + ",dc=a"), ResultCode::kInvalidDnSyntax);
}

TEST_F(NormalizeDnTest, RdnKeysStandInDnKeys) {
  const Result<Rdn> rdn = Rdn::Parse("SN=B + cn=Doe\\, J");
  EXPECT_EQ(schema_->NormalizeRdn(*rdn).value(), "cn=doe\\2c j+sn=b");
  EXPECT_EQ(schema_->NormalizeDn("sn=b+CN=doe\\, j,dc=x")->rdn(0), "cn=doe\\2c j+sn=b");
  EXPECT_EQ(schema_->NormalizeRdn(*Rdn::Parse("xNoSuchType=a")).code(),
            ResultCode::kInvalidDnSyntax);
}

TEST_F(NormalizeDnTest, DnEqualsComparesAnySpellingWithAKey) {
  EXPECT_TRUE(schema_->DnEquals("CN=A, dc=X", "cn=a,dc=x"));
  EXPECT_FALSE(schema_->DnEquals("CN=A, dc=X", "cn=b,dc=x"));
  EXPECT_FALSE(schema_->DnEquals("not a dn", "not a dn"));
  EXPECT_TRUE(schema_->DnEquals("", ""));
  EXPECT_FALSE(schema_->DnEquals("cn=a", "cn=a,dc=x"));
  EXPECT_FALSE(schema_->DnEquals("cn=a,dc=x", "cn=a"));
  EXPECT_FALSE(schema_->DnEquals("cn=a", "cn=ab"));
  EXPECT_FALSE(schema_->DnEquals("cn=a,dc=x", ""));
  EXPECT_FALSE(schema_->DnEquals("", "cn=a"));
  EXPECT_FALSE(schema_->DnEquals("cn=a,", "cn=a"));
  EXPECT_TRUE(schema_->DnEquals("UID=b+CN=A,dc=x", "cn=a+uid=b,dc=x"));
  EXPECT_FALSE(schema_->DnEquals("cn=a+uid=c,dc=x", "cn=a+uid=b,dc=x"));
  EXPECT_FALSE(schema_->DnEquals(std::string_view("cn=a").substr(0, 3), "cn=a"));
}

// Most names are told apart by their first octets; that must never be a mistake.
TEST_F(NormalizeDnTest, DnEqualsAgreesWithTheKeys) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto pick = [&](const std::vector<std::string>& from) {
    return from[random() % from.size()];
  };
  const std::vector<std::string> types = {
      "cn", "CN", "commonName", "uid", "telephoneNumber", "homeDirectory"};
  const std::vector<std::string> parts = {
      "a",    "A",    "b", "B",    " ",  "  ",   "-",        ".",        "=",        "\\,",
      "\\2c", "\\20", "1", "\\e9", "\t", "\x01", "\xcc\x81", "\xc2\xad", "\xc3\xa1", "\\61"};
  const auto name = [&] {
    std::vector<std::string> pieces;
    for (std::size_t avas = 1 + random() % 2; avas > 0; --avas) {
      if (!pieces.empty()) pieces.push_back(pick({",", "+", " , "}));
      pieces.push_back(pick(types) + "=");
      for (std::size_t n = random() % 4; n > 0; --n) pieces.push_back(pick(parts));
    }
    return pieces;
  };
  const auto joined = [](const std::vector<std::string>& pieces) {
    std::string text;
    for (const std::string& piece : pieces) text += piece;
    return text;
  };
  int equal = 0;
  int different = 0;
  for (int i = 0; i < 60000; ++i) {
    std::vector<std::string> pieces = name();
    const Result<DnKey> key = schema_->NormalizeDn(joined(pieces));
    if (!key.ok()) continue;
    std::string& changed = pieces[random() % pieces.size()];
    changed = changed.ends_with('=') ? pick(types) + "=" : pick(parts);
    const std::string other = joined(pieces);
    const Result<DnKey> other_key = schema_->NormalizeDn(other);
    const bool expected = other_key.ok() && other_key->text() == key->text();
    ++(expected ? equal : different);
    ASSERT_EQ(schema_->DnEquals(other, key->text()), expected) << other << " / " << key->text();
  }
  EXPECT_GT(equal, 1000);
  EXPECT_GT(different, 1000);
}

// The text is read by a short way where it can be; a parsed name never is.
TEST_F(NormalizeDnTest, AllWaysGiveTheSameKey) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const std::vector<std::string> types = {"cn",         "UID",       "dc",       "homeDirectory",
                                          "labeledURI", "jpegPhoto", "2.5.4.11", "telephoneNumber"};
  const std::vector<std::string> parts = {"a",        "B",   " ", "  ",   "\\,", "\\2c",
                                          "\\20",     "=",   "#", "\\#",  "1",   "-",
                                          "\xc3\xbc", "\\+", ".", "\\09", "'"};
  int valid = 0;
  for (int i = 0; i < 30000; ++i) {
    std::string text;
    for (std::size_t avas = 1 + random() % 3; avas > 0; --avas) {
      if (!text.empty()) text += random() % 3 == 0 ? "+" : " , ";
      text += types[random() % types.size()] + "=";
      for (std::size_t n = random() % 5; n > 0; --n) text += parts[random() % parts.size()];
    }
    const Result<DnKey> direct = schema_->NormalizeDn(text);
    const Result<Dn> dn = Dn::Parse(text);
    const Result<DnKey> parsed = dn.ok() ? schema_->NormalizeDn(*dn) : Result<DnKey>(dn.error());
    ASSERT_EQ(direct.ok(), parsed.ok()) << text;
    if (!direct.ok()) continue;
    ++valid;
    EXPECT_EQ(direct->text(), parsed->text()) << text;
    EXPECT_EQ(schema_->NormalizeDnText(text).value(), direct->text());
    const DnKey again = DnKey::FromNormalized(direct->text());
    ASSERT_EQ(again.size(), direct->size()) << text;
    for (std::size_t rdn = 0; rdn < again.size(); ++rdn)
      EXPECT_EQ(again.rdn(rdn), direct->rdn(rdn));
    EXPECT_TRUE(schema_->DnEquals(dn->ToString(), direct->text())) << text;
    EXPECT_EQ(Key(direct->text()), direct->text()) << text;
  }
  EXPECT_GT(valid, 3000);
}

}  // namespace
}  // namespace twintree::model
