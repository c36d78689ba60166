#include "services/model/standard_matching_rules.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/unit/services/model/x509_values.h"

namespace twintree::model {
namespace {

class RuleTest : public testing::Test {
 protected:
  const MatchingRule& Rule(std::string_view name) {
    const MatchingRule* rule = schema_->FindMatchingRule(name);
    EXPECT_NE(rule, nullptr) << name;
    return *rule;
  }

  // Does the value satisfy the assertion? By Equals and by keys, which must agree.
  bool Match(std::string_view name, std::string_view value, std::string_view assertion) {
    const MatchingRule& rule = Rule(name);
    const Result<std::string> key = rule.AssertionKey(assertion);
    EXPECT_TRUE(key.ok()) << key.error().message;
    const bool equal = rule.Equals(value, *key);
    const Result<std::string> value_key = rule.ValueKey(value);
    if (rule.keys_decide()) {
      EXPECT_EQ(equal, value_key.ok() && *value_key == *key) << name << " " << value;
    }
    return equal;
  }

  bool Less(std::string_view name, std::string_view a, std::string_view b) {
    return Rule(name).ValueKey(a).value() < Rule(name).AssertionKey(b).value();
  }

  ResultCode AssertionCode(std::string_view name, std::string_view assertion) {
    return Rule(name).AssertionKey(assertion).code();
  }

