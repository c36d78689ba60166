#include "services/cli/password_input.h"

#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <iostream>
#include <string_view>
#include <utility>

#include "services/cli/input_files.h"

namespace twintree::cli {

using model::Error;
using model::Result;
using model::ResultCode;
using model::Secret;

namespace {

constexpr std::size_t kMaxBytes = 64 << 10;

termios terminal_as_found;

// Ends the process as the signal would, with the terminal as it was found.
extern "C" void RestoreTerminalAndDie(int signal_number) {
  tcsetattr(STDIN_FILENO, TCSANOW, &terminal_as_found);
  std::signal(signal_number, SIG_DFL);
  std::raise(signal_number);
}

// While it lives the terminal does not show what is typed.
class NoEcho {
 public:
  NoEcho() {
    ok_ = tcgetattr(STDIN_FILENO, &terminal_as_found) == 0;
    if (!ok_) return;
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      handlers_[i] = std::signal(kSignals[i], RestoreTerminalAndDie);
    }
    termios silent = terminal_as_found;
    silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    silent.c_lflag |= ECHONL;
    ok_ = tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0;
  }
  ~NoEcho() {
    if (!ok_) return;
    tcsetattr(STDIN_FILENO, TCSANOW, &terminal_as_found);
    for (std::size_t i = 0; i < kSignals.size(); ++i) std::signal(kSignals[i], handlers_[i]);
  }
  NoEcho(const NoEcho&) = delete;
  NoEcho& operator=(const NoEcho&) = delete;

  bool ok() const { return ok_; }

 private:
  static constexpr std::array<int, 3> kSignals = {SIGINT, SIGTERM, SIGHUP};
  std::array<void (*)(int), 3> handlers_{};
  bool ok_ = false;
};

Error Failure(std::string message) { return {ResultCode::kOther, std::move(message), ""}; }

// One line of standard input, without its end. Read octet by octet, so that no buffer keeps it.
Result<Secret> ReadLine() {
  std::string line;
  line.reserve(kMaxBytes);  // never moved, so that no copy is left behind
  for (;;) {
    char octet = 0;
    const ssize_t count = read(STDIN_FILENO, &octet, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Failure(std::string("cannot read the password: ") + std::strerror(errno));
    if (count == 0 || octet == '\n') break;
    if (line.size() == kMaxBytes) return Failure("the password is longer than 64 KiB");
    line.push_back(octet);
  }
  if (line.ends_with('\r')) line.pop_back();
  if (line.empty()) return Failure("the password is empty");
  return Secret(std::move(line));
}

Result<Secret> Ask(std::string_view prompt) {
  std::cerr << prompt << std::flush;
  const NoEcho no_echo;
  if (!no_echo.ok()) return Failure("cannot switch off the echo of the terminal");
  return ReadLine();
}

}  // namespace

Result<Secret> ReadNewPassword(const std::string& file) {
  if (!file.empty()) return ReadSecretFile("--password-file", file);
  if (isatty(STDIN_FILENO) != 1) return ReadLine();
  TT_ASSIGN_OR_RETURN(Secret password, Ask("New password: "));
  TT_ASSIGN_OR_RETURN(const Secret again, Ask("The same again: "));
  if (password.Reveal() != again.Reveal()) return Failure("the two passwords differ");
  return password;
}

}  // namespace twintree::cli
