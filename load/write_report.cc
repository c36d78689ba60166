#include "load/write_report.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace twintree::load {

void WriteReport(const std::string& path, const std::string& text) {
  if (path.empty()) return;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text << std::flush;
  if (!file) throw std::runtime_error("cannot write " + path + ": " + std::strerror(errno));
}

}  // namespace twintree::load
