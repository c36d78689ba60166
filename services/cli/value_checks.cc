#include "services/cli/value_checks.h"

#include <charconv>
#include <stdexcept>
#include <string>

namespace twintree::cli {

CLI::Validator WholeNumber(std::uint64_t least, std::uint64_t most) {
  // An empty description, or it would follow the type in every help text.
  return CLI::Validator(
      [least, most](std::string& text) -> std::string {
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (text.empty() || error != std::errc() || end != text.data() + text.size() ||
            value < least || value > most) {
          return "'" + text + "' is no whole number from " + std::to_string(least) + " to " +
                 std::to_string(most);
        }
        text = std::to_string(value);
        return "";
      },
      "");
}

CLI::Validator TrueOrFalse() {
  return CLI::Validator(
      [](std::string& text) -> std::string {
        try {
          CLI::detail::to_flag_value(text);
          return "";
        } catch (const std::invalid_argument&) {
          return "'" + text + "' is neither true nor false";
        }
      },
      "");
}

}  // namespace twintree::cli
