#include "services/directory/engine/decimals.h"

#include <algorithm>
#include <utility>

namespace twintree::directory {
namespace {

// Digits without sign, most significant first.
struct Decimal {
  bool negative = false;
  std::string digits;
};

Decimal ParseDecimal(std::string_view text) {
  Decimal number;
  number.negative = text.starts_with('-');
  number.digits = text.substr(number.negative ? 1 : 0);
  return number;
}

bool SmallerDigits(const std::string& a, const std::string& b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

// a + b, or a - b for a >= b.
std::string Combine(const std::string& a, const std::string& b, bool subtract) {
  std::string result;
  int carry = 0;
  for (std::size_t i = 0; i < std::max(a.size(), b.size()) || carry != 0; ++i) {
    const int x = i < a.size() ? a[a.size() - 1 - i] - '0' : 0;
    const int y = i < b.size() ? b[b.size() - 1 - i] - '0' : 0;
    int digit = subtract ? x - y + carry : x + y + carry;
    carry = 0;
    if (digit < 0) {
      digit += 10;
      carry = -1;
    } else if (digit > 9) {
      digit -= 10;
      carry = 1;
    }
    result.push_back(static_cast<char>('0' + digit));
  }
  while (result.size() > 1 && result.back() == '0') result.pop_back();
  std::reverse(result.begin(), result.end());
  return result;
}

}  // namespace

std::string AddDecimals(std::string_view a, std::string_view b) {
  Decimal x = ParseDecimal(a);
  Decimal y = ParseDecimal(b);
  std::string digits;
  bool negative = x.negative;
  if (x.negative == y.negative) {
    digits = Combine(x.digits, y.digits, false);
  } else {
    if (SmallerDigits(x.digits, y.digits)) std::swap(x, y);
    negative = x.negative;
    digits = Combine(x.digits, y.digits, true);
  }
  if (digits == "0") negative = false;
  return negative ? "-" + digits : digits;
}

}  // namespace twintree::directory
