#include "services/import/schema_audit.h"

#include <utility>
#include <vector>

#include "services/directory/engine/schema_check.h"
#include "services/model/attribute.h"

namespace twintree::import {

using model::Error;
using model::Result;
using model::ResultCode;
using model::Status;
using storage::EntryId;
using storage::kNoEntry;
using storage::StoredEntryPtr;

namespace {

constexpr storage::ScanLimit kEntriesAtOnce{256, std::size_t{4} << 20};
constexpr std::size_t kMaxDepth = 4096;

Result<std::string> DnOf(const storage::StoredEntry& entry, storage::ReadTransaction* reader) {
  std::string dn = entry.rdn;
  EntryId parent = entry.parent;
  for (std::size_t depth = 0; parent != kNoEntry && depth < kMaxDepth; ++depth) {
    TT_ASSIGN_OR_RETURN(const StoredEntryPtr above, reader->Get(parent));
    if (above == nullptr) return dn + ",...";
    dn.append(",").append(above->rdn);
    parent = above->parent;
  }
  return dn;
}

// What an add of the entry would complain of first.
Status CheckAgainstSchema(const model::Entry& entry, const model::Schema& schema) {
  for (const model::StoredAttribute& attribute : entry.attributes()) {
    if (attribute.type() != nullptr) continue;
    return Error{ResultCode::kUndefinedAttributeType,
                 "the schema has no attribute " + std::string(attribute.description()), ""};
  }
  const std::vector<model::Attribute> attributes = entry.ToAttributes(schema);
  for (const model::Attribute& attribute : attributes) {
    TT_RETURN_IF_ERROR(directory::CheckValues(attribute, schema));
  }
  return directory::CheckEntry(attributes, schema).status();
}

}  // namespace

Result<SchemaAudit> AuditSchema(const model::Schema& schema, storage::ReadTransaction* reader,
                                std::size_t max_findings,
                                const std::function<void(const SchemaFinding&)>& report) {
  SchemaAudit audit;
  EntryId after = kNoEntry;
  std::vector<StoredEntryPtr> entries;
  do {
    entries.clear();
    TT_RETURN_IF_ERROR(reader->Scan(after, kEntriesAtOnce, &entries));
    for (const StoredEntryPtr& entry : entries) {
      after = entry->id;
      ++audit.entries;
      const Status status = CheckAgainstSchema(entry->entry, schema);
      if (status.ok() || audit.findings++ >= max_findings) continue;
      TT_ASSIGN_OR_RETURN(std::string dn, DnOf(*entry, reader));
      report({std::move(dn), status.error().message + " (" +
                                 std::string(model::ResultCodeName(status.code())) + ")"});
    }
  } while (!entries.empty());
  return audit;
}

}  // namespace twintree::import
