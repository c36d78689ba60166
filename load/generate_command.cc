#include "load/generate_command.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>

#include <CLI/Error.hpp>
#include <CLI/Option.hpp>
#include <CLI/Validators.hpp>

#include "load/generate.h"

namespace twintree::load {
namespace {

struct GenerateFlags {
  GenerateOptions options;
  std::string passwords = "hashed";
  std::string output;
};

[[noreturn]] void FailToWrite(const std::string& name) {
  std::cerr << "twintree-load: cannot write " << name << ": " << std::strerror(errno) << "\n";
  throw CLI::RuntimeError(1);
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

bool WriteTo(std::FILE* file, const GenerateOptions& options) {
  const bool written = WriteDirectory(options, [file](std::string_view piece) {
    return std::fwrite(piece.data(), 1, piece.size(), file) == piece.size();
  });
  return written && std::fflush(file) == 0;
}

void Generate(const GenerateFlags& flags) {
  if (flags.output.empty()) {
    if (!WriteTo(stdout, flags.options)) FailToWrite("standard output");
    return;
  }
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(flags.output.c_str(), "wb"));
  if (!file || !WriteTo(file.get(), flags.options)) FailToWrite(flags.output);
}

}  // namespace

void AddGenerateCommand(CLI::App& app) {
  const auto flags = std::make_shared<GenerateFlags>();
  CLI::App* command = app.add_subcommand("generate", "Write a made-up directory as LDIF");
  command->add_option("--entries", flags->options.entries, "Number of person entries")
      ->required()
      ->check(CLI::Range(std::uint64_t{1}, kMaxEntries));
  command->add_option("--seed", flags->options.seed, "Chooses the values of the entries")
      ->capture_default_str();
  command
      ->add_option("--passwords", flags->passwords,
                   "How userPassword is written ({SSHA} or clear); that of user.N is passwordN")
      ->capture_default_str()
      ->check(CLI::IsMember({"hashed", "clear"}));
  command->add_option("--output", flags->output, "File to write instead of standard output");
  command->callback([flags] {
    flags->options.passwords =
        flags->passwords == "clear" ? PasswordForm::kClear : PasswordForm::kHashed;
    Generate(*flags);
  });
}

}  // namespace twintree::load
