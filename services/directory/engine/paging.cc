#include "services/directory/engine/paging.h"

#include <cstddef>

namespace twintree::directory {
namespace {

constexpr char kVersion = 'T';
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

std::string PageMark::ToCookie(std::uint64_t search_hash) const {
  std::string cookie(1, kVersion);
  cookie.reserve(kCookieBytes);
  AppendNumber(last_id, &cookie);
  AppendNumber(sent, &cookie);
  AppendNumber(search_hash, &cookie);
  return cookie;
}

model::Result<PageMark> PageMark::FromCookie(std::string_view cookie, std::uint64_t search_hash) {
  if (cookie.size() != kCookieBytes || cookie.front() != kVersion ||
      NumberAt(cookie, 1 + 2 * kNumberBytes) != search_hash) {
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
