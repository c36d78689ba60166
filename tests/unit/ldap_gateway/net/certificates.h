// Certificates and keys for tests, made on the spot.
#ifndef TWINTREE_TESTS_UNIT_LDAP_GATEWAY_NET_CERTIFICATES_H_
#define TWINTREE_TESTS_UNIT_LDAP_GATEWAY_NET_CERTIFICATES_H_

#include <string>

namespace twintree::ldap::testing {

// A folder of its own, removed with all that is in it.
class TempDir {
 public:
  TempDir();
  ~TempDir();
  std::string File(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// From when until when, in seconds from now.
struct Validity {
  long begin = -3600;
  long end = 24 * 3600;
};

// Writes a self-signed certificate for `name`, and its key, as PEM. `serial` tells two apart.
void WriteCertificate(const std::string& certificate_file, const std::string& key_file,
                      const std::string& name, long serial, Validity validity = {});

// Encrypts the key in the file with a passphrase.
void EncryptKey(const std::string& key_file);

}  // namespace twintree::ldap::testing

#endif  // TWINTREE_TESTS_UNIT_LDAP_GATEWAY_NET_CERTIFICATES_H_
