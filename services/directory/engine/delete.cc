// Delete (RFC 4511 4.8).
#include <memory>
#include <utility>

#include "services/directory/engine/assertion.h"
#include "services/directory/engine/operations.h"
#include "services/directory/engine/write_task.h"
#include "services/directory/request_size.h"

namespace twintree::directory {
namespace {

using model::Error;
using model::ResultCode;
using model::Status;
using storage::kNoEntry;
using storage::StoredEntryPtr;
using storage::WriteTransaction;

class DeleteTask final : public WriteTask {
 public:
  DeleteTask(Engine& engine, const RequestContext& context, DeleteRequest request,
             Directory::Callback done)
      : WriteTask(engine, context, std::move(done)), request_(std::move(request)) {}

 protected:
  Status Prepare() override {
    TT_ASSIGN_OR_RETURN(key_, schema().NormalizeDn(request_.dn));
    return {};
  }

  Status Apply(WriteTransaction& transaction, Request& request) override {
    TT_ASSIGN_OR_RETURN(const StoredEntryPtr entry, Find(request, key_));
    EntryTarget target(request);
    target.Show(*entry);
    TT_RETURN_IF_ERROR(CheckRights(request, *entry, target));
    TT_ASSIGN_OR_RETURN(const std::uint64_t children, transaction.CountChildren(entry->id, 1));
    if (children > 0) {
      return Error{ResultCode::kNotAllowedOnNonLeaf, "the entry has subordinates", {}};
    }
    TT_RETURN_IF_ERROR(CheckAssertion(request_.controls, target));
    TT_RETURN_IF_ERROR(Read(target, request_.controls.pre_read, &outcome().pre_read));
    storage::Change change = ChangeOf(storage::ChangeKind::kDelete, *entry, target.dn());
    TT_RETURN_IF_ERROR(target.status());
    TT_RETURN_IF_ERROR(transaction.Remove(entry->id));
    return transaction.AppendChange(std::move(change));
  }

 private:
  Status CheckRights(Request& request, const storage::StoredEntry& entry, EntryTarget& target) {
    if (request.unrestricted()) return {};
    constexpr std::string_view kRefused = "no right to delete this entry";
    if (!target.MayWriteEntry() || entry.parent == kNoEntry) {
      return request.Refusal(target, entry.parent, kRefused);
    }
    TT_ASSIGN_OR_RETURN(const StoredEntryPtr parent, request.Get(entry.parent));
    EntryTarget above(request);
    above.Show(*parent);
    if (above.MayWriteChildren()) return above.status();
    return request.Refusal(target, entry.parent, kRefused);
  }

  DeleteRequest request_;
  model::DnKey key_;
};

}  // namespace

void RunDelete(Engine& engine, const RequestContext& context, DeleteRequest request,
               Directory::Callback done) {
  const std::size_t bytes = SizeOf(request);
  std::make_shared<DeleteTask>(engine, context, std::move(request), std::move(done))->Start(bytes);
}

}  // namespace twintree::directory
