// The lock that lets only one process write a store.
#ifndef TWINTREE_STORAGE_SQLITE_STORE_LOCK_H_
#define TWINTREE_STORAGE_SQLITE_STORE_LOCK_H_

#include <memory>
#include <string>

#include "services/model/result.h"

namespace twintree::storage::sqlite {

// Held by flock(2) on an open file, so that it goes when the process goes, however that happens;
// the file itself stays and hinders nobody. It holds the process id of the holder, for messages.
class StoreLock {
 public:
  // Errors: kBusy when another process, or another store of this one, holds it; kUnavailable.
  static model::Result<std::unique_ptr<StoreLock>> Acquire(const std::string& path);
  ~StoreLock();
  StoreLock(const StoreLock&) = delete;
  StoreLock& operator=(const StoreLock&) = delete;

 private:
  explicit StoreLock(int file) : file_(file) {}
  const int file_;
};

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_STORE_LOCK_H_
