#include "services/directory/request_size.h"

#include <optional>
#include <string>
#include <vector>

namespace twintree::directory {
namespace {

// Of an attribute that is bound to the schema, without its values.
constexpr std::size_t kBoundAttributeBytes = 160;

std::size_t SizeOf(const std::vector<std::string>& strings) {
  std::size_t size = strings.size() * sizeof(std::string);
  for (const std::string& string : strings) size += string.size();
  return size;
}

std::size_t SizeOf(const Controls& controls) {
  std::size_t size = 0;
  if (controls.assertion != nullptr) size += directory::SizeOf(*controls.assertion);
  if (controls.paged) size += controls.paged->cookie.size();
  if (controls.pre_read) size += SizeOf(controls.pre_read->attributes);
  if (controls.post_read) size += SizeOf(controls.post_read->attributes);
  return size;
}

std::size_t SizeOf(const model::RawAttribute& attribute) {
  return kBoundAttributeBytes + attribute.description.size() + SizeOf(attribute.values);
}

}  // namespace

// Filters nest model::Filter::kMaxDepth deep at most.
std::size_t SizeOf(const model::Filter& filter) {
  std::size_t size = sizeof(filter) + filter.attribute.size() + filter.value.size() +
                     filter.initial.size() + SizeOf(filter.any) + filter.final_piece.size() +
                     filter.matching_rule.size();
  for (const model::Filter& child : filter.children) size += SizeOf(child);
  return size;
}

std::size_t SizeOf(const SearchRequest& request) {
  return request.base.size() + SizeOf(*request.filter) + SizeOf(request.attributes) +
         SizeOf(request.controls);
}

std::size_t SizeOf(const AddRequest& request) {
  std::size_t size = request.dn.size() + SizeOf(request.controls);
  for (const model::RawAttribute& attribute : request.attributes) size += SizeOf(attribute);
  return size;
}

std::size_t SizeOf(const ModifyRequest& request) {
  std::size_t size = request.dn.size() + SizeOf(request.controls);
  for (const model::Modification& one : request.modifications) size += SizeOf(one.attribute);
  return size;
}

std::size_t SizeOf(const DeleteRequest& request) {
  return request.dn.size() + SizeOf(request.controls);
}

std::size_t SizeOf(const ModifyDnRequest& request) {
  return request.dn.size() + request.new_rdn.size() +
         (request.new_superior ? request.new_superior->size() : 0) + SizeOf(request.controls);
}

std::size_t SizeOf(const ModifyPasswordRequest& request) {
  const auto size = [](const std::optional<model::Secret>& secret) {
    return secret ? secret->Reveal().size() : 0;
  };
  return request.user.size() + size(request.old_password) + size(request.new_password);
}

}  // namespace twintree::directory
