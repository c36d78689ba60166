#include "services/cli/certificate_figures.h"

#include <prometheus/metric_family.h>

#include "ldap_gateway/net/tls_context.h"
#include "services/metrics/state_metrics.h"

namespace twintree::cli {

void CertificateFigures::Watch(std::string name, NotAfter not_after) {
  const std::lock_guard lock(mutex_);
  watched_.emplace_back(std::move(name), std::move(not_after));
}

void CertificateFigures::WatchFile(std::string name, const std::string& file) {
  if (!file.empty()) Watch(std::move(name), [file] { return ldap::NotAfterOf(file); });
}

void CertificateFigures::Forget() {
  const std::lock_guard lock(mutex_);
  watched_.clear();
}

std::vector<prometheus::MetricFamily> CertificateFigures::Collect() const {
  const std::lock_guard lock(mutex_);
  const metrics::CertificateMetrics certificates([this] {
    std::vector<metrics::CertificateMetrics::Certificate> read;
    for (const auto& [name, not_after] : watched_) {
      if (const auto end = not_after()) read.push_back({name, *end});
    }
    return read;
  });
  return certificates.Collect();
}

}  // namespace twintree::cli
