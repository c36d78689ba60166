// An entry as filters and access rules see it: its attributes, its name, what is derived from its
// place in the tree, and what the requester may do with it.
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_ENTRY_TARGET_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_ENTRY_TARGET_H_

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "services/access/access.h"
#include "services/directory/engine/names.h"
#include "services/directory/engine/request.h"
#include "services/model/compiled_filter.h"
#include "storage/entry_store.h"

namespace twintree::directory {

// Everything is worked out when it is asked for, and kept until another entry is shown.
//
// A storage failure on the way makes the answer empty and is kept in status(); whoever relies on an
// answer looks there afterwards.
//
// Thread-safety: confined.
class EntryTarget final : public model::FilterTarget {
 public:
  // `filter_right`: what evaluating a filter needs on each attribute that it names.
  explicit EntryTarget(Request& request, access::Right filter_right = access::kSearch)
      : request_(&request), filter_right_(filter_right) {}

  // An entry of the store. It must stay alive while it is shown.
  void Show(const storage::StoredEntry& entry);
  // An entry that is not in the store yet; it has no subordinates.
  void ShowNew(const model::Entry& entry, EntryName name);
  // The root DSE (of the empty name) or the subschema: everybody reads them, nobody writes them.
  void ShowSpecial(const model::Entry& entry, EntryName name);

  // A filter of many items may take long on one large entry. `going_on` is asked now and then while
  // one is evaluated; its error ends the evaluation, and is the status() from then on.
  void set_going_on(std::function<model::Status()> going_on) { going_on_ = std::move(going_on); }

  Request& request() { return *request_; }
  const model::Entry& entry() override { return *entry_; }
  const model::DnKey& dn_key() override;
  std::vector<std::string> DerivedValues(const model::AttributeType& type) override;
  bool MaySearch(const model::AttributeType& type) override;

  const std::string& dn();
  // Every attribute of the user section may be sent.
  bool ReadsAllUserAttributes();
  bool MayReadEntry();
  bool MayWriteEntry();
  bool MayWriteChildren();
  bool May(access::Right right, const model::AttributeType& type);
  // The same for attributes that the schema does not know.
  bool MayReadUnknown();

  const model::Status& status() const { return status_; }

 private:
  static constexpr access::Rights kPublicRights =
      access::kCompare | access::kSearch | access::kRead;

  // REQUIRES: the request is not unrestricted and the entry not special.
  const access::EntryAccess& rights();
  void Reset();
  bool MayGoOn();
  std::string KeyText();
  // The parent's name; null for a naming context or an entry with a name of its own.
  const EntryName* ParentName();
  std::uint64_t CountSubordinates(std::uint64_t at_most);

  Request* request_;
  const access::Right filter_right_;
  const model::Entry* entry_ = nullptr;
  const storage::StoredEntry* stored_ = nullptr;  // null: shown with a name of its own
  EntryName own_name_;
  EntryNamePtr parent_name_;
  std::string dn_;
  bool has_dn_ = false;
  std::optional<model::DnKey> key_;
  std::optional<access::EntryAccess> rights_;
  bool special_ = false;
  bool finding_rights_ = false;
  std::function<model::Status()> going_on_;
  std::size_t work_bytes_ = 0;  // about as much as was looked at since going_on_ was asked
  model::Status status_;
};

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_ENTRY_TARGET_H_
