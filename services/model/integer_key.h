// Integers of any size, as text.
#ifndef TWINTREE_SERVICES_MODEL_INTEGER_KEY_H_
#define TWINTREE_SERVICES_MODEL_INTEGER_KEY_H_

#include <string>
#include <string_view>

namespace twintree::model {

// The Integer syntax of RFC 4517 3.3.16: one spelling a number, no `+`, `-0` or leading zero.
bool IsInteger(std::string_view text);

// A key whose order octet by octet is the order of the numbers.
//
// Shape: for a number >= 0: a letter for the length of the length ('a' for one digit), the number
// of digits, the digits; 1000 is "a41000". For a number < 0 the letter counts down from 'Z' and
// every digit is its nine's complement, so -1000 is "Z58999".
//
// REQUIRES: IsInteger(text).
std::string IntegerKey(std::string_view text);

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_INTEGER_KEY_H_
