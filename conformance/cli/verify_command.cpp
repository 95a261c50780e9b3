// SPDX-License-Identifier: Apache-2.0
//
// `hurray-conform verify`: is a certificate what it seems to be? Without the target, and without
// anything but what this program and the files have.

#include <algorithm>

#include <fmt/format.h>

#include "conformance/certificate/certificate.h"
#include "conformance/certificate/envelope.h"
#include "conformance/certificate/errata.h"
#include "conformance/cli/certificate_commands.h"
#include "conformance/cli/certificate_files.h"
#include "conformance/cli/commands.h"

namespace hurray::conformance {
namespace {

// What whoever verifies asks of it beyond being valid. Throws Invalid.
void check_wishes(const VerifyArguments& arguments, const Statement& statement) {
  const Given& given = statement.given;
  if (!arguments.nonce.empty() && given.nonce != arguments.nonce) {
    throw Invalid(
        given.nonce.empty()
            ? std::string("it is not witnessed, by this nonce or any other")
            : fmt::format("it is witnessed by the nonce {}, not {}", given.nonce, arguments.nonce));
  }
  if (arguments.artifact.empty()) return;
  const std::string digest = digest_of_file(arguments.artifact);
  if (std::ranges::find(given.artifacts, digest, &FileDigest::sha256) != given.artifacts.end())
    return;
  throw Invalid(fmt::format("it is not about {}, whose SHA-256 is {}", arguments.artifact, digest));
}

std::vector<Erratum> errata_to_use(const VerifyArguments& arguments) {
  if (arguments.errata.empty()) return load_errata();
  try {
    return read_errata(arguments.errata, read_lines(arguments.errata));
  } catch (const SuiteError& error) {
    throw UsageError(error.what());
  }
}

// Prints those that concern the certificate. Whether one withdraws what it rests on.
bool show_errata(const Statement& statement, const std::vector<Erratum>& errata) {
  bool any_withdrawn = false;
  for (const Erratum& each : errata_of(statement, errata)) {
    fmt::print("{}", describe(each));
    any_withdrawn |= each.is_withdrawn;
  }
  return any_withdrawn;
}

}  // namespace

int verify_command(const VerifyArguments& arguments) {
  const Key key = read_public_key(arguments.key);
  const std::string file = read_certificate(arguments.certificate);
  const std::vector<Erratum> errata = errata_to_use(arguments);
  const std::string transcript =
      arguments.transcript.empty() ? std::string() : read_lines(arguments.transcript);
  try {
    const Statement statement = open_certificate(file, key);
    check_wishes(arguments, statement);
    std::string_view how =
        "valid: the form and the signature; verdicts are the issuer's word, as "
        "no transcript was given";
    int code = kExitAsExpected;
    try {
      Suite suite = load_suite();
      check_suite(statement, suite);
      if (!arguments.transcript.empty()) {
        check_transcript(statement, std::move(suite), transcript);
        how = "valid: the form, the signature, and every verdict, had again from the answers";
      }
    } catch (const OtherSuite& error) {
      fmt::print("{}: {}\n", arguments.certificate, error.what());
      how = "signed, and not recomputed: it is of another suite";
      code = kExitOtherSuite;
    }
    const bool is_withdrawn = show_errata(statement, errata);
    fmt::print("{}: {}\n{}", arguments.certificate, how, describe(statement));
    return is_withdrawn ? kExitWithdrawn : code;
  } catch (const Invalid& error) {
    fmt::print("{}: not valid: {}\n", arguments.certificate, error.what());
    return kExitNonConformant;
  }
}

}  // namespace hurray::conformance
