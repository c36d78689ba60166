// Every metric's name, once. Documented in docs/metrics.md; a test holds the two together.
#ifndef TWINTREE_SERVICES_METRICS_NAMES_H_
#define TWINTREE_SERVICES_METRICS_NAMES_H_

namespace twintree::metrics::names {

// Operations on the directory, through both doors.
inline constexpr char kOperations[] = "twintree_operations_total";
inline constexpr char kOperationDuration[] = "twintree_operation_duration_seconds";
inline constexpr char kSearchEntries[] = "twintree_search_entries_total";

// The LDAP door.
inline constexpr char kLdapRequests[] = "twintree_ldap_requests_total";
inline constexpr char kLdapRequestDuration[] = "twintree_ldap_request_duration_seconds";
inline constexpr char kLdapConnections[] = "twintree_ldap_connections";
inline constexpr char kLdapConnectionsAccepted[] = "twintree_ldap_connections_accepted_total";
inline constexpr char kLdapConnectionsRefused[] = "twintree_ldap_connections_refused_total";
inline constexpr char kTlsHandshakes[] = "twintree_ldap_tls_handshakes_total";
inline constexpr char kLdapReceivedBytes[] = "twintree_ldap_received_bytes_total";
inline constexpr char kLdapSentBytes[] = "twintree_ldap_sent_bytes_total";

// The gRPC door; the names that public dashboards know.
inline constexpr char kGrpcStarted[] = "grpc_server_started_total";
inline constexpr char kGrpcHandled[] = "grpc_server_handled_total";
inline constexpr char kGrpcHandling[] = "grpc_server_handling_seconds";

// The engine and the store.
inline constexpr char kSearches[] = "twintree_engine_searches_total";
inline constexpr char kCandidates[] = "twintree_engine_candidates_total";
inline constexpr char kStoreEntries[] = "twintree_store_entries";
inline constexpr char kStoreDataBytes[] = "twintree_store_data_bytes";
inline constexpr char kStoreWalBytes[] = "twintree_store_wal_bytes";
inline constexpr char kStoreCommits[] = "twintree_store_commits_total";
inline constexpr char kStoreFailedCommits[] = "twintree_store_failed_commits_total";
inline constexpr char kStoreCommittedWrites[] = "twintree_store_committed_writes_total";
inline constexpr char kStoreCommitSeconds[] = "twintree_store_commit_seconds_total";
inline constexpr char kStoreQueuedWrites[] = "twintree_store_queued_writes";
inline constexpr char kStoreSnapshots[] = "twintree_store_open_snapshots";
inline constexpr char kCacheHits[] = "twintree_cache_hits_total";
inline constexpr char kCacheMisses[] = "twintree_cache_misses_total";
inline constexpr char kCacheEvictions[] = "twintree_cache_evictions_total";
inline constexpr char kCacheBytes[] = "twintree_cache_bytes";
inline constexpr char kCacheItems[] = "twintree_cache_items";

// The process.
inline constexpr char kBuildInfo[] = "twintree_build_info";
inline constexpr char kReady[] = "twintree_ready";
inline constexpr char kProcessCpu[] = "process_cpu_seconds_total";
inline constexpr char kProcessResident[] = "process_resident_memory_bytes";
inline constexpr char kProcessVirtual[] = "process_virtual_memory_bytes";
inline constexpr char kProcessOpenFds[] = "process_open_fds";
inline constexpr char kProcessMaxFds[] = "process_max_fds";
inline constexpr char kProcessStart[] = "process_start_time_seconds";
inline constexpr char kProcessThreads[] = "process_threads";

}  // namespace twintree::metrics::names

#endif  // TWINTREE_SERVICES_METRICS_NAMES_H_
