// One record on its way from a file into the store, and many of them together.
#ifndef TWINTREE_SERVICES_IMPORT_IMPORT_RECORD_H_
#define TWINTREE_SERVICES_IMPORT_IMPORT_RECORD_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "services/import/entry_builder.h"
#include "services/model/ldif.h"
#include "services/model/result.h"

namespace twintree::import {

struct ImportRecord {
  std::size_t input = 0;     // which of the inputs
  std::uint64_t line = 0;    // of the dn: line, or of what is wrong
  std::uint64_t number = 0;  // counts records over all inputs, from 0
  std::string raw;           // as it stands in the file, when that is wanted
  bool raw_complete = true;
  model::LdifRecord record;
  std::optional<PreparedEntry> entry;   // of content and changetype: add, when it is in order
  std::uint64_t clear_passwords = 0;    // values of userPassword in clear text
  std::optional<model::Error> problem;  // why the record is not in order
  bool unreadable = false;              // `problem` is of the input: nothing follows

  bool IsNewEntry() const {
    return record.change == model::LdifChange::kContent || record.change == model::LdifChange::kAdd;
  }
};

struct RecordBatch {
  std::vector<ImportRecord> records;
  std::uint64_t bytes_read = 0;  // of all inputs, when the batch was complete
};

}  // namespace twintree::import

#endif  // TWINTREE_SERVICES_IMPORT_IMPORT_RECORD_H_
