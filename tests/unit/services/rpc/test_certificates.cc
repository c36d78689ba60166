#include "tests/unit/services/rpc/test_certificates.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace twintree::rpc {
namespace {

std::filesystem::path MakeFolder() {
  std::string path = (std::filesystem::temp_directory_path() / "twintree-tls-XXXXXX").string();
  if (mkdtemp(path.data()) == nullptr) throw std::runtime_error("mkdtemp");
  return path;
}

void AddExtension(X509* certificate, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

void SetName(X509* certificate, const std::string& name) {
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
}

void WriteFiles(const PemPair& files, X509* certificate, EVP_PKEY* key) {
  std::FILE* file = std::fopen(files.certificate_file.c_str(), "w");
  PEM_write_X509(file, certificate);
  std::fclose(file);
  file = std::fopen(files.key_file.c_str(), "w");
  PEM_write_PrivateKey(file, key, nullptr, nullptr, 0, nullptr, nullptr);
  std::fclose(file);
}

}  // namespace

TestCertificates::TestCertificates() : folder_(MakeFolder()) { ca_ = Make("authority", true); }

TestCertificates::~TestCertificates() {
  X509_free(static_cast<X509*>(ca_certificate_));
  EVP_PKEY_free(static_cast<EVP_PKEY*>(ca_key_));
  std::filesystem::remove_all(folder_);
}

PemPair TestCertificates::Issue(const std::string& name) { return Make(name, false); }

PemPair TestCertificates::Make(const std::string& name, bool authority) {
  EVP_PKEY* key = EVP_EC_gen("P-256");
  X509* certificate = X509_new();
  X509* issuer = authority ? certificate : static_cast<X509*>(ca_certificate_);
  X509_set_version(certificate, 2);
  static long serial = 1;  // NOLINT(google-runtime-int): OpenSSL's type
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), ++serial);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -60);
  X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
  X509_set_pubkey(certificate, key);
  SetName(certificate, name);
  X509_set_issuer_name(certificate, X509_get_subject_name(issuer));
  AddExtension(certificate, issuer, NID_basic_constraints,
               authority ? "critical,CA:TRUE" : "CA:FALSE");
  if (!authority) AddExtension(certificate, issuer, NID_subject_alt_name, "DNS:" + name);
  X509_sign(certificate, authority ? key : static_cast<EVP_PKEY*>(ca_key_), EVP_sha256());

  const PemPair files{folder_ / (name + ".pem"), folder_ / (name + ".key")};
  WriteFiles(files, certificate, key);
  if (authority) {
    ca_certificate_ = certificate;
    ca_key_ = key;
  } else {
    X509_free(certificate);
    EVP_PKEY_free(key);
  }
  return files;
}

void EncryptKey(const std::string& key_file) {
  BIO* const file = BIO_new_file(key_file.c_str(), "r+");
  EVP_PKEY* const key = PEM_read_bio_PrivateKey(file, nullptr, nullptr, nullptr);
  char passphrase[] = "secret";
  const bool written = BIO_seek(file, 0) == 0 &&
                       PEM_write_bio_PKCS8PrivateKey(file, key, EVP_aes_256_cbc(), passphrase,
                                                     sizeof passphrase - 1, nullptr, nullptr) == 1;
  EVP_PKEY_free(key);
  BIO_free(file);
  if (!written) throw std::runtime_error("cannot encrypt " + key_file);
}

}  // namespace twintree::rpc
