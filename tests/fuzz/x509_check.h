// What holds for every text that is taken for an X.509 value, or for an assertion about one.
#ifndef TWINTREE_TESTS_FUZZ_X509_CHECK_H_
#define TWINTREE_TESTS_FUZZ_X509_CHECK_H_

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "services/model/dn.h"
#include "services/model/matching_rule.h"
#include "services/model/schema.h"
#include "services/model/syntax_checks.h"
#include "services/model/time_syntax.h"
#include "services/model/utf8.h"
#include "services/model/x509.h"
#include "services/model/x509_assertion.h"

namespace twintree::fuzz {

// Returns the claim that does not hold; null if all do.
class X509Check {
 public:
  const char* operator()(std::string_view octets) const {
    for (const auto check : {CheckParts, CheckName, CheckAssertions}) {
      if (const char* claim = check(octets)) return claim;
    }
    for (const model::MatchingRule* rule : {certificate_, list_}) {
      if (const char* claim = CheckRule(*rule, octets)) return claim;
    }
    model::CheckCertificatePair(octets);
    model::CheckSupportedAlgorithm(octets);
    return nullptr;
  }

 private:
  static bool LiesWithin(std::string_view part, std::string_view whole) {
    const std::less_equal<const char*> not_after;
    return not_after(whole.data(), part.data()) &&
           not_after(part.data() + part.size(), whole.data() + whole.size());
  }

  static const char* CheckParts(std::string_view octets) {
    const auto certificate = model::ReadCertificate(octets);
    const auto list = model::ReadCertificateList(octets);
    if ((certificate || list) && !model::IsSigned(octets)) return "what has parts is signed";
    if (certificate && !(LiesWithin(certificate->serial_number, octets) &&
                         LiesWithin(certificate->issuer, octets))) {
      return "the parts of a certificate lie in it";
    }
    if (list && !LiesWithin(list->issuer, octets)) return "the issuer of a list lies in it";
    if (certificate) {
      if (const char* claim = CheckName(certificate->issuer)) return claim;
      const auto number = model::DecimalOf(certificate->serial_number);
      if (number && model::CheckInteger(*number) != nullptr) return "a serial number is an integer";
    }
    return list ? CheckName(list->issuer) : nullptr;
  }

  static const char* CheckName(std::string_view octets) {
    const auto dn = model::DnOf(octets);
    if (!dn) return nullptr;
    if (!model::IsValidUtf8(*dn)) return "a name is UTF-8";
    const auto rdns = 1 + static_cast<std::size_t>(std::count(dn->begin(), dn->end(), ','));
    if (rdns > model::Dn::kMaxRdns) return nullptr;
    return model::Dn::Parse(*dn).ok() ? nullptr : "a name can be parsed";
  }

  static const char* CheckAssertions(std::string_view octets) {
    const auto certificate = model::ParseCertificateAssertion(octets);
    if (certificate && (model::CheckInteger(certificate->serial_number) != nullptr ||
                        model::CheckDn(certificate->issuer) != nullptr)) {
      return "an assertion about a certificate has a number and a name";
    }
    const auto list = model::ParseCertificateListAssertion(octets);
    if (list && (model::CheckGeneralizedTime(list->this_update) != nullptr ||
                 model::CheckDn(list->issuer) != nullptr)) {
      return "an assertion about a list has a time and a name";
    }
    return certificate && list ? "no assertion is about both" : nullptr;
  }

  static const char* CheckRule(const model::MatchingRule& rule, std::string_view octets) {
    const model::Result<std::string> key = rule.ValueKey(octets);
    if (!key.ok()) return "every value has a key";
    if (!rule.Equals(octets, *key)) return "a value equals its key";
    // Assertions that are values.
    const model::Result<std::string> asserted = rule.AssertionKey(octets);
    if (model::IsSigned(octets) && !(asserted.ok() && *asserted == *key)) {
      return "a value asserts itself";
    }
    return nullptr;
  }

  const std::shared_ptr<const model::Schema> schema_ = model::Schema::Standard();
  const model::MatchingRule* const certificate_ =
      schema_->FindMatchingRule("certificateExactMatch");
  const model::MatchingRule* const list_ = schema_->FindMatchingRule("certificateListExactMatch");
};

}  // namespace twintree::fuzz

#endif  // TWINTREE_TESTS_FUZZ_X509_CHECK_H_
