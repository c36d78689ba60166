// Stored forms in fewer octets.
//
// Entries of a directory are alike: the same attributes in the same order, the same classes, the
// same beginnings of names. Each is packed alone, so that each can be read alone, by Zstandard with
// a dictionary of what entries of this store have in common. What is kept of a form is either
//
//   the form itself, whose first octet, its version, is below 0x80; or
//   octet 1, 0x80 + the number of its dictionary (1 to 127), and a Zstandard frame
//
//   dictionary(number, octets)
//
// A dictionary stays as it is for ever; new ones get new numbers. It holds pieces of entries, but
// none of passwords, which are left out of what it is made from.
//
// Source: RFC 8878.
#ifndef TWINTREE_STORAGE_SQLITE_ENTRY_PACKING_H_
#define TWINTREE_STORAGE_SQLITE_ENTRY_PACKING_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "services/model/result.h"
#include "storage/sqlite/connection.h"

struct ZSTD_CDict_s;
struct ZSTD_DDict_s;

namespace twintree::storage::sqlite {

using model::Result;
using model::Status;

// Thread-safety: safe (immutable).
class Dictionary {
 public:
  // Octets that no dictionary has made are one too, if not a good one. Null: not enough memory.
  static std::shared_ptr<const Dictionary> Make(std::string octets);
  // What the samples have in common, at most kMaxBytes of it. Nothing: they are too few or too
  // small to tell.
  static std::optional<std::string> Train(std::span<const std::string> samples);

  Dictionary(const Dictionary&) = delete;
  Dictionary& operator=(const Dictionary&) = delete;

  const std::string& octets() const { return octets_; }
  // Appends a frame. False, with `out` as it was: a frame would not be much smaller.
  bool Pack(std::string_view form, std::string* out) const;
  // Replaces what `form` held. Errors: kOther for a damaged frame.
  Status Unpack(std::string_view frame, std::string* form) const;

  static constexpr std::size_t kMaxBytes = 16 << 10;

 private:
  struct Free {
    void operator()(ZSTD_CDict_s* dictionary) const;
    void operator()(ZSTD_DDict_s* dictionary) const;
  };

  Dictionary() = default;

  std::string octets_;
  std::unique_ptr<ZSTD_CDict_s, Free> packing_;
  std::unique_ptr<ZSTD_DDict_s, Free> unpacking_;
};

// Dictionaries by their octets, so that all connections share them.
//
// Thread-safety: safe.
class DictionaryPool {
 public:
  // Null: not enough memory.
  std::shared_ptr<const Dictionary> Find(std::string_view octets);

 private:
  std::mutex mutex_;
  std::vector<std::weak_ptr<const Dictionary>> dictionaries_;
};

// The table of dictionaries and what is packed with them, on one connection.
//
// Thread-safety: that of its connection.
class EntryPacking {
 public:
  EntryPacking(Connection& connection, DictionaryPool& pool);

  // What to keep of `form`, packed with the newest dictionary; lives until the next call, and no
  // longer than `form`.
  Result<std::string_view> Pack(std::string_view form);
  // The form of which `kept` was kept; lives until the next call, and no longer than `kept`.
  // Errors: kOther when it is damaged.
  Result<std::string_view> Unpack(std::string_view kept);

  Result<bool> HasDictionary();
  // Makes another dictionary, with which this connection packs from now on; makes none when
  // samples do not lend themselves to it, or 127 are there.
  // REQUIRES: a transaction is open; if it is rolled back, the connection packs nothing after that.
  Status AddDictionary(std::span<const std::string> samples);

 private:
  struct Numbered {
    std::uint64_t number = 0;
    std::shared_ptr<const Dictionary> dictionary;
  };

  Status LoadNewest();
  Result<const Dictionary*> Load(std::uint64_t number);

  DictionaryPool& pool_;
  Statement get_;
  Statement newest_number_;
  Statement insert_;
  bool knows_newest_ = false;
  std::uint64_t newest_ = 0;  // 0: there is none
  std::vector<Numbered> known_;
  std::string packed_;
  std::string unpacked_;
};

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_ENTRY_PACKING_H_
