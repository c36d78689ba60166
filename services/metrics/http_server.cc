#include "services/metrics/http_server.h"

#include <prometheus/text_serializer.h>

#include <chrono>
#include <list>
#include <optional>
#include <thread>
#include <utility>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

#include "services/log/log.h"

namespace twintree::metrics {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;

constexpr std::size_t kMaxRequestBytes = 8 * 1024;
constexpr std::chrono::seconds kIdleTime{10};

struct Answer {
  http::status status = http::status::ok;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
};

Answer MetricsPage(const HttpOptions& options) {
  std::vector<prometheus::MetricFamily> families;
  for (const auto& collectable : options.collectables) {
    for (prometheus::MetricFamily& family : collectable->Collect()) {
      if (!family.metric.empty()) families.push_back(std::move(family));
    }
  }
  return {http::status::ok, "text/plain; version=0.0.4; charset=utf-8",
          prometheus::TextSerializer().Serialize(families)};
}

Answer Readiness(const HttpOptions& options) {
  const std::string reason = options.not_ready_because();
  if (reason.empty()) return {http::status::ok, "text/plain; charset=utf-8", "ready\n"};
  return {http::status::service_unavailable, "text/plain; charset=utf-8",
          "not ready: " + reason + "\n"};
}

Answer Startup(const HttpOptions& options) {
  if (options.started()) return {http::status::ok, "text/plain; charset=utf-8", "started\n"};
  return {http::status::service_unavailable, "text/plain; charset=utf-8", "starting\n"};
}

Answer LandingPage() {
  return {http::status::ok, "text/html; charset=utf-8",
          "<!doctype html><title>Twintree</title><h1>Twintree</h1><ul>"
          "<li><a href=\"/metrics\">metrics</a><li><a href=\"/livez\">livez</a>"
          "<li><a href=\"/startupz\">startupz</a><li><a href=\"/readyz\">readyz</a></ul>\n"};
}

Answer AnswerFor(const HttpOptions& options, const http::request<http::empty_body>& request) {
  if (request.method() != http::verb::get && request.method() != http::verb::head) {
    return {http::status::method_not_allowed, "text/plain; charset=utf-8", "only GET and HEAD\n"};
  }
  const std::string_view target(request.target().data(), request.target().size());
  const std::string_view path = target.substr(0, target.find('?'));
  if (path == "/metrics") return MetricsPage(options);
  if (path == "/startupz") return Startup(options);
  if (path == "/readyz") return Readiness(options);
  if (path == "/healthz" || path == "/livez")
    return {http::status::ok, "text/plain; charset=utf-8", "ok\n"};
  if (path == "/") return LandingPage();
  return {http::status::not_found, "text/plain; charset=utf-8", "no such page\n"};
}

class HttpSession;

// The clients, in the order in which they began to wait for what they do now. Belongs to the
// server's thread.
using HttpSessions = std::list<HttpSession*>;

// One client. Lives as long as an operation on its socket is under way.
class HttpSession : public std::enable_shared_from_this<HttpSession> {
 public:
  HttpSession(tcp::socket socket, const HttpOptions& options, HttpSessions& sessions)
      : stream_(std::move(socket)),
        options_(options),
        sessions_(sessions),
        place_(sessions_.insert(sessions_.end(), this)) {}
  ~HttpSession() {
    if (place_ != sessions_.end()) sessions_.erase(place_);
  }

  // At most once.
  void Close() {
    sessions_.erase(std::exchange(place_, sessions_.end()));
    beast::error_code ignored;
    stream_.socket().close(ignored);
  }

