// Limits of the gateway stream; both ends and the protocol's description agree on them.
#ifndef TWINTREE_SERVICES_RPC_GATEWAY_LIMITS_H_
#define TWINTREE_SERVICES_RPC_GATEWAY_LIMITS_H_

#include <cstddef>
#include <cstdint>

namespace twintree::rpc {

inline constexpr std::uint32_t kGatewayProtocolVersion = 3;

// Batches are closed at this size.
inline constexpr std::size_t kMaxBatchBytes = 1u << 20;
// The largest operation or entry that crosses the stream.
inline constexpr std::size_t kMaxGatewayItemBytes = 64u << 20;
// What a gateway accepts in one message: the largest item and what goes around it.
inline constexpr std::size_t kMaxGatewayMessageBytes = kMaxGatewayItemBytes + 2 * kMaxBatchBytes;

// Operations gather at the gateway while one of its messages is not handled yet, but no more than
// so many: the directory's time for them is short, and one message for many operations costs both
// sides much less than one for each. A second message with that many, or as many as the directory
// handles in a short time (Pace), goes out meanwhile, so that it need not wait for one. What comes
// beyond waits at the gateway, where clients take turns (FairQueue).
inline constexpr std::size_t kMaxMessagesAhead = 2;
inline constexpr std::size_t kMaxGatheredOperations = 64;

// What an entry costs of its search's credit beyond its name and attributes.
inline constexpr std::size_t kEntryOverheadBytes = 64;
// The entries of a search gather to this size before they are written, unless it ends or pauses.
inline constexpr std::size_t kEntryBatchBytes = 64u << 10;
// A directory pauses the searches of a stream while this much waits to be written to it.
inline constexpr std::size_t kMaxWaitingEventBytes = 4u << 20;
// A gateway answers busy while this much waits to be written to a stream.
inline constexpr std::size_t kMaxWaitingOperationBytes = 64u << 20;
// Operations of one stream that may be under way; more are answered with busy.
inline constexpr std::size_t kMaxOperationsPerStream = 65536;
// Cancellations that a directory remembers for operations it has not answered.
inline constexpr std::size_t kMaxRememberedCancellations = 65536;

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_GATEWAY_LIMITS_H_
