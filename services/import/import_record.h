// One record on its way from a file into the store, and those of a piece of the file together.
#ifndef TWINTREE_SERVICES_IMPORT_IMPORT_RECORD_H_
#define TWINTREE_SERVICES_IMPORT_IMPORT_RECORD_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "services/import/chunk_reader.h"
#include "services/import/entry_builder.h"
#include "services/model/ldif.h"
#include "services/model/result.h"

namespace twintree::import {

struct ImportRecord {
  std::uint64_t line = 0;  // of the dn: line, or of what is wrong
  std::string raw;         // as it stands in the file, when that is wanted
  bool raw_complete = true;
  model::LdifRecord record;
  std::optional<PreparedEntry> entry;  // of content and changetype: add, when it is in order
  std::string index_terms;             // its, as the store has prepared them
  PasswordCounts passwords;
  std::optional<model::Error> problem;  // why the record is not in order

  bool IsNewEntry() const {
    return record.change == model::LdifChange::kContent || record.change == model::LdifChange::kAdd;
  }
};

// A chunk, and what is in it once it is prepared.
struct RecordBatch {
  LdifChunk chunk;
  std::vector<ImportRecord> records;
};

}  // namespace twintree::import

#endif  // TWINTREE_SERVICES_IMPORT_IMPORT_RECORD_H_
