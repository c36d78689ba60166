// Modify (RFC 4511 4.6, RFC 4525): all changes or none, judged by what comes out.
#include <algorithm>
#include <memory>
#include <utility>

#include "services/directory/engine/assertion.h"
#include "services/directory/engine/change_record.h"
#include "services/directory/engine/new_entry.h"
#include "services/directory/engine/operations.h"
#include "services/directory/engine/write_task.h"
#include "services/directory/request_size.h"

namespace twintree::directory {
namespace {

using model::Attribute;
using model::ModificationKind;
using model::Status;
using storage::StoredEntryPtr;
using storage::WriteTransaction;

class ModifyTask final : public WriteTask {
 public:
  ModifyTask(Engine& engine, const RequestContext& context, ModifyRequest request,
             Directory::Callback done)
      : WriteTask(engine, context, std::move(done)), request_(std::move(request)) {}

 protected:
  Status Prepare() override {
    TT_ASSIGN_OR_RETURN(key_, schema().NormalizeDn(request_.dn));
    TT_ASSIGN_OR_RETURN(modifications_, BindModifications(request_.modifications, schema(),
                                                          engine().relations(), &matches()));
    request_.modifications = {};  // a copy of them may wait for long
    for (const BoundModification& one : modifications_) hashes_ = hashes_ || Hashes(one);
    return CheckNewPasswords();
  }

  bool NeedsSlowPreparation() const override { return hashes_ && IsSlow(Scheme()); }

  Status PrepareSlowly() override {
    if (!hashes_) return {};
    for (BoundModification& one : modifications_) {
      if (!Hashes(one)) continue;
      TT_RETURN_IF_ERROR(HashPasswords(Scheme(), &one.attribute));
      auto clear = one.clear.begin();
      for (std::string_view hashed : one.attribute.values) {
        if (*clear) matches().Know(std::string(hashed), **clear);
        ++clear;
      }
    }
    return {};
  }

  Status Apply(WriteTransaction& transaction, Request& request) override {
    TT_ASSIGN_OR_RETURN(const StoredEntryPtr entry, Find(request, key_));
    EntryTarget target(request);
    target.Show(*entry);
    TT_RETURN_IF_ERROR(CheckRights(request, *entry, target));
    TT_RETURN_IF_ERROR(CheckAssertion(request_.controls, target));
    TT_RETURN_IF_ERROR(Read(target, request_.controls.pre_read, &outcome().pre_read));
    if (!modifications_.empty()) {
      TT_RETURN_IF_ERROR(Change(transaction, *entry, target.dn()));
    }
    return ReadBack(request, entry->id);
  }

 private:
  passwords::Scheme Scheme() const { return engine().options().password_scheme; }

  // Before anything is hashed or compared.
  Status CheckNewPasswords() const {
    std::size_t brought = 0;
    std::size_t taken_away = 0;
    for (const BoundModification& one : modifications_) {
      const bool takes_away = one.kind == ModificationKind::kDelete;
      (takes_away ? taken_away : brought) += CountPasswords({&one.attribute, 1}, schema());
      if (brought > kMaxPasswords || taken_away > kMaxPasswords) return TooManyPasswords();
      if (!takes_away) TT_RETURN_IF_ERROR(CheckPasswords(one.attribute, schema()));
    }
    return {};
  }

  bool Hashes(const BoundModification& one) const {
    return (one.kind == ModificationKind::kAdd || one.kind == ModificationKind::kReplace) &&
           NeedsHashing(one.attribute, schema(), Scheme());
  }

  Status CheckRights(Request& request, const storage::StoredEntry& entry, EntryTarget& target) {
    if (request.unrestricted()) return {};
    if (modifications_.empty() && !target.MayReadEntry()) {
      return request.NoSuchObject(entry.parent);
    }
    for (const BoundModification& one : modifications_) {
      if (target.May(access::kWrite, *one.attribute.description.type)) continue;
      return request.Refusal(target, entry.parent,
                             "no right to change " + one.attribute.description.text);
    }
    return target.status();
  }

  Status Change(WriteTransaction& transaction, const storage::StoredEntry& entry, std::string dn) {
    std::vector<Attribute> attributes = entry.entry.ToAttributes(schema());
    const std::size_t passwords_before = CountPasswords(attributes, schema());
    TT_RETURN_IF_ERROR(ApplyModifications(modifications_, &matches(), &attributes));
    // What was imported may have more, and become less.
    const std::size_t passwords_after = CountPasswords(attributes, schema());
    if (passwords_after > std::max(kMaxPasswords, passwords_before)) return TooManyPasswords();
    // The entry of a naming context holds its whole name as RDN; the first one names it.
    TT_ASSIGN_OR_RETURN(const model::Dn name, model::Dn::Parse(entry.rdn));
    TT_RETURN_IF_ERROR(CheckRdnValues(name.rdn(0), schema(), attributes));
    TT_RETURN_IF_ERROR(CheckChanged(entry.entry, attributes));
    std::vector<BoundModification> record = modifications_;
    TT_RETURN_IF_ERROR(Stamp(transaction, &attributes, &record));
    storage::Change change = ChangeOf(storage::ChangeKind::kModify, entry, std::move(dn));
    change.payload = EncodeModifications(record);
    TT_ASSIGN_OR_RETURN(model::Entry changed, EncodeEntry(attributes));
    TT_RETURN_IF_ERROR(transaction.Replace(entry.id, std::move(changed)));
    return transaction.AppendChange(std::move(change));
  }

  Status ReadBack(Request& request, storage::EntryId id) {
    if (!request_.controls.post_read) return {};
    TT_ASSIGN_OR_RETURN(const StoredEntryPtr changed, request.Get(id));
    EntryTarget target(request);
    target.Show(*changed);
    return Read(target, request_.controls.post_read, &outcome().post_read);
  }

  ModifyRequest request_;
  model::DnKey key_;
  std::vector<BoundModification> modifications_;
  bool hashes_ = false;
};

}  // namespace

void RunModify(Engine& engine, const RequestContext& context, ModifyRequest request,
               Directory::Callback done) {
  const std::size_t bytes = SizeOf(request);
  std::make_shared<ModifyTask>(engine, context, std::move(request), std::move(done))->Start(bytes);
}

}  // namespace twintree::directory
