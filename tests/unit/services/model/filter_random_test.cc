// Random filters: text, tree and BER say the same.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>

#include "services/model/filter.h"

namespace twintree::model {
namespace {

using namespace std::string_view_literals;

class FilterGenerator {
 public:
  explicit FilterGenerator(unsigned seed) : random_(seed) {}

  Filter Make(int depth) {
    Filter filter;
    // Without depth left, items only.
    filter.kind = static_cast<FilterKind>(depth > 0 ? Below(10) : 3 + Below(7));
    switch (filter.kind) {
      case FilterKind::kAnd:
      case FilterKind::kOr:
        for (unsigned i = Below(4); i > 0; --i) filter.children.push_back(Make(depth - 1));
        break;
      case FilterKind::kNot: filter.children.push_back(Make(depth - 1)); break;
      case FilterKind::kSubstrings: MakeSubstrings(&filter); break;
      case FilterKind::kExtensible: MakeExtensible(&filter); break;
      case FilterKind::kPresent: filter.attribute = Attribute(); break;
      default: filter.attribute = Attribute(); filter.value = Value();
    }
    return filter;
  }

 private:
  unsigned Below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }

  std::string Attribute() {
    constexpr std::string_view kAttributes[] = {"cn", "CN;lang-de", "2.5.4.3", "x-foo;binary"};
    return std::string(kAttributes[Below(4)]);
  }

  std::string Value() {
    constexpr std::string_view kOctets = "a *()\\=:&|!<>~\0\n\xc3\xbc\xff"sv;
    std::string value(Below(Below(20) == 0 ? 400 : 6), '\0');
    for (char& octet : value) octet = kOctets[Below(kOctets.size())];
    return value;
  }

  void MakeSubstrings(Filter* filter) {
    filter->attribute = Attribute();
    filter->initial = Value();
    for (unsigned i = Below(3); i > 0; --i) filter->any.push_back(Value());
    filter->final_piece = Value();
    if (filter->initial.empty() && filter->any.empty() && filter->final_piece.empty()) {
      filter->any.push_back(Value());
    }
  }

  void MakeExtensible(Filter* filter) {
    if (Below(2) == 0) filter->attribute = Attribute();
    if (filter->attribute.empty() || Below(2) == 0) filter->matching_rule = "caseExactMatch";
    filter->dn_attributes = Below(2) == 0;
    filter->value = Value();
  }

  std::mt19937 random_;
};

// Equality of trees, without the help of either form.
bool Same(const Filter& a, const Filter& b) {
  if (a.kind != b.kind || a.attribute != b.attribute || a.value != b.value ||
      a.initial != b.initial || a.any != b.any || a.final_piece != b.final_piece ||
      a.matching_rule != b.matching_rule || a.dn_attributes != b.dn_attributes ||
      a.children.size() != b.children.size()) {
    return false;
  }
  for (std::size_t i = 0; i < a.children.size(); ++i) {
    if (!Same(a.children[i], b.children[i])) return false;
  }
  return true;
}

TEST(FilterRandomTest, TextAndBerAreLossless) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  FilterGenerator generator(seed);
  for (int i = 0; i < 2000; ++i) {
    const Filter filter = generator.Make(5);
    const std::string text = filter.ToString();
    const Result<Filter> from_text = Filter::Parse(text);
    ASSERT_TRUE(from_text.ok()) << text << ": " << from_text.error().message;
    ASSERT_TRUE(Same(*from_text, filter)) << text;
    std::string octets;
    from_text->Encode(&octets);
    const Result<Filter> from_octets = Filter::Decode(octets);
    ASSERT_TRUE(from_octets.ok()) << text << ": " << from_octets.error().message;
    ASSERT_TRUE(Same(*from_octets, filter)) << text;
    ASSERT_EQ(from_octets->ToString(), text);
  }
}

}  // namespace
}  // namespace twintree::model
