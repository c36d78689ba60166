#include "storage/sqlite/posting_list.h"

namespace twintree::storage::sqlite {

namespace {

void AppendNumber(std::uint64_t number, std::string* out) {
  while (number >= 0x80) {
    out->push_back(static_cast<char>(number | 0x80));
    number >>= 7;
  }
  out->push_back(static_cast<char>(number));
}

}  // namespace

Status DecodePostings(EntryId first, std::string_view rest, std::vector<EntryId>* ids) {
  ids->push_back(first);
  EntryId id = first;
  std::uint64_t number = 0;
  int shift = 0;
  for (const char c : rest) {
    const auto octet = static_cast<unsigned char>(c);
    if (shift > 63) break;
    number |= std::uint64_t{octet & 0x7fU} << shift;
    shift += 7;
    if ((octet & 0x80) != 0) continue;
    id += number;
    ids->push_back(id);
    number = 0;
    shift = 0;
  }
  if (shift == 0) return model::OkStatus();
  return model::Error{model::ResultCode::kOther, "a list of entries in an index is damaged", ""};
}

std::vector<PostingRow> EncodePostings(std::span<const EntryId> ids) {
  std::vector<PostingRow> rows;
  EntryId last = kNoEntry;
  for (const EntryId id : ids) {
    if (rows.empty() || rows.back().rest.size() >= kFullPostingBytes) {
      rows.push_back({id, ""});
    } else {
      AppendNumber(id - last, &rows.back().rest);
    }
    last = id;
  }
  return rows;
}

}  // namespace twintree::storage::sqlite
