// Naming contexts: those that --suffix names, and those that a store holds.
#ifndef TWINTREE_SERVICES_CLI_STORE_SUFFIXES_H_
#define TWINTREE_SERVICES_CLI_STORE_SUFFIXES_H_

#include <string>
#include <vector>

#include "services/model/result.h"
#include "services/model/schema.h"
#include "storage/entry_store.h"

namespace twintree::cli {

// Is `text` a name that is not empty? Errors: kOther, naming flag and value.
model::Status CheckName(const std::string& flag, const std::string& text,
                        const model::Schema& schema);

// Can these be naming contexts side by side? Errors: kOther, naming --suffix and the value.
model::Status CheckSuffixes(const std::vector<std::string>& suffixes, const model::Schema& schema);

// What is doubtful about names that each are good; empty: nothing. "dc=example" and "dc=com" come
// of a list in brackets whose one name has no quotes.
std::string DoubtAboutSuffixes(const std::vector<std::string>& suffixes,
                               const model::Schema& schema);

// The naming contexts that the store holds, as they are spelled there.
model::Result<std::vector<std::string>> StoredSuffixes(storage::EntryStore& store);

// Whoever names suffixes has to name those that the store in `directory` holds, or its entries
// would be there and out of reach. Errors: kOther, naming all of them; those of the store.
model::Status CheckStoredSuffixes(const std::vector<std::string>& suffixes,
                                  const std::string& directory, storage::EntryStore& store,
                                  const model::Schema& schema);

}  // namespace twintree::cli

#endif  // TWINTREE_SERVICES_CLI_STORE_SUFFIXES_H_
