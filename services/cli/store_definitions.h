// Which schema definitions a store's data was used with.
//
// An attribute whose definition is gone is kept and shown, but no filter finds it, and nothing else
// would tell. So the store has a setting that names every attribute type and object class beyond
// the standard content with which it was opened for writing.
#ifndef TWINTREE_SERVICES_CLI_STORE_DEFINITIONS_H_
#define TWINTREE_SERVICES_CLI_STORE_DEFINITIONS_H_

#include <cstddef>

#include "services/model/result.h"
#include "services/model/schema.h"
#include "storage/entry_store.h"

namespace twintree::cli {

// Logs one warning (`schema_definitions_missing`) when the schema lacks some of them. With
// `may_write` those that are new are put to the others; when that fails a warning tells, and all
// goes on. Errors: those of reading the store.
model::Status CompareDefinitions(storage::EntryStore& store, const model::Schema& schema,
                                 bool may_write);

// Forgets those that the schema lacks; how many these were. For when no entry uses them.
// Errors: those of the store.
model::Result<std::size_t> ForgetMissingDefinitions(storage::EntryStore& store,
                                                    const model::Schema& schema);

}  // namespace twintree::cli

#endif  // TWINTREE_SERVICES_CLI_STORE_DEFINITIONS_H_
