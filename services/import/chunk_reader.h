// Cuts LDIF inputs into pieces of whole records, so that several threads can read them.
//
// A record ends at an empty line (RFC 2849), whatever is in it; a piece ends there or with the
// input.
#ifndef TWINTREE_SERVICES_IMPORT_CHUNK_READER_H_
#define TWINTREE_SERVICES_IMPORT_CHUNK_READER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "services/import/ldif_input.h"
#include "services/model/result.h"

namespace twintree::import {

struct ImportInput {
  std::string name;  // for messages
  std::unique_ptr<ByteSource> source;
};

struct LdifChunk {
  enum class Kind {
    kRecords,  // `text` holds whole records
    kTooLong,  // a record that was longer than is allowed, and was skipped
    kFailure,  // the input cannot be read: `failure`; nothing follows
  };
  Kind kind = Kind::kRecords;
  std::size_t input = 0;         // which of the inputs
  std::uint64_t first_line = 1;  // of the chunk, in its input
  std::uint64_t offset = 0;      // of the chunk, in all inputs together
  std::string text;
  std::optional<model::Error> failure;
  std::uint64_t bytes_read = 0;  // of all inputs, when this was cut
};

// Thread-safety: confined.
class ChunkReader {
 public:
  // Chunks have about `chunk_bytes`, more where a record does. A record of `max_record_bytes` or
  // less is never too long; more than twice that always is. `inputs` must outlive the reader.
  ChunkReader(const std::vector<ImportInput>& inputs, std::size_t chunk_bytes,
              std::size_t max_record_bytes);

  // False at the end.
  bool Next(LdifChunk* chunk);

 private:
  bool NextOfInput(LdifChunk* chunk);
  void Read();
  void Cut(std::size_t size, LdifChunk* chunk);
  void SkipRecord(LdifChunk* chunk);
  void Describe(LdifChunk* chunk) const;

  const std::vector<ImportInput>& inputs_;
  const std::size_t chunk_bytes_;
  const std::size_t max_record_bytes_;

  std::size_t input_ = 0;
  bool at_end_ = false;                  // of the input
  std::optional<model::Error> failure_;  // of the input
  std::string buffer_;                   // read and not yet given out
  std::uint64_t first_line_ = 1;         // of buffer_
  std::uint64_t offset_ = 0;             // of buffer_
};

// Where the last record of `text` that is whole ends, behind its empty line; 0: there is none.
std::size_t LastRecordEnd(const std::string& text);
// The same for the first one.
std::size_t FirstRecordEnd(const std::string& text);

}  // namespace twintree::import

#endif  // TWINTREE_SERVICES_IMPORT_CHUNK_READER_H_
