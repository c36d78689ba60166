// Both ends of the gateway stream: RemoteDirectory, GrpcServer and a directory of the test's.
#ifndef TWINTREE_TESTS_UNIT_SERVICES_RPC_GATEWAY_STREAM_FIXTURE_H_
#define TWINTREE_TESTS_UNIT_SERVICES_RPC_GATEWAY_STREAM_FIXTURE_H_

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/services/rpc/server_fixture.h"

namespace twintree::rpc {

class GatewayStreamTest : public ServerFixture {
 protected:
  // Searches give `count` entries with `attributes`, and are kept in searches_.
  void GenerateEntries(std::size_t count, std::string attributes) {
    directory_->on_search = [this, count, attributes = std::move(attributes)](
                                const auto&, const auto&, const auto& sink) {
      auto search = std::make_shared<GeneratedSearch>(sink, count, attributes);
      {
        std::lock_guard lock(mutex_);
        searches_.push_back(search);
      }
      search->Start();
      return search;
    };
  }
  std::shared_ptr<GeneratedSearch> FirstSearch() {
    std::lock_guard lock(mutex_);
    return searches_.empty() ? nullptr : searches_.front();
  }
  void AnswerDeletes() {
    directory_->on_delete = [](const auto&, const directory::DeleteRequest& request,
                               const auto& done) {
      directory::Outcome outcome;
      outcome.diagnostic = request.dn;
      done(outcome);
    };
  }
  // Deletes are taken and never answered; Get() of the result waits for the first to arrive.
  Later<bool> SwallowDeletes() {
    Later<bool> arrived;
    directory_->on_delete = [arrived](const auto&, const auto&, const auto&) mutable {
      arrived.Set(true);
    };
    return arrived;
  }

  std::mutex mutex_;
  std::vector<std::shared_ptr<GeneratedSearch>> searches_;
};

}  // namespace twintree::rpc

#endif  // TWINTREE_TESTS_UNIT_SERVICES_RPC_GATEWAY_STREAM_FIXTURE_H_
