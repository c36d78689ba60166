// Certificates for tests: an authority and what it has signed, as PEM files.
#ifndef TWINTREE_TESTS_UNIT_SERVICES_RPC_TEST_CERTIFICATES_H_
#define TWINTREE_TESTS_UNIT_SERVICES_RPC_TEST_CERTIFICATES_H_

#include <filesystem>
#include <string>

namespace twintree::rpc {

struct PemPair {
  std::string certificate_file;
  std::string key_file;
};

// Makes files in a folder of its own, which it removes.
class TestCertificates {
 public:
  TestCertificates();
  ~TestCertificates();
  TestCertificates(const TestCertificates&) = delete;
  TestCertificates& operator=(const TestCertificates&) = delete;

  const std::string& ca_file() const { return ca_.certificate_file; }
  // A certificate for the host name or client name `name`.
  PemPair Issue(const std::string& name);

 private:
  // Signed by the authority, or by itself for the authority.
  PemPair Make(const std::string& name, bool authority);

  const std::filesystem::path folder_;
  void* ca_certificate_ = nullptr;  // X509
  void* ca_key_ = nullptr;          // EVP_PKEY
  PemPair ca_;
};

// Encrypts the key in the file with a passphrase.
void EncryptKey(const std::string& key_file);

}  // namespace twintree::rpc

#endif  // TWINTREE_TESTS_UNIT_SERVICES_RPC_TEST_CERTIFICATES_H_
