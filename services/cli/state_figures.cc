#include "services/cli/state_figures.h"

#include <prometheus/metric_family.h>

#include <iterator>
#include <utility>

#include "services/metrics/state_metrics.h"

namespace twintree::cli {

void StateFigures::Watch(std::shared_ptr<storage::EntryStore> store,
                         std::shared_ptr<directory::LocalDirectory> engine) {
  const std::lock_guard lock(mutex_);
  store_ = std::move(store);
  engine_ = std::move(engine);
}

void StateFigures::Forget() { Watch(nullptr, nullptr); }

std::vector<prometheus::MetricFamily> StateFigures::Collect() const {
  const std::lock_guard lock(mutex_);
  if (store_ == nullptr || engine_ == nullptr) return {};
  const metrics::StoreMetrics store([this] { return store_->Statistics(); });
  const metrics::EngineMetrics engine([this] { return engine_->Statistics(); });
  std::vector<prometheus::MetricFamily> families = store.Collect();
  std::vector<prometheus::MetricFamily> more = engine.Collect();
  families.insert(families.end(), std::make_move_iterator(more.begin()),
                  std::make_move_iterator(more.end()));
  return families;
}

}  // namespace twintree::cli
