#include "services/import/chunk_reader.h"

#include <algorithm>
#include <utility>

namespace twintree::import {
namespace {

// Is the line that the newline at `at` ends an empty one? The first line of a text is not: what
// stands before it is not known.
bool EndsEmptyLine(const std::string& text, std::size_t at) {
  if (at >= 1 && text[at - 1] == '\n') return true;
  return at >= 2 && text[at - 1] == '\r' && text[at - 2] == '\n';
}

std::uint64_t CountLines(const std::string& text) {
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

std::size_t LastRecordEnd(const std::string& text) {
  for (std::size_t at = text.rfind('\n'); at != std::string::npos && at > 0;
       at = text.rfind('\n', at - 1)) {
    if (EndsEmptyLine(text, at)) return at + 1;
  }
  return 0;
}

std::size_t FirstRecordEnd(const std::string& text) {
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) {
    if (EndsEmptyLine(text, at)) return at + 1;
  }
  return 0;
}

ChunkReader::ChunkReader(const std::vector<ImportInput>& inputs, std::size_t chunk_bytes,
                         std::size_t max_record_bytes)
    : inputs_(inputs),
      chunk_bytes_(std::max<std::size_t>(chunk_bytes, 1)),
      max_record_bytes_(max_record_bytes) {}

bool ChunkReader::Next(LdifChunk* chunk) {
  while (input_ < inputs_.size()) {
    if (NextOfInput(chunk)) return true;
    ++input_;
    at_end_ = false;
    first_line_ = 1;
  }
  return false;
}

bool ChunkReader::NextOfInput(LdifChunk* chunk) {
  std::size_t wanted = chunk_bytes_;
  for (;;) {
    while (!at_end_ && buffer_.size() < wanted) Read();
    if (at_end_ && !failure_) break;
    const std::size_t end = LastRecordEnd(buffer_);
    if (end > 0) {
      Cut(end, chunk);
      return true;
    }
    if (failure_) {
      Describe(chunk);
      chunk->kind = LdifChunk::Kind::kFailure;
      chunk->text.clear();
      chunk->failure = std::move(failure_);
      input_ = inputs_.size();
      return true;
    }
    if (buffer_.size() / 2 > max_record_bytes_) {
      SkipRecord(chunk);
      return true;
    }
    wanted = 2 * buffer_.size();
  }
  if (buffer_.empty()) return false;
  Cut(buffer_.size(), chunk);
  return true;
}

void ChunkReader::Read() {
  const std::size_t size = buffer_.size();
  buffer_.resize(size + chunk_bytes_);
  model::Result<std::size_t> got =
      inputs_[input_].source->Read(buffer_.data() + size, chunk_bytes_);
  buffer_.resize(size + (got.ok() ? *got : 0));
  at_end_ = !got.ok() || *got == 0;
  if (!got.ok()) failure_ = std::move(got).error();
}

void ChunkReader::Describe(LdifChunk* chunk) const {
  chunk->input = input_;
  chunk->first_line = first_line_;
  chunk->offset = offset_;
  chunk->bytes_read = 0;
  for (const ImportInput& input : inputs_) chunk->bytes_read += input.source->bytes_read();
}

void ChunkReader::Cut(std::size_t size, LdifChunk* chunk) {
  Describe(chunk);
  chunk->kind = LdifChunk::Kind::kRecords;
  std::string rest = buffer_.substr(size);
  buffer_.resize(size);
  first_line_ += CountLines(buffer_);
  offset_ += size;
  chunk->text = std::exchange(buffer_, std::move(rest));
}

// Drops what the buffer holds, which is one record, and the rest of it in the input.
void ChunkReader::SkipRecord(LdifChunk* chunk) {
  Describe(chunk);
  chunk->kind = LdifChunk::Kind::kTooLong;
  chunk->text.clear();
  std::size_t end = 0;
  while (end == 0 && !at_end_) {
    // The last two octets may be the beginning of the empty line.
    const std::size_t dropped = buffer_.size() - std::min<std::size_t>(buffer_.size(), 2);
    first_line_ += static_cast<std::uint64_t>(
        std::count(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(dropped), '\n'));
    offset_ += dropped;
    buffer_.erase(0, dropped);
    Read();
    end = FirstRecordEnd(buffer_);
  }
  if (end == 0) end = buffer_.size();
  LdifChunk skipped;
  Cut(end, &skipped);
}

}  // namespace twintree::import
