// Add (RFC 4511 4.7).
#include <memory>
#include <utility>

#include "services/directory/engine/aliases.h"
#include "services/directory/engine/assertion.h"
#include "services/directory/engine/new_entry.h"
#include "services/directory/engine/operational.h"
#include "services/directory/engine/operations.h"
#include "services/directory/engine/write_task.h"
#include "services/directory/request_size.h"

namespace twintree::directory {
namespace {

using model::Attribute;
using model::Error;
using model::Result;
using model::ResultCode;
using model::Status;
using storage::EntryId;
using storage::kNoEntry;
using storage::StoredEntryPtr;
using storage::WriteTransaction;

class AddTask final : public WriteTask {
 public:
  AddTask(Engine& engine, const RequestContext& context, AddRequest request,
          Directory::Callback done)
      : WriteTask(engine, context, std::move(done)), request_(std::move(request)) {}

 protected:
  Status Prepare() override {
    TT_ASSIGN_OR_RETURN(parts_, CheckNewEntry(request_.dn, request_.attributes, schema()));
    request_.attributes = {};  // a copy of them may wait for long
    if (parts_.key.text() == kSubschemaKey) return Exists();
    const NamingContext* const context = engine().ContextOf(parts_.key);
    is_context_ = context != nullptr && context->key == parts_.key;
    if (CountPasswords(parts_.attributes, schema()) > kMaxPasswords) return TooManyPasswords();
    for (const Attribute& attribute : parts_.attributes) {
      TT_RETURN_IF_ERROR(CheckPasswords(attribute, schema()));
      if (NeedsHashing(attribute, schema(), Scheme())) hashes_ = true;
    }
    return {};
  }

  bool NeedsSlowPreparation() const override { return hashes_ && IsSlow(Scheme()); }

  Status PrepareSlowly() override {
    if (!hashes_) return {};
    for (Attribute& attribute : parts_.attributes) {
      if (!NeedsHashing(attribute, schema(), Scheme())) continue;
      TT_RETURN_IF_ERROR(HashPasswords(Scheme(), &attribute));
    }
    return {};
  }

  Status Apply(WriteTransaction& transaction, Request& request) override {
    EntryName name;
    TT_ASSIGN_OR_RETURN(const EntryId parent, FindParent(request, &name));
    std::vector<Attribute> attributes = parts_.attributes;
    TT_RETURN_IF_ERROR(AddOperational(transaction, &attributes));
    TT_ASSIGN_OR_RETURN(model::Entry entry, EncodeEntry(attributes));
    TT_RETURN_IF_ERROR(CheckNew(request, entry, name));

    storage::Change change;
    change.kind = storage::ChangeKind::kAdd;
    change.entry_uuid = FirstValue(entry, *schema().well_known().entry_uuid);
    change.dn = std::move(name.dn);
    change.actor_dn = subject().dn;
    change.payload = entry.octets();
    TT_ASSIGN_OR_RETURN(change.id, transaction.Insert({parent, Rdn(), RdnKey(), std::move(entry)}));
    const EntryId id = change.id;
    TT_RETURN_IF_ERROR(transaction.AppendChange(std::move(change)));
    return ReadBack(request, id);
  }

 private:
  static Error Exists() {
    return Error{ResultCode::kEntryAlreadyExists, "an entry of this name exists", {}};
  }

  passwords::Scheme Scheme() const { return engine().options().password_scheme; }
  std::string Rdn() const { return is_context_ ? parts_.dn.ToString() : parts_.dn.rdn(0).text; }
  std::string RdnKey() const {
    return is_context_ ? parts_.key.text() : std::string(parts_.key.rdn(0));
  }

  // Where the entry goes, and how it will be called.
  Result<EntryId> FindParent(Request& request, EntryName* name) {
    TT_ASSIGN_OR_RETURN(const Location location, request.Locate(parts_.key));
    if (is_context_) {
      if (!request.unrestricted()) {
        return Error{ResultCode::kInsufficientAccessRights,
                     "only the root identity adds the entry of a naming context",
                     {}};
      }
      if (location.found()) return Exists();
      *name = {parts_.dn.ToString(), parts_.key.text()};
      return kNoEntry;
    }
    if (location.missing > 1 || location.nearest == kNoEntry) {
      return request.NotFound(parts_.key, location);
    }
    EntryId parent_id = location.nearest;
    if (location.found()) {
      TT_ASSIGN_OR_RETURN(parent_id, request.reader().ParentOf(location.id));
    }
    TT_ASSIGN_OR_RETURN(const StoredEntryPtr parent, request.Get(parent_id));
    EntryTarget target(request);
    target.Show(*parent);
    if (!target.MayWriteChildren()) {
      return request.Refusal(target, parent->parent, "no right to add below this entry");
    }
    if (location.found()) return Exists();
    if (IsAlias(parent->entry, schema())) {
      return Error{ResultCode::kAliasProblem, "an alias has no subordinates", {}};
    }
    TT_ASSIGN_OR_RETURN(const EntryNamePtr parent_name, request.NameOf(parent_id));
    *name = {Rdn() + "," + parent_name->dn, parts_.key.text()};
    return parent_id;
  }

  Status AddOperational(WriteTransaction& transaction, std::vector<Attribute>* attributes) {
    const model::Schema::WellKnown& known = schema().well_known();
    SetValue(*known.structural_object_class, parts_.structural->name(), attributes);
    SetValue(*known.entry_uuid, MakeUuid(), attributes);
    SetValue(*known.creators_name, subject().dn, attributes);
    SetValue(*known.create_timestamp, GeneralizedTime(engine().Now()), attributes);
    return Stamp(transaction, attributes, nullptr);
  }

  // Rights on the attributes given, and the assertion, on the entry as it will be.
  Status CheckNew(Request& request, const model::Entry& entry, const EntryName& name) {
    if (request.unrestricted() && request_.controls.assertion == nullptr) return {};
    EntryTarget target(request);
    target.ShowNew(entry, name);
    for (const Attribute& attribute : parts_.attributes) {
      if (target.May(access::kWrite, *attribute.description.type)) continue;
      return Error{ResultCode::kInsufficientAccessRights,
                   "no right to add " + attribute.description.text,
                   {}};
    }
    return CheckAssertion(request_.controls, target);
  }

  Status ReadBack(Request& request, EntryId id) {
    if (!request_.controls.post_read) return {};
    TT_ASSIGN_OR_RETURN(const StoredEntryPtr added, request.Get(id));
    EntryTarget target(request);
    target.Show(*added);
    return Read(target, request_.controls.post_read, &outcome().post_read);
  }

  AddRequest request_;
  NewEntryParts parts_;
  bool is_context_ = false;
  bool hashes_ = false;
};

}  // namespace

void RunAdd(Engine& engine, const RequestContext& context, AddRequest request,
            Directory::Callback done) {
  const std::size_t bytes = SizeOf(request);
  std::make_shared<AddTask>(engine, context, std::move(request), std::move(done))->Start(bytes);
}

}  // namespace twintree::directory
