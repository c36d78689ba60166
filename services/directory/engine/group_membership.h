// Whether somebody is a member of a group, for access rules.
#ifndef TWINTREE_SERVICES_DIRECTORY_ENGINE_GROUP_MEMBERSHIP_H_
#define TWINTREE_SERVICES_DIRECTORY_ENGINE_GROUP_MEMBERSHIP_H_

#include <string_view>

#include "services/directory/engine/request.h"

namespace twintree::directory {

// True if `subject_key` is a value of member or uniqueMember of the entry called `group_key`. A
// group that does not exist or cannot be read has no members.
bool IsGroupMember(Request& request, std::string_view group_key, std::string_view subject_key);

}  // namespace twintree::directory

#endif  // TWINTREE_SERVICES_DIRECTORY_ENGINE_GROUP_MEMBERSHIP_H_
