// What a request takes in memory while it is under way, about.
//
// Short forms can be large ones in memory: an item of a filter comes in three octets, an empty
// value in two.
#ifndef TWINTREE_SERVICES_DIRECTORY_REQUEST_SIZE_H_
#define TWINTREE_SERVICES_DIRECTORY_REQUEST_SIZE_H_

#include <cstddef>

#include "services/directory/directory.h"

namespace twintree::directory {

std::size_t SizeOf(const model::Filter& filter);
std::size_t SizeOf(const SearchRequest& request);
std::size_t SizeOf(const AddRequest& request);
std::size_t SizeOf(const ModifyRequest& request);
std::size_t SizeOf(const DeleteRequest& request);
std::size_t SizeOf(const ModifyDnRequest& request);
std::size_t SizeOf(const ModifyPasswordRequest& request);

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_REQUEST_SIZE_H_
