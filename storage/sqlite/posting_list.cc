#include "storage/sqlite/posting_list.h"

#include <algorithm>

namespace twintree::storage::sqlite {

void SortAndUnite(std::vector<EntryId>* ids) {
  std::sort(ids->begin(), ids->end());
  ids->erase(std::unique(ids->begin(), ids->end()), ids->end());
}

void AppendId(EntryId id, EntryId last, std::string* out) {
  std::uint64_t number = id - last;
  while (number >= 0x80) {
    out->push_back(static_cast<char>(number | 0x80));
    number >>= 7;
  }
  out->push_back(static_cast<char>(number));
}

Status DecodePostings(EntryId first, std::string_view rest, std::vector<EntryId>* ids) {
  ids->push_back(first);
  const auto append = [ids](EntryId id) {
    ids->push_back(id);
    return true;
  };
  if (ForEachPosting(first, rest, append)) return model::OkStatus();
  return model::Error{model::ResultCode::kOther, "a list of entries in an index is damaged", ""};
}

std::vector<PostingRow> EncodePostings(std::span<const EntryId> ids) {
  std::vector<PostingRow> rows;
  EntryId last = kNoEntry;
  for (const EntryId id : ids) {
    if (rows.empty() || rows.back().rest.size() >= kFullPostingBytes) {
      rows.push_back({id, ""});
    } else {
      AppendId(id, last, &rows.back().rest);
    }
    last = id;
  }
  return rows;
}

}  // namespace twintree::storage::sqlite