  std::shared_ptr<const Schema> schema_ = Schema::Standard();
};

TEST_F(RuleTest, CheckKeyTellsWhetherThereIsAKey) {
  for (std::string_view value :
       {"", " ", "a\x01z", "12", "cn=a", "noSuchType=x", "cn=a#'1'B", "\uFFFD", "\u00e9", "\xff",
        "TRUE", "'01'B", "20240101000000Z", "99991231235959-0100", "+49 30", "a$\uFFFD",
        "597ae2f6-16a6-1027-98f4-d28b5365dc14", "( 1.2.3 )"}) {
    for (const auto& rule : schema_->matching_rules()) {
      EXPECT_EQ(rule->CheckKey(value).code(), rule->ValueKey(value).code())
          << rule->name() << " " << value;
    }
  }
}

TEST_F(RuleTest, CaseIgnoreFoldsAndCaseExactDoesNot) {
  EXPECT_TRUE(Match("caseIgnoreMatch", "John  DOE", " john doe"));
  EXPECT_FALSE(Match("caseExactMatch", "John DOE", "john doe"));
  EXPECT_TRUE(Match("caseExactMatch", "John  DOE ", "John DOE"));
  EXPECT_TRUE(Match("caseIgnoreMatch",
                    "STRA\xc3\x9f"
                    "E",
                    "strasse"));
}

TEST_F(RuleTest, DirectoryStringAssertionsAreNotEmpty) {
  EXPECT_EQ(AssertionCode("caseIgnoreMatch", ""), ResultCode::kInvalidAttributeSyntax);
  EXPECT_EQ(AssertionCode("caseIgnoreMatch", "\xff"), ResultCode::kInvalidAttributeSyntax);
  EXPECT_EQ(AssertionCode("caseIgnoreIA5Match", ""), ResultCode::kSuccess);
}

std::string CertificateAssertion(std::string_view serial, std::string_view issuer) {
  return "{ serialNumber " + std::string(serial) + ", issuer rdnSequence:\"" + std::string(issuer) +
         "\" }";
}

TEST_F(RuleTest, CertificatesAreOneBySerialNumberAndIssuer) {
  constexpr std::string_view kRule = "certificateExactMatch";
  const std::string one = MakeCertificate("\x01", "Our CA");
  EXPECT_TRUE(Match(kRule, one, one));
  EXPECT_TRUE(Match(kRule, one, MakeCertificate("\x01", "our  ca", "other key")));
  EXPECT_FALSE(Match(kRule, one, MakeCertificate("\x02", "Our CA")));
  EXPECT_FALSE(Match(kRule, one, MakeCertificate("\x01", "Other CA")));
  EXPECT_TRUE(Match(kRule, one, CertificateAssertion("1", "commonName=OUR CA,c=DE")));
  EXPECT_FALSE(Match(kRule, one, CertificateAssertion("1", "c=DE,cn=Our CA")));
  EXPECT_EQ(AssertionCode(kRule, CertificateAssertion("1", "noSuchType=x")),
            ResultCode::kInvalidAttributeSyntax);
}

TEST_F(RuleTest, SerialNumbersAreNumbersOfAnySize) {
  const auto is = [&](std::string_view octets, std::string_view number) {
    return Match("certificateExactMatch", MakeCertificate(octets, "CA"),
                 CertificateAssertion(number, "cn=CA,c=de"));
  };
  EXPECT_TRUE(is(std::string_view("\0", 1), "0"));
  EXPECT_TRUE(is(std::string_view("\0\xff", 2), "255"));
  EXPECT_TRUE(is("\xff", "-1"));
  EXPECT_TRUE(is("\x80", "-128"));
  EXPECT_TRUE(is(std::string_view("\xff\0", 2), "-256"));
  EXPECT_TRUE(is("\x7f\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
                 "730750818665451459101842416358141509827966271487"));
}

TEST_F(RuleTest, IssuersThatNoNameCanTellAreOneByTheirOctets) {
  constexpr std::string_view kRule = "certificateExactMatch";
  const std::string odd = MakeCertificateOf("\x01", Wrap(ber::kSet, "odd"));
  EXPECT_TRUE(Match(kRule, odd, odd));
  EXPECT_FALSE(Match(kRule, odd, MakeCertificateOf("\x01", Wrap(ber::kSet, "ODD"))));
  // Old values may be anything.
  EXPECT_EQ(Rule(kRule).ValueKey("no certificate").value(), "no certificate");
}

TEST_F(RuleTest, RevocationListsAreOneByIssuerAndTime) {
  constexpr std::string_view kRule = "certificateListExactMatch";
  const std::string list = MakeRevocationList("CA", "260102030405Z");
  EXPECT_TRUE(Match(kRule, list, list));
  EXPECT_FALSE(Match(kRule, list, MakeRevocationList("CA", "260102030406Z")));
  EXPECT_TRUE(Match(kRule, list,
                    "{ issuer rdnSequence:\"cn=ca,c=de\", thisUpdate "
                    "generalTime:\"20260102030405Z\" }"));
  EXPECT_FALSE(Match(kRule, list,
                     "{ issuer rdnSequence:\"cn=ca,c=de\", thisUpdate "
                     "utcTime:\"990102030405Z\" }"));
}

TEST_F(RuleTest, Ia5RulesKnowAsciiOnly) {
  EXPECT_TRUE(Match("caseIgnoreIA5Match", "A@Example.COM", "a@example.com"));
  EXPECT_EQ(AssertionCode("caseIgnoreIA5Match", "\xc3\xbc"), ResultCode::kInvalidAttributeSyntax);
  EXPECT_FALSE(Match("caseExactIA5Match", "/home/A", "/home/a"));
  EXPECT_EQ(
      Rule("caseIgnoreIA5SubstringsMatch").PieceKey("\xc3\xbc", SubstringPosition::kAny).code(),
      ResultCode::kInvalidAttributeSyntax);
}

TEST_F(RuleTest, OrderingRulesCompareLikeTheirEqualityRules) {
  EXPECT_TRUE(Less("caseIgnoreOrderingMatch", "apple", "Banana"));
  EXPECT_FALSE(Less("caseExactOrderingMatch", "apple", "Banana"));
  EXPECT_TRUE(Less("caseIgnoreOrderingMatch", "a b", "aa"));
  EXPECT_TRUE(Less("numericStringOrderingMatch", "1 2", "13"));
  EXPECT_TRUE(Less("octetStringOrderingMatch", "a", "a\xff"));
}

TEST_F(RuleTest, IntegersOfAnySize) {
  EXPECT_TRUE(Match("integerMatch", "123456789012345678901", "123456789012345678901"));
  EXPECT_FALSE(Match("integerMatch", "12345678901", "1234567890"));
  EXPECT_TRUE(Less("integerOrderingMatch", "-5", "3"));
  EXPECT_TRUE(Less("integerOrderingMatch", "9", "10"));
  EXPECT_EQ(AssertionCode("integerMatch", "007"), ResultCode::kInvalidAttributeSyntax);
  EXPECT_EQ(AssertionCode("integerMatch", "-0"), ResultCode::kInvalidAttributeSyntax);
}

TEST_F(RuleTest, BitMasks) {
  EXPECT_TRUE(Match("integerBitAndMatch", "7", "5"));
  EXPECT_FALSE(Match("integerBitAndMatch", "6", "5"));
  EXPECT_TRUE(Match("integerBitOrMatch", "6", "5"));
  EXPECT_FALSE(Match("integerBitOrMatch", "2", "5"));
  EXPECT_TRUE(Match("integerBitAndMatch", "-1", "2147483648"));
  EXPECT_EQ(AssertionCode("integerBitAndMatch", "9223372036854775808"),
            ResultCode::kInvalidAttributeSyntax);
  EXPECT_FALSE(Rule("integerBitAndMatch").keys_decide());
}

TEST_F(RuleTest, TelephoneNumbersIgnoreSpacesAndHyphens) {
  EXPECT_TRUE(Match("telephoneNumberMatch", "+1 555-123 4567", "+15551234567"));
  EXPECT_TRUE(Match("telephoneNumberMatch", "555 x", "555X"));
  EXPECT_FALSE(Match("telephoneNumberMatch", "555.1", "5551"));
  EXPECT_EQ(AssertionCode("telephoneNumberMatch", "55_5"), ResultCode::kInvalidAttributeSyntax);
}

TEST_F(RuleTest, NumericStringsIgnoreSpaces) {
  EXPECT_TRUE(Match("numericStringMatch", "12 34", "1 234"));
  EXPECT_FALSE(Match("numericStringMatch", "12 34", "123"));
  EXPECT_FALSE(Match("numericStringMatch", "0", " "));
  EXPECT_TRUE(Match("numericStringMatch", "  ", " "));
}

TEST_F(RuleTest, BooleansBitsAndOctetsAreCompareVerbatim) {
  EXPECT_TRUE(Match("booleanMatch", "TRUE", "TRUE"));
  EXPECT_EQ(AssertionCode("booleanMatch", "true"), ResultCode::kInvalidAttributeSyntax);
  EXPECT_TRUE(Match("bitStringMatch", "'0100'B", "'0100'B"));
  EXPECT_FALSE(Match("bitStringMatch", "'0100'B", "'01'B"));
  EXPECT_TRUE(Match("octetStringMatch", "\xff a", "\xff a"));
  EXPECT_FALSE(Match("octetStringMatch", "a", "A"));
}

TEST_F(RuleTest, TimesAreComparedAsInstants) {
  EXPECT_TRUE(Match("generalizedTimeMatch", "20240101000000Z", "202401010100+0100"));
  EXPECT_FALSE(Match("generalizedTimeMatch", "20240101000000Z", "20240101000000.1Z"));
  EXPECT_TRUE(Less("generalizedTimeOrderingMatch", "20240101000000+0100", "20240101000000Z"));
}

TEST_F(RuleTest, UuidsAndCsnsIgnoreTheCaseOfDigits) {
  EXPECT_TRUE(Match("UUIDMatch", "597AE2F6-16A6-1027-98F4-D28B5365DC14",
                    "597ae2f6-16a6-1027-98f4-d28b5365dc14"));
  EXPECT_TRUE(Match("CSNMatch", "20240101000000.000001Z#00000A#001#000000",
                    "20240101000000.000001Z#00000a#001#000000"));
  EXPECT_TRUE(Less("CSNOrderingMatch", "20240101000000.000001Z#000000#001#000000",
                   "20240101000000.000001Z#000001#000#000000"));
}

TEST_F(RuleTest, ListsAreComparedLineByLine) {
  EXPECT_TRUE(Match("caseIgnoreListMatch", "1 Main  St$ TOWN", "1 main st$town"));
  EXPECT_FALSE(Match("caseIgnoreListMatch", "a$b", "a b"));
  EXPECT_FALSE(Match("caseIgnoreListMatch", "a$b", "a\\24b"));
  EXPECT_TRUE(Match("caseIgnoreListMatch", "a\\5Cb", "A\\5cB"));
}

TEST_F(RuleTest, ObjectIdentifiersAreTheSameByAnyName) {
  EXPECT_TRUE(Match("objectIdentifierMatch", "person", "2.5.6.6"));
  EXPECT_TRUE(Match("objectIdentifierMatch", "2.5.6.6", "PERSON"));
  EXPECT_TRUE(Match("objectIdentifierMatch", "userid", "0.9.2342.19200300.100.1.1"));
  EXPECT_TRUE(Match("objectIdentifierMatch", "1.2.3.4.5", "1.2.3.4.5"));
  EXPECT_TRUE(Rule("objectIdentifierMatch").Equals("noSuchThing", "nosuchthing"));
  EXPECT_FALSE(Match("objectIdentifierMatch", "person", "1.2.3.4.5"));
  EXPECT_EQ(AssertionCode("objectIdentifierMatch", "noSuchThing"),
            ResultCode::kInvalidAttributeSyntax);
  EXPECT_EQ(Rule("objectIdentifierMatch").ValueKey("person").value(), "person");
}

TEST_F(RuleTest, NamesAreComparedAsNames) {
  EXPECT_TRUE(
      Match("distinguishedNameMatch", "CN=Doe\\, John , dc=X", "2.5.4.3=doe\\2c john,DC=x"));
  EXPECT_FALSE(Match("distinguishedNameMatch", "cn=a,dc=x", "cn=b,dc=x"));
  EXPECT_EQ(AssertionCode("distinguishedNameMatch", "cn=Doe, John"),
            ResultCode::kInvalidAttributeSyntax);
  EXPECT_EQ(AssertionCode("distinguishedNameMatch", "xNoSuchType=a"),
            ResultCode::kInvalidAttributeSyntax);
}

TEST_F(RuleTest, UniqueMembersAreNameAndBits) {
  EXPECT_TRUE(Match("uniqueMemberMatch", "CN=a,dc=x", "cn=A,dc=x"));
  EXPECT_TRUE(Match("uniqueMemberMatch", "CN=a,dc=x#'01'B", "cn=A,dc=x#'01'B"));
  EXPECT_FALSE(Match("uniqueMemberMatch", "cn=a,dc=x#'01'B", "cn=a,dc=x#'1'B"));
  EXPECT_FALSE(Match("uniqueMemberMatch", "cn=a,dc=x#'01'B", "cn=a,dc=x"));
  EXPECT_FALSE(Match("uniqueMemberMatch", "cn=a,dc=x", "cn=a,dc=x#'01'B"));
}

TEST_F(RuleTest, FirstComponentsOfDescriptions) {
  constexpr std::string_view kType = "( 2.5.4.4 NAME ( 'sn' 'surname' ) SUP name )";
  EXPECT_TRUE(Match("objectIdentifierFirstComponentMatch", kType, "surname"));
  EXPECT_TRUE(Match("objectIdentifierFirstComponentMatch", kType, "2.5.4.4"));
  EXPECT_FALSE(Match("objectIdentifierFirstComponentMatch", kType, "cn"));
  EXPECT_TRUE(Match("integerFirstComponentMatch", "( 12 FORM 1.2.3 )", "12"));
  EXPECT_TRUE(Match("directoryStringFirstComponentMatch", "( 'An  Area' 7 )", "an area"));
  EXPECT_FALSE(Match("objectIdentifierFirstComponentMatch", "no description", "cn"));
}

TEST_F(RuleTest, WordsAreFoundWhole) {
  EXPECT_TRUE(Match("wordMatch", "The quick-brown Fox", "BROWN"));
  EXPECT_FALSE(Match("wordMatch", "The quick-brown Fox", "row"));
  EXPECT_TRUE(Match("wordMatch", "row rows row", "rows"));
  EXPECT_TRUE(Match("keywordMatch", "LDAP, directories", "ldap"));
  EXPECT_FALSE(Match("wordMatch", "gr\xc3\xbcn", "gr"));
}

TEST_F(RuleTest, RulesApplyToSyntaxesTheyCanRead) {
  const auto applies = [this](std::string_view rule, std::string_view type) {
    return Rule(rule).AppliesTo(*schema_->FindAttributeType(type));
  };
  EXPECT_TRUE(applies("caseExactMatch", "cn"));
  EXPECT_TRUE(applies("caseExactMatch", "mail"));
  EXPECT_TRUE(applies("wordMatch", "description"));
  EXPECT_FALSE(applies("caseExactMatch", "member"));
  EXPECT_FALSE(applies("integerMatch", "cn"));
  EXPECT_TRUE(applies("integerBitAndMatch", "uidNumber"));
  EXPECT_TRUE(applies("distinguishedNameMatch", "manager"));
  EXPECT_FALSE(applies("distinguishedNameMatch", "uniqueMember"));
  EXPECT_TRUE(applies("objectIdentifierFirstComponentMatch", "objectClasses"));
  EXPECT_FALSE(applies("objectIdentifierFirstComponentMatch", "objectClass"));
}

TEST_F(RuleTest, OnlySubstringRulesTakePieces) {
  EXPECT_EQ(Rule("caseIgnoreListMatch").kind(), MatchingKind::kEquality);
  EXPECT_EQ(Rule("integerMatch").PieceKey("1", SubstringPosition::kAny).code(),
            ResultCode::kInappropriateMatching);
  EXPECT_EQ(AssertionCode("caseIgnoreSubstringsMatch", "a*"), ResultCode::kInappropriateMatching);
}

TEST_F(RuleTest, RulesOfOneFormShareKeys) {
  EXPECT_TRUE(Rule("caseIgnoreMatch").SharesKeysWith(Rule("caseIgnoreSubstringsMatch")));
  EXPECT_TRUE(Rule("integerMatch").SharesKeysWith(Rule("integerOrderingMatch")));
  EXPECT_FALSE(Rule("caseIgnoreMatch").SharesKeysWith(Rule("caseExactOrderingMatch")));
}

TEST_F(RuleTest, AStartingValueHasAStartingKey) {
  const MatchingRule& equality = Rule("caseIgnoreMatch");
  const MatchingRule& substring = Rule("caseIgnoreSubstringsMatch");
  for (std::string_view initial : {"J", "john", "John D", " John  D"}) {
    const std::string piece = substring.PieceKey(initial, SubstringPosition::kInitial).value();
    EXPECT_TRUE(equality.ValueKey("John  Doe").value().starts_with(piece)) << initial;
  }
}

}  // namespace
}  // namespace twintree::model
