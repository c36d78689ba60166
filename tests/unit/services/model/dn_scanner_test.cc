#include "services/model/dn_scanner.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace twintree::model {
namespace {

ScannedAva FirstAva(std::string_view text) {
  DnScanner scanner(text);
  ScannedAva ava;
  EXPECT_TRUE(scanner.Next(ava)) << text;
  return ava;
}

bool Fails(std::string_view text) {
  DnScanner scanner(text);
  ScannedAva ava;
  while (scanner.Next(ava)) {
  }
  return scanner.failed();
}

TEST(DnScannerTest, SpacesAroundSeparatorsAreNoPartOfTheValue) {
  const ScannedAva ava = FirstAva("  cn =  a  b  , dc=x");
  EXPECT_EQ(ava.type, "cn");
  EXPECT_EQ(ava.value, "a  b");
  EXPECT_TRUE(ava.ends_rdn);
}

TEST(DnScannerTest, AnEscapedSpaceAtTheEndStays) { EXPECT_EQ(FirstAva("cn=a\\  ").value, "a\\ "); }

TEST(DnScannerTest, OnlyPrintableAsciiWithoutEscapesIsPlain) {
  EXPECT_TRUE(FirstAva("cn=a=b #1").plain);
  EXPECT_FALSE(FirstAva("cn=a\\2c").plain);
  EXPECT_FALSE(FirstAva("cn=\xc3\xbc").plain);
  EXPECT_FALSE(FirstAva("cn=a\tb").plain);
  EXPECT_FALSE(FirstAva("cn=#0401ff").plain);
}

TEST(DnScannerTest, PlusJoinsAvasOfOneRdn) { EXPECT_FALSE(FirstAva("cn=a+sn=b").ends_rdn); }

TEST(DnScannerTest, CharactersThatNeedEscapesAreRefused) {
  for (std::string_view text : {"cn=a\"", "cn=a;b", "cn=<a", "cn=a>", "cn=a\\", "cn=a\\x", "cn=\\4",
                                "cn=\\4g", "cn=a\xff", "cn=a\xc3"}) {
    EXPECT_TRUE(Fails(text)) << text;
  }
  EXPECT_TRUE(Fails(std::string_view("cn=a\0b", 6)));
}

TEST(DnScannerTest, TypesAreNamesOrNumericOids) {
  for (std::string_view text :
       {"=a", "c_n=a", "1cn=a", "2.5.4.=a", "02.5=a", "3.1=a", "cn.x=a", "cn;lang-de=a", "-cn=a"}) {
    EXPECT_TRUE(Fails(text)) << text;
  }
  EXPECT_EQ(FirstAva("2.5.4.3=a").type, "2.5.4.3");
}

TEST(DnScannerTest, HexFormIsPairsOfDigits) {
  for (std::string_view text : {"cn=#", "cn=#0", "cn=#04g0", "cn=#040", "cn=#0401 ff"}) {
    EXPECT_TRUE(Fails(text)) << text;
  }
  EXPECT_EQ(FirstAva("cn= #0401Ff ").value, "#0401Ff");
}

TEST(DnScannerTest, TheErrorNamesTheOffset) {
  DnScanner scanner("cn=a,,dc=x");
  ScannedAva ava;
  EXPECT_TRUE(scanner.Next(ava));
  EXPECT_FALSE(scanner.Next(ava));
  EXPECT_EQ(scanner.error().code, ResultCode::kInvalidDnSyntax);
  EXPECT_NE(scanner.error().message.find("offset 5"), std::string::npos);
}

TEST(DecodeAvaValueTest, EscapesStandForOctets) {
  EXPECT_EQ(DecodeAvaValue(FirstAva("cn=\\23a\\,\\C3\\bc\\ ")).value(), "#a,\xc3\xbc ");
  EXPECT_EQ(DecodeAvaValue(FirstAva("cn=\\ff\\00")).value(), std::string("\xff\0", 2));
}

TEST(DecodeAvaValueTest, HexFormIsABerString) {
  EXPECT_EQ(DecodeAvaValue(FirstAva("cn=#04024869")).value(), "Hi");
  EXPECT_EQ(DecodeAvaValue(FirstAva("cn=#0C024869")).value(), "Hi");
  EXPECT_EQ(DecodeAvaValue(FirstAva("cn=#1381024869")).value(), "Hi");
  EXPECT_EQ(DecodeAvaValue(FirstAva("cn=#0400")).value(), "");
}

TEST(DecodeAvaValueTest, OtherBerValuesAreRefused) {
  for (std::string_view text : {"cn=#04034869", "cn=#0402486900", "cn=#3000", "cn=#0480486900",
                                "cn=#04", "cn=#0485000000000148"}) {
    EXPECT_EQ(DecodeAvaValue(FirstAva(text)).code(), ResultCode::kInvalidDnSyntax) << text;
  }
}

}  // namespace
}  // namespace twintree::model
