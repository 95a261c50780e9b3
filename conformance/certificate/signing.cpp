// SPDX-License-Identifier: Apache-2.0
//
// Keys and signatures, see signing.h.

#include "conformance/certificate/signing.h"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <limits>
#include <utility>

#include <fmt/format.h>

#include "conformance/runner/attachment.h"
#include "conformance/runner/case.h"
#include "conformance/runner/digest.h"

namespace hurray::conformance {
namespace {

struct FreeBio {
  void operator()(BIO* bio) const { BIO_free(bio); }
};
using Bio = std::unique_ptr<BIO, FreeBio>;

struct FreeContext {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
using Context = std::unique_ptr<EVP_MD_CTX, FreeContext>;

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

Bio reading(const std::string& text) {
  if (text.size() > std::size_t{std::numeric_limits<int>::max()}) return nullptr;
  return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

std::string content_of(const Bio& bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return size > 0 ? std::string(data, static_cast<std::size_t>(size)) : std::string();
}

// OpenSSL would ask on the terminal.
int no_pass_phrase(char*, int, int, void*) { return -1; }

[[noreturn]] void openssl_failed(std::string_view what) {
  throw SuiteError(fmt::format("OpenSSL cannot {}", what));
}

}  // namespace

void Key::Free::operator()(evp_pkey_st* key) const { EVP_PKEY_free(key); }

Key Key::make() {
  EVP_PKEY* key = EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519");
  if (!key) openssl_failed("make an Ed25519 key");
  return Key(key);
}

Key Key::checked(evp_pkey_st* key, const std::string& where) {
  Key result(key);
  if (EVP_PKEY_get_id(key) != EVP_PKEY_ED25519) {
    throw UsageError(fmt::format(
        "{} is a key of another algorithm; expected Ed25519, as `hurray-conform keygen` makes them",
        where));
  }
  return result;
}

Key Key::read_private(const std::string& pem, const std::string& where) {
  const Bio bio = reading(pem);
  EVP_PKEY* key =
      bio ? PEM_read_bio_PrivateKey(bio.get(), nullptr, no_pass_phrase, nullptr) : nullptr;
  if (!key) {
    throw UsageError(
        fmt::format("{} is no private key in PEM without a pass phrase; expected PREFIX.key of "
                    "`hurray-conform keygen --out PREFIX`",
                    where));
  }
  return checked(key, where);
}

Key Key::read_public(const std::string& pem, const std::string& where) {
  const Bio bio = reading(pem);
  EVP_PKEY* key = bio ? PEM_read_bio_PUBKEY(bio.get(), nullptr, no_pass_phrase, nullptr) : nullptr;
  if (!key) {
    throw UsageError(fmt::format(
        "{} is no public key in PEM; expected PREFIX.pub of `hurray-conform keygen --out PREFIX`",
        where));
  }
  return checked(key, where);
}

std::string Key::private_pem() const {
  const Bio bio(BIO_new(BIO_s_mem()));
  if (PEM_write_bio_PKCS8PrivateKey(bio.get(), key_.get(), nullptr, nullptr, 0, nullptr, nullptr) !=
      1) {
    openssl_failed("write a private key");
  }
  return content_of(bio);
}

std::string Key::public_pem() const {
  const Bio bio(BIO_new(BIO_s_mem()));
  if (PEM_write_bio_PUBKEY(bio.get(), key_.get()) != 1) openssl_failed("write a public key");
  return content_of(bio);
}

std::string Key::id() const {
  const Bio bio(BIO_new(BIO_s_mem()));
  if (i2d_PUBKEY_bio(bio.get(), key_.get()) != 1) openssl_failed("write a public key");
  return sha256_of(content_of(bio));
}

std::string Key::sign(std::string_view message) const {
  const Context context(EVP_MD_CTX_new());
  std::string signature(64, '\0');
  std::size_t size = signature.size();
  if (EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key_.get()) != 1 ||
      EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size,
                     bytes_of(message), message.size()) != 1 ||
      size != signature.size()) {
    openssl_failed("sign");
  }
  return signature;
}

bool Key::has_signed(std::string_view message, std::string_view signature) const {
  const Context context(EVP_MD_CTX_new());
  return EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key_.get()) == 1 &&
         EVP_DigestVerify(context.get(), bytes_of(signature), signature.size(), bytes_of(message),
                          message.size()) == 1;
}

std::string to_base64(std::string_view bytes) {
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), bytes_of(bytes),
                                   static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(size));
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0 || text.size() > std::size_t{1} << 30) return std::nullopt;
  std::string bytes(text.size() / 4 * 3, '\0');
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()), bytes_of(text),
                                   static_cast<int>(text.size()));
  if (size < 0) return std::nullopt;
  bytes.resize(static_cast<std::size_t>(size));
  // OpenSSL counts the padding in, and skips white space: only what it would write itself is taken.
  for (int padding = 0; padding <= 2; ++padding) {
    if (to_base64(bytes) == text) return bytes;
    if (bytes.empty()) break;
    bytes.pop_back();
  }
  return std::nullopt;
}

}  // namespace hurray::conformance
