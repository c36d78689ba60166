#ifndef LOAD_RUN_FLAGS_H_
#define LOAD_RUN_FLAGS_H_

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "load/run/run.h"

namespace twintree::load {

// Flags that `run` and `optimize` share.
class RunFlags {
 public:
  struct Defaults {
    int connections;  // 0: what the scenario says
    double warmup_seconds;
    double duration_seconds;
  };
  explicit RunFlags(const Defaults& defaults)
      : defaults_(defaults), duration_(defaults.duration_seconds) {}

  // Declares them on `command`. `this` outlives it.
  void AddTo(CLI::App& command);

  // What the flags say. Errors: throws CLI::ValidationError that names the flag.
  RunSettings Settings() const;

  const std::string& json() const { return json_; }
  const std::string& html() const { return html_; }

 private:
  void AddLoadFlags(CLI::App& command);
  void AddDirectoryFlags(CLI::App& command);
  void AddReportFlags(CLI::App& command);
  Credentials ReadCredentials() const;
  std::vector<pid_t> ServerPids() const;

  const Defaults defaults_;
  std::string scenario_;
  std::string target_;
  int connections_ = 0;
  int depth_ = 1;
  int threads_ = 0;
  double rate_ = 0;
  double warmup_ = -1;
  double duration_;
  std::uint64_t operations_ = 0;
  std::uint64_t prepared_ = 5000;
  bool keep_entries_ = false;
  Population population_;
  std::string bind_dn_;
  std::string password_file_;
  std::vector<pid_t> server_pids_;
  std::vector<std::string> server_names_;
  std::string json_;
  std::string html_;
};

}  // namespace twintree::load

#endif  // LOAD_RUN_FLAGS_H_
