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

constexpr std::size_t kBatchRecords = 64;
// Hashing takes long, and every core shall have a batch.
constexpr std::size_t kBatchRecordsToHash = 8;

EntryBuilderOptions BuilderOptions(const ImportOptions& options) {
  return {options.actor_dn, options.now ? options.now() : std::chrono::system_clock::now(),
          options.hash_passwords};
}

RecordReaderOptions ReaderOptions(const ImportOptions& options) {
  return {options.ldif, options.keep_rejected, !options.continue_on_error,
          options.hash_passwords ? kBatchRecordsToHash : kBatchRecords};
}

ApplierOptions OptionsOfApplier(const ImportOptions& options) {
  return {options.suffixes, options.actor_dn,
          options.hash_passwords.value_or(passwords::Scheme::kClear)};
}

std::size_t ThreadsOf(const ImportOptions& options) {
  if (options.threads != 0) return options.threads;
  return std::max(1u, std::thread::hardware_concurrency());
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
        reader_(inputs_, ReaderOptions(importer.options_)),
        applier_(importer.schema_, importer.store_, OptionsOfApplier(importer.options_)) {
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
    Preparation preparation(&reader_, &builder_, ThreadsOf(importer_.options_));
    while (std::unique_ptr<RecordBatch> batch = preparation.Next()) {
      for (ImportRecord& record : batch->records) {
        TT_RETURN_IF_ERROR(ApplyOne(&record));
        if (at_end_) return OkStatus();
      }
      progress_.bytes_read = batch->bytes_read;
      ShowProgress();
    }
    return OkStatus();
  }

  Status ApplyOne(ImportRecord* record) {
    if (record->problem) return Reject(record, std::move(*record->problem));
    const bool is_new = record->IsNewEntry();
    // Taken before the record is taken apart.
    std::string dn = record->record.dn;
    Status status = applier_.Apply(record);
    if (!applier_.loading()) kept_entries_ = report_.entries;
    if (!status.ok()) {
      if (IsStoreFailure(status.code())) return status;
      record->record.dn = std::move(dn);
      return Reject(record, std::move(status).error());
    }
    ++(is_new ? report_.entries : report_.changes);
    if (is_new && !applier_.loading()) kept_entries_ = report_.entries;
    report_.clear_passwords += record->clear_passwords;
    return OkStatus();
  }

  Status Reject(ImportRecord* record, Error error) {
    if (record->unreadable) {
      at_end_ = true;
      const ImportInput& input = inputs_[record->input];
      error.message = input.name + ":" + std::to_string(record->line) + ": " + error.message;
      ended_by_ = std::move(error);
      return OkStatus();
    }
    ++report_.rejected;
    ImportProblem problem{inputs_[record->input].name,  record->line,
                          std::move(record->record.dn), std::move(error),
                          std::move(record->raw),       record->raw_complete};
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
  RecordReader reader_;
  RecordApplier applier_;
  ImportReport report_;
  ImportProgress progress_;
  std::uint64_t kept_entries_ = 0;  // of report_.entries, those that are in the store for good
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
