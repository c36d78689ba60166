// The two entries that are in no naming context: the root DSE and the subschema.
//
// Source: RFC 4512 4.2, 4.4, 5.1; RFC 3045 (vendorName, vendorVersion).
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_SPECIAL_ENTRIES_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_SPECIAL_ENTRIES_H_

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "services/model/attribute.h"
#include "services/model/entry.h"
#include "services/model/schema.h"

namespace twintree::directory {

inline constexpr std::string_view kSubschemaDn = "cn=Subschema";
inline constexpr std::string_view kSubschemaKey = "cn=subschema";

// Thread-safety: safe.
class SpecialEntries {
 public:
  using DoorAttributes = std::shared_ptr<const std::vector<model::RawAttribute>>;

  // `since`: generalized time from which on the schema is served. It is read once, so a client that
  // keeps it (RFC 4512 4.2) asks anew after a restart.
  // Errors: kUndefinedAttributeType when the schema lacks an attribute that these entries need.
  static model::Result<std::unique_ptr<SpecialEntries>> Make(
      std::shared_ptr<const model::Schema> schema, std::span<const std::string> contexts,
      std::string_view vendor_version, const std::string& since);

  std::shared_ptr<const model::Entry> subschema() const { return subschema_; }
  // With what the door adds; null: nothing.
  // Errors: kUndefinedAttributeType for an attribute of the door's that the schema does not know.
  model::Result<std::shared_ptr<const model::Entry>> RootDse(const DoorAttributes& door) const;

 private:
  explicit SpecialEntries(std::shared_ptr<const model::Schema> schema)
      : schema_(std::move(schema)) {}

  const std::shared_ptr<const model::Schema> schema_;
  std::vector<model::Attribute> root_attributes_;
  std::shared_ptr<const model::Entry> subschema_;

  // The last one made; doors send the same list again and again.
  mutable std::mutex mutex_;
  mutable DoorAttributes last_door_;                       // guarded by mutex_
  mutable std::shared_ptr<const model::Entry> last_root_;  // guarded by mutex_
};

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_SPECIAL_ENTRIES_H_
