// SPDX-License-Identifier: Apache-2.0
//
// Digests, see digest.h.

#include "conformance/runner/digest.h"

#include <openssl/evp.h>

#include <array>
#include <fstream>

#include <fmt/format.h>

namespace hurray::conformance {

struct Digest::Context {
  Context() : evp(EVP_MD_CTX_new()) { EVP_DigestInit_ex(evp, EVP_sha256(), nullptr); }
  ~Context() { EVP_MD_CTX_free(evp); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  void add(std::string_view bytes) { EVP_DigestUpdate(evp, bytes.data(), bytes.size()); }
  std::string finish() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
    unsigned size = 0;
    EVP_DigestFinal_ex(evp, bytes.data(), &size);
    return fmt::format("{:02x}", fmt::join(bytes.data(), bytes.data() + size, ""));
  }

  EVP_MD_CTX* evp;
};

Digest::Digest() : context_(std::make_unique<Context>()) {}
Digest::~Digest() = default;

void Digest::add(std::string_view part) {
  context_->add(fmt::format("{}:", part.size()));
  context_->add(part);
}

std::string Digest::finish() { return context_->finish(); }

std::string sha256_of(std::string_view bytes) {
  Digest::Context context;
  context.add(bytes);
  return context.finish();
}

std::optional<std::string> sha256_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Digest::Context context;
  std::array<char, 1 << 16> piece;
  while (file) {
    file.read(piece.data(), piece.size());
    context.add({piece.data(), static_cast<std::size_t>(file.gcount())});
  }
  if (!file.is_open() || file.bad() || !file.eof()) return std::nullopt;
  return context.finish();
}

}  // namespace hurray::conformance
