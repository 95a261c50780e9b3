// SPDX-License-Identifier: Apache-2.0
//
// Commands about certificates, as commands.h; their options are in certificate_options.cpp.

#ifndef HURRAY_CONFORMANCE_CERTIFICATE_COMMANDS_H
#define HURRAY_CONFORMANCE_CERTIFICATE_COMMANDS_H

#include <string>
#include <vector>

#include "conformance/runner/process.h"

namespace hurray::conformance {

// Of `verify` and `reproduce`, beside those of commands.h.
inline constexpr int kExitOtherSuite = 4;
inline constexpr int kExitWithdrawn = 5;

int keygen_command(const std::string& prefix);

struct CertifyArguments {
  std::string target;
  std::string key;
  std::string out;
  std::vector<std::string> artifacts;
  std::vector<std::string> profiles;
  std::string nonce;
  unsigned jobs = 0;
  Limits limits;
};
int certify_command(const CertifyArguments& arguments);

struct VerifyArguments {
  std::string key;
  std::string certificate;
  std::string transcript;  // empty: the verdicts stay the issuer's word
  std::string nonce;       // that it has to be witnessed by
  std::string artifact;    // that it has to be about
  std::string errata;      // instead of those built in
};
int verify_command(const VerifyArguments& arguments);

struct ReproduceArguments {
  std::string key;
  std::string certificate;
  std::string target;
  std::vector<std::string> artifacts;
  unsigned jobs = 0;
  Limits limits;
};
int reproduce_command(const ReproduceArguments& arguments);

struct OfflineArguments {
  std::string hello;    // of `emit`: file with the answer to hello
  std::string out;      // of `emit`: file, or standard output
  std::string answers;  // of `judge`
  std::string nonce;
  std::string report_dir;  // of `judge`
};
int emit_command(const OfflineArguments& arguments);
int judge_command(const OfflineArguments& arguments);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_CERTIFICATE_COMMANDS_H
