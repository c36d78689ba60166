// Exports a store as LDIF that imports again unchanged.
//
// Parents come before their children, siblings in the order of their creation, depth first, so that
// an import of the export gives entries in the same order, and its export the same octets.
//
// Source: RFC 2849.
#ifndef TWINTREE_SERVICES_IMPORT_EXPORTER_H_
#define TWINTREE_SERVICES_IMPORT_EXPORTER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "services/model/result.h"
#include "services/model/schema.h"
#include "storage/entry_store.h"

namespace twintree::import {

struct ExportOptions {
  // The entry to export with all below it; empty: every naming context.
  std::string base_dn;
  // Stored operational attributes too (entryUUID, createTimestamp, ...), but no derived ones.
  bool operational = false;
};

// Takes the next piece of the LDIF; an error ends the export with it.
using LdifSink = std::function<model::Status(std::string_view)>;

// Thread-safety: confined.
class Exporter {
 public:
  // All must outlive the exporter.
  Exporter(const model::Schema& schema, storage::ReadTransaction* reader, ExportOptions options);

  // Writes the LDIF, a version line first. `progress` gets the entries so far, now and then; may be
  // empty. Returns the number of entries. Memory: one entry and the names on the way to it.
  // Errors: kNoSuchObject when the base does not exist, kInvalidDnSyntax when it is none; those of
  // the store and of `sink`.
  model::Result<std::uint64_t> Run(const LdifSink& sink,
                                   const std::function<void(std::uint64_t)>& progress);

 private:
  // A node whose children are being exported. The first stands above all naming contexts.
  struct Level {
    storage::EntryId id = storage::kNoEntry;
    std::string dn;
    std::vector<storage::EntryId> children;  // some, ascending
    std::size_t next = 0;                    // in children
    bool at_end = false;                     // no children behind these
  };

  model::Status ExportBase(const LdifSink& sink);
  model::Result<storage::EntryId> FindBase(std::string* parent_dn);
  model::Status ExportChildren(const LdifSink& sink,
                               const std::function<void(std::uint64_t)>& progress);
  model::Status FillLevel(Level* level);
  model::Status ExportEntry(storage::EntryId id, const std::string& parent_dn,
                            const LdifSink& sink);
  void AppendEntry(std::string_view dn, const model::Entry& entry);

  const model::Schema& schema_;
  storage::ReadTransaction* const reader_;
  const ExportOptions options_;
  std::vector<Level> levels_;
  std::string text_;  // not yet given to the sink
  std::uint64_t entries_ = 0;
};

}  // namespace twintree::import

#endif  // TWINTREE_SERVICES_IMPORT_EXPORTER_H_
