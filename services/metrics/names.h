// Every metric's name, once. Documented in docs/metrics.md; a test holds the two together.
#ifndef TWINTREE_SERVICES_METRICS_NAMES_H_
#define TWINTREE_SERVICES_METRICS_NAMES_H_

namespace twintree::metrics::names {

// Operations on the directory, through both doors.
inline constexpr char kOperations[] = "twintree_operations_total";
inline constexpr char kOperationDuration[] = "twintree_operation_duration_seconds";
inline constexpr char kSearchEntries[] = "twintree_search_entries_total";

// The LDAP door.
inline constexpr char kLdapOperations[] = "twintree_ldap_operations_total";
inline constexpr char kLdapOperationDuration[] = "twintree_ldap_operation_duration_seconds";
inline constexpr char kLdapSearchEntries[] = "twintree_ldap_search_entries_total";
inline constexpr char kLdapBinds[] = "twintree_ldap_binds_total";
inline constexpr char kLdapControls[] = "twintree_ldap_controls_total";
inline constexpr char kLdapConnections[] = "twintree_ldap_connections";
inline constexpr char kLdapConnectionsTotal[] = "twintree_ldap_connections_total";
inline constexpr char kLdapConnectionsRefused[] = "twintree_ldap_connections_refused_total";
inline constexpr char kTlsHandshakes[] = "twintree_ldap_tls_handshakes_total";
inline constexpr char kLdapReceivedBytes[] = "twintree_ldap_received_bytes_total";
inline constexpr char kLdapSentBytes[] = "twintree_ldap_sent_bytes_total";

// The gRPC door; the names that public dashboards know.
inline constexpr char kGrpcStarted[] = "grpc_server_started_total";
inline constexpr char kGrpcHandled[] = "grpc_server_handled_total";
inline constexpr char kGrpcHandling[] = "grpc_server_handling_seconds";

// The engine and the store.
inline constexpr char kSearchUnindexed[] = "twintree_search_unindexed_total";
inline constexpr char kSearchCandidates[] = "twintree_search_candidates";
inline constexpr char kChangesLastSequence[] = "twintree_changes_last_sequence";
inline constexpr char kStoreEntries[] = "twintree_store_entries";
inline constexpr char kStoreSize[] = "twintree_store_size_bytes";
inline constexpr char kStoreTransactionDuration[] = "twintree_store_transaction_duration_seconds";
inline constexpr char kStoreCommits[] = "twintree_store_commits_total";
inline constexpr char kStoreFailedCommits[] = "twintree_store_failed_commits_total";
inline constexpr char kStoreCommittedWrites[] = "twintree_store_committed_writes_total";
inline constexpr char kStoreQueuedWrites[] = "twintree_store_queued_writes";
inline constexpr char kStoreSnapshots[] = "twintree_store_open_snapshots";
inline constexpr char kCacheHits[] = "twintree_store_cache_hits_total";
inline constexpr char kCacheMisses[] = "twintree_store_cache_misses_total";
inline constexpr char kCacheEvictions[] = "twintree_store_cache_evictions_total";
inline constexpr char kCacheBytes[] = "twintree_store_cache_bytes";
inline constexpr char kCacheItems[] = "twintree_store_cache_items";

// The process.
inline constexpr char kBuildInfo[] = "twintree_build_info";
inline constexpr char kConfigHash[] = "twintree_config_hash_info";
inline constexpr char kReady[] = "twintree_ready";
inline constexpr char kCertificateEnd[] = "twintree_tls_certificate_not_after_timestamp_seconds";
inline constexpr char kProcessCpu[] = "process_cpu_seconds_total";
inline constexpr char kProcessResident[] = "process_resident_memory_bytes";
inline constexpr char kProcessVirtual[] = "process_virtual_memory_bytes";
inline constexpr char kProcessOpenFds[] = "process_open_fds";
inline constexpr char kProcessMaxFds[] = "process_max_fds";
inline constexpr char kProcessStart[] = "process_start_time_seconds";
inline constexpr char kProcessThreads[] = "process_threads";

}  // namespace twintree::metrics::names

#endif  // TWINTREE_SERVICES_METRICS_NAMES_H_
