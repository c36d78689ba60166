// How the system reads a store's file: what it reads ahead, and what before anybody asks.
//
// A look-up reads a few pages here and there. What the system reads around each of them (128 KiB,
// or megabytes on many virtual disks) is of no use to it, takes longer than the page, and pushes
// pages that are in use out of memory when there is less of it than the file has octets.
#ifndef TWINTREE_STORAGE_SQLITE_FILE_READS_H_
#define TWINTREE_STORAGE_SQLITE_FILE_READS_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

namespace twintree::storage::sqlite {

// Tells the system that this process reads the file at `path` page by page, through the memory maps
// and descriptors of now, whoever made them. A hint only.
//
// Descriptors matter where a file is larger than SQLite maps (2 GiB): beside pages that happen to
// be in memory, the system takes single reads for the end of a sequence, and reads megabytes ahead.
//
// Thread-safety: safe
void AdviseRandomReads(const std::string& path);

// Reads a file into the system's page cache in a thread of its own, unless it is larger than
// `at_most` octets. Ends early when it is destroyed.
//
// Thread-safety: compatible
class Prefetch {
 public:
  Prefetch(std::string path, std::uint64_t at_most);
  ~Prefetch();
  Prefetch(const Prefetch&) = delete;
  Prefetch& operator=(const Prefetch&) = delete;

 private:
  void Run(const std::string& path, std::uint64_t at_most);

  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_FILE_READS_H_
