// SPDX-License-Identifier: Apache-2.0
//
// Files of the commands about certificates: keys, certificates, transcripts; and what of a judged
// target is shown.

#ifndef HURRAY_CONFORMANCE_CERTIFICATE_FILES_H
#define HURRAY_CONFORMANCE_CERTIFICATE_FILES_H

#include <string>

#include "conformance/certificate/certificate.h"
#include "conformance/certificate/signing.h"

namespace hurray::conformance {

inline constexpr const char* kCertificateName = "certificate.json";
inline constexpr const char* kTranscriptName = "transcript.txt";

// All throw UsageError for what cannot be read.
Key read_private_key(const std::string& path);
Key read_public_key(const std::string& path);
// One byte more than a certificate may have, at most: that it is too long shows.
std::string read_certificate(const std::string& path);
std::string read_lines(const std::string& path);
std::string digest_of_file(const std::string& path);

// What a run would show, and the drawn cases that were failed.
std::string describe_judged(const Judged& judged);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_CERTIFICATE_FILES_H
