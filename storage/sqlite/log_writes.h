// Gathers SQLite's writes to its write-ahead log: two a page, a header of 24 octets and the page,
// become one a commit.
//
// SQLite writes the log in order and, with synchronous=FULL, syncs it before it tells readers of
// the new pages. So writes that follow one another wait in memory until the sync, or until
// something else is done with the file. What reaches the disk, and when a commit is answered, stays
// the same.
#ifndef TWINTREE_STORAGE_SQLITE_LOG_WRITES_H_
#define TWINTREE_STORAGE_SQLITE_LOG_WRITES_H_

namespace twintree::storage::sqlite {

// The name of a VFS that does this and is the default one otherwise, for sqlite3_open_v2; null when
// it could not be registered, which is the default one's name. Only for connections with
// synchronous=FULL: without a sync before readers are told, they would read what is not there.
//
// Thread-safety: safe.
const char* GatheringVfs();

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_LOG_WRITES_H_
