#include "tests/unit/ldap_gateway/net/certificates.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

namespace twintree::ldap::testing {

TempDir::TempDir() {
  std::string pattern = ::testing::TempDir() + "/twintree_XXXXXX";
  path_ = mkdtemp(pattern.data());
}

TempDir::~TempDir() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void WriteCertificate(const std::string& certificate_file, const std::string& key_file,
                      const std::string& name, long serial, Validity validity) {
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(X509_new(), X509_free);
  X509* const x509 = certificate.get();
  X509_set_version(x509, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(x509), serial);
  X509_gmtime_adj(X509_getm_notBefore(x509), validity.begin);
  X509_gmtime_adj(X509_getm_notAfter(x509), validity.end);
  X509_set_pubkey(x509, key.get());
  X509_NAME* const subject = X509_get_subject_name(x509);
  X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
  X509_set_issuer_name(x509, subject);
  ASSERT_GT(X509_sign(x509, key.get(), EVP_sha256()), 0);
  // Beside and then into place, as a deployment does it.
  for (const auto& [file, is_key] :
       {std::pair(key_file, true), std::pair(certificate_file, false)}) {
    std::FILE* out = std::fopen((file + ".new").c_str(), "w");
    ASSERT_NE(out, nullptr);
    const int written =
        is_key ? PEM_write_PrivateKey(out, key.get(), nullptr, nullptr, 0, nullptr, nullptr)
               : PEM_write_X509(out, x509);
    std::fclose(out);
    ASSERT_EQ(written, 1);
    std::filesystem::rename(file + ".new", file);
  }
}

void EncryptKey(const std::string& key_file) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> file(BIO_new_file(key_file.c_str(), "r+"),
                                                       BIO_free);
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(
      PEM_read_bio_PrivateKey(file.get(), nullptr, nullptr, nullptr), EVP_PKEY_free);
  ASSERT_NE(key, nullptr);
  ASSERT_EQ(BIO_seek(file.get(), 0), 0);
  char passphrase[] = "secret";
  ASSERT_EQ(PEM_write_bio_PKCS8PrivateKey(file.get(), key.get(), EVP_aes_256_cbc(), passphrase,
                                          sizeof passphrase - 1, nullptr, nullptr),
            1);
}

}  // namespace twintree::ldap::testing
