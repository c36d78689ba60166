// LDIF input by name: a file, standard input, or a gzip file.
#ifndef TWINTREE_SERVICES_IMPORT_LDIF_INPUT_H_
#define TWINTREE_SERVICES_IMPORT_LDIF_INPUT_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "services/model/result.h"

namespace twintree::import {

// Where octets come from.
//
// Thread-safety: confined, but bytes_read() is safe.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // At most `size` octets into `out`; 0 at the end. Errors: kOther, with the reason.
  virtual model::Result<std::size_t> Read(char* out, std::size_t size) = 0;

  // Octets taken from the file so far (compressed ones when it is compressed).
  std::uint64_t bytes_read() const { return bytes_read_.load(std::memory_order_relaxed); }
  // Octets of the whole file; 0: not known.
  std::uint64_t total_bytes() const { return total_bytes_; }

 protected:
  std::atomic<std::uint64_t> bytes_read_{0};
  std::uint64_t total_bytes_ = 0;
};

// Opens `name`: "-" is standard input; a name that ends in ".gz" is decompressed while it is read,
// and must hold gzip data.
// Errors: kOther, naming the file.
model::Result<std::unique_ptr<ByteSource>> OpenByteSource(const std::string& name);
// For octets at hand.
std::unique_ptr<ByteSource> MakeStringSource(std::string octets);

}  // namespace twintree::import

#endif  // TWINTREE_SERVICES_IMPORT_LDIF_INPUT_H_
