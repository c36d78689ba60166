// The threads that read and prepare records ahead of the one that stores them.
//
// One thread cuts the inputs into chunks; the others take a chunk each, parse its records and make
// entries of them. Nearly all memory that this takes is used and freed on one thread.
#ifndef TWINTREE_SERVICES_IMPORT_PREPARATION_H_
#define TWINTREE_SERVICES_IMPORT_PREPARATION_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "services/import/chunk_reader.h"
#include "services/import/entry_builder.h"
#include "services/import/import_record.h"
#include "services/import/ordered_queue.h"
#include "services/model/ldif.h"

namespace twintree::import {

struct PreparationOptions {
  model::LdifOptions ldif;
  // Makes what the store wants to know of an entry in advance; empty: nothing.
  std::function<std::string(const model::Entry&)> prepare_terms;
  std::size_t chunk_bytes = 64 << 10;
  bool keep_raw = false;  // fill ImportRecord::raw
  std::size_t threads = 1;
};

// Parses and prepares the records of the batch's chunk. What is no LDIF is a record with a problem.
void PrepareBatch(const EntryBuilder& builder, const PreparationOptions& options,
                  RecordBatch* batch);

// Thread-safety: confined.
class Preparation {
 public:
  // Starts. `inputs` and `builder` must outlive it.
  Preparation(const std::vector<ImportInput>& inputs, const EntryBuilder* builder,
              const PreparationOptions& options);
  // Stops, also in the middle.
  ~Preparation();

  // The next batch, in the order of the inputs; null at the end.
  std::unique_ptr<RecordBatch> Next() { return queue_.Take(); }

 private:
  void Read();
  void Prepare();

  const EntryBuilder* const builder_;
  const PreparationOptions options_;
  ChunkReader reader_;  // used by the reading thread only
  OrderedQueue<RecordBatch> queue_;
  std::vector<std::thread> threads_;
};

}  // namespace twintree::import

#endif  // TWINTREE_SERVICES_IMPORT_PREPARATION_H_
