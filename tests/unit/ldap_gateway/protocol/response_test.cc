#include "ldap_gateway/protocol/response.h"

#include <gtest/gtest.h>

#include <array>

#include "ldap_gateway/protocol/controls.h"
#include "tests/unit/ldap_gateway/testing/messages.h"

namespace twintree::ldap {
namespace {

using model::ResultCode;
using testing::Octets;

// By hand from RFC 4511 4.2.2 and 4.1.9.
TEST(ResponseTest, SuccessfulBind) {
  std::string out;
  EncodeResponse(1, OperationKind::kBind, {}, {}, &out);
  EXPECT_EQ(out, Octets("300c 020101 6107 0a0100 0400 0400"));
}

TEST(ResponseTest, NoSuchObjectWithMatchedDnAndText) {
  std::string out;
  EncodeResponse(300, OperationKind::kSearch, {ResultCode::kNoSuchObject, "dc=x", "no"}, {}, &out);
  EXPECT_EQ(out, Octets("3013 0202012c 650d 0a0120 040464633d78 04026e6f"));
}

TEST(ResponseTest, EveryOperationHasItsTag) {
  const std::array<std::pair<OperationKind, ber::Tag>, 7> tags = {{
      {OperationKind::kBind, 0x61},
      {OperationKind::kSearch, 0x65},
      {OperationKind::kModify, 0x67},
      {OperationKind::kAdd, 0x69},
      {OperationKind::kDelete, 0x6b},
      {OperationKind::kModifyDn, 0x6d},
      {OperationKind::kCompare, 0x6f},
  }};
  for (const auto& [kind, tag] : tags) {
    std::string out;
    EncodeResponse(1, kind, {}, {}, &out);
    EXPECT_EQ(testing::Responses(out).at(0).tag, tag) << OperationName(kind);
  }
}

TEST(ResponseTest, AppendsToWhatIsThere) {
  std::string out = "x";
  EncodeResponse(1, OperationKind::kDelete, {}, {}, &out);
  EXPECT_EQ(out, "x" + Octets("300c 020101 6b07 0a0100 0400 0400"));
}

TEST(ResponseTest, CarriesControls) {
  std::string controls;
  AppendPagedResults(0, "ck", &controls);
  std::string out;
  EncodeResponse(7, OperationKind::kSearch, {}, controls, &out);
  const auto response = testing::Responses(out).at(0);
  ASSERT_EQ(response.controls.size(), 1u);
  EXPECT_EQ(response.controls[0].second, testing::PagedValue(0, "ck"));
}

TEST(ResponseTest, ExtendedWithNameAndValue) {
  std::string out;
  EncodeExtendedResponse(5, {}, "1.2", "v", &out);
  EXPECT_EQ(out, Octets("3014 020105 780f 0a0100 0400 0400 8a03312e32 8b0176"));
}

TEST(ResponseTest, ExtendedTellsAnEmptyValueFromNone) {
  std::string out;
  EncodeExtendedResponse(5, {}, std::nullopt, "", &out);
  EXPECT_EQ(testing::Responses(out).at(0).value, "");
  out.clear();
  EncodeExtendedResponse(5, {}, std::nullopt, std::nullopt, &out);
  EXPECT_EQ(testing::Responses(out).at(0).value, std::nullopt);
}

TEST(ResponseTest, NoticeOfDisconnection) {
  std::string out;
  EncodeNoticeOfDisconnection(ResultCode::kProtocolError, "", &out);
  EXPECT_EQ(out, Octets("3024 020100 781f 0a0102 0400 0400 8a16"
                        "312e332e362e312e342e312e313436362e3230303336"));
}

// By hand from RFC 4511 4.5.2.
TEST(SearchEntryTest, JoinsThePieces) {
  const std::array<std::string_view, 2> pieces = {"ab", "c"};
  std::string out;
  EncodeSearchEntry(2, "cn=n", pieces, &out);
  EXPECT_EQ(out, Octets("3010 020102 640b 0404636e3d6e 3003 616263"));
}

TEST(SearchEntryTest, WithoutAttributes) {
  std::string out;
  EncodeSearchEntry(2, "", {}, &out);
  EXPECT_EQ(out, Octets("3009 020102 6404 0400 3000"));
}

TEST(SearchEntryTest, LengthsOfEverySize) {
  for (std::size_t size : {100u, 127u, 128u, 255u, 256u, 65535u, 65536u, 70000u}) {
    const std::string attributes =
        testing::EncodeAttributes({{"description", {std::string(size, 'd')}}});
    const std::array<std::string_view, 1> pieces = {attributes};
    std::string out;
    EncodeSearchEntry(2147483647, "cn=n", pieces, &out);
    const auto responses = testing::Responses(out);
    ASSERT_EQ(responses.size(), 1u);
    EXPECT_EQ(responses[0].id, 2147483647);
    EXPECT_EQ(responses[0].attributes, attributes);
  }
}

}  // namespace
}  // namespace twintree::ldap
