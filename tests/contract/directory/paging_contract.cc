#include <gmock/gmock.h>

#include "tests/contract/directory_contract.h"

namespace twintree::directory {
namespace {

using model::ResultCode;

SearchRequest Page(std::uint32_t size, std::string cookie, std::string_view filter = "(sn=same)") {
  SearchRequest request = MakeSearch(kSuffix, Scope::kOneLevel, filter, {"1.1"});
  request.controls.paged = PagedResults{size, std::move(cookie)};
  return request;
}

// Sizes of all pages.
std::vector<std::size_t> ReadPages(DirectoryClient& client, std::uint32_t size) {
  std::vector<std::size_t> sizes;
  std::string cookie;
  do {
    const Found found = client.Search(Page(size, cookie));
    EXPECT_EQ(found.code(), ResultCode::kSuccess);
    EXPECT_TRUE(found.outcome.paged.has_value());
    sizes.push_back(found.entries.size());
    cookie = found.outcome.paged ? found.outcome.paged->cookie : "";
  } while (!cookie.empty() && sizes.size() < 100);
  return sizes;
}

TEST_P(DirectoryContract, PagingEndsWithAnEmptyCookie) {
  for (int i = 0; i < 5; ++i) AddPerson("p" + std::to_string(i));
  EXPECT_THAT(ReadPages(admin(), 2), testing::ElementsAre(2, 2, 1));
  EXPECT_THAT(ReadPages(admin(), 5), testing::ElementsAre(5));
  EXPECT_THAT(ReadPages(admin(), 100), testing::ElementsAre(5));
}

TEST_P(DirectoryContract, PagingOfNothingIsOneEmptyPage) {
  EXPECT_THAT(ReadPages(admin(), 2), testing::ElementsAre(0));
}

TEST_P(DirectoryContract, PagingOfSizeZeroEstimates) {
  for (int i = 0; i < 5; ++i) AddPerson("p" + std::to_string(i));
  const Found found = admin().Search(Page(0, ""));
  EXPECT_EQ(found.code(), ResultCode::kSuccess);
  EXPECT_TRUE(found.entries.empty());
  ASSERT_TRUE(found.outcome.paged.has_value());
  EXPECT_GE(found.outcome.paged->size, 5u);
  EXPECT_EQ(found.outcome.paged->cookie, "");
}

TEST_P(DirectoryContract, PagingRefusesCookiesOfOtherSearches) {
  for (int i = 0; i < 5; ++i) AddPerson("p" + std::to_string(i));
  const std::string cookie = admin().Search(Page(2, "")).outcome.paged->cookie;
  EXPECT_EQ(admin().Search(Page(2, cookie, "(sn=other)")).code(), ResultCode::kUnwillingToPerform);
  EXPECT_EQ(admin().Search(Page(2, "garbage")).code(), ResultCode::kUnwillingToPerform);
  EXPECT_EQ(ClientOf("").Search(Page(2, cookie)).code(), ResultCode::kUnwillingToPerform);
}

TEST_P(DirectoryContract, PagingSeesWhatWasAddedAndDoesNotRepeat) {
  for (int i = 0; i < 4; ++i) AddPerson("p" + std::to_string(i));
  const Found first = admin().Search(Page(2, ""));
  ASSERT_EQ(admin().Delete(first.entries[0].dn).code, ResultCode::kSuccess);
  AddPerson("late");
  const Found second = admin().Search(Page(10, first.outcome.paged->cookie));
  EXPECT_THAT(second.dns(),
              testing::ElementsAre("cn=p2,dc=example,dc=com", "cn=p3,dc=example,dc=com",
                                   "cn=late,dc=example,dc=com"));
}

TEST_P(DirectoryContract, PagingCountsTheSizeLimitOverAllPages) {
  for (int i = 0; i < 5; ++i) AddPerson("p" + std::to_string(i));
  SearchRequest request = Page(2, "");
  request.size_limit = 3;
  const Found first = admin().Search(request);
  EXPECT_EQ(first.code(), ResultCode::kSuccess);
  request.controls.paged->cookie = first.outcome.paged->cookie;
  const Found second = admin().Search(request);
  EXPECT_EQ(second.code(), ResultCode::kSizeLimitExceeded);
  EXPECT_EQ(second.entries.size(), 1u);
}

// So many entries may be had at most, however many pages they come in.
DirectorySettings WithSizeLimit(std::uint32_t limit) {
  DirectorySettings settings;
  settings.engine.max_size_limit = limit;
  return settings;
}

TEST_P(DirectoryContract, PagingCountsTheServersSizeLimitOverAllPages) {
  Start(WithSizeLimit(3));
  for (int i = 0; i < 5; ++i) AddPerson("p" + std::to_string(i));
  DirectoryClient client = ClientOf("cn=p0,dc=example,dc=com");
  const Found first = client.Search(Page(2, ""));
  EXPECT_EQ(first.code(), ResultCode::kSuccess);
  ASSERT_EQ(first.entries.size(), 2u);
  const Found second = client.Search(Page(2, first.outcome.paged->cookie));
  EXPECT_EQ(second.code(), ResultCode::kSizeLimitExceeded);
  EXPECT_EQ(second.entries.size(), 1u);
  EXPECT_EQ(second.outcome.paged->cookie, "");
}

TEST_P(DirectoryContract, PagingOfAPageAboveTheServersSizeLimitExceedsIt) {
  Start(WithSizeLimit(3));
  for (int i = 0; i < 5; ++i) AddPerson("p" + std::to_string(i));
  const Found found = ClientOf("cn=p0,dc=example,dc=com").Search(Page(100, ""));
  EXPECT_EQ(found.code(), ResultCode::kSizeLimitExceeded);
  EXPECT_EQ(found.entries.size(), 3u);
}

TEST_P(DirectoryContract, PagingOfAsManyEntriesAsTheSizeLimitSucceeds) {
  Start(WithSizeLimit(4));
  for (int i = 0; i < 4; ++i) AddPerson("p" + std::to_string(i));
  DirectoryClient client = ClientOf("cn=p0,dc=example,dc=com");
  EXPECT_THAT(ReadPages(client, 2), testing::ElementsAre(2, 2));
}

TEST_P(DirectoryContract, PagingOfTheRootIdentityHasNoSizeLimit) {
  Start(WithSizeLimit(3));
  for (int i = 0; i < 5; ++i) AddPerson("p" + std::to_string(i));
  EXPECT_THAT(ReadPages(admin(), 2), testing::ElementsAre(2, 2, 1));
}

}  // namespace
}  // namespace twintree::directory
