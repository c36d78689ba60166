#include "storage/sqlite/dictionary_samples.h"

#include <utility>

#include "storage/sqlite/entry_packing.h"

namespace twintree::storage::sqlite {

using model::OkStatus;

namespace {

// What entries have in common is not the thousandth value of one.
constexpr std::size_t kMaxSampleBytes = 4096;
// The next samples are taken of so many times the entries of the ones before.
constexpr std::size_t kSpread = 4;
constexpr std::int64_t kCacheBytes = 1 << 20;
constexpr std::string_view kPassword = "userPassword";

// Spread over all ids, of which some are no longer there.
Result<std::vector<std::string>> SamplesOfStore(Tables& tables, EntryId last, std::size_t wanted) {
  Statement next(*tables.connection, "SELECT id FROM entry WHERE id>=? LIMIT 1");
  std::vector<std::string> samples;
  for (std::size_t i = 0; i < wanted; ++i) {
    Query query(next);
    query.Bind(last / wanted * i + 1);
    TT_ASSIGN_OR_RETURN(const bool found, query.Step());
    if (!found) break;
    TT_ASSIGN_OR_RETURN(const StoredEntryPtr entry, tables.entries.Get(query.Int(0)));
    if (entry != nullptr) samples.push_back(SampleOf(entry->entry));
  }
  return samples;
}

// The beginning of the attribute that holds no secret. Of a type that is unknown nobody knows
// whether it does; of a password the scheme is none.
std::string_view Harmless(const model::StoredAttribute& attribute) {
  const std::string_view encoded = attribute.encoded();
  if (attribute.type() == nullptr) return {};
  if (attribute.type()->name() != kPassword) return encoded;
  const std::string_view values = attribute.value_elements();
  constexpr std::size_t kLongestScheme = 16;
  const std::size_t scheme = values.substr(0, kLongestScheme).find('}');
  const bool hashed = attribute.values().begin() != attribute.values().end() &&
                      (*attribute.values().begin()).starts_with('{') &&
                      scheme != std::string_view::npos;
  return encoded.substr(0, encoded.size() - values.size() + (hashed ? scheme + 1 : 0));
}

Status AddFirst(Tables& tables, EntryId last, std::size_t wanted) {
  TT_ASSIGN_OR_RETURN(const auto samples, SamplesOfStore(tables, last, wanted));
  TT_RETURN_IF_ERROR(tables.packing.AddDictionary(samples));
  return Query(tables.commit).Run();
}

}  // namespace

std::string SampleOf(const model::Entry& entry) {
  std::string sample;
  for (const model::StoredAttribute& attribute : entry.attributes()) {
    sample += Harmless(attribute).substr(0, kMaxSampleBytes - sample.size());
    if (sample.size() == kMaxSampleBytes) break;
  }
  return sample;
}

SampleCollector::SampleCollector(std::size_t wanted, bool has_dictionary)
    : wanted_(wanted), every_(has_dictionary ? kSpread : 1) {}

bool SampleCollector::Offer(const model::Entry& entry) {
  if (passed_++ % every_ == 0) samples_.push_back(SampleOf(entry));
  return samples_.size() >= wanted_;
}

std::vector<std::string> SampleCollector::Take() {
  passed_ = 0;
  every_ *= kSpread;
  return std::exchange(samples_, {});
}

Status MakeFirstDictionary(StoreContext& context) {
  const std::size_t wanted = context.options.dictionary_samples;
  TT_ASSIGN_OR_RETURN(const auto tables,
                      context.OpenSmallTables(Connection::Access::kWrite, kCacheBytes));
  TT_ASSIGN_OR_RETURN(const StoreState state, tables->state.Read());
  TT_ASSIGN_OR_RETURN(const bool has_one, tables->packing.HasDictionary());
  if (has_one || state.entries < wanted) return OkStatus();
  TT_RETURN_IF_ERROR(Query(tables->begin_write).Run());
  Status status = AddFirst(*tables, state.last_id, wanted);
  if (!status.ok() && tables->connection->in_transaction()) {
    static_cast<void>(Query(tables->rollback).Run());
  }
  return status;
}

}  // namespace twintree::storage::sqlite
