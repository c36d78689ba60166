#include "services/import/chunk_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace twintree::import {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Kind = LdifChunk::Kind;

constexpr std::size_t kMaxRecord = 10'000;

std::vector<ImportInput> Inputs(const std::vector<std::string>& texts) {
  std::vector<ImportInput> inputs;
  for (const std::string& text : texts) inputs.push_back({"x", MakeStringSource(text)});
  return inputs;
}

std::vector<LdifChunk> ReadAll(const std::vector<ImportInput>& inputs, std::size_t chunk_bytes,
                               std::size_t max_record_bytes = kMaxRecord) {
  ChunkReader reader(inputs, chunk_bytes, max_record_bytes);
  std::vector<LdifChunk> chunks;
  for (LdifChunk chunk; reader.Next(&chunk); chunk = {}) chunks.push_back(std::move(chunk));
  return chunks;
}

std::vector<std::string> Texts(const std::vector<LdifChunk>& chunks) {
  std::vector<std::string> texts;
  for (const LdifChunk& chunk : chunks) texts.push_back(chunk.text);
  return texts;
}

TEST(ChunkReaderTest, CutsAtEmptyLines) {
  const auto chunks = ReadAll(Inputs({"a\nb\n\nc\n\nd\ne\n\nf"}), 5);
  EXPECT_THAT(Texts(chunks), ElementsAre("a\nb\n\n", "c\n\n", "d\ne\n\n", "f"));
}

TEST(ChunkReaderTest, CutsAtEmptyLinesThatEndAsWindowsEndsThem) {
  const auto chunks = ReadAll(Inputs({"a\r\nb\r\n\r\nc\r\n"}), 5);
  EXPECT_THAT(Texts(chunks), ElementsAre("a\r\nb\r\n\r\n", "c\r\n"));
}

TEST(ChunkReaderTest, DoesNotCutAtALineThatOnlyLooksEmpty) {
  EXPECT_EQ(LastRecordEnd("a\n \nb\n"), 0u);
  EXPECT_EQ(LastRecordEnd("a\r\r\nb\n"), 0u);
  EXPECT_EQ(LastRecordEnd("\nb\n"), 0u);
}

TEST(ChunkReaderTest, FindsTheEndsOfTheFirstAndTheLastRecord) {
  EXPECT_EQ(FirstRecordEnd("a\n\nb\n\nc"), 3u);
  EXPECT_EQ(LastRecordEnd("a\n\nb\n\nc"), 6u);
  EXPECT_EQ(FirstRecordEnd("a\r\n\r\nb\n"), 5u);
  EXPECT_EQ(LastRecordEnd("a\r\n\r\nb\n"), 5u);
  EXPECT_EQ(FirstRecordEnd("a\nb"), 0u);
  EXPECT_EQ(FirstRecordEnd(""), 0u);
  EXPECT_EQ(LastRecordEnd(""), 0u);
}

TEST(ChunkReaderTest, KeepsEveryOctetAndCountsLinesWithAnyChunkSize) {
  std::mt19937 random(3);
  const std::string alphabet = "ab\n\n\r ";
  for (int round = 0; round < 300; ++round) {
    std::string text;
    for (unsigned i = random() % 200; i > 0; --i) text += alphabet[random() % alphabet.size()];
    std::string joined;
    for (const LdifChunk& chunk : ReadAll(Inputs({text}), 1 + random() % 50)) {
      ASSERT_EQ(chunk.kind, Kind::kRecords);
      EXPECT_EQ(chunk.first_line, 1 + std::count(joined.begin(), joined.end(), '\n'));
      EXPECT_EQ(chunk.offset, joined.size());
      joined += chunk.text;
    }
    EXPECT_EQ(joined, text);
  }
}

TEST(ChunkReaderTest, StartsAnewWithEachInput) {
  const auto chunks = ReadAll(Inputs({"a\n", "", "b\n\nc\n"}), 100);
  EXPECT_THAT(Texts(chunks), ElementsAre("a\n", "b\n\nc\n"));
  EXPECT_EQ(chunks[1].input, 2u);
  EXPECT_EQ(chunks[1].first_line, 1u);
  EXPECT_EQ(chunks[1].offset, 2u);
}

TEST(ChunkReaderTest, GrowsAChunkForALongRecord) {
  const std::string record = std::string(3000, 'x') + "\n\n";
  const auto chunks = ReadAll(Inputs({record + std::string(4000, 'y')}), 10);
  ASSERT_EQ(chunks.size(), 2u);
  EXPECT_TRUE(chunks[0].text == record);
}

TEST(ChunkReaderTest, SkipsARecordThatIsTooLong) {
  for (std::size_t chunk_bytes = 1; chunk_bytes < 40; ++chunk_bytes) {
    std::string text = "a\n\n";
    for (int i = 0; i < 100; ++i) text += "xxxx\r\n";
    text += "\r\nb\n";
    const auto chunks = ReadAll(Inputs({text}), chunk_bytes, 100);
    ASSERT_EQ(chunks.size(), 3u);
    EXPECT_EQ(chunks[1].kind, Kind::kTooLong);
    EXPECT_EQ(chunks[1].first_line, 3u);
    EXPECT_THAT(chunks[1].text, IsEmpty());
    EXPECT_EQ(chunks[2].text, "b\n");
    EXPECT_EQ(chunks[2].first_line, 104u);
    EXPECT_EQ(chunks[2].offset, text.size() - 2);
  }
}

TEST(ChunkReaderTest, SkipsToTheEndWhenNothingFollows) {
  const auto chunks = ReadAll(Inputs({std::string(5000, 'x'), "b\n"}), 10, 100);
  ASSERT_EQ(chunks.size(), 2u);
  EXPECT_EQ(chunks[0].kind, Kind::kTooLong);
  EXPECT_EQ(chunks[1].text, "b\n");
}

// Gives some octets, then fails.
class BreakingSource final : public ByteSource {
 public:
  explicit BreakingSource(std::string octets) : octets_(std::move(octets)) {}
  model::Result<std::size_t> Read(char* out, std::size_t size) override {
    if (octets_.empty()) return model::Error{model::ResultCode::kOther, "it broke", ""};
    const std::size_t count = octets_.copy(out, size);
    octets_.erase(0, count);
    return count;
  }

 private:
  std::string octets_;
};

TEST(ChunkReaderTest, GivesWholeRecordsBeforeAFailureAndNothingAfterIt) {
  std::vector<ImportInput> inputs;
  inputs.push_back({"x", std::make_unique<BreakingSource>("a\n\nb\n\nhalf")});
  inputs.push_back({"y", MakeStringSource("c\n")});
  const auto chunks = ReadAll(inputs, 100);
  ASSERT_EQ(chunks.size(), 2u);
  EXPECT_EQ(chunks[0].text, "a\n\nb\n\n");
  EXPECT_EQ(chunks[1].kind, Kind::kFailure);
  EXPECT_EQ(chunks[1].first_line, 5u);
  ASSERT_TRUE(chunks[1].failure);
  EXPECT_EQ(chunks[1].failure->message, "it broke");
}

}  // namespace
}  // namespace twintree::import
