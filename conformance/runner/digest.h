// SPDX-License-Identifier: Apache-2.0
//
// SHA-256 over parts, and over files. The only user of OpenSSL's digests.

#ifndef HURRAY_CONFORMANCE_DIGEST_H
#define HURRAY_CONFORMANCE_DIGEST_H

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace hurray::conformance {

// Each part goes in behind its length, so that nothing can move between parts.
class Digest {
 public:
  Digest();
  ~Digest();
  Digest(const Digest&) = delete;
  Digest& operator=(const Digest&) = delete;

  void add(std::string_view part);
  std::string finish();  // 64 hexadecimal digits

  struct Context;

 private:
  std::unique_ptr<Context> context_;
};

// As sha256sum prints it.
std::string sha256_of(std::string_view bytes);
// Nothing if the file cannot be read.
std::optional<std::string> sha256_of_file(const std::string& path);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_DIGEST_H
