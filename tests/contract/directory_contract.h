// What every Directory has to do, whoever answers.
//
// The tests are in tests/contract/directory/, one file an operation, all of the suite
// DirectoryContract. An implementation adds a factory, instantiates the suite with it in a file of
// its own, and links that with the tests (see tests/contract/directory/CMakeLists.txt):
//
//   INSTANTIATE_TEST_SUITE_P(Local, DirectoryContract, testing::Values(LocalMemoryFactory()),
//                            FactoryName);
#ifndef TWINTREE_TESTS_CONTRACT_DIRECTORY_CONTRACT_H_
#define TWINTREE_TESTS_CONTRACT_DIRECTORY_CONTRACT_H_

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "services/directory/engine/local_directory.h"
#include "tests/contract/directory_client.h"

namespace twintree::directory {

// How the directory under test is set up.
struct DirectorySettings {
  DirectorySettings();

  EngineOptions engine;      // suffix dc=example,dc=com; root cn=admin,... with password "secret"
  std::string access_rules;  // YAML for AccessPolicy::Parse; empty: AccessPolicy::Open
  std::vector<storage::IndexSpec> indexes;  // storage::DefaultIndexes()
};

// A directory, empty at first, and what it needs to run.
class DirectoryUnderTest {
 public:
  virtual ~DirectoryUnderTest() = default;
  virtual Directory& directory() = 0;
};

struct DirectoryFactory {
  std::string name;  // letters and digits
  std::function<std::unique_ptr<DirectoryUnderTest>(const DirectorySettings&)> make;
};

inline std::string FactoryName(const testing::TestParamInfo<DirectoryFactory>& info) {
  return info.param.name;
}

inline constexpr std::string_view kSuffix = "dc=example,dc=com";
inline constexpr std::string_view kRootDn = "cn=admin,dc=example,dc=com";
inline constexpr std::string_view kRootPassword = "secret";

// A client with full rights on a directory that holds the entry of its suffix.
class DirectoryContract : public testing::TestWithParam<DirectoryFactory> {
 protected:
  DirectoryContract() { Start(DirectorySettings()); }

  // Begins anew with another directory.
  void Start(const DirectorySettings& settings);

  Directory& directory() { return under_test_->directory(); }
  DirectoryClient& admin() { return *admin_; }
  // A client that is bound as `dn`; empty: not bound.
  DirectoryClient ClientOf(std::string_view dn) {
    return DirectoryClient(directory(), SubjectOf(dn));
  }
  // Adds LDIF records; every one must succeed.
  void Load(std::string_view ldif) { admin_->Load(ldif); }
  // Adds ou=NAME or cn=NAME (a person) below `parent`.
  void AddUnit(std::string_view name, std::string_view parent = kSuffix);
  void AddPerson(std::string_view name, std::string_view parent = kSuffix);

 private:
  std::unique_ptr<DirectoryUnderTest> under_test_;
  std::unique_ptr<DirectoryClient> admin_;
};

}  // namespace twintree::directory

#endif  // TWINTREE_TESTS_CONTRACT_DIRECTORY_CONTRACT_H_
