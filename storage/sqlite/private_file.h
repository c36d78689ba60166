// Files that only their owner may read: a store holds password hashes.
#ifndef TWINTREE_STORAGE_SQLITE_PRIVATE_FILE_H_
#define TWINTREE_STORAGE_SQLITE_PRIVATE_FILE_H_

#include <string>

#include "services/model/result.h"

namespace twintree::storage::sqlite {

// Makes `path` an empty file of mode 0600, whatever the umask and the access list of its directory
// say. A file that exists is left as it is, but for WithdrawFromOthers().
// Errors: kUnavailable, naming the file.
model::Status MakePrivateFile(const std::string& path);

// Takes away what everybody may do with the file, when there is one; what its owner gave to a group
// stays. Does not open it: closing a file ends the locks that SQLite has on it.
void WithdrawFromOthers(const std::string& path);

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_PRIVATE_FILE_H_
