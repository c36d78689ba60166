// Random trees and random filters: what the directory finds is what looking at every entry finds.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "tests/contract/directory_contract.h"

namespace twintree::directory {
namespace {

using model::ResultCode;

class RandomTree {
 public:
  RandomTree(std::uint32_t seed, DirectoryClient& admin) : random_(seed), admin_(admin) {
    names_.emplace_back(kSuffix);
    for (int i = 0; i < 120; ++i) AddEntry(i);
    for (int i = 0; i < 25; ++i) ChangeEntry();
  }

  std::string Base() { return Pick(names_); }
  Scope AnyScope() { return static_cast<Scope>(Below(4)); }

  std::string Filter(int depth = 0) {
    switch (depth > 2 ? 9 : Below(10)) {
      case 0:
      case 1: return "(&" + Filter(depth + 1) + Filter(depth + 1) + ")";
      case 2: return "(|" + Filter(depth + 1) + Filter(depth + 1) + ")";
      case 3: return "(!" + Filter(depth + 1) + ")";
      default: return Item();
    }
  }

 private:
  int Below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random_); }
  template <typename T>
  const T& Pick(const std::vector<T>& from) {
    return from[static_cast<std::size_t>(Below(static_cast<int>(from.size())))];
  }
  std::string Word() {
    static const std::vector<std::string> kWords{
        "anna", "Anna", "annabel", "bert",        "berta",       "carla", "c",
        "na",   "a b",  "A  B",    "\xc3\x84nne", "\xc3\xa4nne", "x1",    "x10"};
    return Pick(kWords);
  }
  std::string Number() { return std::to_string(Below(60) - 10); }

  void AddEntry(int number) {
    const std::string rdn = "cn=" + Word() + std::to_string(number);
    const std::string dn = rdn + "," + Base();
    std::vector<model::RawAttribute> attributes{{"objectClass", {"inetOrgPerson", "posixAccount"}},
                                                {"sn", {Word()}},
                                                {"uid", {Word()}},
                                                {"uidNumber", {Number()}},
                                                {"gidNumber", {Number()}},
                                                {"homeDirectory", {"/"}}};
    if (Below(3) == 0) attributes.push_back({"description", {Word()}});
    if (Below(4) == 0) attributes.push_back({"mail", {"x" + std::to_string(Below(9)) + "@a.b"}});
    if (Below(5) == 0) attributes.push_back({"sn;lang-de", {Word()}});
    if (Below(5) == 0) attributes.push_back({"seeAlso", {Base()}});
    if (Below(6) == 0) attributes[0].values[0] = "person", DropOptional(&attributes);
    const Outcome outcome = admin_.Add(dn, attributes);
    ASSERT_EQ(outcome.code, ResultCode::kSuccess) << dn << ": " << outcome.diagnostic;
    names_.push_back(dn);
  }

  static void DropOptional(std::vector<model::RawAttribute>* attributes) {
    std::erase_if(*attributes,
                  [](const model::RawAttribute& one) { return one.description == "mail"; });
  }

  // Changes an attribute, so that indexes have had to follow.
  void ChangeEntry() {
    const std::string dn =
        names_[1 + static_cast<std::size_t>(Below(static_cast<int>(names_.size()) - 1))];
    const Outcome outcome =
        admin_.Modify(dn, {ReplaceValues("sn", {Word()}), ReplaceValues("uidNumber", {Number()})});
    ASSERT_EQ(outcome.code, ResultCode::kSuccess) << dn << ": " << outcome.diagnostic;
  }

  std::string Item() {
    static const std::vector<std::string> kStrings{"cn",          "sn",   "uid",       "mail",
                                                   "description", "name", "sn;lang-de"};
    const std::string attribute = Pick(kStrings);
    switch (Below(14)) {
      case 0: return "(" + attribute + "=*)";
      case 1:
      case 2: return "(" + attribute + "=" + Word() + ")";
      case 3: return "(" + attribute + "=" + Word() + "*)";
      case 4: return "(" + attribute + "=*" + Word() + "*)";
      case 5: return "(" + attribute + "=*" + Word() + ")";
      case 6: return "(" + attribute + "=" + Word() + "*" + Word() + "*)";
      case 7: return "(uidNumber>=" + Number() + ")";
      case 8: return "(uidNumber<=" + Number() + ")";
      case 9: return "(objectClass=" + Pick(classes_) + ")";
      case 10: return "(seeAlso=" + Base() + ")";
      case 11: return "(uidNumber=" + Number() + ")";
      case 12: return Pick(unusual_);
      default: return "(cn=" + Word() + std::to_string(Below(120)) + ")";
    }
  }

  const std::vector<std::string> classes_{"person", "inetOrgPerson", "posixAccount",
                                          "top",    "organization",  "unknownClass"};
  const std::vector<std::string> unusual_{
      "(hasSubordinates=TRUE)", "(noSuch=1)", "(&)",           "(|)",
      "(uidNumber=abc)",        "(sn>=b)",    "(entryUUID=*)", "(sn:caseExactMatch:=Anna)",
      "(cn:dn:=anna1)"};
  std::mt19937 random_;
  DirectoryClient& admin_;
  std::vector<std::string> names_;
};

// Every entry within the scope, each asked by a base search, in which no index takes part.
std::set<std::string> LookAtEach(DirectoryClient& client, const std::string& base, Scope scope,
                                 const std::string& filter) {
  std::set<std::string> found;
  for (const std::string& dn : client.Search(base, scope, "(objectClass=*)", {"1.1"}).dns()) {
    if (!client.Search(dn, Scope::kBase, filter, {"1.1"}).entries.empty()) found.insert(dn);
  }
  return found;
}

TEST_P(DirectoryContract, RandomSearchesFindWhatLookingAtEachEntryFinds) {
  const std::uint32_t seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  RandomTree tree(seed, admin());
  for (int round = 0; round < 150; ++round) {
    const std::string base = tree.Base();
    const Scope scope = tree.AnyScope();
    const std::string filter = tree.Filter();
    const Found found = admin().Search(base, scope, filter, {"1.1"});
    ASSERT_EQ(found.code(), ResultCode::kSuccess) << filter;
    const std::vector<std::string> dns = found.dns();
    const std::set<std::string> unique(dns.begin(), dns.end());
    ASSERT_EQ(unique.size(), dns.size()) << filter << " found an entry twice";
    ASSERT_EQ(unique, LookAtEach(admin(), base, scope, filter))
        << filter << " base " << base << " scope " << static_cast<int>(scope);
  }
}

}  // namespace
}  // namespace twintree::directory
