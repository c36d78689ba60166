#include "services/model/syntax.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>

#include "services/model/schema.h"
#include "tests/unit/services/model/x509_values.h"

namespace twintree::model {
namespace {

class SyntaxTest : public testing::Test {
 protected:
  const Syntax& Find(SyntaxKind kind) {
    for (const auto& syntax : schema_->syntaxes()) {
      if (syntax->kind() == kind) return *syntax;
    }
    ADD_FAILURE() << "no such syntax";
    return *schema_->syntaxes().front();
  }

  void Accepts(SyntaxKind kind, std::initializer_list<std::string_view> values) {
    for (std::string_view value : values) {
      const Status status = Find(kind).Validate(value);
      EXPECT_TRUE(status.ok()) << value << ": " << status.error().message;
    }
  }

  void Refuses(SyntaxKind kind, std::initializer_list<std::string_view> values) {
    for (std::string_view value : values) {
      EXPECT_EQ(Find(kind).Validate(value).code(), ResultCode::kInvalidAttributeSyntax) << value;
    }
  }

  std::shared_ptr<const Schema> schema_ = Schema::Standard();
};

TEST_F(SyntaxTest, DirectoryStringIsFilledUtf8) {
  Accepts(SyntaxKind::kDirectoryString, {"a", " ", "\xf0\x9f\x98\x80"});
  Refuses(SyntaxKind::kDirectoryString, {"", "\xff", "a\xc3"});
}

TEST_F(SyntaxTest, Ia5AndPrintableStrings) {
  Accepts(SyntaxKind::kIa5String, {"", "a_b@c\x01"});
  Refuses(SyntaxKind::kIa5String, {"\xc3\xbc"});
  Accepts(SyntaxKind::kPrintableString, {"a", "O'Neil (x), +1-2./:=? "});
  Refuses(SyntaxKind::kPrintableString, {"", "a_b", "a@b", "\xc3\xbc", "a\"b"});
  Accepts(SyntaxKind::kTelephoneNumber, {"+1 512 315 0280", "x"});
  Refuses(SyntaxKind::kTelephoneNumber, {"", "555#1"});
  Accepts(SyntaxKind::kNumericString, {"15 079 672 281", "0"});
  Refuses(SyntaxKind::kNumericString, {"", "1-2", "a"});
  Accepts(SyntaxKind::kCountryString, {"US", "de"});
  Refuses(SyntaxKind::kCountryString, {"", "U", "USA", "\xc3\xbc", " n", "u1"});
}

TEST_F(SyntaxTest, NumbersBooleansAndBits) {
  Accepts(SyntaxKind::kInteger, {"0", "-12", "1234567890123456789012345"});
  Refuses(SyntaxKind::kInteger, {"", "007", "-0", "+1", "1e3", "1 "});
  Accepts(SyntaxKind::kBoolean, {"TRUE", "FALSE"});
  Refuses(SyntaxKind::kBoolean, {"", "true", "1", "TRUE "});
  Accepts(SyntaxKind::kBitString, {"'0101111101'B", "''B"});
  Refuses(SyntaxKind::kBitString, {"", "0101", "'012'B", "'01'b", "'01'", "'B"});
}

TEST_F(SyntaxTest, IdentifiersOfAllKinds) {
  Accepts(SyntaxKind::kOid, {"cn", "1.2.840.113556", "x-a1", "2.999"});
  Refuses(SyntaxKind::kOid, {"", "1", "1.", "01.2", "3.1", "1.40", "a_b", "1a", "1..2"});
  Accepts(SyntaxKind::kUuid, {"597ae2f6-16a6-1027-98f4-D28B5365DC14"});
  Refuses(SyntaxKind::kUuid,
          {"", "597ae2f616a6102798f4d28b5365dc14", "597ae2f6-16a6-1027-98f4-d28b5365dc1g"});
  Accepts(SyntaxKind::kCsn, {"20240101000000.000001Z#00000a#001#000000"});
  Refuses(SyntaxKind::kCsn, {"20240101000000Z", "20240101000000.000001Z#00000a#001#00000"});
}

TEST_F(SyntaxTest, NamesWithAndWithoutBits) {
  Accepts(SyntaxKind::kDn, {"", "cn=a,dc=b", "1.2.3=#040161"});
  Refuses(SyntaxKind::kDn, {"a", "cn=a,", "cn=#3000"});
  Accepts(SyntaxKind::kNameAndOptionalUid, {"cn=a", "cn=a#'0101'B", "cn=a#b", "cn=a#'x'B"});
  Refuses(SyntaxKind::kNameAndOptionalUid, {"a#'0101'B", "cn=a,#'0101'B"});
}

TEST_F(SyntaxTest, PostalAddresses) {
  Accepts(SyntaxKind::kPostalAddress,
          {"1234 Main St.$Anytown, CA 12345$USA", "\\241,000,000", "a\\5Cb\\5cc"});
  Refuses(SyntaxKind::kPostalAddress, {"", "a$", "$a", "a$$b", "a\\b", "a\\2", "\xff"});
}

TEST_F(SyntaxTest, MeansOfDelivery) {
  Accepts(SyntaxKind::kDeliveryMethod, {"any", "telephone $ videotex", "MHS$ia5"});
  Refuses(SyntaxKind::kDeliveryMethod, {"", "pigeon", "any $"});
  Accepts(SyntaxKind::kFacsimile, {"+61 3 9896 7801", "+1 5$twoDimensional$fineResolution"});
  Refuses(SyntaxKind::kFacsimile, {"", "+1$colour", "$a3Width"});
  Accepts(SyntaxKind::kTelexNumber, {"12345$023$ABCDE"});
  Refuses(SyntaxKind::kTelexNumber, {"", "12345", "1$2", "1$2$", "1$2$3$4"});
  Accepts(SyntaxKind::kTeletexTerminal, {"id", "id$graphic:x$private:"});
  Refuses(SyntaxKind::kTeletexTerminal, {"", "id$graphic", "id$other:x"});
  Accepts(SyntaxKind::kOtherMailbox, {"internet$a@b.c", "x$"});
  Refuses(SyntaxKind::kOtherMailbox, {"", "internet", "$a", "x$\xc3\xbc"});
}

TEST_F(SyntaxTest, SearchGuides) {
  Accepts(SyntaxKind::kGuide,
          {"person#sn$EQ", "sn$EQ|(cn$SUBSTR&!givenName$APPROX)", "?true", "cn$GE & 2.5.4.4$LE"});
  Refuses(SyntaxKind::kGuide,
          {"", "person#", "sn$XX", "sn", "(sn$EQ", "sn$EQ)", "sn$EQ|", "?maybe", "#sn$EQ"});
  Accepts(SyntaxKind::kEnhancedGuide,
          {"person#(sn$EQ)#oneLevel", "2.5.6.6 # sn$EQ # wholeSubtree"});
  Refuses(SyntaxKind::kEnhancedGuide,
          {"person#(sn$EQ)", "person#(sn$EQ)#deep", "#sn$EQ#oneLevel", "person##oneLevel"});
}

TEST_F(SyntaxTest, DeeplyNestedGuidesAreRefused) {
  const std::string depth(1000000, '(');
  Refuses(SyntaxKind::kGuide, {depth, std::string(1000000, '!')});
}

TEST_F(SyntaxTest, SubstringAssertions) {
  Accepts(SyntaxKind::kSubstringAssertion, {"a*b", "*", "*a\\2Ab*", "a*\\5c"});
  Refuses(SyntaxKind::kSubstringAssertion, {"", "ab", "a**b", "a\\*b", "\xff*"});
}

TEST_F(SyntaxTest, NisValues) {
  Accepts(SyntaxKind::kNetgroupTriple,
          {"(host,user,domain)", "(,,)", "(-,jdoe,)", "( h , u , d )"});
  Refuses(SyntaxKind::kNetgroupTriple, {"", "host,user,domain", "(a,b)", "(a,b,c,d)", "(a(,b,c)"});
  Accepts(SyntaxKind::kBootParameter, {"root=server:/export/root"});
  Refuses(SyntaxKind::kBootParameter,
          {"", "root", "root=server", "=server:/x", "root=:/x", "root=server:"});
}

TEST_F(SyntaxTest, SchemaDescriptions) {
  Accepts(SyntaxKind::kAttributeTypeDescription, {"( 1.2.3 SUP name )"});
  Refuses(SyntaxKind::kAttributeTypeDescription,
          {"", "1.2.3", "( 1.2.3 )", "( x SUP name )", "( 1.2.3 SUP name"});
  Accepts(SyntaxKind::kObjectClassDescription, {"( 1.2.3 )", "( 1.2.3 SUP top MUST ( cn $ sn ) )"});
  Refuses(SyntaxKind::kObjectClassDescription, {"( 1.2.3 MUST ( cn sn )",
                                                "( 1.2.3 STRUCTURAL "
                                                "AUXILIARY )"});
  Accepts(SyntaxKind::kMatchingRuleDescription, {"( 1.2.3 NAME 'x' SYNTAX 1.2.3 )"});
  Refuses(SyntaxKind::kMatchingRuleDescription, {"( 1.2.3 NAME 'x' )"});
  Accepts(SyntaxKind::kMatchingRuleUse, {"( 1.2.3 APPLIES ( cn $ sn ) )"});
  Refuses(SyntaxKind::kMatchingRuleUse, {"( 1.2.3 )"});
  Accepts(SyntaxKind::kLdapSyntaxDescription, {"( 1.2.3 DESC 'x' X-Y 'z' )"});
  Refuses(SyntaxKind::kLdapSyntaxDescription, {"( 1.2.3 NAME 'x' )"});
  Accepts(SyntaxKind::kDitContentRule, {"( 1.2.3 AUX x NOT y )"});
  Accepts(SyntaxKind::kDitStructureRule, {"( 7 FORM x SUP ( 1 2 ) )"});
  Refuses(SyntaxKind::kDitStructureRule, {"( 1.2 FORM x )", "( 7 )"});
  Accepts(SyntaxKind::kNameForm, {"( 1.2.3 OC person MUST cn )"});
  Refuses(SyntaxKind::kNameForm, {"( 1.2.3 MUST cn )", "( 1.2.3 OC person )"});
}

TEST_F(SyntaxTest, BinarySyntaxesTakeAnyOctets) {
  for (const auto& syntax : schema_->syntaxes()) {
    if (!syntax->binary() || syntax->needs_binary_transfer()) continue;
    EXPECT_TRUE(syntax->Validate(std::string_view("\0\xff", 2)).ok()) << syntax->description();
  }
  EXPECT_TRUE(Find(SyntaxKind::kCertificate).needs_binary_transfer());
  EXPECT_FALSE(Find(SyntaxKind::kJpeg).needs_binary_transfer());
  EXPECT_FALSE(Find(SyntaxKind::kDirectoryString).binary());
}

TEST_F(SyntaxTest, CertificatesAreSignedData) {
  const std::string certificate = MakeCertificate("\x01", "CA");
  for (const SyntaxKind kind : {SyntaxKind::kCertificate, SyntaxKind::kCertificateList,
                                SyntaxKind::kAttributeCertificate}) {
    Accepts(kind, {certificate});
    Refuses(kind, {"", "x", "-----BEGIN CERTIFICATE-----", certificate + "x",
                   std::string_view(certificate).substr(0, certificate.size() - 1),
                   std::string_view("\x30\x00", 2)});
  }
}

TEST_F(SyntaxTest, EveryTruncatedCertificateIsRefused) {
  const std::string certificate = MakeCertificate("\x01", "CA");
  for (std::size_t size = 0; size < certificate.size(); ++size) {
    Refuses(SyntaxKind::kCertificate, {std::string_view(certificate).substr(0, size)});
  }
}

TEST_F(SyntaxTest, PairsOfCertificates) {
  const std::string certificate = MakeCertificate("\x01", "CA");
  const std::string forward = Wrap(ber::Context(0, true), certificate);
  const std::string reverse = Wrap(ber::Context(1, true), certificate);
  Accepts(SyntaxKind::kCertificatePair,
          {Wrap(ber::kSequence, forward), Wrap(ber::kSequence, reverse),
           Wrap(ber::kSequence, forward + reverse)});
  Refuses(SyntaxKind::kCertificatePair,
          {certificate, Wrap(ber::kSequence, ""), Wrap(ber::kSequence, reverse + forward),
           Wrap(ber::kSequence, Wrap(ber::Context(0, true), "x"))});
}

TEST_F(SyntaxTest, CertificateAssertions) {
  Accepts(SyntaxKind::kCertificateExactAssertion,
          {"{ serialNumber 1, issuer rdnSequence:\"cn=CA,dc=x\" }",
           "{serialNumber -5,issuer rdnSequence:\"\"}",
           " { issuer rdnSequence:\"cn=a\\\"\"b\" , serialNumber 12345678901234567890123 } "});
  Refuses(
      SyntaxKind::kCertificateExactAssertion,
      {"", "{}", "{ serialNumber 1 }", "{ serialNumber 01, issuer rdnSequence:\"\" }",
       "{ serialNumber 1, serialNumber 1 }", "{ serialNumber 1, issuer rdnSequence:\"no\" }",
       "{ serialNumber 1, issuer rdnSequence:\"cn=a }",
       "{ serialNumber 1, issuer rdnSequence:\"cn=a\" } x", "1$cn=CA",
       "{ serialNumber 1, issuer rdnSequence:\"cn=a\", thisUpdate utcTime:\"260102030405Z\" }"});
  Accepts(SyntaxKind::kCertificateListExactAssertion,
          {"{ issuer rdnSequence:\"cn=CA\", thisUpdate utcTime:\"260102030405Z\" }",
           "{ issuer rdnSequence:\"cn=CA\", thisUpdate generalTime:\"20260102030405Z\" }"});
  Refuses(SyntaxKind::kCertificateListExactAssertion,
          {"{ issuer rdnSequence:\"cn=CA\" }",
           "{ issuer rdnSequence:\"cn=CA\", thisUpdate utcTime:\"2601020304Z\" }",
           "{ issuer rdnSequence:\"cn=CA\", thisUpdate gmTime:\"20260102030405Z\" }"});
}

TEST_F(SyntaxTest, TheErrorSaysWhatIsWrong) {
  const Status status = schema_->FindAttributeType("uidNumber")->Validate("007");
  EXPECT_EQ(status.code(), ResultCode::kInvalidAttributeSyntax);
  EXPECT_NE(status.error().message.find("uidNumber"), std::string::npos);
  EXPECT_NE(status.error().message.find("one decimal spelling"), std::string::npos);
}

TEST_F(SyntaxTest, EveryDefinitionIsWellFormed) {
  for (const auto& syntax : schema_->syntaxes()) {
    EXPECT_EQ(Find(SyntaxKind::kLdapSyntaxDescription).Check(syntax->definition()), nullptr)
        << syntax->definition();
    EXPECT_EQ(schema_->FindSyntax(syntax->oid()), syntax.get());
  }
}

}  // namespace
}  // namespace twintree::model