  void Read() {
    NoteProgress();
    parser_.emplace();
    parser_->header_limit(kMaxRequestBytes);
    parser_->body_limit(0);
    stream_.expires_after(kIdleTime);
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](beast::error_code error, std::size_t) {
                       if (!error) self->Write();
                     });
  }

 private:
  void NoteProgress() {
    if (place_ != sessions_.end()) sessions_.splice(sessions_.end(), sessions_, place_);
  }

  void Write() {
    NoteProgress();
    const http::request<http::empty_body>& request = parser_->get();
    Answer answer = AnswerFor(options_, request);
    response_ = {};
    response_.version(request.version());
    response_.result(answer.status);
    response_.set(http::field::content_type, answer.type);
    response_.set(http::field::server, "Twintree");
    response_.keep_alive(request.keep_alive());
    response_.content_length(answer.body.size());
    if (answer.status == http::status::method_not_allowed)
      response_.set(http::field::allow, "GET, HEAD");
    if (request.method() != http::verb::head) response_.body() = std::move(answer.body);
    serializer_.emplace(response_);
    if (request.method() == http::verb::head) {
      http::async_write_header(stream_, *serializer_, Written());
    } else {
      http::async_write(stream_, *serializer_, Written());
    }
  }

  std::function<void(beast::error_code, std::size_t)> Written() {
    return [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (error) return;
      if (self->response_.keep_alive()) {
        self->Read();
      } else {
        beast::error_code ignored;
        self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
      }
    };
  }

  beast::tcp_stream stream_;
  const HttpOptions& options_;
  HttpSessions& sessions_;
  HttpSessions::iterator place_;  // end: closed
  beast::flat_buffer buffer_{kMaxRequestBytes};
  std::optional<http::request_parser<http::empty_body>> parser_;
  http::response<http::string_body> response_;
  std::optional<http::response_serializer<http::string_body>> serializer_;
};

class BeastHttpServer : public HttpServer {
 public:
  explicit BeastHttpServer(HttpOptions options) : options_(std::move(options)) {}
  ~BeastHttpServer() override { Stop(); }

  model::Status Listen() {
    const std::size_t colon = options_.listen.rfind(':');
    if (colon == std::string::npos) return Failure("the address must be HOST:PORT");
    std::string host = options_.listen.substr(0, colon);
    if (host.size() > 2 && host.front() == '[') host = host.substr(1, host.size() - 2);
    if (host == "*") host.clear();  // as the other listeners have it
    beast::error_code error;
    const auto found = tcp::resolver(context_).resolve(host, options_.listen.substr(colon + 1),
                                                       tcp::resolver::passive, error);
    if (error) return Failure(error.message());
    const tcp::endpoint endpoint = found.begin()->endpoint();
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (error) return Failure(error.message());
    host_ = endpoint.address().is_v6() ? "[" + endpoint.address().to_string() + "]"
                                       : endpoint.address().to_string();
    Accept();
    thread_ = std::thread([this] { Run(); });
    return model::OkStatus();
  }

  std::string address() const override {
    beast::error_code ignored;
    return host_ + ":" + std::to_string(acceptor_.local_endpoint(ignored).port());
  }

  void Stop() override {
    context_.stop();
    if (thread_.joinable()) thread_.join();
  }

 private:
  model::Error Failure(const std::string& reason) const {
    return {model::ResultCode::kOther,
            "cannot listen for HTTP on " + options_.listen + ": " + reason, ""};
  }

  void Run() {
    for (;;) {
      try {
        context_.run();
        return;
      } catch (const std::exception& exception) {
        log::Error("http_failed").With("reason", exception.what());
      }
    }
  }

  void Accept() {
    acceptor_.async_accept([this](beast::error_code error, tcp::socket socket) {
      if (error) {
        log::Warning("http_accept_failed").With("reason", error.message());
        timer_.expires_after(std::chrono::milliseconds(100));
        timer_.async_wait([this](beast::error_code stopped) {
          if (!stopped) Accept();
        });
        return;
      }
      // Whoever has waited longest has nothing to say, or takes nothing: room for one that may.
      if (sessions_.size() >= kMaxConnections) sessions_.front()->Close();
      std::make_shared<HttpSession>(std::move(socket), options_, sessions_)->Read();
      Accept();
    });
  }

  const HttpOptions options_;
  HttpSessions sessions_;  // outlives the sessions that the context holds
  asio::io_context context_{1};
  tcp::acceptor acceptor_{context_};
  asio::steady_timer timer_{context_};
  std::string host_;
  std::thread thread_;
};

}  // namespace

model::Result<std::unique_ptr<HttpServer>> HttpServer::Start(HttpOptions options) {
  auto server = std::make_unique<BeastHttpServer>(std::move(options));
  TT_RETURN_IF_ERROR(server->Listen());
  return std::unique_ptr<HttpServer>(std::move(server));
}

}  // namespace twintree::metrics
