#include "services/tls/openssl_error.h"

#include <gtest/gtest.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

namespace twintree::tls {
namespace {

class OpenSslErrorTest : public ::testing::Test {
 protected:
  OpenSslErrorTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "twintree-XXXXXX").string();
    EXPECT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  ~OpenSslErrorTest() override { std::filesystem::remove_all(folder_); }

  std::string File(const char* name, std::string_view text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }
  std::string WhyNoCertificate(const std::string& file) {
    EXPECT_NE(SSL_CTX_use_certificate_chain_file(context_.get(), file.c_str()), 1);
    return TakeFileError("the certificate", file, PemContent::kCertificate).message;
  }
  std::string WhyNoKey(const std::string& file) {
    EXPECT_NE(SSL_CTX_use_PrivateKey_file(context_.get(), file.c_str(), SSL_FILETYPE_PEM), 1);
    return TakeFileError("the key", file, PemContent::kPrivateKey).message;
  }

  std::filesystem::path folder_;
  std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context_{SSL_CTX_new(TLS_method()),
                                                             SSL_CTX_free};
};

TEST_F(OpenSslErrorTest, AFileThatIsGoneIsToldInTheSystemsWords) {
  const std::string file = (folder_ / "none").string();
  EXPECT_EQ(WhyNoCertificate(file), "the certificate " + file + ": No such file or directory");
  EXPECT_EQ(WhyNoKey(file), "the key " + file + ": No such file or directory");
}

TEST_F(OpenSslErrorTest, AFileOfSomethingElseIsToldAsSuch) {
  const std::string text = File("text", "secret\n");
  const std::string other = File("other", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END-----\n");
  for (const std::string& file : {text, other}) {
    EXPECT_EQ(WhyNoCertificate(file), "the certificate " + file + ": it holds no PEM certificate");
    EXPECT_EQ(WhyNoKey(file), "the key " + file + ": it holds no PEM private key");
  }
}

TEST_F(OpenSslErrorTest, ADamagedCertificateIsNotSaidToBeMissing) {
  const std::string file =
      File("damaged", "-----BEGIN CERTIFICATE-----\r\nAAAA\r\n-----END CERTIFICATE-----\r\n");
  const std::string why = WhyNoCertificate(file);
  EXPECT_EQ(why.find("it holds no"), std::string::npos) << why;
}

TEST_F(OpenSslErrorTest, TheQueueIsEmptyThen) {
  WhyNoKey(File("text", "secret\n"));
  EXPECT_EQ(ERR_peek_error(), 0u);
  EXPECT_EQ(TakeError(), "unknown error");
}

}  // namespace
}  // namespace twintree::tls
