#include "services/model/ldif_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <streambuf>
#include <string>
#include <utility>
#include <vector>

namespace twintree::model {
namespace {

using testing::ElementsAre;
using State = LdifLines::State;
using Numbered = std::pair<std::uint64_t, std::string>;

constexpr std::size_t kNoLimit = 1 << 20;

std::vector<Numbered> LinesOf(const LdifLines& lines) {
  std::vector<Numbered> copies;
  for (const LdifLine& line : lines.lines()) copies.emplace_back(line.number, line.text);
  return copies;
}

// Every record of `text`, up to the first thing that is none.
std::vector<std::vector<Numbered>> RecordsOf(const std::string& text) {
  std::istringstream input(text);
  LdifLines lines(input, kNoLimit, 0);
  std::vector<std::vector<Numbered>> records;
  while (lines.ReadRecord() == State::kRecord) records.push_back(LinesOf(lines));
  return records;
}

TEST(LdifLinesTest, EmptyLinesSeparateRecords) {
  EXPECT_THAT(RecordsOf("\n\na: 1\nb: 2\n\n\nc: 3"),
              ElementsAre(ElementsAre(Numbered(3, "a: 1"), Numbered(4, "b: 2")),
                          ElementsAre(Numbered(7, "c: 3"))));
}

TEST(LdifLinesTest, UnfoldsDroppingExactlyOneBlank) {
  EXPECT_THAT(RecordsOf("a: 1\n 2\n  3\n \nb: 4\n"),
              ElementsAre(ElementsAre(Numbered(1, "a: 12 3"), Numbered(5, "b: 4"))));
}

TEST(LdifLinesTest, CommentsContinueTooAndDoNotSeparate) {
  EXPECT_THAT(RecordsOf("# x\n y\na: 1\n# z\n  folded\nb: 2\n"),
              ElementsAre(ElementsAre(Numbered(3, "a: 1"), Numbered(6, "b: 2"))));
}

TEST(LdifLinesTest, AcceptsCarriageReturns) {
  EXPECT_THAT(RecordsOf("a: 1\r\n 2\r\n\r\nb: 3\r"),
              ElementsAre(ElementsAre(Numbered(1, "a: 12")), ElementsAre(Numbered(4, "b: 3"))));
}

TEST(LdifLinesTest, SkipsAByteOrderMark) {
  EXPECT_THAT(RecordsOf("\xef\xbb\xbf"
                        "a: 1\n"),
              ElementsAre(ElementsAre(Numbered(1, "a: 1"))));
}

TEST(LdifLinesTest, AContinuationNeedsALine) {
  std::istringstream input("a: 1\n\n b\nc: 2\n\nd: 3\n");
  LdifLines lines(input, kNoLimit, 0);
  EXPECT_EQ(lines.ReadRecord(), State::kRecord);
  EXPECT_EQ(lines.ReadRecord(), State::kMalformed);
  EXPECT_EQ(lines.problem_line(), 3u);
  EXPECT_EQ(lines.ReadRecord(), State::kRecord);
  EXPECT_THAT(LinesOf(lines), ElementsAre(Numbered(6, "d: 3")));
  EXPECT_EQ(lines.ReadRecord(), State::kEnd);
  EXPECT_EQ(lines.ReadRecord(), State::kEnd);
}

TEST(LdifLinesTest, LinesMayBeLongerThanTheBuffer) {
  for (const std::size_t size : {16382u, 16383u, 16384u, 16385u, 32766u, 32767u, 100000u}) {
    const std::string value(size, 'v');
    EXPECT_THAT(RecordsOf(value + "\nb: 2\n"),
                ElementsAre(ElementsAre(Numbered(1, value), Numbered(2, "b: 2"))))
        << size;
    EXPECT_THAT(RecordsOf(value), ElementsAre(ElementsAre(Numbered(1, value)))) << size;
  }
}

TEST(LdifLinesTest, ARecordOverTheLimitIsSkippedAndReportedWhereItCrosses) {
  std::istringstream input("a: 1\nb: 2\n" + std::string(100000, 'x') + "\nc: 3\n\nd: 4\n");
  LdifLines lines(input, 50, 0);
  EXPECT_EQ(lines.ReadRecord(), State::kMalformed);
  EXPECT_EQ(lines.problem_line(), 3u);
  EXPECT_EQ(lines.ReadRecord(), State::kRecord);
  EXPECT_THAT(LinesOf(lines), ElementsAre(Numbered(6, "d: 4")));
}

TEST(LdifLinesTest, ManyShortLinesCountAsWell) {
  std::istringstream input("a:\na:\na:\n\n");
  LdifLines lines(input, 50, 20);
  EXPECT_EQ(lines.ReadRecord(), State::kMalformed);
  EXPECT_EQ(lines.problem_line(), 3u);
}

TEST(LdifLinesTest, LongCommentsDoNotCount) {
  std::istringstream input("a: 1\n#" + std::string(100000, 'x') + "\nb: 2\n");
  LdifLines lines(input, 50, 0);
  EXPECT_EQ(lines.ReadRecord(), State::kRecord);
  EXPECT_THAT(LinesOf(lines), ElementsAre(Numbered(1, "a: 1"), Numbered(3, "b: 2")));
}

// Gives its text, then fails like a disk does.
class FailingBuffer : public std::streambuf {
 public:
  explicit FailingBuffer(std::string text) : text_(std::move(text)) {
    setg(text_.data(), text_.data(), text_.data() + text_.size());
  }

 protected:
  int_type underflow() override { throw std::ios_base::failure("unreadable"); }

 private:
  std::string text_;
};

TEST(LdifLinesTest, AReadErrorIsNotTheEnd) {
  FailingBuffer buffer("a: 1\n\nb: 2\nc: ");
  std::istream input(&buffer);
  LdifLines lines(input, kNoLimit, 0);
  EXPECT_EQ(lines.ReadRecord(), State::kRecord);
  EXPECT_EQ(lines.ReadRecord(), State::kUnreadable);
  EXPECT_EQ(lines.problem_line(), 4u);
  EXPECT_EQ(lines.ReadRecord(), State::kUnreadable);
}

TEST(LdifLinesTest, AStreamThatWasNeverOpenIsUnreadable) {
  std::istringstream input("a: 1\n");
  input.setstate(std::ios::failbit);
  LdifLines lines(input, kNoLimit, 0);
  EXPECT_EQ(lines.ReadRecord(), State::kUnreadable);
}

}  // namespace
}  // namespace twintree::model
