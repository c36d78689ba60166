// The operational attributes that the engine keeps: identifiers, times, names and change sequence
// numbers.
//
// Source: RFC 4512 3.4; RFC 4530 (entryUUID); RFC 4517 3.3.13 (GeneralizedTime).
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_OPERATIONAL_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_OPERATIONAL_H_

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "services/model/attribute.h"
#include "services/model/schema.h"
#include "storage/entry_store.h"

namespace twintree::directory {

// A random UUID (version 4) in its 36 characters.
std::string MakeUuid();

// "20260102030405Z"
std::string GeneralizedTime(std::chrono::system_clock::time_point time);

// Gives out change sequence numbers, "20260102030405.678901Z#000000#000#000000", strictly
// ascending, also across restarts and when the clock is set back.
//
// Thread-safety: safe; the order is that of the calls, which is the writer's.
class CsnClock {
 public:
  // Errors: those of the store.
  model::Result<std::string> Next(storage::WriteTransaction& transaction,
                                  std::chrono::system_clock::time_point now);

 private:
  model::Status ReadFloor(storage::WriteTransaction& transaction);

  std::mutex mutex_;
  bool started_ = false;     // guarded by mutex_, as the rest
  std::int64_t micros_ = 0;  // since the epoch, of the last number
  std::uint32_t count_ = 0;
};

// Gives the attribute this single value, in place or at the end.
void SetValue(const model::AttributeType& type, std::string_view value,
              std::vector<model::Attribute>* attributes);

// The first value of `type` in `entry`, empty when it has none.
std::string FirstValue(const model::Entry& entry, const model::AttributeType& type);

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_OPERATIONAL_H_
