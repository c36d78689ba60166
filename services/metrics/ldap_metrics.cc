#include "services/metrics/ldap_metrics.h"

#include "services/metrics/families.h"
#include "services/metrics/names.h"

namespace twintree::metrics {
namespace {

using prometheus::MetricFamily;
using prometheus::MetricType;

constexpr std::array<const char*, LdapMetrics::kTransports> kTransportNames = {"ldap", "ldaps",
                                                                               "ldapi"};

template <typename Figures>
MetricFamily ByTransport(const char* name, const char* help, MetricType type,
                         const Figures& figures) {
  MetricFamily family = Family(name, help, type);
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const auto value = static_cast<double>(figures[i].load(std::memory_order_relaxed));
    const Labels labels = {{"transport", kTransportNames[i]}};
    if (type == MetricType::Counter) {
      AddCounter(&family, labels, value);
    } else {
      AddGauge(&family, labels, value);
    }
  }
  return family;
}

}  // namespace

LdapMetrics::LdapMetrics()
    : requests_({names::kLdapRequests, "LDAP requests by operation and result.",
                 names::kLdapRequestDuration, "Time from an LDAP request to its last answer."},
                {"bind", "unbind", "search", "modify", "add", "delete", "modify_dn", "compare",
                 "abandon", "extended"}) {}

void LdapMetrics::Opened(Transport transport) {
  open_[transport].fetch_add(1, std::memory_order_relaxed);
  accepted_[transport].fetch_add(1, std::memory_order_relaxed);
}

void LdapMetrics::Closed(Transport transport) {
  open_[transport].fetch_sub(1, std::memory_order_relaxed);
}

void LdapMetrics::Refused(Transport transport) {
  refused_[transport].fetch_add(1, std::memory_order_relaxed);
}

void LdapMetrics::Handshake(bool succeeded) {
  handshakes_[succeeded ? 1 : 0].fetch_add(1, std::memory_order_relaxed);
}

std::vector<MetricFamily> LdapMetrics::Collect() const {
  std::vector<MetricFamily> families = requests_.Collect();
  families.push_back(
      ByTransport(names::kLdapConnections, "Open LDAP connections.", MetricType::Gauge, open_));
  families.push_back(ByTransport(names::kLdapConnectionsAccepted, "LDAP connections accepted.",
                                 MetricType::Counter, accepted_));
  families.push_back(ByTransport(names::kLdapConnectionsRefused,
                                 "LDAP connections turned away because there were too many.",
                                 MetricType::Counter, refused_));
  families.push_back(CounterFamily(names::kLdapReceivedBytes, "LDAP octets received.",
                                   static_cast<double>(received_.load(std::memory_order_relaxed))));
  families.push_back(CounterFamily(names::kLdapSentBytes, "LDAP octets sent.",
                                   static_cast<double>(sent_.load(std::memory_order_relaxed))));
  MetricFamily handshakes =
      Family(names::kTlsHandshakes, "TLS handshakes by outcome.", MetricType::Counter);
  AddCounter(&handshakes, {{"outcome", "failed"}}, static_cast<double>(handshakes_[0].load()));
  AddCounter(&handshakes, {{"outcome", "succeeded"}}, static_cast<double>(handshakes_[1].load()));
  families.push_back(std::move(handshakes));
  return families;
}

}  // namespace twintree::metrics
