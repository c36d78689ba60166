// Figures of a store and an engine that exist only while the process serves.
//
// Thread-safety: safe.
#ifndef TWINTREE_SERVICES_CLI_STATE_FIGURES_H_
#define TWINTREE_SERVICES_CLI_STATE_FIGURES_H_

#include <prometheus/collectable.h>

#include <memory>
#include <mutex>
#include <vector>

#include "services/directory/engine/local_directory.h"
#include "storage/entry_store.h"

namespace twintree::cli {

class StateFigures : public prometheus::Collectable {
 public:
  void Watch(std::shared_ptr<storage::EntryStore> store,
             std::shared_ptr<directory::LocalDirectory> engine);
  // The store is closed: no figures any more.
  void Forget();

  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<storage::EntryStore> store_;         // guarded by mutex_
  std::shared_ptr<directory::LocalDirectory> engine_;  // guarded by mutex_
};

}  // namespace twintree::cli

#endif  // TWINTREE_SERVICES_CLI_STATE_FIGURES_H_
