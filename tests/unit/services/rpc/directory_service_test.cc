// The public API from a client's side.
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "services/rpc/directory_client.h"
#include "tests/unit/services/rpc/directory_service_fixture.h"

namespace twintree::rpc {
namespace {

using directory::RequestContext;
using model::ResultCode;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

TEST_F(DirectoryServiceTest, GetsAnEntryWithItsEtag) {
  std::string attributes = OneAttribute("cn", "a") + OneAttribute("entryCSN", "csn");
  GenerateEntries(1, attributes);
  StartServer();
  const auto entry = Client()->Get("cn=0", {"cn"});
  ASSERT_TRUE(entry.ok()) << entry.error().message;
  EXPECT_EQ(entry->dn, "cn=0");
  EXPECT_EQ(entry->etag, "csn");
  ASSERT_EQ(entry->attributes.size(), 1u);
  EXPECT_EQ(entry->attributes[0].values, std::vector<std::string>{"a"});
  EXPECT_EQ(asked_.Get()->scope, directory::Scope::kBase);
  EXPECT_EQ(asked_.Get()->attributes, (std::vector<std::string>{"cn", "entryCSN"}));
}

TEST_F(DirectoryServiceTest, AMissingEntryIsNotFoundWithItsNearestAncestor) {
  directory::SearchOutcome outcome;
  outcome.code = ResultCode::kNoSuchObject;
  outcome.matched_dn = "dc=example";
  EndSearches(outcome);
  StartServer();
  const auto entry = Client()->Get("cn=a,dc=example", {});
  ASSERT_EQ(entry.code(), ResultCode::kNoSuchObject);
  EXPECT_EQ(entry.error().matched_dn, "dc=example");
}

TEST_F(DirectoryServiceTest, TheDeadlineReachesTheDirectory) {
  Later<steady_clock::time_point> deadline;
  directory_->on_delete = [deadline](const RequestContext& context, const auto&,
                                     const auto& done) mutable {
    deadline.Set(context.deadline);
    done({});
  };
  StartServer();
  EXPECT_TRUE(Client()->Delete("cn=a").ok());
  EXPECT_LT(*deadline.Get(), steady_clock::now() + kPatience + milliseconds(1000));
  EXPECT_GT(*deadline.Get(), steady_clock::now());
}

TEST_F(DirectoryServiceTest, ComparesAsAnAnswer) {
  directory_->on_compare = [](const auto&, const directory::CompareRequest& request,
                              const auto& done) {
    directory::Outcome outcome;
    outcome.code = request.value == "yes"  ? ResultCode::kCompareTrue
                   : request.value == "no" ? ResultCode::kCompareFalse
                                           : ResultCode::kNoSuchAttribute;
    done(outcome);
  };
  StartServer();
  EXPECT_EQ(*Client()->Compare("cn=a", "x", "yes"), true);
  EXPECT_EQ(*Client()->Compare("cn=a", "x", "no"), false);
  EXPECT_EQ(Client()->Compare("cn=a", "x", "?").code(), ResultCode::kNoSuchAttribute);
}

TEST_F(DirectoryServiceTest, CreateReturnsTheEntryAfterwards) {
  directory_->on_add = [](const auto&, const directory::AddRequest& request, const auto& done) {
    EXPECT_EQ(request.attributes.at(0).values, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(request.controls.post_read->attributes, (std::vector<std::string>{"cn", "entryCSN"}));
    directory::Outcome outcome;
    outcome.change_number = 5;
    outcome.post_read = {request.dn, OneAttribute("cn", "a") + OneAttribute("entryCSN", "csn")};
    done(outcome);
  };
  StartServer();
  pb::CreateEntryRequest request;
  request.mutable_entry()->set_dn("cn=a");
  auto* attribute = request.mutable_entry()->add_attributes();
  attribute->set_name("cn");
  attribute->add_values("a");
  attribute->add_values("b");
  request.add_return_attributes("cn");
  grpc::ClientContext context;
  pb::CreateEntryResponse response;
  ASSERT_TRUE(Stub()->CreateEntry(&context, request, &response).ok());
  EXPECT_EQ(response.change_number(), 5u);
  EXPECT_EQ(response.entry().dn(), "cn=a");
  EXPECT_EQ(response.entry().etag(), "csn");
  EXPECT_EQ(response.entry().attributes_size(), 1);
}

TEST_F(DirectoryServiceTest, AStaleEtagAborts) {
  directory_->on_modify = [](const auto&, const directory::ModifyRequest& request,
                             const auto& done) {
    directory::Outcome outcome;
    if (request.controls.assertion->value != "now") outcome.code = ResultCode::kAssertionFailed;
    done(outcome);
  };
  StartServer();
  const auto stub = Stub();
  pb::ModifyEntryRequest request;
  pb::ModifyEntryResponse response;
  for (const std::string etag : {"before", "now"}) {
    grpc::ClientContext context;
    request.set_etag(etag);
    EXPECT_EQ(stub->ModifyEntry(&context, request, &response).error_code(),
              etag == "now" ? grpc::StatusCode::OK : grpc::StatusCode::ABORTED);
  }
}

TEST_F(DirectoryServiceTest, AStaleEtagIsNamed) {
  directory_->on_delete = [](const auto&, const auto&, const auto& done) {
    done(directory::OutcomeOf({ResultCode::kAssertionFailed, "the assertion is not true", ""}));
  };
  StartServer();
  pb::DeleteEntryRequest request;
  request.set_etag("before");
  pb::DeleteEntryResponse response;
  grpc::ClientContext context;
  EXPECT_EQ(Stub()->DeleteEntry(&context, request, &response).error_message(),
            "the entry's etag is not \"before\" (any more)");
}

TEST_F(DirectoryServiceTest, EveryClientCallReachesItsOperation) {
  directory_->on_add = [](const auto&, const auto& request, const auto& done) {
    directory::Outcome outcome;
    outcome.change_number = request.attributes.size();
    done(outcome);
  };
  directory_->on_modify = [](const auto&, const auto& request, const auto& done) {
    directory::Outcome outcome;
    outcome.change_number = static_cast<std::uint64_t>(request.modifications.at(0).kind);
    done(outcome);
  };
  directory_->on_modify_dn = [](const auto&, const auto& request, const auto& done) {
    directory::Outcome outcome;
    outcome.change_number = request.new_superior == "dc=b" && !request.delete_old_rdn ? 8 : 0;
    done(outcome);
  };
  directory_->on_modify_password = [](const auto&, const auto& request, const auto& done) {
    directory::Outcome outcome;
    if (!request.new_password) outcome.generated_password = model::Secret("made up");
    done(outcome);
  };
  StartServer();
  const auto client = Client();
  EXPECT_EQ(*client->Add("cn=a", {{"cn", {"a"}}, {"sn", {"b"}}}), 2u);
  EXPECT_EQ(*client->Modify("cn=a", {{model::ModificationKind::kIncrement, {"x", {"1"}}}}), 3u);
  EXPECT_EQ(*client->Rename({"cn=a", "cn=b", false, "dc=b", {}}), 8u);
  EXPECT_EQ(client->ChangePassword({"cn=a", {}, {}})->Reveal(), "made up");
  EXPECT_TRUE(client->ChangePassword({"cn=a", {}, model::Secret("x")})->empty());
}

TEST_F(DirectoryServiceTest, AnUnreachableServerIsUnavailable) {
  DirectoryClientOptions options;
  options.target = "127.0.0.1:1";
  const auto client = std::move(DirectoryClient::Make(std::move(options))).value();
  EXPECT_EQ(client->Delete("cn=a").code(), ResultCode::kUnavailable);
}

TEST_F(DirectoryServiceTest, ErrorsCarryDetailsInTheTrailer) {
  StartServer();
  grpc::ClientContext context;
  pb::DeleteEntryRequest request;
  request.set_dn("cn=a");
  pb::DeleteEntryResponse response;
  const grpc::Status status = Stub()->DeleteEntry(&context, request, &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  google::rpc::Status details;
  ASSERT_TRUE(details.ParseFromString(status.error_details()));
  ASSERT_EQ(details.details_size(), 2);
  google::rpc::ErrorInfo info;
  ASSERT_TRUE(details.details(0).UnpackTo(&info));
  EXPECT_EQ(info.reason(), "UNWILLING");
  EXPECT_EQ(info.metadata().at("ldap_result_code"), "53");
  EXPECT_EQ(info.metadata().at("ldap_result_name"), "unwillingToPerform");
}

}  // namespace
}  // namespace twintree::rpc
