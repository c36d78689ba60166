// Every limit of the LDAP gateway, one constant each.
//
// They bound what one client can make the server keep or do. Those that an operator may change are
// defaults of SessionLimits or LdapServerOptions; the others are fixed.
#ifndef TWINTREE_LDAP_GATEWAY_LIMITS_H_
#define TWINTREE_LDAP_GATEWAY_LIMITS_H_

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace twintree::ldap {

// --- One message -------------------------------------------------------------------------------

// Bytes of an LDAPMessage, head included. A session that announces more ends before the body is
// read; below, memory grows with what has arrived. Enough for a group of 100,000 members of 60
// octets (6.2 MB) or a photo of some megabytes.
inline constexpr std::size_t kMaxMessageBytes = std::size_t{32} << 20;
// The same while nobody has authenticated.
inline constexpr std::size_t kMaxAnonymousMessageBytes = std::size_t{256} << 10;

// Attributes of an add, changes of a modify. More: adminLimitExceeded.
inline constexpr std::size_t kMaxAttributesPerMessage = 16384;
// Attribute values, all attributes of a message together. A value costs some 40 bytes besides its
// octets, which may be none. More: adminLimitExceeded.
inline constexpr std::size_t kMaxValuesPerMessage = std::size_t{1} << 18;
// Names in the attribute list of a search or of a read-entry control. More: adminLimitExceeded.
inline constexpr std::size_t kMaxSelectedAttributes = 4096;
// Controls of a request. More: adminLimitExceeded.
inline constexpr std::size_t kMaxControlsPerMessage = 64;
// Depth and size of a filter: model::Filter::kMaxDepth and kMaxItems.
// Elements within one another, in a request that cannot be decoded; those of any that can are fewer
// than 300. More: the session ends.
inline constexpr std::size_t kMaxNesting = 16384;

// --- One connection ----------------------------------------------------------------------------

// Operations under way. At the bound no further request is read until one has ended.
inline constexpr std::size_t kMaxPendingOperations = 128;
// Octets of the requests under way, and what their filters take in memory. At the bound no further
// request is read until one has ended; one request may be larger.
inline constexpr std::size_t kMaxPendingBytes = std::size_t{16} << 20;
// Searches that are paused because their client does not read. At the bound no further request is
// read: each holds a snapshot of the store, of which there are few.
inline constexpr std::size_t kMaxPausedSearches = 8;
// Bytes of answers waiting to be sent. Above, searches pause; one entry each may come on top.
inline constexpr std::size_t kOutputHighWatermarkBytes = std::size_t{128} << 10;
// Searches go on below.
inline constexpr std::size_t kOutputLowWatermarkBytes = std::size_t{64} << 10;
// Entries that another thread finds are passed to the connection's thread in lots of this size.
inline constexpr std::size_t kHandOverBytes = std::size_t{32} << 10;
// Above, no further request is read. There is room between the watermark and this, so that a
// paused search can be abandoned.
inline constexpr std::size_t kMaxOutputBytes = std::size_t{256} << 10;
// Buffers larger than this are given back when a connection has nothing to do.
inline constexpr std::size_t kIdleBufferBytes = 2048;

// --- The server --------------------------------------------------------------------------------

inline constexpr std::size_t kMaxConnections = 10000;
// Octets of requests that have not come whole, or wait to be read out of their connection's buffer,
// all connections together: those of authenticated clients, and those of the others. Buffers of at
// most kFreeInputBytes do not count. Beyond, a session that would need more ends with busy; whoever
// is alone may have more.
inline constexpr std::size_t kMaxInputBytes = std::size_t{128} << 20;
inline constexpr std::size_t kMaxAnonymousInputBytes = std::size_t{32} << 20;
inline constexpr std::size_t kFreeInputBytes = 4096;
// Octets one read takes from a socket, and a thread's buffer for it.
inline constexpr std::size_t kReadBufferBytes = std::size_t{64} << 10;
// For so long one connection's requests may keep its thread before the thread's other connections
// have their turn. One request is always begun.
inline constexpr std::chrono::milliseconds kMaxTurnTime{5};
// Octets one connection may send before the thread's other connections have their turn.
inline constexpr std::size_t kMaxBytesPerTurn = std::size_t{1} << 20;
// Octets that wait in the kernel to be sent to one TCP client.
inline constexpr int kMaxUnsentBytes = 256 << 10;

// A session without any operation under way is closed after this time; 0: never.
inline constexpr std::chrono::milliseconds kIdleTimeout = std::chrono::minutes(15);
// A message has to be complete this long after its first octet, plus the time its announced length
// takes at kMinReadBytesPerSecond.
inline constexpr std::chrono::milliseconds kReadTimeout = std::chrono::seconds(30);
inline constexpr std::size_t kMinReadBytesPerSecond = std::size_t{64} << 10;
// A client that takes none of its answers for this long is cut off.
inline constexpr std::chrono::milliseconds kWriteTimeout = std::chrono::seconds(60);
// A TLS handshake takes no longer.
inline constexpr std::chrono::milliseconds kHandshakeTimeout = std::chrono::seconds(20);
// After the end of a session the client has this long to take what it was sent, a Notice of
// Disconnection for example, and to close; anew whenever it has taken some.
inline constexpr std::chrono::milliseconds kLingerTimeout = std::chrono::seconds(2);
// The same for all together when the time to drain is over.
inline constexpr std::chrono::milliseconds kCutOffTime = std::chrono::milliseconds(500);
// After a failed accept (out of descriptors, say) the next try waits.
inline constexpr std::chrono::milliseconds kAcceptRetryDelay = std::chrono::milliseconds(100);
// How often certificate files are looked at for changes.
inline constexpr std::chrono::milliseconds kTlsReloadInterval = std::chrono::seconds(10);

}  // namespace twintree::ldap

#endif  // TWINTREE_LDAP_GATEWAY_LIMITS_H_
