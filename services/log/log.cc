#include "services/log/log.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <memory>

namespace twintree::log {
namespace {

std::atomic<Level> g_level{Level::kInfo};
std::atomic<Format> g_format{Format::kText};
std::atomic<bool> g_access{false};
std::atomic<Output> g_output{Output::kStderr};

std::shared_ptr<spdlog::logger> MakeLogger(const spdlog::sink_ptr& sink) {
  auto made = std::make_shared<spdlog::logger>("twintree", sink);
  made->set_pattern("%v");
  made->set_level(spdlog::level::trace);
  return made;
}

spdlog::logger& Logger() {
  static const auto kStderr = MakeLogger(std::make_shared<spdlog::sinks::stderr_sink_mt>());
  static const auto kStdout = MakeLogger(std::make_shared<spdlog::sinks::stdout_sink_mt>());
  return g_output.load(std::memory_order_relaxed) == Output::kStdout ? *kStdout : *kStderr;
}

std::string_view LevelName(Level level) {
  switch (level) {
    case Level::kDebug: return "debug";
    case Level::kInfo: return "info";
    case Level::kWarning: return "warning";
    case Level::kError: return "error";
    case Level::kOff: break;
  }
  return "off";
}

std::string Now() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  std::tm parts{};
  gmtime_r(&now.tv_sec, &parts);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:06}Z", parts, now.tv_nsec / 1000);
}

// Length of the valid UTF-8 sequence at the start of `text`, or 0.
std::size_t Utf8Length(std::string_view text) {
  const auto octet = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = octet(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((octet(i) & 0xc0) != 0x80) return 0;
  }
  const unsigned char second = octet(1);
  if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f)) return 0;
  if ((first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f)) return 0;
  return length;
}

// Controls and separators that some readers take for the end of a line: C0, DEL, C1, U+2028,
// U+2029.
bool IsControl(std::string_view character) {
  const auto octet = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return octet < 0x20 || octet == 0x7f;
  if (octet == 0xc2) return static_cast<unsigned char>(character[1]) < 0xa0;
  return character == "\u2028" || character == "\u2029";
}

// The code point of a control character, which has at most three octets.
unsigned CodePoint(std::string_view character) {
  const auto octet = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1) return octet(0);
  if (character.size() == 2) return (octet(0) & 0x1fu) << 6 | (octet(1) & 0x3fu);
  return (octet(0) & 0x0fu) << 12 | (octet(1) & 0x3fu) << 6 | (octet(2) & 0x3fu);
}

// `value` between double quotes, valid JSON whatever the octets are: what is no UTF-8 appears as
// the code point of its octet.
void AppendQuoted(std::string_view value, std::string* out) {
  out->push_back('"');
  for (std::size_t i = 0; i < value.size();) {
    const unsigned char octet = static_cast<unsigned char>(value[i]);
    if (octet == '"' || octet == '\\') {
      out->push_back('\\');
      out->push_back(value[i++]);
      continue;
    }
    const std::size_t length = Utf8Length(value.substr(i));
    const std::string_view character = value.substr(i, length == 0 ? 1 : length);
    if (length == 0 || IsControl(character)) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", CodePoint(character));
      out->append(escape);
    } else {
      out->append(character);
    }
    i += character.size();
  }
  out->push_back('"');
}

bool IsPlainWord(std::string_view value) {
  for (const char c : value) {
    const auto octet = static_cast<unsigned char>(c);
    if (octet <= 0x20 || octet >= 0x7f || c == '"' || c == '\\' || c == '=') return false;
  }
  return !value.empty();
}

}  // namespace

void Configure(const Options& options) {
  g_level = options.level;
  g_format = options.format;
  g_access = options.access;
  g_output = options.output;
}

bool Enabled(Level level) { return level >= g_level.load(std::memory_order_relaxed); }

bool AccessEnabled() { return g_access.load(std::memory_order_relaxed); }

void Flush() { Logger().flush(); }

Event::Event(Level level, std::string_view name, bool enabled) : enabled_(enabled), level_(level) {
  if (!enabled_) return;
  if (g_format.load(std::memory_order_relaxed) == Format::kJson) {
    line_.append("{\"ts\":\"").append(Now()).append("\",\"level\":\"").append(LevelName(level));
    line_.append("\",\"msg\":");
    AppendQuoted(name, &line_);
  } else {
    line_.append(Now()).append(" ").append(LevelName(level)).append(" ").append(name);
  }
}

Event::~Event() {
  if (!enabled_) return;
  if (line_.front() == '{') line_.push_back('}');
  Logger().log(spdlog::level::info, spdlog::string_view_t(line_.data(), line_.size()));
  if (level_ >= Level::kWarning) Logger().flush();
}

Event& Event::With(std::string_view key, std::string_view value) {
  if (!enabled_) return *this;
  if (line_.front() == '{') {
    line_.push_back(',');
    AppendQuoted(key, &line_);
    line_.push_back(':');
    AppendQuoted(value, &line_);
    return *this;
  }
  line_.append(" ").append(key).append("=");
  if (IsPlainWord(value)) {
    line_.append(value);
  } else {
    AppendQuoted(value, &line_);
  }
  return *this;
}

Event& Event::With(std::string_view key, double value) {
  if (!enabled_) return *this;
  if (!std::isfinite(value)) return With(key, std::string_view("not a number"));
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.6g", value);
  return Number(key, digits);
}

Event& Event::With(std::string_view key, std::chrono::nanoseconds value) {
  if (!enabled_) return *this;
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.6f", std::chrono::duration<double>(value).count());
  return Number(key, digits);
}

Event& Event::Number(std::string_view key, std::string_view digits) {
  if (!enabled_) return *this;
  if (line_.front() == '{') {
    line_.push_back(',');
    AppendQuoted(key, &line_);
    line_.append(":").append(digits);
  } else {
    line_.append(" ").append(key).append("=").append(digits);
  }
  return *this;
}

Event Debug(std::string_view name) { return Event(Level::kDebug, name, Enabled(Level::kDebug)); }
Event Info(std::string_view name) { return Event(Level::kInfo, name, Enabled(Level::kInfo)); }
Event Warning(std::string_view name) {
  return Event(Level::kWarning, name, Enabled(Level::kWarning));
}
Event Error(std::string_view name) { return Event(Level::kError, name, Enabled(Level::kError)); }
Event Access(std::string_view name) { return Event(Level::kInfo, name, AccessEnabled()); }

}  // namespace twintree::log
