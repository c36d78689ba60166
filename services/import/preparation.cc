#include "services/import/preparation.h"

#include <cstdint>
#include <istream>
#include <optional>
#include <streambuf>
#include <string>
#include <utility>

namespace twintree::import {
namespace {

// Of chunks on their way, together.
constexpr std::size_t kMaxBytesUnderWay = std::size_t{16} << 20;
// About the shortest record that is worth counting with.
constexpr std::size_t kUsualRecordBytes = 500;

// A text to be read through a stream.
class TextBuffer : public std::streambuf {
 public:
  // `text` must outlive the buffer.
  explicit TextBuffer(std::string* text) {
    setg(text->data(), text->data(), text->data() + text->size());
  }
  // How many octets have been read.
  std::size_t position() const { return static_cast<std::size_t>(gptr() - eback()); }
};

// The records of one chunk.
class BatchParser {
 public:
  BatchParser(const EntryBuilder& builder, const PreparationOptions& options, RecordBatch* batch)
      : builder_(builder),
        options_(options),
        batch_(*batch),
        buffer_(&batch->chunk.text),
        stream_(&buffer_),
        reader_(stream_, options.ldif) {}

  void Run() {
    batch_.records.reserve(batch_.chunk.text.size() / kUsualRecordBytes + 1);
    for (;;) {
      const std::size_t start = buffer_.position();
      model::Result<std::optional<model::LdifRecord>> next = reader_.Next();
      if (next.ok() && !next->has_value()) return;
      ImportRecord& record = batch_.records.emplace_back();
      if (options_.keep_raw) {
        record.raw = batch_.chunk.text.substr(start, buffer_.position() - start);
      }
      if (next.ok()) {
        Take(std::move(**next), &record);
      } else {
        TakeError(std::move(next).error(), &record);
      }
    }
  }

 private:
  void Take(model::LdifRecord ldif, ImportRecord* record) {
    record->line = ldif.line + batch_.chunk.first_line - 1;
    record->passwords = builder_.CountPasswords(ldif);
    record->record = std::move(ldif);
    if (!record->IsNewEntry()) return;
    // Every record takes more than one octet, so these numbers ascend over all chunks.
    const std::uint64_t number = batch_.chunk.offset + batch_.records.size() - 1;
    model::Result<PreparedEntry> entry =
        builder_.Build(record->record.dn, std::move(record->record.attributes), number);
    if (entry.ok()) {
      record->entry = std::move(entry).value();
      if (options_.prepare_terms) {
        record->index_terms = options_.prepare_terms(record->entry->entry);
      }
    } else {
      record->problem = std::move(entry).error();
    }
  }

  void TakeError(model::Error error, ImportRecord* record) {
    // The line is told beside the message, and counted in the whole file.
    const std::string prefix = "line " + std::to_string(reader_.error_line()) + ": ";
    if (error.message.starts_with(prefix)) error.message.erase(0, prefix.size());
    record->line = reader_.error_line() + batch_.chunk.first_line - 1;
    record->record.dn = reader_.error_dn();
    record->problem = std::move(error);
  }

  const EntryBuilder& builder_;
  const PreparationOptions& options_;
  RecordBatch& batch_;
  TextBuffer buffer_;
  std::istream stream_;
  model::LdifReader reader_;
};

}  // namespace

void PrepareBatch(const EntryBuilder& builder, const PreparationOptions& options,
                  RecordBatch* batch) {
  switch (batch->chunk.kind) {
    case LdifChunk::Kind::kFailure: return;
    case LdifChunk::Kind::kRecords: BatchParser(builder, options, batch).Run(); break;
    case LdifChunk::Kind::kTooLong: {
      ImportRecord& record = batch->records.emplace_back();
      record.line = batch->chunk.first_line;
      record.raw_complete = false;
      record.problem =
          model::Error{model::ResultCode::kProtocolError, "the record is too long", ""};
      break;
    }
  }
  // Not needed any more, and the batch may have to wait.
  batch->chunk.text = std::string();
}

Preparation::Preparation(const std::vector<ImportInput>& inputs, const EntryBuilder* builder,
                         const PreparationOptions& options)
    : builder_(builder),
      options_(options),
      reader_(inputs, options.chunk_bytes, options.ldif.max_record_bytes),
      queue_(kMaxBytesUnderWay) {
  threads_.emplace_back([this] { Read(); });
  for (std::size_t i = 0; i < options_.threads; ++i) threads_.emplace_back([this] { Prepare(); });
}

Preparation::~Preparation() {
  queue_.Stop();
  for (std::thread& thread : threads_) thread.join();
}

void Preparation::Read() {
  for (;;) {
    auto batch = std::make_unique<RecordBatch>();
    if (!reader_.Next(&batch->chunk)) break;
    const std::size_t cost = batch->chunk.text.size();
    if (!queue_.Put(std::move(batch), cost)) return;
  }
  queue_.Finish();
}

void Preparation::Prepare() {
  std::uint64_t number = 0;
  while (RecordBatch* const batch = queue_.TakeWork(&number)) {
    PrepareBatch(*builder_, options_, batch);
    queue_.WorkDone(number);
  }
}

}  // namespace twintree::import
