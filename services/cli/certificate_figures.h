// When the certificates of a process end, for metrics.
//
// Thread-safety: safe.
#ifndef TWINTREE_SERVICES_CLI_CERTIFICATE_FIGURES_H_
#define TWINTREE_SERVICES_CLI_CERTIFICATE_FIGURES_H_

#include <prometheus/collectable.h>

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace twintree::cli {

class CertificateFigures : public prometheus::Collectable {
 public:
  // nullopt: there is none, or it cannot be read.
  using NotAfter = std::function<std::optional<std::chrono::system_clock::time_point>()>;

  // `name` is "server" or "client", by what the certificate is shown as.
  void Watch(std::string name, NotAfter not_after);
  // The first certificate of a PEM file, as the file is when Prometheus asks; "": none.
  void WatchFile(std::string name, const std::string& file);
  // What was watched goes away.
  void Forget();

  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  mutable std::mutex mutex_;
  std::vector<std::pair<std::string, NotAfter>> watched_;  // guarded by mutex_
};

}  // namespace twintree::cli

#endif  // TWINTREE_SERVICES_CLI_CERTIFICATE_FIGURES_H_
