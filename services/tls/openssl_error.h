// What OpenSSL says about failures, in the words of the system's administrator.
//
// OpenSSL queues errors for each thread; each function here takes the first and clears the queue.
#ifndef TWINTREE_SERVICES_TLS_OPENSSL_ERROR_H_
#define TWINTREE_SERVICES_TLS_OPENSSL_ERROR_H_

#include <string>

#include "services/model/result.h"

namespace twintree::tls {

enum class PemContent { kCertificate, kPrivateKey };

// OpenSSL's reason, or errno's words where the system has failed.
std::string TakeError();

// "WHAT FILE: REASON", kOther, after OpenSSL could not use a PEM file. OpenSSL has several reasons
// for a file that has nothing of the kind in it; here it is told as such.
model::Error TakeFileError(const std::string& what, const std::string& file, PemContent expected);

}  // namespace twintree::tls

#endif  // TWINTREE_SERVICES_TLS_OPENSSL_ERROR_H_
