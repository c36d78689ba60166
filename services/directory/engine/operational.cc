#include "services/directory/engine/operational.h"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <ctime>
#include <random>
#include <utility>

namespace twintree::directory {
namespace {

constexpr std::string_view kLastCsnSetting = "engine.last-csn";
constexpr std::uint32_t kMaxCsnCount = 0xffffff;

// Random octets, fetched from the kernel many at a time.
class RandomOctets {
 public:
  void Take(std::uint8_t* out, std::size_t count) {
    if (buffer_.size() - used_ < count) Refill();
    std::copy_n(buffer_.begin() + static_cast<std::ptrdiff_t>(used_), count, out);
    used_ += count;
  }

 private:
  void Refill() {
    std::size_t filled = 0;
    while (filled < buffer_.size()) {
      const ssize_t got = getrandom(buffer_.data() + filled, buffer_.size() - filled, 0);
      if (got > 0) filled += static_cast<std::size_t>(got);
    }
    used_ = 0;
  }

  std::array<std::uint8_t, 1024> buffer_{};
  std::size_t used_ = buffer_.size();
};

std::tm UtcOf(std::time_t seconds) {
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  return utc;
}

std::string FormatTime(const std::tm& utc) {
  std::array<char, 32> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y%m%d%H%M%S", &utc);
  return {text.data(), size};
}

std::int64_t MicrosOf(std::chrono::system_clock::time_point time) {
  return std::chrono::duration_cast<std::chrono::microseconds>(time.time_since_epoch()).count();
}

// The setting holds microseconds and count in decimal, with a space between.
bool ParseMark(std::string_view text, std::int64_t* micros, std::uint32_t* count) {
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, *micros);
  if (first.ec != std::errc() || first.ptr == end) return false;
  return std::from_chars(first.ptr + 1, end, *count).ec == std::errc();
}

}  // namespace

std::string MakeUuid() {
  thread_local RandomOctets random;
  std::array<std::uint8_t, 16> octets{};
  random.Take(octets.data(), octets.size());
  octets[6] = static_cast<std::uint8_t>((octets[6] & 0x0f) | 0x40);
  octets[8] = static_cast<std::uint8_t>((octets[8] & 0x3f) | 0x80);
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string uuid;
  uuid.reserve(36);
  for (std::size_t i = 0; i < octets.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) uuid.push_back('-');
    uuid.push_back(kDigits[octets[i] >> 4]);
    uuid.push_back(kDigits[octets[i] & 0x0f]);
  }
  return uuid;
}

std::string GeneralizedTime(std::chrono::system_clock::time_point time) {
  return FormatTime(UtcOf(std::chrono::system_clock::to_time_t(time))) + "Z";
}

model::Status CsnClock::ReadFloor(storage::WriteTransaction& transaction) {
  TT_ASSIGN_OR_RETURN(std::optional<std::string> mark, transaction.GetSetting(kLastCsnSetting));
  if (mark && !ParseMark(*mark, &micros_, &count_)) {
    return model::Error{
        model::ResultCode::kOther, "the last change sequence number is damaged", {}};
  }
  const storage::ChangeNumber version = transaction.version();
  if (version == 0) return {};
  std::vector<storage::Change> last;
  model::Status read = transaction.ReadChanges(version - 1, 1, &last);
  // The log may have been cut; the setting alone has to do then.
  if (!read.ok() && read.code() != model::ResultCode::kNoSuchObject) return read;
  if (last.empty()) return {};
  const std::int64_t committed = MicrosOf(last.front().commit_time);
  if (committed > micros_) {
    micros_ = committed;
    count_ = kMaxCsnCount;
  }
  return {};
}

model::Result<std::string> CsnClock::Next(storage::WriteTransaction& transaction,
                                          std::chrono::system_clock::time_point now) {
  std::lock_guard lock(mutex_);
  if (!started_) {
    TT_RETURN_IF_ERROR(ReadFloor(transaction));
    started_ = true;
  }
  const std::int64_t now_micros = MicrosOf(now);
  if (now_micros > micros_) {
    micros_ = now_micros;
    count_ = 0;
  } else if (count_ >= kMaxCsnCount) {
    ++micros_;
    count_ = 0;
  } else {
    ++count_;
  }
  // Ahead of the clock, time alone would not lead beyond this number after a restart.
  if (micros_ > now_micros) {
    TT_RETURN_IF_ERROR(transaction.PutSetting(
        kLastCsnSetting, std::to_string(micros_) + " " + std::to_string(count_)));
  }
  std::array<char, 40> tail{};
  const int size = std::snprintf(tail.data(), tail.size(), ".%06lldZ#%06x#000#000000",
                                 static_cast<long long>(micros_ % 1000000), count_);
  return FormatTime(UtcOf(static_cast<std::time_t>(micros_ / 1000000))) +
         std::string(tail.data(), static_cast<std::size_t>(size));
}

void SetValue(const model::AttributeType& type, std::string_view value,
              std::vector<model::Attribute>* attributes) {
  const auto found = std::find_if(
      attributes->begin(), attributes->end(), [&type](const model::Attribute& attribute) {
        return attribute.description.type == &type && attribute.description.options.empty();
      });
  if (found != attributes->end()) {
    found->values = {value};
    return;
  }
  model::Attribute attribute;
  attribute.description.type = &type;
  attribute.description.text = type.name();
  attribute.values.Append(value);
  attributes->push_back(std::move(attribute));
}

std::string FirstValue(const model::Entry& entry, const model::AttributeType& type) {
  const model::StoredAttribute* const attribute = entry.Find(type);
  if (attribute == nullptr) return {};
  for (std::string_view value : attribute->values()) return std::string(value);
  return {};
}

}  // namespace twintree::directory
