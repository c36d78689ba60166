// The threads that read and prepare records ahead of the one that stores them.
#ifndef TWINTREE_SERVICES_IMPORT_PREPARATION_H_
#define TWINTREE_SERVICES_IMPORT_PREPARATION_H_

#include <cstddef>
#include <memory>
#include <thread>
#include <vector>

#include "services/import/entry_builder.h"
#include "services/import/import_record.h"
#include "services/import/ordered_queue.h"
#include "services/import/record_reader.h"

namespace twintree::import {

// Thread-safety: confined.
class Preparation {
 public:
  // Starts. Both must outlive it.
  Preparation(RecordReader* reader, const EntryBuilder* builder, std::size_t threads);
  // Stops, also in the middle.
  ~Preparation();

  // The next batch, in the order of the inputs; null at the end.
  std::unique_ptr<RecordBatch> Next() { return queue_.Take(); }

 private:
  void Read();
  void Prepare();

  RecordReader* const reader_;
  const EntryBuilder* const builder_;
  OrderedQueue<RecordBatch> queue_;
  std::vector<std::thread> threads_;
};

}  // namespace twintree::import

#endif  // TWINTREE_SERVICES_IMPORT_PREPARATION_H_
