#include "services/import/importer.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "services/import/entry_builder.h"
#include "services/import/preparation.h"
#include "services/import/record_applier.h"

namespace twintree::import {

using model::Error;
using model::OkStatus;
using model::Status;

namespace {

// Enough to make the queue's locks cheap.
constexpr std::size_t kChunkBytes = 64 << 10;
// Hashing takes long, and every core shall have some of it.
constexpr std::size_t kChunkBytesToHash = 4 << 10;

EntryBuilderOptions BuilderOptions(const ImportOptions& options) {
  return {options.actor_dn, options.now ? options.now() : std::chrono::system_clock::now(),
          options.hash_passwords};
}

ApplierOptions OptionsOfApplier(const ImportOptions& options) {
  return {options.suffixes, options.actor_dn,
          options.hash_passwords.value_or(passwords::Scheme::kClear)};
}

PreparationOptions OptionsOfPreparation(const ImportOptions& options,
                                        const storage::EntryStore& store) {
  PreparationOptions preparation;
  preparation.prepare_terms = [&store](const model::Entry& entry) {
    return store.PrepareTerms(entry);
  };
  preparation.ldif = options.ldif;
  preparation.keep_raw = options.keep_rejected;
  preparation.chunk_bytes = options.chunk_bytes;
  if (preparation.chunk_bytes == 0) {
    preparation.chunk_bytes = options.hash_passwords ? kChunkBytesToHash : kChunkBytes;
  }
  preparation.threads = options.threads;
  if (preparation.threads == 0) {
    preparation.threads = std::max(1u, std::thread::hardware_concurrency());
  }
  return preparation;
}

std::uint64_t TotalBytes(const std::vector<ImportInput>& inputs) {
  std::uint64_t total = 0;
  for (const ImportInput& input : inputs) {
    if (input.source->total_bytes() == 0) return 0;
    total += input.source->total_bytes();
  }
  return total;
}

}  // namespace

std::string ImportProblem::ToString() const {
  std::string text = input + ":" + std::to_string(line) + ": ";
  if (!dn.empty()) text.append(dn).append(": ");
  text.append(error.message);
  // Text that is no LDIF has no result code worth telling.
  if (error.code == model::ResultCode::kProtocolError) return text;
  return text.append(" (").append(model::ResultCodeName(error.code)).append(")");
}

// One run.
class Importer::Pipeline {
 public:
  Pipeline(const Importer& importer, std::vector<ImportInput> inputs)
      : importer_(importer),
        inputs_(std::move(inputs)),
        builder_(*importer.schema_, BuilderOptions(importer.options_)),
        applier_(importer.schema_, importer.store_, OptionsOfApplier(importer.options_)),
        has_records_(inputs_.size()) {
    progress_.total_bytes = TotalBytes(inputs_);
  }

  ImportReport Run() {
    Status status = applier_.Start();
    if (status.ok()) status = ApplyAll();
    // What was stored one by one stays; what was loaded since is lost with the load.
    if (status.ok()) status = Finish();
    if (!status.ok()) {
      report_.entries = kept_entries_;
      report_.failure = status.error();
    } else if (ended_by_) {
      report_.failure = std::move(ended_by_);
    }
    return std::move(report_);
  }

 private:
  Status ApplyAll() {
    Preparation preparation(inputs_, &builder_,
                            OptionsOfPreparation(importer_.options_, *importer_.store_));
    while (std::unique_ptr<RecordBatch> batch = preparation.Next()) {
      if (batch->chunk.failure) {
        TakeFailure(std::move(batch->chunk));
        return OkStatus();
      }
      const std::string& input = inputs_[batch->chunk.input].name;
      if (!batch->records.empty()) has_records_[batch->chunk.input] = true;
      for (ImportRecord& record : batch->records) {
        TT_RETURN_IF_ERROR(ApplyOne(input, &record));
        if (at_end_) return OkStatus();
      }
      progress_.bytes_read = batch->chunk.bytes_read;
      ShowProgress();
    }
    NoteEmptyInputs();
    return OkStatus();
  }

  void NoteEmptyInputs() {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (!has_records_[i]) report_.empty_inputs.push_back(inputs_[i].name);
    }
  }

  // The input's fault. Its records before that stay.
  void TakeFailure(LdifChunk chunk) {
    ended_by_ = std::move(chunk.failure);
    ended_by_->message = inputs_[chunk.input].name + ":" + std::to_string(chunk.first_line) + ": " +
                         ended_by_->message;
  }

  Status ApplyOne(const std::string& input, ImportRecord* record) {
    if (record->problem) return Reject(input, record, std::move(*record->problem));
    const bool is_new = record->IsNewEntry();
    // Taken before the record is taken apart.
    std::string dn = record->record.dn;
    Status status = applier_.Apply(record);
    if (!applier_.loading()) kept_entries_ = report_.entries;
    if (!status.ok()) {
      if (IsStoreFailure(status.code())) return status;
      record->record.dn = std::move(dn);
      return Reject(input, record, std::move(status).error());
    }
    ++(is_new ? report_.entries : report_.changes);
    if (is_new && !applier_.loading()) kept_entries_ = report_.entries;
    report_.passwords += record->passwords;
    if (record->entry) report_.left_out_values += record->entry->left_out_values;
    return OkStatus();
  }

  Status Reject(const std::string& input, ImportRecord* record, Error error) {
    ++report_.rejected;
    ImportProblem problem{input,
                          record->line,
                          std::move(record->record.dn),
                          std::move(error),
                          std::move(record->raw),
                          record->raw_complete};
    if (importer_.handlers_.on_problem) {
      Status told = importer_.handlers_.on_problem(problem);
      if (!told.ok()) {
        at_end_ = true;
        ended_by_ = std::move(told).error();
        return OkStatus();
      }
    }
    if (!importer_.options_.continue_on_error) {
      at_end_ = true;
      report_.stopped_at = std::move(problem);
    }
    return OkStatus();
  }

  Status Finish() {
    return applier_.Finish([this](double fraction) {
      progress_.finishing = fraction;
      ShowProgress();
    });
  }

  void ShowProgress() {
    progress_.entries = report_.entries;
    progress_.changes = report_.changes;
    if (importer_.handlers_.on_progress) importer_.handlers_.on_progress(progress_);
  }

  const Importer& importer_;
  const std::vector<ImportInput> inputs_;
  const EntryBuilder builder_;
  RecordApplier applier_;
  ImportReport report_;
  ImportProgress progress_;
  std::uint64_t kept_entries_ = 0;  // of report_.entries, those that are in the store for good
  std::vector<bool> has_records_;   // by input
  std::optional<Error> ended_by_;   // what is neither a record's nor the store's fault
  bool at_end_ = false;
};

Importer::Importer(std::shared_ptr<const model::Schema> schema,
                   std::shared_ptr<storage::EntryStore> store, ImportOptions options,
                   ImportHandlers handlers)
    : schema_(std::move(schema)),
      store_(std::move(store)),
      options_(std::move(options)),
      handlers_(std::move(handlers)) {}

ImportReport Importer::Run(std::vector<ImportInput> inputs) {
  return Pipeline(*this, std::move(inputs)).Run();
}

}  // namespace twintree::import
