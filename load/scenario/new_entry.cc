#include "load/scenario/new_entry.h"

#include <utility>

namespace twintree::load {
namespace {

// Value of the first component of a DN without escapes.
std::string RdnValue(std::string_view dn) {
  const auto begin = dn.find('=') + 1;
  return std::string(dn.substr(begin, dn.find(',') - begin));
}

// What names an added person, in place of the generated value; empty for all else.
std::string NameValue(std::string_view attribute, std::uint64_t number) {
  const std::string digits = std::to_string(number);
  if (attribute == "uid") return "load." + digits;
  if (attribute == "cn") return "Load " + digits;
  if (attribute == "mail") return "load." + digits + "@example.com";
  if (attribute == "homeDirectory") return "/home/load." + digits;
  return {};
}

}  // namespace

const std::vector<NewAttribute>& NewEntryWriter::Attributes(NewEntryKind kind, std::uint64_t number,
                                                            std::string_view dn) {
  attributes_.clear();
  if (kind == NewEntryKind::kPerson) {
    WritePerson(number);
  } else {
    AddValue("objectClass", "organizationalUnit");
    AddValue("ou", RdnValue(dn));
  }
  return attributes_;
}

void NewEntryWriter::AddValue(std::string_view name, std::string value) {
  if (attributes_.empty() || attributes_.back().name != name) attributes_.push_back({name, {}});
  attributes_.back().values.push_back(std::move(value));
}

// Reads the generator's LDIF back, which has neither folded lines nor base64.
void NewEntryWriter::WritePerson(std::uint64_t number) {
  record_.clear();
  people_.AppendTo(number, record_);
  std::string_view rest = record_;
  while (!rest.empty() && rest.front() != '\n') {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + 1);
    const auto colon = line.find(": ");
    const std::string_view name = line.substr(0, colon);
    if (name == "dn") continue;
    std::string value = NameValue(name, number);
    AddValue(name, value.empty() ? std::string(line.substr(colon + 2)) : std::move(value));
  }
}

}  // namespace twintree::load
