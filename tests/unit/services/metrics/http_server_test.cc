#include "services/metrics/http_server.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include "services/metrics/process_metrics.h"

namespace twintree::metrics {
namespace {

using boost::asio::ip::tcp;

class HttpServerTest : public testing::Test {
 protected:
  void SetUp() override {
    HttpOptions options;
    options.listen = "127.0.0.1:0";
    options.started = [this] { return started_; };
    options.not_ready_because = [this] { return reason_; };
    options.collectables.push_back(std::make_shared<ProcessMetrics>(
        BuildInfo{"1.2.3", "a \"quoted\\ name\nof two lines", "1.51", "3.40", "serve"}, "f00",
        [] { return true; }));
    auto server = HttpServer::Start(options);
    ASSERT_TRUE(server.ok());
    server_ = std::move(server).value();
  }

  tcp::socket Connect(boost::asio::io_context& context) const {
    tcp::socket socket(context);
    const std::string address = server_->address();
    const std::size_t colon = address.rfind(':');
    boost::asio::connect(socket, tcp::resolver(context).resolve(address.substr(0, colon),
                                                                address.substr(colon + 1)));
    return socket;
  }

  // Everything the server sends for `octets` until it closes.
  std::string Exchange(const std::string& octets) const {
    boost::asio::io_context context;
    tcp::socket socket = Connect(context);
    boost::asio::write(socket, boost::asio::buffer(octets));
    std::string answer;
    boost::system::error_code error;
    boost::asio::read(socket, boost::asio::dynamic_buffer(answer), error);
    return answer;
  }
  std::string Get(const std::string& target, const std::string& method = "GET") const {
    return Exchange(method + " " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  }

  bool started_ = false;
  std::string reason_;
  std::unique_ptr<HttpServer> server_;
};

TEST_F(HttpServerTest, ServesMetricsInTextFormat) {
  const std::string page = Get("/metrics");
  EXPECT_NE(page.find("HTTP/1.1 200"), std::string::npos);
  EXPECT_NE(page.find("text/plain; version=0.0.4"), std::string::npos);
  EXPECT_NE(page.find("# TYPE process_cpu_seconds_total counter"), std::string::npos);
}

TEST_F(HttpServerTest, EscapesLabelValues) {
  EXPECT_NE(Get("/metrics").find(R"(revision="a \"quoted\\ name\nof two lines")"),
            std::string::npos);
}

TEST_F(HttpServerTest, ReadinessFollowsItsReason) {
  EXPECT_NE(Get("/readyz").find("HTTP/1.1 200"), std::string::npos);
  reason_ = "the store is being opened";
  const std::string page = Get("/readyz");
  EXPECT_NE(page.find("HTTP/1.1 503"), std::string::npos);
  EXPECT_NE(page.find("the store is being opened"), std::string::npos);
  EXPECT_NE(Get("/healthz").find("HTTP/1.1 200"), std::string::npos);
}

TEST_F(HttpServerTest, StartupEndsOnceAndLivenessIsAlwaysThere) {
  EXPECT_NE(Get("/startupz").find("HTTP/1.1 503"), std::string::npos);
  EXPECT_NE(Get("/livez").find("HTTP/1.1 200"), std::string::npos);
  started_ = true;
  reason_ = "ending";
  EXPECT_NE(Get("/startupz").find("HTTP/1.1 200"), std::string::npos);
  EXPECT_NE(Get("/livez").find("HTTP/1.1 200"), std::string::npos);
}

TEST_F(HttpServerTest, HeadHasNoBody) {
  const std::string page = Get("/healthz", "HEAD");
  EXPECT_NE(page.find("Content-Length: 3"), std::string::npos);
  EXPECT_EQ(page.substr(page.size() - 4), "\r\n\r\n");
}

TEST_F(HttpServerTest, RefusesOtherMethodsAndPages) {
  EXPECT_NE(Get("/nothing").find("HTTP/1.1 404"), std::string::npos);
  EXPECT_NE(Get("/metrics", "DELETE").find("HTTP/1.1 405"), std::string::npos);
}

TEST_F(HttpServerTest, OversizedAndForeignRequestsEndTheirConnectionOnly) {
  Exchange("GET /" + std::string(20000, 'a') + " HTTP/1.1\r\n\r\n");
  Exchange(std::string("\x30\x0c\x02\x01\x01\x60\x07\x02\x01\x03\x04\x00\x80\x00\r\n\r\n", 18));
  EXPECT_NE(Get("/healthz").find("HTTP/1.1 200"), std::string::npos);
}

TEST_F(HttpServerTest, TheOldestIdleConnectionMakesWay) {
  boost::asio::io_context context;
  std::vector<tcp::socket> idle;
  for (std::size_t i = 0; i < HttpServer::kMaxConnections; ++i) idle.push_back(Connect(context));
  EXPECT_NE(Get("/healthz").find("HTTP/1.1 200"), std::string::npos);
  char octet = 0;
  boost::system::error_code error;
  idle.front().read_some(boost::asio::buffer(&octet, 1), error);
  EXPECT_EQ(error, boost::asio::error::eof);
  idle.back().non_blocking(true);
  idle.back().read_some(boost::asio::buffer(&octet, 1), error);
  EXPECT_EQ(error, boost::asio::error::would_block);
}

TEST_F(HttpServerTest, SaysWhyItCannotListen) {
  HttpOptions options;
  options.listen = server_->address();
  const auto second = HttpServer::Start(options);
  ASSERT_EQ(second.code(), model::ResultCode::kOther);
  EXPECT_NE(second.error().message.find(server_->address()), std::string::npos);
}

}  // namespace
}  // namespace twintree::metrics
