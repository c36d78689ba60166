#include "services/import/rejects_file.h"

#include <string_view>
#include <utility>

namespace twintree::import {
namespace {

// `text` on one comment line: octets that could end it, or confuse a terminal, are escaped.
std::string Comment(std::string_view text) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string line = "# ";
  for (const char c : text) {
    const auto octet = static_cast<unsigned char>(c);
    if (octet >= 0x20 && octet != 0x7f) {
      line.push_back(c);
    } else {
      line.append("\\x").append(1, kDigits[octet >> 4]).append(1, kDigits[octet & 0x0f]);
    }
  }
  return line + "\n";
}

// The record without the empty lines before and behind it.
std::string_view Trim(std::string_view record) {
  const std::size_t first = record.find_first_not_of("\r\n");
  if (first == std::string_view::npos) return {};
  return record.substr(first, record.find_last_not_of("\r\n") - first + 1);
}

}  // namespace

std::string RejectedRecordText(const ImportProblem& problem) {
  std::string text = Comment(problem.ToString());
  if (!problem.record_complete) return text + "# the record is too long to be kept\n\n";
  const std::string_view record = Trim(problem.record);
  // A blank at the front would make the record part of the comment.
  if (record.starts_with(' ')) text.push_back('\n');
  return text.append(record).append("\n\n");
}

model::Result<RejectsFile> RejectsFile::Open(const std::string& name) {
  TT_ASSIGN_OR_RETURN(std::unique_ptr<OutputFile> file, OutputFile::Open(name));
  return RejectsFile(std::move(file));
}

model::Status RejectsFile::Write(const ImportProblem& problem) {
  return file_->Write(RejectedRecordText(problem));
}

}  // namespace twintree::import
