#include "storage/sqlite/entry_packing.h"

#include <zdict.h>
#include <zstd.h>

#include <algorithm>
#include <utility>

namespace twintree::storage::sqlite {

using model::Error;
using model::OkStatus;
using model::ResultCode;

namespace {

constexpr unsigned kPackedMark = 0x80;
constexpr std::uint64_t kMaxNumber = 0x7f;
// Higher levels save next to nothing beside a dictionary, and take several times as long.
constexpr int kLevel = 1;

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

// About 100 KiB each, so a thread has one whatever its connections.
ZSTD_CCtx* PackingContext() {
  thread_local const std::unique_ptr<ZSTD_CCtx, FreeContext> context(ZSTD_createCCtx());
  return context.get();
}

ZSTD_DCtx* UnpackingContext() {
  thread_local const std::unique_ptr<ZSTD_DCtx, FreeContext> context(ZSTD_createDCtx());
  return context.get();
}

// Few entries are large, and many connections have buffers.
void ForgetIfLarge(std::string* buffer) {
  constexpr std::size_t kKeptBytes = 64 << 10;
  if (buffer->capacity() > kKeptBytes) *buffer = std::string();
}

Error Damaged(std::string_view what) {
  return Error{ResultCode::kOther, "packed octets are damaged: " + std::string(what), ""};
}

// Could a frame of `frame_size` octets hold so many? A block holds at most 128 KiB, and takes four.
bool IsPlausible(unsigned long long size, std::size_t frame_size) {
  return size / ZSTD_BLOCKSIZE_MAX <= frame_size / 4;
}

}  // namespace

void Dictionary::Free::operator()(ZSTD_CDict_s* dictionary) const { ZSTD_freeCDict(dictionary); }
void Dictionary::Free::operator()(ZSTD_DDict_s* dictionary) const { ZSTD_freeDDict(dictionary); }

std::shared_ptr<const Dictionary> Dictionary::Make(std::string octets) {
  std::shared_ptr<Dictionary> made(new Dictionary);
  made->octets_ = std::move(octets);
  const std::string& kept = made->octets_;
  made->packing_.reset(ZSTD_createCDict(kept.data(), kept.size(), kLevel));
  made->unpacking_.reset(ZSTD_createDDict(kept.data(), kept.size()));
  if (made->packing_ == nullptr || made->unpacking_ == nullptr) return nullptr;
  return made;
}

std::optional<std::string> Dictionary::Train(std::span<const std::string> samples) {
  std::string all;
  std::vector<std::size_t> sizes;
  for (const std::string& sample : samples) {
    all += sample;
    sizes.push_back(sample.size());
  }
  std::string octets(kMaxBytes, '\0');
  const std::size_t size = ZDICT_trainFromBuffer(octets.data(), octets.size(), all.data(),
                                                 sizes.data(), static_cast<unsigned>(sizes.size()));
  if (ZDICT_isError(size) != 0) return std::nullopt;
  octets.resize(size);
  return octets;
}

bool Dictionary::Pack(std::string_view form, std::string* out) const {
  ZSTD_CCtx* const context = PackingContext();
  if (context == nullptr) return false;
  const std::size_t start = out->size();
  out->resize(start + ZSTD_compressBound(form.size()));
  ZSTD_CCtx_reset(context, ZSTD_reset_session_and_parameters);
  ZSTD_CCtx_setParameter(context, ZSTD_c_dictIDFlag, 0);  // the table has numbers of its own
  ZSTD_CCtx_refCDict(context, packing_.get());
  const std::size_t size =
      ZSTD_compress2(context, out->data() + start, out->size() - start, form.data(), form.size());
  const bool smaller = ZSTD_isError(size) == 0 && size < form.size() - form.size() / 8;
  out->resize(smaller ? start + size : start);
  return smaller;
}

Status Dictionary::Unpack(std::string_view frame, std::string* form) const {
  const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN ||
      !IsPlausible(size, frame.size())) {
    return Damaged("their beginning is none of a frame");
  }
  ZSTD_DCtx* const context = UnpackingContext();
  if (context == nullptr) return Error{ResultCode::kUnavailable, "out of memory", ""};
  form->resize(static_cast<std::size_t>(size));
  const std::size_t got = ZSTD_decompress_usingDDict(context, form->data(), form->size(),
                                                     frame.data(), frame.size(), unpacking_.get());
  if (ZSTD_isError(got) != 0) return Damaged(ZSTD_getErrorName(got));
  if (got != form->size()) return Damaged("they are too few");
  return OkStatus();
}

