// Entries that scenarios add.
//
// Thread-safety: confined
#ifndef TWINTREE_LOAD_SCENARIO_NEW_ENTRY_H_
#define TWINTREE_LOAD_SCENARIO_NEW_ENTRY_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "load/generate.h"
#include "load/scenario/operation.h"

namespace twintree::load {

struct NewAttribute {
  std::string_view name;
  std::vector<std::string> values;
};

class NewEntryWriter {
 public:
  explicit NewEntryWriter(std::uint64_t seed) : people_(seed, PasswordForm::kHashed) {}

  // The attributes of the new entry `dn`. A person is one of the population in all but the values
  // that name it: uid=load.N, cn=Load N, mail=load.N@example.com. Its value of the RDN's attribute
  // is always that of the DN.
  //
  // Lifetime: until the next call
  const std::vector<NewAttribute>& Attributes(NewEntryKind kind, std::uint64_t number,
                                              std::string_view dn);

 private:
  void AddValue(std::string_view name, std::string value);
  void WritePerson(std::uint64_t number);

  PersonWriter people_;
  std::string record_;
  std::vector<NewAttribute> attributes_;
};

}  // namespace twintree::load

#endif  // TWINTREE_LOAD_SCENARIO_NEW_ENTRY_H_
