// Counters by LDAP result, and which results can be expected of an operation.
#ifndef TWINTREE_SERVICES_METRICS_RESULTS_H_
#define TWINTREE_SERVICES_METRICS_RESULTS_H_

#include <prometheus/metric_family.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "services/metrics/families.h"
#include "services/model/result.h"

namespace twintree::metrics {

// Results are counted in arrays by code; codes from here on count as kOther.
inline constexpr std::size_t kResults = 128;
inline std::size_t ResultIndex(model::ResultCode result) {
  const auto code = static_cast<std::size_t>(result);
  return code < kResults ? code : static_cast<std::size_t>(model::ResultCode::kOther);
}

// One value of the label `operation`, with the results that are there from the start, at zero: a
// rate over a counter that appears with its first event misses that event.
struct CountedOperation {
  std::string name;
  std::vector<model::ResultCode> expected;
};

// Adds a sample, with one more label `result`, for each result that is expected or has been.
// `counts` by code; numbers without a name count as kOther.
void AddResults(prometheus::MetricFamily* family, const Labels& labels,
                std::span<const std::uint64_t, kResults> counts,
                std::span<const model::ResultCode> expected);

// In the order of DirectoryMetrics::Operation.
std::vector<CountedOperation> DirectoryOperations();
// In the order of LdapMetrics::Operation.
std::vector<CountedOperation> LdapOperations();

}  // namespace twintree::metrics

#endif  // TWINTREE_SERVICES_METRICS_RESULTS_H_
