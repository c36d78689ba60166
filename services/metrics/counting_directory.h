// A Directory that counts what passes through it and how long it took.
//
// Thread-safety: safe.
#ifndef TWINTREE_SERVICES_METRICS_COUNTING_DIRECTORY_H_
#define TWINTREE_SERVICES_METRICS_COUNTING_DIRECTORY_H_

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "services/directory/directory.h"
#include "services/metrics/operation_metrics.h"

namespace twintree::metrics {

// The figures; outlive the directory's requests.
class DirectoryMetrics : public prometheus::Collectable {
 public:
  enum Operation { kBind, kSearch, kCompare, kAdd, kModify, kDelete, kModifyDn, kModifyPassword };

  DirectoryMetrics();
  // `entries`: what a search has returned.
  void Count(Operation operation, model::ResultCode result, std::chrono::nanoseconds duration,
             std::uint64_t entries = 0) {
    operations_.Count(operation, result, duration, entries);
  }
  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  OperationMetrics operations_;
};

class CountingDirectory : public directory::Directory {
 public:
  CountingDirectory(std::shared_ptr<directory::Directory> inner,
                    std::shared_ptr<DirectoryMetrics> metrics);

  void Bind(const directory::RequestContext& context, directory::BindRequest request,
            BindCallback done) override;
  std::shared_ptr<directory::SearchOperation> Search(
      const directory::RequestContext& context, directory::SearchRequest request,
      std::shared_ptr<directory::SearchSink> sink) override;
  void Compare(const directory::RequestContext& context, directory::CompareRequest request,
               Callback done) override;
  void Add(const directory::RequestContext& context, directory::AddRequest request,
           Callback done) override;
  void Modify(const directory::RequestContext& context, directory::ModifyRequest request,
              Callback done) override;
  void Delete(const directory::RequestContext& context, directory::DeleteRequest request,
              Callback done) override;
  void ModifyDn(const directory::RequestContext& context, directory::ModifyDnRequest request,
                Callback done) override;
  void ModifyPassword(const directory::RequestContext& context,
                      directory::ModifyPasswordRequest request, Callback done) override;

 private:
  Callback Counted(DirectoryMetrics::Operation operation, Callback done) const;

  const std::shared_ptr<directory::Directory> inner_;
  const std::shared_ptr<DirectoryMetrics> metrics_;
};

}  // namespace twintree::metrics

#endif  // TWINTREE_SERVICES_METRICS_COUNTING_DIRECTORY_H_
