#include "services/metrics/ldap_metrics.h"

#include <gtest/gtest.h>

#include "tests/unit/services/metrics/reading.h"

namespace twintree::metrics {
namespace {

using model::ResultCode;
using std::chrono::milliseconds;
using testing::Read;
using testing::Samples;

TEST(LdapMetricsTest, CountConnectionsByTransport) {
  LdapMetrics metrics;
  for (int i = 0; i < 3; ++i) metrics.Opened(LdapMetrics::kLdap);
  metrics.Opened(LdapMetrics::kLdaps);
  metrics.Closed(LdapMetrics::kLdap);
  metrics.Refused(LdapMetrics::kLdapi);
  const Samples samples = Read(metrics);
  EXPECT_EQ(samples.at("twintree_ldap_connections{transport=\"ldap\"}"), 2);
  EXPECT_EQ(samples.at("twintree_ldap_connections{transport=\"ldaps\"}"), 1);
  EXPECT_EQ(samples.at("twintree_ldap_connections_total{transport=\"ldap\"}"), 3);
  EXPECT_EQ(samples.at("twintree_ldap_connections_refused_total{transport=\"ldap\"}"), 0);
  EXPECT_EQ(samples.at("twintree_ldap_connections_refused_total{transport=\"ldapi\"}"), 1);
}

TEST(LdapMetricsTest, CountOctetsAndHandshakes) {
  LdapMetrics metrics;
  metrics.Received(10);
  metrics.Received(5);
  metrics.Sent(7);
  metrics.Handshake(true);
  metrics.Handshake(true);
  metrics.Handshake(false);
  const Samples samples = Read(metrics);
  EXPECT_EQ(samples.at("twintree_ldap_received_bytes_total"), 15);
  EXPECT_EQ(samples.at("twintree_ldap_sent_bytes_total"), 7);
  EXPECT_EQ(samples.at("twintree_ldap_tls_handshakes_total{outcome=\"succeeded\"}"), 2);
  EXPECT_EQ(samples.at("twintree_ldap_tls_handshakes_total{outcome=\"failed\"}"), 1);
}

TEST(LdapMetricsTest, CountRequestsByOperationAndResult) {
  LdapMetrics metrics;
  metrics.Request(LdapMetrics::kSearch, ResultCode::kSuccess, milliseconds(20), 12);
  metrics.Request(LdapMetrics::kSearch, ResultCode::kNoSuchObject, milliseconds(1));
  metrics.Request(LdapMetrics::kUnbind, ResultCode::kSuccess, milliseconds(1));
  const Samples samples = Read(metrics);
  const std::string total = "twintree_ldap_operations_total";
  EXPECT_EQ(samples.at(total + "{operation=\"search\",result=\"success\"}"), 1);
  EXPECT_EQ(samples.at(total + "{operation=\"search\",result=\"noSuchObject\"}"), 1);
  EXPECT_EQ(samples.at(total + "{operation=\"unbind\",result=\"success\"}"), 1);
  EXPECT_EQ(samples.at(total + "{operation=\"add\",result=\"entryAlreadyExists\"}"), 0);
  EXPECT_EQ(samples.at("twintree_ldap_search_entries_total"), 12);
  const std::string duration = "twintree_ldap_operation_duration_seconds";
  EXPECT_EQ(samples.at(duration + "_bucket{operation=\"search\",le=\"0.01\"}"), 1);
  EXPECT_EQ(samples.at(duration + "_bucket{operation=\"search\",le=\"0.025\"}"), 2);
  EXPECT_DOUBLE_EQ(samples.at(duration + "_sum{operation=\"search\"}"), 0.021);
}

TEST(LdapMetricsTest, CountBindsByMechanism) {
  LdapMetrics metrics;
  metrics.Bind(LdapMetrics::kSimple, ResultCode::kInvalidCredentials);
  metrics.Bind(LdapMetrics::kSimple, ResultCode::kInvalidCredentials);
  metrics.Bind(LdapMetrics::kAnonymous, ResultCode::kSuccess);
  const Samples samples = Read(metrics);
  const auto binds = [&](const std::string& mechanism, const std::string& result) {
    return samples.at("twintree_ldap_binds_total{mechanism=\"" + mechanism + "\",result=\"" +
                      result + "\"}");
  };
  EXPECT_EQ(binds("simple", "invalidCredentials"), 2);
  EXPECT_EQ(binds("simple", "success"), 0);
  EXPECT_EQ(binds("anonymous", "success"), 1);
  EXPECT_EQ(binds("unauthenticated", "unwillingToPerform"), 0);
  EXPECT_EQ(binds("sasl", "authMethodNotSupported"), 0);
}

TEST(LdapMetricsTest, CountControls) {
  LdapMetrics metrics;
  metrics.Controls(LdapMetrics::kPagedResults, 1);
  metrics.Controls(LdapMetrics::kOtherControl, 3);
  const Samples samples = Read(metrics);
  const auto controls = [&](const std::string& name) {
    return samples.at("twintree_ldap_controls_total{control=\"" + name + "\"}");
  };
  EXPECT_EQ(controls("paged_results"), 1);
  EXPECT_EQ(controls("other"), 3);
  for (const char* name : {"assertion", "pre_read", "post_read", "manage_dsa_it"}) {
    EXPECT_EQ(controls(name), 0) << name;
  }
}

}  // namespace
}  // namespace twintree::metrics
