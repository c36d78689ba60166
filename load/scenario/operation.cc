#include "load/scenario/operation.h"

#include <array>
#include <utility>

namespace twintree::load {
namespace {

constexpr const char* kTooFew = "too few entries";
constexpr int kNoSuchObject = 32;

constexpr std::array<std::pair<int, std::string_view>, 26> kResultNames = {{
    {0, "success"},
    {1, "operationsError"},
    {2, "protocolError"},
    {3, "timeLimitExceeded"},
    {4, "sizeLimitExceeded"},
    {5, "compareFalse"},
    {6, "compareTrue"},
    {7, "authMethodNotSupported"},
    {8, "strongerAuthRequired"},
    {10, "referral"},
    {11, "adminLimitExceeded"},
    {13, "confidentialityRequired"},
    {16, "noSuchAttribute"},
    {17, "undefinedAttributeType"},
    {19, "constraintViolation"},
    {21, "invalidAttributeSyntax"},
    {32, "noSuchObject"},
    {34, "invalidDNSyntax"},
    {49, "invalidCredentials"},
    {50, "insufficientAccessRights"},
    {51, "busy"},
    {52, "unavailable"},
    {53, "unwillingToPerform"},
    {65, "objectClassViolation"},
    {68, "entryAlreadyExists"},
    {80, "other"},
}};

std::string ResultText(int code) {
  for (const auto& [number, name] : kResultNames) {
    if (number == code) return std::to_string(code) + " " + std::string(name);
  }
  return std::to_string(code);
}

// The DN in lower case without spaces around separators. Good for comparing what the generator
// wrote, which has no escapes.
std::string Folded(std::string_view dn) {
  std::string folded;
  for (const char octet : dn) {
    const bool separator = octet == ',' || octet == '=';
    while (separator && !folded.empty() && folded.back() == ' ') folded.pop_back();
    const bool after_separator = folded.empty() || folded.back() == ',' || folded.back() == '=';
    if (octet == ' ' && after_separator) continue;
    folded.push_back(octet >= 'A' && octet <= 'Z' ? static_cast<char>(octet - 'A' + 'a') : octet);
  }
  return folded;
}

bool EndsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

bool IsExpectedDn(const Operation& operation, std::string_view dn) {
  const ExpectedEntries& expected = operation.action->expected;
  if (!expected.ends.empty()) {
    if (expected.begins.Begins(operation.number, operation.value, dn) &&
        EndsWith(dn, expected.ends)) {
      return true;
    }
    const std::string folded = Folded(dn);
    const std::string begins = Folded(expected.begins.Text(operation.number, operation.value));
    return folded.compare(0, begins.size(), begins) == 0 && EndsWith(folded, Folded(expected.ends));
  }
  const std::string whole = expected.begins.Text(operation.number, operation.value);
  return dn == whole || Folded(dn) == Folded(whole);
}

}  // namespace

std::string CheckEntry(const Operation& operation, std::string_view dn, std::size_t attributes) {
  if (!IsExpectedDn(operation, dn)) return "wrong entry";
  if (attributes < operation.action->expected.attributes) return "attributes missing";
  return {};
}

std::string CheckResult(const Operation& operation, int code, std::uint64_t entries) {
  const OperationKind kind = operation.action->kind;
  if (code != ExpectedResult(kind)) return "result " + ResultText(code);
  const bool finds = kind == OperationKind::kSearch || kind == OperationKind::kEmpty;
  if (finds && entries != operation.entries) {
    return entries < operation.entries ? kTooFew : "too many entries";
  }
  return {};
}

bool MeansMissing(std::string_view wrong) {
  return wrong.ends_with(kTooFew) || wrong.ends_with("result " + ResultText(kNoSuchObject));
}

}  // namespace twintree::load
