#include <limits>
#include <span>
#include <string>
#include <utility>

#include "services/model/ascii.h"
#include "services/model/ldif.h"
#include "services/model/ldif_lines.h"
#include "services/model/ldif_parser.h"

namespace twintree::model {
namespace {

// What a record may take in the file: base64 is a third longer, and a line has some punctuation.
std::size_t RawLimit(std::size_t max_record_bytes) {
  const std::size_t limit = std::numeric_limits<std::size_t>::max();
  return max_record_bytes > limit / 2 ? limit : 2 * max_record_bytes;
}

bool IsVersionLine(std::string_view text) {
  return EqualsIgnoreCase(text.substr(0, text.find(':')), "version") && text.size() > 7;
}

// REQUIRES: IsVersionLine(text).
bool IsVersionOne(std::string_view text) {
  text.remove_prefix(text.find(':') + 1);
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text == "1";
}

}  // namespace

class LdifReader::Impl {
 public:
  Impl(std::istream& input, LdifOptions options)
      : options_(options), lines_(input, RawLimit(options.max_record_bytes), kLdifValueCost) {}

  Result<std::optional<LdifRecord>> Next() {
    for (;;) {
      switch (lines_.ReadRecord()) {
        case LdifLines::State::kEnd: return std::optional<LdifRecord>();
        case LdifLines::State::kMalformed: return Fail(lines_.problem_line(), lines_.problem());
        case LdifLines::State::kUnreadable: return FailToRead();
        case LdifLines::State::kRecord: break;
      }
      std::span<const LdifLine> lines = lines_.lines();
      if (IsVersionLine(lines.front().text)) {
        if (!IsVersionOne(lines.front().text)) {
          return Fail(lines.front().number, "unknown version of LDIF");
        }
        lines = lines.subspan(1);
      }
      if (!lines.empty()) return Parse(lines);
    }
  }

  std::uint64_t error_line() const { return error_line_; }
  const std::string& error_dn() const { return error_dn_; }

 private:
  Result<std::optional<LdifRecord>> Parse(std::span<const LdifLine> lines) {
    LdifParser parser(lines, options_);
    std::optional<LdifRecord> record(std::in_place);
    if (parser.Parse(&*record)) return record;
    Error error = Fail(parser.problem_line(), parser.problem());
    error_dn_ = std::move(record->dn);
    return error;
  }

  Error Fail(std::uint64_t line, std::string_view problem) {
    error_line_ = line;
    error_dn_.clear();
    return Error{ResultCode::kProtocolError,
                 "line " + std::to_string(line) + ": " + std::string(problem), ""};
  }

  Error FailToRead() {
    Error error = Fail(lines_.problem_line(), "the input cannot be read");
    error.code = ResultCode::kOther;
    return error;
  }

  const LdifOptions options_;
  LdifLines lines_;
  std::uint64_t error_line_ = 0;
  std::string error_dn_;
};

LdifReader::LdifReader(std::istream& input, LdifOptions options)
    : impl_(std::make_unique<Impl>(input, options)) {}

LdifReader::~LdifReader() = default;

Result<std::optional<LdifRecord>> LdifReader::Next() { return impl_->Next(); }

std::uint64_t LdifReader::error_line() const { return impl_->error_line(); }

const std::string& LdifReader::error_dn() const { return impl_->error_dn(); }

}  // namespace twintree::model
