#include "services/directory/engine/paging.h"

#include <sodium.h>

#include <cstddef>
#include <tuple>

namespace twintree::directory {
namespace {

constexpr char kVersion = 'U';
constexpr std::size_t kNumberBytes = 8;
constexpr std::size_t kCookieBytes = 1 + 3 * kNumberBytes;

void AppendNumber(std::uint64_t number, std::string* out) {
  for (std::size_t i = 0; i < kNumberBytes; ++i) {
    out->push_back(static_cast<char>((number >> (8 * i)) & 0xff));
  }
}

std::uint64_t NumberAt(std::string_view octets, std::size_t offset) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < kNumberBytes; ++i) {
    number |= std::uint64_t{static_cast<unsigned char>(octets[offset + i])} << (8 * i);
  }
  return number;
}

static_assert(crypto_shorthash_BYTES == kNumberBytes);
static_assert(crypto_shorthash_KEYBYTES == std::tuple_size_v<CookieKey>);

// `open` is a cookie without its seal.
std::string Seal(std::string_view open, std::uint64_t search_hash, const CookieKey& key) {
  std::string text(open);
  AppendNumber(search_hash, &text);
  std::string seal(crypto_shorthash_BYTES, '\0');
  crypto_shorthash(reinterpret_cast<unsigned char*>(seal.data()),
                   reinterpret_cast<const unsigned char*>(text.data()), text.size(), key.data());
  return seal;
}

// FNV-1a.
class Hash {
 public:
  void Add(std::string_view octets) {
    AddNumber(octets.size());
    for (char octet : octets) AddOctet(static_cast<unsigned char>(octet));
  }
  void AddNumber(std::uint64_t number) {
    for (std::size_t i = 0; i < kNumberBytes; ++i) AddOctet((number >> (8 * i)) & 0xff);
  }
  std::uint64_t value() const { return value_; }

 private:
  void AddOctet(std::uint64_t octet) { value_ = (value_ ^ octet) * 0x100000001b3; }
  std::uint64_t value_ = 0xcbf29ce484222325;
};

}  // namespace

std::string PageMark::ToCookie(std::uint64_t search_hash, const CookieKey& key) const {
  std::string cookie(1, kVersion);
  cookie.reserve(kCookieBytes);
  AppendNumber(last_id, &cookie);
  AppendNumber(sent, &cookie);
  return cookie + Seal(cookie, search_hash, key);
}

model::Result<PageMark> PageMark::FromCookie(std::string_view cookie, std::uint64_t search_hash,
                                             const CookieKey& key) {
  constexpr std::size_t kOpenBytes = kCookieBytes - kNumberBytes;
  if (cookie.size() != kCookieBytes || cookie.front() != kVersion ||
      sodium_memcmp(Seal(cookie.substr(0, kOpenBytes), search_hash, key).data(),
                    cookie.data() + kOpenBytes, kNumberBytes) != 0) {
    return model::Error{model::ResultCode::kUnwillingToPerform,
                        "the paged results cookie is not one of this search",
                        {}};
  }
  return PageMark{NumberAt(cookie, 1), NumberAt(cookie, 1 + kNumberBytes)};
}

std::uint64_t HashOfSearch(const SearchRequest& request, std::string_view base_key,
                           const Subject& subject) {
  Hash hash;
  hash.Add(base_key);
  hash.AddNumber(static_cast<std::uint64_t>(request.scope));
  hash.AddNumber(static_cast<std::uint64_t>(request.deref));
  hash.AddNumber(request.types_only ? 1 : 0);
  std::string filter;
  request.filter->Encode(&filter);
  hash.Add(filter);
  for (const std::string& attribute : request.attributes) hash.Add(attribute);
  hash.Add(subject.dn_key);
  return hash.value();
}

}  // namespace twintree::directory
