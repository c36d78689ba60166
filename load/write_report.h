#ifndef LOAD_WRITE_REPORT_H_
#define LOAD_WRITE_REPORT_H_

#include <string>

namespace twintree::load {

// Writes a file; nothing if `path` is empty.
//
// Errors: throws std::runtime_error that names the file
void WriteReport(const std::string& path, const std::string& text);

// Exit code when answers were wrong.
inline constexpr int kWrongAnswersExit = 3;

}  // namespace twintree::load

#endif  // LOAD_WRITE_REPORT_H_
