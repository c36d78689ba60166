#include "services/rpc/port_splitter.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "services/log/log.h"
#include "tests/unit/services/rpc/raw_connection.h"

namespace twintree::rpc {
namespace {

using std::chrono::milliseconds;

class PortSplitterTest : public testing::Test {
 protected:
  // Side and what has come so far.
  using Taken = std::vector<std::pair<std::string, std::string>>;

  void Start(milliseconds first_octet_limit, std::size_t max_undecided) {
    auto listener = ListenTcp("127.0.0.1:0", milliseconds(20000));
    ASSERT_TRUE(listener.ok()) << listener.error().message;
    port_ = listener->port;
    PortSplitterOptions options;
    options.take_tls = [this](OwnedFd fd, int) { Take("tls", fd); };
    options.take_plain = [this](OwnedFd fd, int) { Take("plain", fd); };
    options.first_octet_limit = first_octet_limit;
    options.max_undecided = max_undecided;
    options.kept_descriptors = kept_descriptors_;
    auto started = PortSplitter::Start(std::move(listener).value(), std::move(options));
    ASSERT_TRUE(started.ok()) << started.error().message;
    splitter_ = std::move(started).value();
  }
  void Take(const std::string& side, const OwnedFd& fd) {
    char octets[16];
    const ssize_t count = recv(fd.get(), octets, sizeof octets, MSG_DONTWAIT);
    std::lock_guard lock(mutex_);
    taken_.emplace_back(side, std::string(octets, count > 0 ? static_cast<std::size_t>(count) : 0));
    changed_.notify_all();
  }
  Taken WaitFor(std::size_t count, milliseconds limit = kPatience) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, limit, [&] { return taken_.size() >= count; });
    return taken_;
  }

  int port_ = 0;
  std::size_t kept_descriptors_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  Taken taken_;  // guarded by mutex_
  std::unique_ptr<PortSplitter> splitter_;
};

TEST_F(PortSplitterTest, TheFirstOctetDecidesAndIsLeftToTheTaker) {
  Start(kPatience, 16);
  const RawConnection tls(port_);
  ASSERT_TRUE(tls.Send("\x16\x03"));
  EXPECT_EQ(WaitFor(1), (Taken{{"tls", "\x16\x03"}}));
  const RawConnection plain(port_);
  ASSERT_TRUE(plain.Send("PRI"));
  EXPECT_EQ(WaitFor(2).back(), (std::pair<std::string, std::string>("plain", "PRI")));
}

TEST_F(PortSplitterTest, ClosesASilentClientAtTheLimit) {
  Start(milliseconds(50), 16);
  const RawConnection silent(port_);
  EXPECT_TRUE(silent.WaitUntilClosed());
  EXPECT_TRUE(WaitFor(0).empty());
}

TEST_F(PortSplitterTest, TheLongestSilentMakesRoomForTheNext) {
  Start(kPatience * 10, 2);
  const RawConnection first(port_);
  const RawConnection second(port_);
  const RawConnection third(port_);
  EXPECT_TRUE(first.WaitUntilClosed());
  ASSERT_TRUE(second.Send("a"));
  ASSERT_TRUE(third.Send("b"));
  EXPECT_EQ(WaitFor(2).size(), 2U);
}

TEST_F(PortSplitterTest, AClientThatLeavesIsForgotten) {
  Start(kPatience * 10, 1);
  { const RawConnection gone(port_); }
  const RawConnection next(port_);
  ASSERT_TRUE(next.Send("a"));
  EXPECT_EQ(WaitFor(1), (Taken{{"plain", "a"}}));
}

TEST_F(PortSplitterTest, AcceptsAgainWhenThereAreDescriptorsAgain) {
  Start(kPatience, 16);
  RawConnection client;
  rlimit usual{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &usual), 0);
  // To look at a class for the first time, the sanitizers need descriptors; so what is logged
  // below is logged once before.
  log::Warning("accept_failed").With("protocol", "grpc").With("error", "none yet");
  const rlimit none{0, usual.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  const bool connected = client.Connect(port_) && client.Send("a");
  const Taken taken = WaitFor(1, milliseconds(50));
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &usual), 0);
  EXPECT_TRUE(connected);
  EXPECT_TRUE(taken.empty());
  EXPECT_EQ(WaitFor(1), (Taken{{"plain", "a"}}));
}

TEST_F(PortSplitterTest, ConnectionsLeaveDescriptorsToOthers) {
  rlimit usual{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &usual), 0);
  kept_descriptors_ = usual.rlim_cur;
  Start(kPatience, 16);
  const RawConnection refused(port_);
  EXPECT_TRUE(refused.WaitUntilClosed());
  EXPECT_TRUE(WaitFor(0).empty());
}

TEST_F(PortSplitterTest, StopClosesTheSilentAndTheDoor) {
  Start(kPatience * 10, 16);
  const RawConnection decided(port_);
  ASSERT_TRUE(decided.Send("a"));
  const RawConnection silent(port_);
  ASSERT_EQ(WaitFor(1).size(), 1U);
  splitter_->Stop();
  splitter_->Stop();
  EXPECT_TRUE(silent.WaitUntilClosed());
  RawConnection late;
  EXPECT_FALSE(late.Connect(port_));
}

}  // namespace
}  // namespace twintree::rpc
