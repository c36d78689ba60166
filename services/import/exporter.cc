#include "services/import/exporter.h"

#include <utility>

#include "services/model/dn.h"
#include "services/model/entry.h"
#include "services/model/ldif.h"

namespace twintree::import {

using model::Error;
using model::OkStatus;
using model::Result;
using model::ResultCode;
using model::Status;
using storage::EntryId;
using storage::kNoEntry;
using storage::StoredEntryPtr;

namespace {

constexpr std::size_t kPieceBytes = 128 << 10;
constexpr std::size_t kChildrenAtOnce = 256;
constexpr std::uint64_t kProgressEvery = 256;

Result<StoredEntryPtr> GetExisting(storage::ReadTransaction& reader, EntryId id) {
  TT_ASSIGN_OR_RETURN(StoredEntryPtr entry, reader.Get(id));
  if (entry == nullptr) {
    return Error{ResultCode::kOther, "entry " + std::to_string(id) + " is missing in the store",
                 ""};
  }
  return entry;
}

std::string ChildDn(const std::string& rdn, const std::string& parent_dn) {
  return parent_dn.empty() ? rdn : rdn + "," + parent_dn;
}

void AppendAttribute(const model::StoredAttribute& attribute, std::string* out) {
  for (const std::string_view value : attribute.values()) {
    model::AppendLdifLine(attribute.description(), value, out);
  }
}

}  // namespace

Exporter::Exporter(const model::Schema& schema, storage::ReadTransaction* reader,
                   ExportOptions options)
    : schema_(schema), reader_(reader), options_(std::move(options)) {}

Result<std::uint64_t> Exporter::Run(const LdifSink& sink,
                                    const std::function<void(std::uint64_t)>& progress) {
  entries_ = 0;
  levels_.clear();
  text_ = "version: 1\n\n";
  if (options_.base_dn.empty()) {
    levels_.emplace_back();
  } else {
    TT_RETURN_IF_ERROR(ExportBase(sink));
  }
  TT_RETURN_IF_ERROR(ExportChildren(sink, progress));
  TT_RETURN_IF_ERROR(sink(text_));
  return entries_;
}

Status Exporter::ExportBase(const LdifSink& sink) {
  std::string parent_dn;
  TT_ASSIGN_OR_RETURN(const EntryId id, FindBase(&parent_dn));
  return ExportEntry(id, parent_dn, sink);
}

// Finds the entry of the base, and how its parent spells its own name.
Result<EntryId> Exporter::FindBase(std::string* parent_dn) {
  TT_ASSIGN_OR_RETURN(const model::DnKey key, schema_.NormalizeDn(options_.base_dn));
  EntryId id = kNoEntry;
  std::size_t at = 0;  // where the name of `id` starts
  for (; at < key.size(); ++at) {
    TT_ASSIGN_OR_RETURN(id, reader_->FindChild(kNoEntry, key.suffix(at)));
    if (id != kNoEntry) break;
  }
  for (; at > 0 && id != kNoEntry; --at) {
    TT_ASSIGN_OR_RETURN(const StoredEntryPtr above, GetExisting(*reader_, id));
    *parent_dn = ChildDn(above->rdn, *parent_dn);
    TT_ASSIGN_OR_RETURN(id, reader_->FindChild(id, key.rdn(at - 1)));
  }
  if (id != kNoEntry) return id;
  return Error{ResultCode::kNoSuchObject, "there is no entry '" + options_.base_dn + "'", ""};
}

Status Exporter::ExportChildren(const LdifSink& sink,
                                const std::function<void(std::uint64_t)>& progress) {
  while (!levels_.empty()) {
    Level& level = levels_.back();
    if (level.next == level.children.size() && !level.at_end) TT_RETURN_IF_ERROR(FillLevel(&level));
    if (level.next == level.children.size()) {
      levels_.pop_back();
      continue;
    }
    const EntryId id = level.children[level.next++];
    // A copy: the level may move when another one is added.
    const std::string parent_dn = level.dn;
    TT_RETURN_IF_ERROR(ExportEntry(id, parent_dn, sink));
    if (progress && entries_ % kProgressEvery == 0) progress(entries_);
  }
  return OkStatus();
}

Status Exporter::FillLevel(Level* level) {
  const EntryId after = level->children.empty() ? kNoEntry : level->children.back();
  level->children.clear();
  level->next = 0;
  TT_RETURN_IF_ERROR(reader_->Children(level->id, after, kChildrenAtOnce, &level->children));
  level->at_end = level->children.size() < kChildrenAtOnce;
  return OkStatus();
}

Status Exporter::ExportEntry(EntryId id, const std::string& parent_dn, const LdifSink& sink) {
  TT_ASSIGN_OR_RETURN(const StoredEntryPtr entry, GetExisting(*reader_, id));
  Level& level = levels_.emplace_back();
  level.id = id;
  level.dn = ChildDn(entry->rdn, parent_dn);
  AppendEntry(level.dn, entry->entry);
  ++entries_;
  if (text_.size() < kPieceBytes) return OkStatus();
  TT_RETURN_IF_ERROR(sink(text_));
  text_.clear();
  return OkStatus();
}

void Exporter::AppendEntry(std::string_view dn, const model::Entry& entry) {
  model::AppendLdifLine("dn", dn, &text_);
  std::size_t count = entry.user_attribute_count();
  if (options_.operational) count = entry.attributes().size();
  for (const model::StoredAttribute& attribute : entry.attributes().first(count)) {
    AppendAttribute(attribute, &text_);
  }
  text_.push_back('\n');
}

}  // namespace twintree::import