std::shared_ptr<const Dictionary> DictionaryPool::Find(std::string_view octets) {
  std::lock_guard lock(mutex_);
  std::erase_if(dictionaries_, [](const auto& dictionary) { return dictionary.expired(); });
  for (const auto& dictionary : dictionaries_) {
    auto found = dictionary.lock();
    if (found != nullptr && found->octets() == octets) return found;
  }
  auto made = Dictionary::Make(std::string(octets));
  if (made != nullptr) dictionaries_.push_back(made);
  return made;
}

EntryPacking::EntryPacking(Connection& connection, DictionaryPool& pool)
    : pool_(pool),
      get_(connection, "SELECT octets FROM dictionary WHERE number=?"),
      newest_number_(connection, "SELECT max(number) FROM dictionary"),
      insert_(connection, "INSERT INTO dictionary(number, octets) VALUES(?, ?)") {}

Status EntryPacking::LoadNewest() {
  if (knows_newest_) return OkStatus();
  Query query(newest_number_);
  TT_ASSIGN_OR_RETURN(const bool row, query.Step());
  newest_ = row ? query.Int(0) : 0;
  knows_newest_ = true;
  return OkStatus();
}

Result<const Dictionary*> EntryPacking::Load(std::uint64_t number) {
  for (const Numbered& known : known_) {
    if (known.number == number) return known.dictionary.get();
  }
  Query query(get_);
  query.Bind(number);
  TT_ASSIGN_OR_RETURN(const bool found, query.Step());
  if (!found) return Damaged("there is no dictionary " + std::to_string(number));
  auto dictionary = pool_.Find(query.Blob(0));
  if (dictionary == nullptr) return Error{ResultCode::kUnavailable, "out of memory", ""};
  known_.push_back({number, std::move(dictionary)});
  return known_.back().dictionary.get();
}

Result<std::string_view> EntryPacking::Pack(std::string_view form) {
  TT_RETURN_IF_ERROR(LoadNewest());
  if (newest_ == 0) return form;
  TT_ASSIGN_OR_RETURN(const Dictionary* const dictionary, Load(newest_));
  ForgetIfLarge(&packed_);
  packed_.assign(1, static_cast<char>(kPackedMark | newest_));
  return dictionary->Pack(form, &packed_) ? std::string_view(packed_) : form;
}

Result<std::string_view> EntryPacking::Unpack(std::string_view kept) {
  const unsigned mark = kept.empty() ? 0 : static_cast<unsigned char>(kept.front());
  if ((mark & kPackedMark) == 0) return kept;
  TT_ASSIGN_OR_RETURN(const Dictionary* const dictionary, Load(mark & kMaxNumber));
  ForgetIfLarge(&unpacked_);
  TT_RETURN_IF_ERROR(dictionary->Unpack(kept.substr(1), &unpacked_));
  return std::string_view(unpacked_);
}

Result<bool> EntryPacking::HasDictionary() {
  TT_RETURN_IF_ERROR(LoadNewest());
  return newest_ != 0;
}

Status EntryPacking::AddDictionary(std::span<const std::string> samples) {
  TT_RETURN_IF_ERROR(LoadNewest());
  if (newest_ == kMaxNumber) return OkStatus();
  const std::optional<std::string> octets = Dictionary::Train(samples);
  if (!octets) return OkStatus();
  TT_RETURN_IF_ERROR(Query(insert_).Bind(newest_ + 1).BindBlob(*octets).Run());
  ++newest_;
  return OkStatus();
}

}  // namespace twintree::storage::sqlite
