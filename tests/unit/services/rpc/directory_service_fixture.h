// The public API from a client's side, over a FakeDirectory.
#ifndef TWINTREE_TESTS_UNIT_SERVICES_RPC_DIRECTORY_SERVICE_FIXTURE_H_
#define TWINTREE_TESTS_UNIT_SERVICES_RPC_DIRECTORY_SERVICE_FIXTURE_H_

#include <grpcpp/create_channel.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "tests/unit/services/rpc/server_fixture.h"
#include "twintree/directory/v1/directory_service.grpc.pb.h"

namespace twintree::rpc {

namespace pb = ::twintree::directory::v1;

class DirectoryServiceTest : public ServerFixture {
 protected:
  // Searches give `count` entries with `attributes` and keep the request.
  void GenerateEntries(std::size_t count, std::string attributes) {
    directory_->on_search = [this, count, attributes = std::move(attributes)](
                                const auto&, const directory::SearchRequest& request,
                                const auto& sink) {
      asked_.Set(request);
      auto search = std::make_shared<GeneratedSearch>(sink, count, attributes);
      search_.Set(search);
      search->Start();
      return search;
    };
  }
  // An answer that waits for its reader.
  void GenerateLongAnswers() { GenerateEntries(10000, OneAttribute("cn", std::string(5000, 'x'))); }
  void EndSearches(directory::SearchOutcome outcome) {
    directory_->on_search = [outcome](const auto&, const auto&, const auto& sink) {
      sink->OnDone(outcome);
      return std::make_shared<GeneratedSearch>(sink, 0, "");
    };
  }
  // Deletes succeed and keep who asked.
  void KeepSubject() {
    directory_->on_delete = [this](const directory::RequestContext& context, const auto&,
                                   const auto& done) {
      subject_.Set(context.subject);
      done({});
    };
  }
  std::unique_ptr<pb::DirectoryService::Stub> Stub(
      const grpc::ChannelArguments& arguments = {}) const {
    return pb::DirectoryService::NewStub(grpc::CreateCustomChannel(
        server_->address(), grpc::InsecureChannelCredentials(), arguments));
  }

  Later<directory::SearchRequest> asked_;
  Later<std::shared_ptr<GeneratedSearch>> search_;
  Later<directory::Subject> subject_;
};

}  // namespace twintree::rpc

#endif  // TWINTREE_TESTS_UNIT_SERVICES_RPC_DIRECTORY_SERVICE_FIXTURE_H_
