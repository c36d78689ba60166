// Cookies of paged results. They hold where the last page ended and what the search was, so that
// any server with the same data can go on, and nothing is kept in between.
//
// Source: RFC 2696.
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_PAGING_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_PAGING_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "services/directory/directory.h"
#include "storage/entry_store.h"

namespace twintree::directory {

// Shape: 25 octets: version (1), last id, entries sent on all pages, hash of the search; integers
// of 8 octets, little-endian.
struct PageMark {
  storage::EntryId last_id = storage::kNoEntry;
  std::uint64_t sent = 0;

  std::string ToCookie(std::uint64_t search_hash) const;
  // Errors: kUnwillingToPerform for a cookie that belongs to another search or is none.
  static model::Result<PageMark> FromCookie(std::string_view cookie, std::uint64_t search_hash);
};

// The same for the pages of one search, different for different ones.
std::uint64_t HashOfSearch(const SearchRequest& request, std::string_view base_key,
                           const Subject& subject);

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_PAGING_H_
