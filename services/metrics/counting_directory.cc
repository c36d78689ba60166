#include "services/metrics/counting_directory.h"

#include <utility>

#include "services/metrics/families.h"
#include "services/metrics/names.h"

namespace twintree::metrics {
namespace {

using directory::BindOutcome;
using directory::Outcome;
using directory::SearchOutcome;
using Clock = std::chrono::steady_clock;

class CountingSink : public directory::SearchSink {
 public:
  CountingSink(std::shared_ptr<directory::SearchSink> inner,
               std::shared_ptr<DirectoryMetrics> metrics)
      : inner_(std::move(inner)), metrics_(std::move(metrics)), begun_(Clock::now()) {}

  Flow OnEntry(std::string_view dn, std::span<const std::string_view> pieces) override {
    return inner_->OnEntry(dn, pieces);
  }
  void Flush() override { inner_->Flush(); }
  void OnDone(SearchOutcome outcome) override {
    metrics_->Count(DirectoryMetrics::kSearch, outcome.code, Clock::now() - begun_,
                    outcome.entries);
    inner_->OnDone(std::move(outcome));
  }

 private:
  const std::shared_ptr<directory::SearchSink> inner_;
  const std::shared_ptr<DirectoryMetrics> metrics_;
  const Clock::time_point begun_;
};

}  // namespace

DirectoryMetrics::DirectoryMetrics()
    : operations_({names::kOperations, "Operations on the directory by kind and LDAP result.",
                   names::kOperationDuration,
                   "Time from request to answer; for searches to the last entry."},
                  DirectoryOperations()) {}

std::vector<prometheus::MetricFamily> DirectoryMetrics::Collect() const {
  std::vector<prometheus::MetricFamily> families = operations_.Collect();
  families.push_back(CounterFamily(names::kSearchEntries, "Entries that searches have returned.",
                                   static_cast<double>(operations_.entries())));
  return families;
}

CountingDirectory::CountingDirectory(std::shared_ptr<directory::Directory> inner,
                                     std::shared_ptr<DirectoryMetrics> metrics)
    : inner_(std::move(inner)), metrics_(std::move(metrics)) {}

directory::Directory::Callback CountingDirectory::Counted(DirectoryMetrics::Operation operation,
                                                          Callback done) const {
  return [metrics = metrics_, operation, begun = Clock::now(),
          done = std::move(done)](Outcome outcome) {
    metrics->Count(operation, outcome.code, Clock::now() - begun);
    done(std::move(outcome));
  };
}

void CountingDirectory::Bind(const directory::RequestContext& context,
                             directory::BindRequest request, BindCallback done) {
  inner_->Bind(
      context, std::move(request),
      [metrics = metrics_, begun = Clock::now(), done = std::move(done)](BindOutcome outcome) {
        metrics->Count(DirectoryMetrics::kBind, outcome.code, Clock::now() - begun);
        done(std::move(outcome));
      });
}

std::shared_ptr<directory::SearchOperation> CountingDirectory::Search(
    const directory::RequestContext& context, directory::SearchRequest request,
    std::shared_ptr<directory::SearchSink> sink) {
  return inner_->Search(context, std::move(request),
                        std::make_shared<CountingSink>(std::move(sink), metrics_));
}

void CountingDirectory::Compare(const directory::RequestContext& context,
                                directory::CompareRequest request, Callback done) {
  inner_->Compare(context, std::move(request),
                  Counted(DirectoryMetrics::kCompare, std::move(done)));
}

void CountingDirectory::Add(const directory::RequestContext& context, directory::AddRequest request,
                            Callback done) {
  inner_->Add(context, std::move(request), Counted(DirectoryMetrics::kAdd, std::move(done)));
}

void CountingDirectory::Modify(const directory::RequestContext& context,
                               directory::ModifyRequest request, Callback done) {
  inner_->Modify(context, std::move(request), Counted(DirectoryMetrics::kModify, std::move(done)));
}

void CountingDirectory::Delete(const directory::RequestContext& context,
                               directory::DeleteRequest request, Callback done) {
  inner_->Delete(context, std::move(request), Counted(DirectoryMetrics::kDelete, std::move(done)));
}

void CountingDirectory::ModifyDn(const directory::RequestContext& context,
                                 directory::ModifyDnRequest request, Callback done) {
  inner_->ModifyDn(context, std::move(request),
                   Counted(DirectoryMetrics::kModifyDn, std::move(done)));
}

void CountingDirectory::ModifyPassword(const directory::RequestContext& context,
                                       directory::ModifyPasswordRequest request, Callback done) {
  inner_->ModifyPassword(context, std::move(request),
                         Counted(DirectoryMetrics::kModifyPassword, std::move(done)));
}

}  // namespace twintree::metrics
