#include "services/model/time_syntax.h"

#include <chrono>
#include <cstddef>

#include "services/model/ascii.h"

namespace twintree::model {
namespace {

// A time as it was written. Absent minutes and seconds are 0.
struct WrittenTime {
  int year = 0;
  int month = 0;
  int day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
  int fraction_unit_seconds = 1;  // what the fraction is a fraction of: 3600, 60 or 1
  std::string_view fraction;      // digits
  int offset_minutes = 0;         // local time minus UTC
};

class TimeReader {
 public:
  explicit TimeReader(std::string_view text) : text_(text) {}

  bool AtEnd() const { return position_ == text_.size(); }
  bool AtDigit() const { return !AtEnd() && IsDigit(text_[position_]); }

  bool Accept(char c) {
    if (AtEnd() || text_[position_] != c) return false;
    ++position_;
    return true;
  }

  // Exactly `count` digits with a value of at most `highest`.
  bool Read(int count, int highest, int& value) {
    value = 0;
    for (int i = 0; i < count; ++i) {
      if (!AtDigit()) return false;
      value = value * 10 + (text_[position_++] - '0');
    }
    return value <= highest;
  }

  std::string_view ReadDigits() {
    const std::size_t start = position_;
    while (AtDigit()) ++position_;
    return text_.substr(start, position_ - start);
  }

 private:
  std::string_view text_;
  std::size_t position_ = 0;
};

const char* ReadDate(TimeReader& reader, WrittenTime& time) {
  if (!reader.Read(2, 12, time.month) || !reader.Read(2, 31, time.day)) return "malformed date";
  const std::chrono::year_month_day date{std::chrono::year(time.year),
                                         std::chrono::month(static_cast<unsigned>(time.month)),
                                         std::chrono::day(static_cast<unsigned>(time.day))};
  return date.ok() ? nullptr : "the date does not exist";
}

// `Z`, or a signed difference of hours and minutes.
const char* ReadZone(TimeReader& reader, bool minutes_required, WrittenTime& time) {
  if (reader.Accept('Z')) return reader.AtEnd() ? nullptr : "text follows the time zone";
  const bool minus = reader.Accept('-');
  if (!minus && !reader.Accept('+')) return "the time zone is missing";
  int hours = 0;
  int minutes = 0;
  if (!reader.Read(2, 23, hours)) return "malformed time zone";
  if (minutes_required || !reader.AtEnd()) {
    if (!reader.Read(2, 59, minutes)) return "malformed time zone";
  }
  if (!reader.AtEnd()) return "text follows the time zone";
  time.offset_minutes = (hours * 60 + minutes) * (minus ? -1 : 1);
  return nullptr;
}

const char* ReadGeneralizedTime(std::string_view text, WrittenTime& time) {
  TimeReader reader(text);
  if (!reader.Read(4, 9999, time.year)) return "malformed year";
  if (const char* problem = ReadDate(reader, time)) return problem;
  if (!reader.Read(2, 23, time.hour)) return "malformed hour";
  time.fraction_unit_seconds = 3600;
  if (reader.AtDigit()) {
    if (!reader.Read(2, 59, time.minute)) return "malformed minute";
    time.fraction_unit_seconds = 60;
    if (reader.AtDigit()) {
      if (!reader.Read(2, 60, time.second)) return "malformed second";
      time.fraction_unit_seconds = 1;
    }
  }
  if (reader.Accept('.') || reader.Accept(',')) {
    time.fraction = reader.ReadDigits();
    if (time.fraction.empty()) return "malformed fraction";
  }
  return ReadZone(reader, false, time);
}

// Multiplies the decimal fraction by `factor`: what passes the point is returned, `fraction` keeps
// the rest, without trailing zeros.
int MultiplyFraction(std::string& fraction, int factor) {
  int carry = 0;
  for (std::size_t i = fraction.size(); i-- > 0;) {
    const int product = (fraction[i] - '0') * factor + carry;
    fraction[i] = static_cast<char>('0' + product % 10);
    carry = product / 10;
  }
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return carry;
}

void AppendNumber(int value, int width, std::string& out) {
  const std::string digits = std::to_string(value);
  out.append(static_cast<std::size_t>(width) - digits.size(), '0').append(digits);
}

}  // namespace

const char* CheckGeneralizedTime(std::string_view text) {
  WrittenTime time;
  return ReadGeneralizedTime(text, time);
}

const char* CheckUtcTime(std::string_view text) {
  WrittenTime time;
  TimeReader reader(text);
  if (!reader.Read(2, 99, time.year)) return "malformed year";
  time.year += time.year < 50 ? 2000 : 1900;
  if (const char* problem = ReadDate(reader, time)) return problem;
  if (!reader.Read(2, 23, time.hour) || !reader.Read(2, 59, time.minute)) return "malformed time";
  if (reader.AtDigit() && !reader.Read(2, 59, time.second)) return "malformed second";
  if (reader.AtEnd()) return nullptr;
  return ReadZone(reader, true, time);
}

Result<std::string> GeneralizedTimeKey(std::string_view text) {
  WrittenTime time;
  if (const char* problem = ReadGeneralizedTime(text, time)) {
    return Error{
        ResultCode::kInvalidAttributeSyntax, "not a generalized time: " + std::string(problem), {}};
  }
  std::string fraction(time.fraction);
  const int carried = MultiplyFraction(fraction, time.fraction_unit_seconds);
  const std::chrono::sys_days date = std::chrono::year_month_day{
      std::chrono::year(time.year), std::chrono::month(static_cast<unsigned>(time.month)),
      std::chrono::day(static_cast<unsigned>(time.day))};
  const auto utc = date + std::chrono::hours(time.hour) +
                   std::chrono::minutes(time.minute + carried / 60 - time.offset_minutes);
  const auto utc_date = std::chrono::floor<std::chrono::days>(utc);
  const std::chrono::year_month_day calendar(utc_date);
  const int year = static_cast<int>(calendar.year());
  if (year < 0 || year > 9999) {
    return Error{ResultCode::kInvalidAttributeSyntax,
                 "not a generalized time: outside the years 0000 to 9999 in UTC",
                 {}};
  }
  const int minute_of_day = static_cast<int>((utc - utc_date).count());
  std::string key;
  AppendNumber(year, 4, key);
  AppendNumber(static_cast<int>(static_cast<unsigned>(calendar.month())), 2, key);
  AppendNumber(static_cast<int>(static_cast<unsigned>(calendar.day())), 2, key);
  AppendNumber(minute_of_day / 60, 2, key);
  AppendNumber(minute_of_day % 60, 2, key);
  AppendNumber(time.second + carried % 60, 2, key);
  if (!fraction.empty()) key.append(".").append(fraction);
  return key;
}

}  // namespace twintree::model
