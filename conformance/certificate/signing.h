// SPDX-License-Identifier: Apache-2.0
//
// Who vouches for a certificate? Ed25519 keys in PEM files, signatures, and base64, which carries
// both. The only user of OpenSSL's keys.

#ifndef HURRAY_CONFORMANCE_SIGNING_H
#define HURRAY_CONFORMANCE_SIGNING_H

#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct evp_pkey_st;

namespace hurray::conformance {

// A public key, or a private one, which has its public key.
class Key {
 public:
  // A new pair.
  static Key make();
  // `pem` as in the files that `keygen` writes; `where` is for messages. Throw UsageError for
  // anything else than an Ed25519 key of this kind, without a pass phrase.
  static Key read_private(const std::string& pem, const std::string& where);
  static Key read_public(const std::string& pem, const std::string& where);

  std::string private_pem() const;  // PKCS #8
  std::string public_pem() const;   // SubjectPublicKeyInfo
  // SHA-256 of the public key as SubjectPublicKeyInfo in DER, 64 hexadecimal digits:
  // `openssl pkey -pubin -in FILE -outform DER | sha256sum`.
  std::string id() const;

  std::string sign(std::string_view message) const;  // 64 bytes
  bool has_signed(std::string_view message, std::string_view signature) const;

 private:
  struct Free {
    void operator()(evp_pkey_st* key) const;
  };
  explicit Key(evp_pkey_st* key) : key_(key) {}
  static Key checked(evp_pkey_st* key, const std::string& where);

  std::unique_ptr<evp_pkey_st, Free> key_;
};

std::string to_base64(std::string_view bytes);
// Nothing unless `text` is exactly what to_base64 gives for some bytes.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_SIGNING_H
