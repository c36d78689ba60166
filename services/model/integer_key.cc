#include "services/model/integer_key.h"

#include "services/model/ascii.h"

namespace twintree::model {

bool IsInteger(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  const std::string_view digits = negative ? text.substr(1) : text;
  if (digits.empty()) return false;
  if (digits.front() == '0' && (negative || digits.size() > 1)) return false;
  for (char c : digits) {
    if (!IsDigit(c)) return false;
  }
  return true;
}

std::string IntegerKey(std::string_view text) {
  const bool negative = text.front() == '-';
  const std::string_view digits = negative ? text.substr(1) : text;
  const std::string count = std::to_string(digits.size());
  const char steps = static_cast<char>(count.size() - 1);
  std::string key;
  key.reserve(1 + count.size() + digits.size());
  key.push_back(static_cast<char>(negative ? 'Z' - steps : 'a' + steps));
  key.append(count).append(digits);
  if (negative) {
    for (std::size_t i = 1; i < key.size(); ++i) {
      key[i] = static_cast<char>('0' + '9' - key[i]);
    }
  }
  return key;
}

}  // namespace twintree::model
