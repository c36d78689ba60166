// Reads the records of several LDIF inputs, in batches.
#ifndef TWINTREE_SERVICES_IMPORT_RECORD_READER_H_
#define TWINTREE_SERVICES_IMPORT_RECORD_READER_H_

#include <cstddef>
#include <cstdint>
#include <istream>
#include <memory>
#include <string>
#include <vector>

#include "services/import/import_record.h"
#include "services/import/ldif_input.h"
#include "services/model/ldif.h"

namespace twintree::import {

struct ImportInput {
  std::string name;  // for messages
  std::unique_ptr<ByteSource> source;
};

struct RecordReaderOptions {
  model::LdifOptions ldif;
  bool keep_raw = false;       // fill ImportRecord::raw
  bool stop_at_error = false;  // nothing after the first record that is no LDIF
  std::size_t batch_records = 64;
};

// Thread-safety: confined.
class RecordReader {
 public:
  // `inputs` must outlive the reader.
  RecordReader(const std::vector<ImportInput>& inputs, RecordReaderOptions options);

  // The next records; null at the end. `*cost` is about the memory that the batch takes. What is no
  // LDIF is a record with a problem. An input that fails ends everything.
  std::unique_ptr<RecordBatch> Next(std::size_t* cost);

 private:
  // One input being read.
  struct Open {
    Open(ByteSource* source, const RecordReaderOptions& options)
        : buffer(source, options.keep_raw), stream(&buffer), reader(stream, options.ldif) {}
    SourceBuffer buffer;
    std::istream stream;
    model::LdifReader reader;
  };

  bool ReadRecord(ImportRecord* record);
  bool ReadFromOpen(ImportRecord* record);
  void TakeError(model::Error error, ImportRecord* record);
  std::uint64_t BytesRead() const;

  const std::vector<ImportInput>& inputs_;
  const RecordReaderOptions options_;
  std::size_t input_ = 0;
  std::unique_ptr<Open> open_;  // of inputs_[input_]
  std::uint64_t next_number_ = 0;
  bool at_end_ = false;
};

}  // namespace twintree::import

#endif  // TWINTREE_SERVICES_IMPORT_RECORD_READER_H_
