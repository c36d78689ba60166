// Cookies of paged results. They hold where the last page ended, how many entries went before, and
// what the search was, so that any server with the same data and key can go on, and nothing is kept
// in between. They are sealed: a client that could write its own would pass by the size limit,
// which counts over all pages.
//
// Source: RFC 2696.
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_PAGING_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_PAGING_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "services/directory/directory.h"
#include "storage/entry_store.h"

namespace twintree::directory {

// Octets that only servers know.
using CookieKey = std::array<unsigned char, 16>;

// Shape: 25 octets: version (1), last id, entries sent on all pages, seal (SipHash-2-4 over these
// and the hash of the search); integers of 8 octets, little-endian.
struct PageMark {
  storage::EntryId last_id = storage::kNoEntry;
  std::uint64_t sent = 0;

  std::string ToCookie(std::uint64_t search_hash, const CookieKey& key) const;
  // Errors: kUnwillingToPerform for a cookie that belongs to another search or is none.
  static model::Result<PageMark> FromCookie(std::string_view cookie, std::uint64_t search_hash,
                                            const CookieKey& key);
};

// The same for the pages of one search, different for different ones.
std::uint64_t HashOfSearch(const SearchRequest& request, std::string_view base_key,
                           const Subject& subject);

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_PAGING_H_
