#include "services/import/record_reader.h"

#include <optional>
#include <string_view>
#include <utility>

namespace twintree::import {
namespace {

constexpr std::size_t kBatchBytes = 256 << 10;
constexpr std::size_t kRecordOverhead = 512;

std::size_t CostOf(const model::RawAttribute& attribute) {
  std::size_t cost = attribute.description.size();
  for (const std::string& value : attribute.values) cost += value.size() + sizeof(value);
  return cost;
}

std::size_t CostOf(const ImportRecord& record) {
  std::size_t cost = kRecordOverhead + record.record.dn.size() + record.raw.size();
  for (const model::RawAttribute& one : record.record.attributes) cost += CostOf(one);
  for (const model::Modification& one : record.record.modifications) {
    cost += CostOf(one.attribute);
  }
  return cost;
}

}  // namespace

RecordReader::RecordReader(const std::vector<ImportInput>& inputs, RecordReaderOptions options)
    : inputs_(inputs), options_(options) {}

std::unique_ptr<RecordBatch> RecordReader::Next(std::size_t* cost) {
  auto batch = std::make_unique<RecordBatch>();
  batch->records.reserve(options_.batch_records);
  *cost = 0;
  while (batch->records.size() < options_.batch_records && *cost < kBatchBytes) {
    ImportRecord& record = batch->records.emplace_back();
    if (!ReadRecord(&record)) {
      batch->records.pop_back();
      break;
    }
    *cost += CostOf(record);
  }
  batch->bytes_read = BytesRead();
  return batch->records.empty() ? nullptr : std::move(batch);
}

bool RecordReader::ReadRecord(ImportRecord* record) {
  for (; !at_end_ && input_ < inputs_.size(); ++input_) {
    if (open_ == nullptr) open_ = std::make_unique<Open>(inputs_[input_].source.get(), options_);
    if (ReadFromOpen(record)) {
      record->input = input_;
      record->number = next_number_++;
      return true;
    }
    open_ = nullptr;
  }
  return false;
}

bool RecordReader::ReadFromOpen(ImportRecord* record) {
  model::Result<std::optional<model::LdifRecord>> next = open_->reader.Next();
  if (options_.keep_raw) record->raw = open_->buffer.TakeRecording(&record->raw_complete);
  if (!next.ok()) {
    TakeError(std::move(next).error(), record);
    return true;
  }
  if (!next->has_value()) return false;
  record->record = std::move(**next);
  record->line = record->record.line;
  return true;
}

void RecordReader::TakeError(model::Error error, ImportRecord* record) {
  record->line = open_->reader.error_line();
  record->unreadable = error.code != model::ResultCode::kProtocolError;
  at_end_ = record->unreadable || options_.stop_at_error;
  if (record->unreadable && !open_->buffer.error().empty()) error.message = open_->buffer.error();
  // The line is told beside the message, together with the file.
  const std::string prefix = "line " + std::to_string(record->line) + ": ";
  if (error.message.starts_with(prefix)) error.message.erase(0, prefix.size());
  record->problem = std::move(error);
}

std::uint64_t RecordReader::BytesRead() const {
  std::uint64_t bytes = 0;
  for (const ImportInput& input : inputs_) bytes += input.source->bytes_read();
  return bytes;
}

}  // namespace twintree::import
