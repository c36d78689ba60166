// What a client asks for and what the answer must be, in terms that both protocols share.
//
// An Action is the shape of a request, made once a run; an Operation is one use of it, with numbers
// filled in. An action may go on with another one: both together are then one operation for the
// statistics (find the entry, then bind as it).
//
// Thread-safety: compatible
#ifndef TWINTREE_LOAD_SCENARIO_OPERATION_H_
#define TWINTREE_LOAD_SCENARIO_OPERATION_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "load/scenario/pattern.h"

namespace twintree::load {

enum class OperationKind : std::uint8_t {
  kSearch,
  kCompare,
  kBind,
  kModify,
  kAdd,
  kDelete,
  kRename,
  kEmpty,  // nothing of the directory: the root DSE without attributes, or a health check
};

enum class Scope : std::uint8_t { kBase = 0, kOne = 1, kSubtree = 2 };  // as LDAP numbers them

enum class FilterKind : std::uint8_t { kPresent, kEqual, kPrefix, kInfix, kSuffix };

// attribute=*, =value, =value*, =*value*, =*value
struct Filter {
  FilterKind kind = FilterKind::kPresent;
  std::string attribute = "objectClass";
  Pattern value;
};

// What an add creates.
enum class NewEntryKind : std::uint8_t {
  kPerson,     // like those of the population, with other names
  kContainer,  // organizationalUnit
};

// Which DNs a search may return.
struct ExpectedEntries {
  Pattern begins;          // how each begins
  std::string ends;        // and how it ends; empty: `begins` is the whole
  std::size_t attributes;  // least number of attributes of each
};

inline constexpr int kSuccess = 0;
inline constexpr int kCompareTrue = 6;

struct Action {
  std::string name;   // what it is counted under
  std::size_t label;  // index of that name among the names of the scenario
  OperationKind kind;
  Pattern dn;  // search base, target entry, or who binds
  // Search.
  Scope scope = Scope::kBase;
  Filter filter;
  std::vector<std::string> attributes;  // empty: all user attributes
  ExpectedEntries expected;
  // Compare and modify (which replaces): attribute and value. Bind: password. Rename: new RDN, the
  // old one goes.
  std::string attribute;
  Pattern value;
  // Add.
  NewEntryKind new_entry = NewEntryKind::kPerson;
  // What follows at once when the answer was right.
  const Action* then = nullptr;
};

struct Operation {
  const Action* action = nullptr;
  std::uint64_t number = 0;
  std::uint64_t value = 0;
  std::uint64_t entries = 0;  // how many a search must find
};

// The result code that is right for the kind.
inline int ExpectedResult(OperationKind kind) {
  return kind == OperationKind::kCompare ? kCompareTrue : kSuccess;
}

// What is wrong with an entry found, in a few words; empty if it is as it must be. DNs are compared
// as they are, and if they differ again without regard to case and to spaces around "," and "=".
std::string CheckEntry(const Operation& operation, std::string_view dn, std::size_t attributes);
// The same for the end of an operation: its LDAP result code and the number of entries that came.
std::string CheckResult(const Operation& operation, int code, std::uint64_t entries);
// Does what is wrong end with words of CheckResult() for people that are not there?
bool MeansMissing(std::string_view wrong);

}  // namespace twintree::load

#endif  // TWINTREE_LOAD_SCENARIO_OPERATION_H_
