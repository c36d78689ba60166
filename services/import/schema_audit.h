// Compares the entries of a store with the schema. They may differ: the schema may have been
// changed since the entries were added.
#ifndef TWINTREE_SERVICES_IMPORT_SCHEMA_AUDIT_H_
#define TWINTREE_SERVICES_IMPORT_SCHEMA_AUDIT_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "services/model/result.h"
#include "services/model/schema.h"
#include "storage/entry_store.h"

namespace twintree::import {

// Where an entry and the schema do not agree.
struct SchemaFinding {
  std::string dn;
  std::string what;
};

struct SchemaAudit {
  std::uint64_t entries = 0;   // looked at
  std::uint64_t findings = 0;  // also those that were not reported
};

// Looks at every entry; calls `report` for the first `max_findings` findings.
// Errors: those of the store.
model::Result<SchemaAudit> AuditSchema(const model::Schema& schema,
                                       storage::ReadTransaction* reader, std::size_t max_findings,
                                       const std::function<void(const SchemaFinding&)>& report);

}  // namespace twintree::import

#endif  // TWINTREE_SERVICES_IMPORT_SCHEMA_AUDIT_H_
