#include "load/client/target.h"

#include <charconv>
#include <optional>
#include <stdexcept>
#include <system_error>

namespace twintree::load {
namespace {

constexpr std::string_view kLdapPort = "389";
constexpr std::string_view kGrpcPort = "8389";

[[noreturn]] void Refuse(std::string_view url, const std::string& why) {
  throw std::invalid_argument("target \"" + std::string(url) + "\": " + why);
}

std::optional<std::string_view> After(std::string_view text, std::string_view start) {
  if (text.substr(0, start.size()) != start) return std::nullopt;
  return text.substr(start.size());
}

std::string PercentDecoded(std::string_view url, std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded.push_back(text[i]);
      continue;
    }
    unsigned octet = 0;
    const std::string_view digits = text.substr(i + 1, 2);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), octet, 16);
    if (digits.size() != 2 || error != std::errc() || end != digits.data() + 2) {
      Refuse(url, "two hexadecimal digits must follow %");
    }
    decoded.push_back(static_cast<char>(octet));
    i += 2;
  }
  return decoded;
}

void CheckPort(std::string_view url, std::string_view port) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), number);
  if (error != std::errc() || end != port.data() + port.size() || number == 0 || number > 65535) {
    Refuse(url, "the port is a number from 1 to 65535");
  }
}

void ParseAuthority(std::string_view authority, std::string_view default_port, Target* target) {
  if (!authority.empty() && authority.back() == '/') authority.remove_suffix(1);
  const auto bracket = authority.find(']');
  const auto colon = authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
  std::string_view host = authority.substr(0, colon);
  const std::string_view port =
      colon == std::string_view::npos ? default_port : authority.substr(colon + 1);
  if (!host.empty() && host.front() == '[') {
    if (host.back() != ']') Refuse(target->url, "a bracket is not closed");
    host = host.substr(1, host.size() - 2);
  }
  if (host.empty()) Refuse(target->url, "the host is missing");
  if (host.find('/') != std::string_view::npos) Refuse(target->url, "nothing follows the port");
  CheckPort(target->url, port);
  target->host = host;
  target->port = port;
}

}  // namespace

std::string Target::Address() const {
  const bool brackets = host.find(':') != std::string::npos;
  return (brackets ? "[" + host + "]" : host) + ":" + port;
}

Target ParseTarget(std::string_view url) {
  Target target;
  target.url = url;
  if (const auto ldap = After(url, "ldap://")) {
    ParseAuthority(*ldap, kLdapPort, &target);
  } else if (const auto grpc = After(url, "grpc://")) {
    target.protocol = Protocol::kGrpc;
    ParseAuthority(*grpc, kGrpcPort, &target);
  } else if (const auto ldapi = After(url, "ldapi://")) {
    target.protocol = Protocol::kLdapi;
    target.path = PercentDecoded(url, *ldapi);
    if (target.path.empty() || target.path.front() != '/') {
      Refuse(url, "the path of the socket is absolute");
    }
  } else {
    Refuse(url, "use ldap://HOST:PORT, ldapi:///PATH or grpc://HOST:PORT");
  }
  return target;
}

}  // namespace twintree::load
