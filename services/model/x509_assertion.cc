#include "services/model/x509_assertion.h"

#include <cstddef>
#include <utility>

#include "services/model/ascii.h"
#include "services/model/syntax_checks.h"
#include "services/model/time_syntax.h"
#include "services/model/x509.h"

namespace twintree::model {
namespace {

// The few forms of GSER that assertions are made of.
class GserReader {
 public:
  explicit GserReader(std::string_view text) : rest_(text) {}

  bool Accept(char c) {
    SkipSpaces();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool AtEnd() {
    SkipSpaces();
    return rest_.empty();
  }
  // Letters, digits, hyphens: an identifier or a number.
  std::string_view Word() {
    SkipSpaces();
    std::size_t size = 0;
    while (size < rest_.size() && (IsAlnum(rest_[size]) || rest_[size] == '-')) ++size;
    const std::string_view word = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return word;
  }
  // A string in quotes, in which a quote is written twice.
  bool String(std::string* out) {
    if (!Accept('"')) return false;
    for (;;) {
      const std::size_t quote = rest_.find('"');
      if (quote == std::string_view::npos) return false;
      out->append(rest_.substr(0, quote));
      rest_.remove_prefix(quote + 1);
      if (rest_.empty() || rest_.front() != '"') return true;
      out->push_back('"');
      rest_.remove_prefix(1);
    }
  }

 private:
  void SkipSpaces() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
  }
  std::string_view rest_;
};

// Fields that have been read; a field that is not there has no value.
struct Fields {
  std::optional<std::string> serial_number;
  std::optional<std::string> issuer;
  std::optional<std::string> this_update;
};

bool ReadSerialNumber(GserReader* reader, std::optional<std::string>* out) {
  *out = std::string(reader->Word());
  return CheckInteger(**out) == nullptr;
}

bool ReadIssuer(GserReader* reader, std::optional<std::string>* out) {
  return reader->Word() == "rdnSequence" && reader->Accept(':') &&
         reader->String(&out->emplace()) && CheckDn(**out) == nullptr;
}

bool ReadTime(GserReader* reader, std::optional<std::string>* out) {
  const std::string_view form = reader->Word();
  std::string text;
  if (!reader->Accept(':') || !reader->String(&text)) return false;
  if (form == "utcTime") {
    *out = GeneralizedTimeOf(text);
  } else if (form == "generalTime" || form == "generalizedTime") {
    *out = std::move(text);
  }
  return *out && CheckGeneralizedTime(**out) == nullptr;
}

bool ReadField(GserReader* reader, Fields* fields) {
  const std::string_view name = reader->Word();
  if (name == "serialNumber" && !fields->serial_number) {
    return ReadSerialNumber(reader, &fields->serial_number);
  }
  if (name == "issuer" && !fields->issuer) return ReadIssuer(reader, &fields->issuer);
  if (name == "thisUpdate" && !fields->this_update) return ReadTime(reader, &fields->this_update);
  return false;
}

std::optional<Fields> ReadFields(std::string_view text) {
  GserReader reader(text);
  Fields fields;
  if (!reader.Accept('{')) return std::nullopt;
  do {
    if (!ReadField(&reader, &fields)) return std::nullopt;
  } while (reader.Accept(','));
  if (!reader.Accept('}') || !reader.AtEnd()) return std::nullopt;
  return fields;
}

}  // namespace

std::optional<CertificateAssertion> ParseCertificateAssertion(std::string_view text) {
  std::optional<Fields> fields = ReadFields(text);
  if (!fields || !fields->serial_number || !fields->issuer || fields->this_update) {
    return std::nullopt;
  }
  return CertificateAssertion{*std::move(fields->serial_number), *std::move(fields->issuer)};
}

std::optional<CertificateListAssertion> ParseCertificateListAssertion(std::string_view text) {
  std::optional<Fields> fields = ReadFields(text);
  if (!fields || !fields->issuer || !fields->this_update || fields->serial_number) {
    return std::nullopt;
  }
  return CertificateListAssertion{*std::move(fields->issuer), *std::move(fields->this_update)};
}

}  // namespace twintree::model
