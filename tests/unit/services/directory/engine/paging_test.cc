#include "services/directory/engine/paging.h"

#include <gtest/gtest.h>

#include "tests/contract/directory_client.h"

namespace twintree::directory {
namespace {

constexpr CookieKey kKey = {1, 2, 3};

TEST(PageMarkTest, ComesBackFromItsCookie) {
  const std::string cookie = PageMark{123456789012345, 42}.ToCookie(7, kKey);
  const auto mark = PageMark::FromCookie(cookie, 7, kKey);
  ASSERT_TRUE(mark.ok());
  EXPECT_EQ(mark->last_id, 123456789012345u);
  EXPECT_EQ(mark->sent, 42u);
}

TEST(PageMarkTest, RefusesCookiesThatAreNone) {
  const std::string cookie = PageMark{1, 2}.ToCookie(7, kKey);
  EXPECT_EQ(PageMark::FromCookie(cookie, 8, kKey).code(), model::ResultCode::kUnwillingToPerform);
  for (std::size_t length = 0; length < cookie.size(); ++length) {
    EXPECT_FALSE(PageMark::FromCookie(cookie.substr(0, length), 7, kKey).ok());
  }
  EXPECT_FALSE(PageMark::FromCookie(cookie + "x", 7, kKey).ok());
}

TEST(PageMarkTest, RefusesCookiesThatAClientChanged) {
  const std::string cookie = PageMark{1, 2}.ToCookie(7, kKey);
  for (std::size_t i = 0; i < cookie.size(); ++i) {
    std::string changed = cookie;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    EXPECT_FALSE(PageMark::FromCookie(changed, 7, kKey).ok()) << i;
  }
  EXPECT_FALSE(PageMark::FromCookie(cookie, 7, CookieKey{}).ok());
}

TEST(HashOfSearchTest, TellsSearchesApart) {
  const SearchRequest request = MakeSearch("dc=x", Scope::kSubtree, "(cn=a)", {"cn"});
  SearchRequest other = request;
  EXPECT_EQ(HashOfSearch(request, "dc=x", {}), HashOfSearch(other, "dc=x", {}));
  other.scope = Scope::kOneLevel;
  EXPECT_NE(HashOfSearch(request, "dc=x", {}), HashOfSearch(other, "dc=x", {}));
  other = request;
  other.filter = MakeFilter("(cn=b)");
  EXPECT_NE(HashOfSearch(request, "dc=x", {}), HashOfSearch(other, "dc=x", {}));
  other = request;
  other.attributes = {"c", "n"};
  EXPECT_NE(HashOfSearch(request, "dc=x", {}), HashOfSearch(other, "dc=x", {}));
  EXPECT_NE(HashOfSearch(request, "dc=x", {}), HashOfSearch(request, "dc=x", RootSubject()));
}

}  // namespace
}  // namespace twintree::directory
