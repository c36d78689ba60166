// Password modify (RFC 3062).
#include <cctype>
#include <memory>
#include <utility>

#include "services/directory/engine/change_record.h"
#include "services/directory/engine/operations.h"
#include "services/directory/engine/write_task.h"
#include "services/directory/request_size.h"

namespace twintree::directory {
namespace {

using model::Attribute;
using model::Error;
using model::ResultCode;
using model::Status;
using storage::StoredEntryPtr;
using storage::WriteTransaction;

// The name in "dn:..." or a name itself.
std::string_view NameOfUser(std::string_view user) {
  const bool prefixed = user.size() >= 3 &&
                        std::tolower(static_cast<unsigned char>(user[0])) == 'd' &&
                        std::tolower(static_cast<unsigned char>(user[1])) == 'n' && user[2] == ':';
  return prefixed ? user.substr(3) : user;
}

class ModifyPasswordTask final : public WriteTask {
 public:
  ModifyPasswordTask(Engine& engine, const RequestContext& context, ModifyPasswordRequest request,
                     Directory::Callback done)
      : WriteTask(engine, context, std::move(done)), request_(std::move(request)) {}

 protected:
  Status Prepare() override {
    const std::string_view name =
        request_.user.empty() ? std::string_view(subject().dn) : NameOfUser(request_.user);
    TT_ASSIGN_OR_RETURN(key_, schema().NormalizeDn(name));
    if (key_.empty()) {
      return Error{ResultCode::kUnwillingToPerform, "the anonymous identity has no password", {}};
    }
    if (engine().IsRoot(key_) && !engine().options().root_password.empty()) {
      return Error{ResultCode::kUnwillingToPerform,
                   "the password of the root identity is set in the configuration",
                   {}};
    }
    if (request_.new_password && request_.new_password->empty()) {
      return Error{ResultCode::kUnwillingToPerform, "the new password is empty", {}};
    }
    if (request_.old_password) old_number_ = matches().Add(*request_.old_password);
    return {};
  }

  bool NeedsSlowPreparation() const override { return IsSlow(Scheme()); }

  Status PrepareSlowly() override {
    if (!request_.new_password) generated_ = passwords::Generate();
    const model::Secret& password = request_.new_password ? *request_.new_password : *generated_;
    TT_ASSIGN_OR_RETURN(std::string hash, passwords::Hash(Scheme(), password));
    replacement_ = Replacement(*schema().well_known().user_password, std::move(hash));
    return {};
  }

  Status Apply(WriteTransaction& transaction, Request& request) override {
    TT_ASSIGN_OR_RETURN(const StoredEntryPtr entry, Find(request, key_));
    EntryTarget target(request);
    target.Show(*entry);
    if (!target.May(access::kWrite, *schema().well_known().user_password)) {
      return request.Refusal(target, entry->parent, "no right to change this password");
    }
    TT_RETURN_IF_ERROR(CheckOldPassword(*entry));
    std::vector<Attribute> attributes = entry->entry.ToAttributes(schema());
    TT_RETURN_IF_ERROR(ApplyModification(replacement_, &matches(), &attributes));
    TT_RETURN_IF_ERROR(CheckChanged(entry->entry, attributes));
    std::vector<BoundModification> record{replacement_};
    TT_RETURN_IF_ERROR(Stamp(transaction, &attributes, &record));
    storage::Change change = ChangeOf(storage::ChangeKind::kModify, *entry, target.dn());
    TT_RETURN_IF_ERROR(target.status());
    change.payload = EncodeModifications(record);
    TT_ASSIGN_OR_RETURN(model::Entry changed, EncodeEntry(attributes));
    TT_RETURN_IF_ERROR(transaction.Replace(entry->id, std::move(changed)));
    TT_RETURN_IF_ERROR(transaction.AppendChange(std::move(change)));
    outcome().generated_password = generated_;
    return {};
  }

 private:
  passwords::Scheme Scheme() const { return engine().options().password_scheme; }

  Status CheckOldPassword(const storage::StoredEntry& entry) {
    if (!old_number_) return {};
    bool unknown = false;
    if (const model::StoredAttribute* const stored =
            entry.entry.Find(*schema().well_known().user_password)) {
      for (std::string_view value : stored->values()) {
        const std::optional<bool> match = matches().Match(std::string(value), *old_number_);
        if (match && *match) return {};
        unknown = unknown || !match;
      }
    }
    if (unknown) return Error{ResultCode::kBusy, "passwords are still being compared", {}};
    return Error{ResultCode::kInvalidCredentials, "the old password is not right", {}};
  }

  ModifyPasswordRequest request_;
  model::DnKey key_;
  std::optional<std::size_t> old_number_;
  std::optional<model::Secret> generated_;
  BoundModification replacement_;
};

}  // namespace

void RunModifyPassword(Engine& engine, const RequestContext& context, ModifyPasswordRequest request,
                       Directory::Callback done) {
  const std::size_t bytes = SizeOf(request);
  std::make_shared<ModifyPasswordTask>(engine, context, std::move(request), std::move(done))
      ->Start(bytes);
}

}  // namespace twintree::directory
