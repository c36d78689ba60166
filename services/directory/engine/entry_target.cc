#include "services/directory/engine/entry_target.h"

#include <limits>
#include <utility>

#include "services/directory/engine/engine.h"

namespace twintree::directory {
namespace {

constexpr std::size_t kWorkBytes = std::size_t{16} << 20;
constexpr std::size_t kBytesOfASubordinate = 16;

}  // namespace

void EntryTarget::Reset() {
  special_ = false;
  has_dn_ = false;
  key_.reset();
  rights_.reset();
  parent_name_ = nullptr;
}

void EntryTarget::Show(const storage::StoredEntry& entry) {
  Reset();
  entry_ = &entry.entry;
  stored_ = &entry;
}

void EntryTarget::ShowNew(const model::Entry& entry, EntryName name) {
  Reset();
  entry_ = &entry;
  stored_ = nullptr;
  own_name_ = std::move(name);
}

void EntryTarget::ShowSpecial(const model::Entry& entry, EntryName name) {
  ShowNew(entry, std::move(name));
  special_ = true;
}

const EntryName* EntryTarget::ParentName() {
  if (stored_ == nullptr || stored_->parent == storage::kNoEntry) return nullptr;
  if (parent_name_ == nullptr) {
    model::Result<EntryNamePtr> name = request_->NameOf(stored_->parent);
    if (name.ok()) {
      parent_name_ = std::move(name).value();
    } else {
      status_ = std::move(name).error();
    }
  }
  return parent_name_.get();
}

std::string EntryTarget::KeyText() {
  if (stored_ == nullptr) return own_name_.key;
  const EntryName* const parent = ParentName();
  if (parent == nullptr) return stored_->rdn_key;
  std::string text;
  text.reserve(stored_->rdn_key.size() + 1 + parent->key.size());
  text.append(stored_->rdn_key).append(1, ',').append(parent->key);
  return text;
}

const model::DnKey& EntryTarget::dn_key() {
  if (!key_) key_ = model::DnKey::FromNormalized(KeyText());
  return *key_;
}

const std::string& EntryTarget::dn() {
  if (stored_ == nullptr) return own_name_.dn;
  if (!has_dn_) {
    const EntryName* const parent = ParentName();
    dn_.clear();
    dn_.reserve(stored_->rdn.size() + (parent == nullptr ? 0 : 1 + parent->dn.size()));
    dn_.append(stored_->rdn);
    if (parent != nullptr) dn_.append(1, ',').append(parent->dn);
    has_dn_ = true;
  }
  return dn_;
}

std::uint64_t EntryTarget::CountSubordinates(std::uint64_t at_most) {
  if (stored_ == nullptr) return 0;
  model::Result<std::uint64_t> count = request_->reader().CountChildren(stored_->id, at_most);
  if (count.ok()) {
    work_bytes_ += static_cast<std::size_t>(*count) * kBytesOfASubordinate;
    return *count;
  }
  status_ = std::move(count).error();
  return 0;
}

std::vector<std::string> EntryTarget::DerivedValues(const model::AttributeType& type) {
  const model::Schema::WellKnown& known = request_->engine().schema().well_known();
  if (&type == known.subschema_subentry) return {std::string(kSubschemaDn)};
  if (stored_ == nullptr && own_name_.dn.empty()) return {};
  if (&type == known.entry_dn) return {dn()};
  if (&type == known.has_subordinates) return {CountSubordinates(1) > 0 ? "TRUE" : "FALSE"};
  if (&type == known.num_subordinates) {
    return {std::to_string(CountSubordinates(std::numeric_limits<std::uint64_t>::max()))};
  }
  return {};
}

const access::EntryAccess& EntryTarget::rights() {
  if (!rights_) {
    // Rules may have filters, which see the entry whole.
    finding_rights_ = true;
    rights_ = request_->access().ForEntry(*this);
    finding_rights_ = false;
  }
  return *rights_;
}

// Each item of a filter asks for its attribute first.
bool EntryTarget::MaySearch(const model::AttributeType& type) {
  if (!MayGoOn()) return false;
  return finding_rights_ || May(filter_right_, type);
}

bool EntryTarget::MayGoOn() {
  if (!going_on_) return true;
  work_bytes_ += entry_->octets().size();
  if (work_bytes_ < kWorkBytes) return status_.ok();
  work_bytes_ = 0;
  if (status_.ok()) status_ = going_on_();
  return status_.ok();
}

bool EntryTarget::ReadsAllUserAttributes() {
  return request_->unrestricted() || special_ || rights().reads_all_user_attributes();
}

bool EntryTarget::MayReadEntry() {
  return request_->unrestricted() || special_ || (rights().for_entry() & access::kRead) != 0;
}

bool EntryTarget::MayWriteEntry() {
  return !special_ && (request_->unrestricted() || (rights().for_entry() & access::kWrite) != 0);
}

bool EntryTarget::MayWriteChildren() {
  return !special_ && (request_->unrestricted() || (rights().for_children() & access::kWrite) != 0);
}

bool EntryTarget::May(access::Right right, const model::AttributeType& type) {
  if (special_) return (kPublicRights & right) != 0;
  return request_->unrestricted() || rights().May(right, type);
}

bool EntryTarget::MayReadUnknown() {
  return request_->unrestricted() || special_ || (rights().for_unknown() & access::kRead) != 0;
}

}  // namespace twintree::directory
