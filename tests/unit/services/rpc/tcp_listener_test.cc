#include "services/rpc/tcp_listener.h"

#include <gtest/gtest.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <string>

#include "tests/unit/services/rpc/raw_connection.h"

namespace twintree::rpc {
namespace {

constexpr std::chrono::milliseconds kUserTimeout{20000};

TEST(TcpListenerTest, AWildcardIsReachedOverIpv4) {
  for (const std::string listen : {"0.0.0.0:0", "[::]:0"}) {
    const auto listener = ListenTcp(listen, kUserTimeout);
    ASSERT_TRUE(listener.ok()) << listener.error().message;
    EXPECT_NE(listener->port, 0);
    EXPECT_EQ(listener->sockets.size(), 1U);
    RawConnection client;
    EXPECT_TRUE(client.Connect(listener->port)) << listen;
  }
}

TEST(TcpListenerTest, ANameIsOnePort) {
  const auto listener = ListenTcp("localhost:0", kUserTimeout);
  ASSERT_TRUE(listener.ok()) << listener.error().message;
  RawConnection client;
  EXPECT_TRUE(client.Connect(listener->port));
}

TEST(TcpListenerTest, AcceptedSocketsInheritTheirOptions) {
  const auto listener = ListenTcp("127.0.0.1:0", kUserTimeout);
  ASSERT_TRUE(listener.ok()) << listener.error().message;
  const RawConnection client(listener->port);
  const OwnedFd accepted(accept(listener->sockets[0].get(), nullptr, nullptr));
  ASSERT_GE(accepted.get(), 0);
  for (const auto& [option, expected] :
       {std::pair(TCP_NODELAY, 1), std::pair(TCP_USER_TIMEOUT, 20000)}) {
    int value = -1;
    socklen_t size = sizeof value;
    ASSERT_EQ(getsockopt(accepted.get(), IPPROTO_TCP, option, &value, &size), 0);
    EXPECT_EQ(value, expected);
  }
}

TEST(TcpListenerTest, NamesAnAddressThatIsNone) {
  for (const std::string listen : {"", "localhost", ":1", "127.0.0.1:", "127.0.0.1:70000",
                                   "127.0.0.1:x", "::1:80", "[::1:80", "dns:///localhost:80"}) {
    const auto listener = ListenTcp(listen, kUserTimeout);
    ASSERT_EQ(listener.code(), model::ResultCode::kOther) << listen;
    EXPECT_NE(listener.error().message.find("cannot listen for gRPC on " + listen),
              std::string::npos);
  }
}

TEST(TcpListenerTest, APortIsNotShared) {
  const auto first = ListenTcp("127.0.0.1:0", kUserTimeout);
  ASSERT_TRUE(first.ok()) << first.error().message;
  const auto second = ListenTcp("127.0.0.1:" + std::to_string(first->port), kUserTimeout);
  EXPECT_EQ(second.code(), model::ResultCode::kOther);
}

}  // namespace
}  // namespace twintree::rpc
