// Choosing what dictionaries of stored forms are made of.
#ifndef TWINTREE_STORAGE_SQLITE_DICTIONARY_SAMPLES_H_
#define TWINTREE_STORAGE_SQLITE_DICTIONARY_SAMPLES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "services/model/entry.h"
#include "storage/sqlite/store_context.h"

namespace twintree::storage::sqlite {

// What a dictionary may be made of: the beginning of an entry. Of passwords it
// holds the schemes of hashes only.
std::string SampleOf(const model::Entry& entry);

// Takes samples of entries that pass by: of the first ones, and later of some among ever more, so
// that what comes late in a large load has its dictionary too.
//
// Thread-safety: confined.
class SampleCollector {
 public:
  // `wanted`: samples a dictionary, at least one. `has_dictionary`: the first ones need not be
  // hurried.
  SampleCollector(std::size_t wanted, bool has_dictionary);

  // True: there are as many as wanted; Take() them.
  bool Offer(const model::Entry& entry);
  std::vector<std::string> Take();

 private:
  const std::size_t wanted_;
  std::size_t every_;
  std::size_t passed_ = 0;
  std::vector<std::string> samples_;
};

// Makes the first dictionary of a store that has none but has SqliteOptions::dictionary_samples
// entries, which came one by one or from a layout without packing. Entries are packed when they are
// next written.
Status MakeFirstDictionary(StoreContext& context);

}  // namespace twintree::storage::sqlite

#endif  // TWINTREE_STORAGE_SQLITE_DICTIONARY_SAMPLES_H_
