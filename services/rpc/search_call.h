// One SearchEntries call: entries gather in a message while another is being written.
//
// Thread-safety: safe.
#ifndef TWINTREE_SERVICES_RPC_SEARCH_CALL_H_
#define TWINTREE_SERVICES_RPC_SEARCH_CALL_H_

#include <grpcpp/support/server_callback.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "services/directory/directory.h"
#include "services/model/result.h"
#include "services/rpc/entry_codec.h"
#include "services/rpc/entry_message.h"
#include "services/rpc/observer.h"
#include "services/rpc/search_calls.h"

namespace twintree::rpc {

class SearchCall final : public grpc::ServerWriteReactor<grpc::ByteBuffer>,
                         public directory::SearchSink,
                         public std::enable_shared_from_this<SearchCall> {
 public:
  // Keeps nothing of the request, which is gone once a cancelled call has ended.
  SearchCall(ObservedCall call, const directory_pb::SearchEntriesRequest& request);

  // Before the call is handed to gRPC. `context`: the call's. False when `calls` has no place for
  // it, and it has ended.
  bool Start(grpc::CallbackServerContext* context, std::shared_ptr<SearchCalls> calls);
  // Breaks the call off, whatever it is doing.
  void CutOff();
  // Since when a message has waited for the reader; nullopt if none does.
  std::optional<std::chrono::steady_clock::time_point> writing_since() const;
  // The caller is known: searches. At most once, and not with Refuse().
  void Search(directory::Directory* directory, const directory::RequestContext& context);
  // `field`: of the request, to blame for an INVALID_ARGUMENT.
  void Refuse(const model::Error& error, std::string_view field = "filter");
  // Ends the call, if nothing has.
  void FinishWith(grpc::Status status);
  // In the call's answer: lost when the call is cancelled.
  const std::shared_ptr<directory::SingleInterest>& interest() const { return interest_; }
  void SetSubject(std::string_view dn) const { call_.SetSubject(dn); }

  Flow OnEntry(std::string_view dn, std::span<const std::string_view> pieces) override;
  void Flush() override;
  void OnDone(directory::SearchOutcome outcome) override;

  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

 private:
  SearchCall(ObservedCall call, const directory_pb::SearchEntriesRequest& request,
             const AttributeSelection& selection);

  enum class Step { kNothing, kWrite, kWriteAndFinish, kFinish };

  Step Next();  // REQUIRES: mutex_ is held
  void Do(Step step);

  const ObservedCall call_;
  const std::string base_dn_;
  const bool hide_csn_;
  const std::shared_ptr<directory::SingleInterest> interest_ =
      std::make_shared<directory::SingleInterest>();
  model::Result<directory::SearchRequest> search_;
  std::shared_ptr<SearchCall> self_;
  std::shared_ptr<SearchCalls> calls_;  // constant once started
  std::size_t message_bytes_ = 0;       // likewise: a message is sent when it has grown to this
  std::atomic<std::chrono::steady_clock::rep> writing_since_{0};  // 0: nothing is written

  // Recursive, since a call that is cut off may end in that very moment.
  std::recursive_mutex context_mutex_;
  grpc::CallbackServerContext* context_ = nullptr;  // guarded by context_mutex_; null: gone

  std::mutex mutex_;
  // Guarded by mutex_.
  std::shared_ptr<directory::SearchOperation> operation_;
  std::string gathering_;  // the serialized response
  EntryMessage entry_;
  grpc::ByteBuffer in_flight_;
  grpc::Status status_;     // of the end
  bool searching_ = false;  // Search() of the directory has not returned: entries gather
  bool writing_ = false;
  bool full_ = false;  // the search waits for Resume()
  bool resume_on_return_ = false;
  bool ended_ = false;       // no further entry comes; status_ is final
  bool has_result_ = false;  // gathering_ holds the result
  bool cancelled_ = false;
  bool finished_ = false;
  bool damaged_ = false;  // an entry could not be read: status_ says so
};

}  // namespace twintree::rpc

#endif  // TWINTREE_SERVICES_RPC_SEARCH_CALL_H_
