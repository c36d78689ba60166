// Reads access rules from YAML; the form is described in access.h.
#ifndef TWINTREE_SERVICES_ACCESS_RULE_PARSER_H_
#define TWINTREE_SERVICES_ACCESS_RULE_PARSER_H_

#include <string_view>
#include <vector>

#include "services/access/rule.h"
#include "services/model/result.h"
#include "services/model/schema.h"

namespace twintree::access {

// Errors: kOther; the message tells the line, the key and what is wrong with it.
model::Result<std::vector<Rule>> ParseRules(std::string_view yaml, const model::Schema& schema);

}  // namespace twintree::access

#endif  // TWINTREE_SERVICES_ACCESS_RULE_PARSER_H_
