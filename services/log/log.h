// Structured logs: one line an event, as JSON or as text for people. Servers, whose output is their
// log, write it to standard output; commands, whose output is data, to standard error.
//
//   log::Info("listening").With("protocol", "ldap").With("address", "127.0.0.1:1389");
//   ->
//   {"ts":"2026-01-02T03:04:05.678901Z","level":"info","msg":"listening","protocol":"ldap",...}
//   -> 2026-01-02T03:04:05.678901Z info listening protocol=ldap address=127.0.0.1:1389
//
// The event is written when the temporary ends. Values are escaped, so a client's octets cannot
// forge lines. model::Secret has no way in. Below the level in force nothing is formatted.
//
// Thread-safety: safe.
#ifndef TWINTREE_SERVICES_LOG_LOG_H_
#define TWINTREE_SERVICES_LOG_LOG_H_

#include <chrono>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace twintree::log {

enum class Level { kDebug, kInfo, kWarning, kError, kOff };
enum class Format { kText, kJson };
enum class Output { kStderr, kStdout };

struct Options {
  Level level = Level::kInfo;
  Format format = Format::kText;
  // One event for every operation (event "operation"), see Access().
  bool access = false;
  Output output = Output::kStderr;
};

// May be called again; what is logged afterwards follows the new options.
void Configure(const Options& options);
bool Enabled(Level level);
// Is the access log switched on? Ask before making up an access event.
bool AccessEnabled();
// Writes out what is buffered.
void Flush();

class Event {
 public:
  Event(Level level, std::string_view name, bool enabled);
  ~Event();
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  Event& With(std::string_view key, std::string_view value);
  Event& With(std::string_view key, const char* value) {
    return With(key, std::string_view(value));
  }
  Event& With(std::string_view key, const std::string& value) {
    return With(key, std::string_view(value));
  }
  template <std::integral T>
  requires(!std::same_as<T, bool>) Event& With(std::string_view key, T value) {
    return enabled_ ? Number(key, std::to_string(value)) : *this;
  }
  Event& With(std::string_view key, bool value) { return Number(key, value ? "true" : "false"); }
  Event& With(std::string_view key, double value);
  // In seconds.
  Event& With(std::string_view key, std::chrono::nanoseconds value);

 private:
  Event& Number(std::string_view key, std::string_view digits);
  bool enabled_;
  Level level_;
  std::string line_;
};

Event Debug(std::string_view name);
Event Info(std::string_view name);
Event Warning(std::string_view name);
Event Error(std::string_view name);
// Level info, only when the access log is on.
Event Access(std::string_view name);

}  // namespace twintree::log

#endif  // TWINTREE_SERVICES_LOG_LOG_H_
