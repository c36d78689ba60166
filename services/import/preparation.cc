#include "services/import/preparation.h"

#include <cstdint>
#include <utility>

namespace twintree::import {
namespace {

// Of memory that records on their way may take, about.
constexpr std::size_t kMaxBytesUnderWay = std::size_t{32} << 20;

void PrepareRecord(const EntryBuilder& builder, ImportRecord* record) {
  if (record->problem) return;
  record->clear_passwords = builder.CountClearPasswords(record->record);
  if (!record->IsNewEntry()) return;
  model::Result<PreparedEntry> entry =
      builder.Build(record->record.dn, std::move(record->record.attributes), record->number);
  if (entry.ok()) {
    record->entry = std::move(entry).value();
  } else {
    record->problem = std::move(entry).error();
  }
}

}  // namespace

Preparation::Preparation(RecordReader* reader, const EntryBuilder* builder, std::size_t threads)
    : reader_(reader), builder_(builder), queue_(kMaxBytesUnderWay) {
  threads_.emplace_back([this] { Read(); });
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { Prepare(); });
}

Preparation::~Preparation() {
  queue_.Stop();
  for (std::thread& thread : threads_) thread.join();
}

void Preparation::Read() {
  std::size_t cost = 0;
  while (std::unique_ptr<RecordBatch> batch = reader_->Next(&cost)) {
    if (!queue_.Put(std::move(batch), cost)) return;
  }
  queue_.Finish();
}

void Preparation::Prepare() {
  std::uint64_t number = 0;
  while (RecordBatch* const batch = queue_.TakeWork(&number)) {
    for (ImportRecord& record : batch->records) PrepareRecord(*builder_, &record);
    queue_.WorkDone(number);
  }
}

}  // namespace twintree::import
