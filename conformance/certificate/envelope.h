// SPDX-License-Identifier: Apache-2.0
//
// How is a certificate put under seal? A statement in an envelope of DSSE version 1
// (github.com/secure-systems-lab/dsse), as JSON in one canonical form: sorted keys, no white space,
// one signature. For each statement and key there is one file, to the byte.

#ifndef HURRAY_CONFORMANCE_ENVELOPE_H
#define HURRAY_CONFORMANCE_ENVELOPE_H

#include <stdexcept>
#include <string>
#include <string_view>

#include "conformance/certificate/signing.h"

namespace hurray::conformance {

// Why a certificate is not valid, in words.
class Invalid : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline constexpr std::string_view kPayloadType = "application/vnd.in-toto+json";
// No certificate comes near it.
inline constexpr std::size_t kMostCertificateBytes = std::size_t{1} << 20;

// The file.
std::string seal(std::string_view payload, const Key& key);

// The payload that the owner of `key` has signed. Throws Invalid: another form, another key,
// another type of payload, a signature that does not fit.
std::string unseal(std::string_view file, const Key& key);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_ENVELOPE_H
