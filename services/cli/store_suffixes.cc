#include "services/cli/store_suffixes.h"

#include <algorithm>

#include "services/model/dn.h"

namespace twintree::cli {

using model::DnKey;
using model::Error;
using model::OkStatus;
using model::Result;
using model::ResultCode;
using model::Status;

namespace {

Result<DnKey> KeyOf(const std::string& flag, const std::string& text, const model::Schema& schema) {
  Result<DnKey> key = schema.NormalizeDn(text);
  if (!key.ok()) {
    return Error{ResultCode::kOther, flag + " '" + text + "': " + key.error().message, ""};
  }
  if (key->empty()) return Error{ResultCode::kOther, flag + " '': a name must not be empty", ""};
  return key;
}

std::string Listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "'" : ", '") + name + "'";
  return text;
}

}  // namespace

Status CheckName(const std::string& flag, const std::string& text, const model::Schema& schema) {
  return KeyOf(flag, text, schema).status();
}

Status CheckSuffixes(const std::vector<std::string>& suffixes, const model::Schema& schema) {
  std::vector<DnKey> keys;
  for (const std::string& suffix : suffixes) {
    TT_ASSIGN_OR_RETURN(DnKey key, KeyOf("--suffix", suffix, schema));
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (!key.IsWithin(keys[i]) && !keys[i].IsWithin(key)) continue;
      const bool same = key == keys[i];
      return Error{ResultCode::kOther,
                   "--suffix '" + suffix + "' " + (same ? "is" : "lies within or above") +
                       " --suffix '" + suffixes[i] + "'",
                   ""};
    }
    keys.push_back(std::move(key));
  }
  return OkStatus();
}

std::string DoubtAboutSuffixes(const std::vector<std::string>& suffixes,
                               const model::Schema& schema) {
  bool cut_before = false;  // may the name before be a piece of one?
  for (std::size_t i = 0; i < suffixes.size(); ++i) {
    const Result<DnKey> key = schema.NormalizeDn(suffixes[i]);
    const bool is_piece = key.ok() && key->size() == 1;
    const bool is_cut = cut_before && is_piece && key->text().starts_with("dc=");
    cut_before = is_piece;
    if (!is_cut) continue;
    return "--suffix names '" + suffixes[i] +
           "' beside others: if it belongs to the name before, '" + suffixes[i - 1] + "," +
           suffixes[i] + "' has to stand in quotes where a list has brackets";
  }
  return "";
}

Result<std::vector<std::string>> StoredSuffixes(storage::EntryStore& store) {
  constexpr std::size_t kMostSuffixes = 1000;
  TT_ASSIGN_OR_RETURN(const auto reader, store.Read());
  std::vector<storage::EntryId> ids;
  TT_RETURN_IF_ERROR(reader->Children(storage::kNoEntry, storage::kNoEntry, kMostSuffixes, &ids));
  std::vector<std::string> suffixes;
  for (const storage::EntryId id : ids) {
    TT_ASSIGN_OR_RETURN(const storage::StoredEntryPtr entry, reader->Get(id));
    if (entry != nullptr) suffixes.push_back(entry->rdn);
  }
  return suffixes;
}

Status CheckStoredSuffixes(const std::vector<std::string>& suffixes, const std::string& directory,
                           storage::EntryStore& store, const model::Schema& schema) {
  if (suffixes.empty()) return OkStatus();
  std::vector<DnKey> named;
  for (const std::string& suffix : suffixes) {
    TT_ASSIGN_OR_RETURN(DnKey key, KeyOf("--suffix", suffix, schema));
    named.push_back(std::move(key));
  }
  TT_ASSIGN_OR_RETURN(const std::vector<std::string> stored, StoredSuffixes(store));
  for (const std::string& suffix : stored) {
    TT_ASSIGN_OR_RETURN(const DnKey key, schema.NormalizeDn(suffix));
    if (std::find(named.begin(), named.end(), key) != named.end()) continue;
    return Error{ResultCode::kOther,
                 "the store in '" + directory + "' holds the suffixes " + Listed(stored) +
                     ", but --suffix names only " + Listed(suffixes) +
                     ": name every suffix that it holds, and further ones as you like, or none",
                 ""};
  }
  return OkStatus();
}

}  // namespace twintree::cli
