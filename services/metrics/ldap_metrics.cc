#include "services/metrics/ldap_metrics.h"

#include "services/metrics/families.h"
#include "services/metrics/names.h"

namespace twintree::metrics {
namespace {

using prometheus::MetricFamily;
using prometheus::MetricType;

constexpr std::array<const char*, LdapMetrics::kTransports> kTransportNames = {"ldap", "ldaps",
                                                                               "ldapi"};

constexpr std::array<const char*, LdapMetrics::kMechanisms> kMechanismNames = {
    "simple", "anonymous", "unauthenticated", "sasl", "other"};

constexpr std::array<const char*, LdapMetrics::kControls> kControlNames = {
    "paged_results", "assertion", "pre_read", "post_read", "manage_dsa_it", "other"};

// What binds by each mechanism usually come to.
std::vector<model::ResultCode> ExpectedOf(LdapMetrics::Mechanism mechanism) {
  using model::ResultCode;
  switch (mechanism) {
    case LdapMetrics::kSimple:
      return {ResultCode::kSuccess, ResultCode::kInvalidCredentials, ResultCode::kInvalidDnSyntax,
              ResultCode::kBusy, ResultCode::kUnavailable};
    case LdapMetrics::kAnonymous: return {ResultCode::kSuccess};
    case LdapMetrics::kUnauthenticated: return {ResultCode::kUnwillingToPerform};
    case LdapMetrics::kSasl: return {ResultCode::kAuthMethodNotSupported};
    default: return {ResultCode::kProtocolError};
  }
}

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
    : operations_({names::kLdapOperations, "LDAP requests by operation and result.",
                   names::kLdapOperationDuration, "Time from an LDAP request to its last answer."},
                  LdapOperations()) {}

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

MetricFamily LdapMetrics::CollectBinds() const {
  MetricFamily binds =
      Family(names::kLdapBinds, "LDAP binds by mechanism and result.", MetricType::Counter);
  for (std::size_t mechanism = 0; mechanism < kMechanisms; ++mechanism) {
    std::array<std::uint64_t, kResults> counts{};
    for (std::size_t code = 0; code < kResults; ++code) {
      counts[code] = binds_[mechanism][code].load(std::memory_order_relaxed);
    }
    AddResults(&binds, {{"mechanism", kMechanismNames[mechanism]}}, counts,
               ExpectedOf(static_cast<Mechanism>(mechanism)));
  }
  return binds;
}

MetricFamily LdapMetrics::CollectControls() const {
  MetricFamily controls =
      Family(names::kLdapControls, "Controls that LDAP requests carried.", MetricType::Counter);
  for (std::size_t i = 0; i < kControls; ++i) {
    AddCounter(&controls, {{"control", kControlNames[i]}},
               static_cast<double>(controls_[i].load(std::memory_order_relaxed)));
  }
  return controls;
}

std::vector<MetricFamily> LdapMetrics::Collect() const {
  std::vector<MetricFamily> families = operations_.Collect();
  families.push_back(CounterFamily(names::kLdapSearchEntries, "Entries sent to LDAP clients.",
                                   static_cast<double>(operations_.entries())));
  families.push_back(CollectBinds());
  families.push_back(CollectControls());
  families.push_back(
      ByTransport(names::kLdapConnections, "Open LDAP connections.", MetricType::Gauge, open_));
  families.push_back(ByTransport(names::kLdapConnectionsTotal, "LDAP connections accepted.",
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
