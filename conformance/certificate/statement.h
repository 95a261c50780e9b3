// SPDX-License-Identifier: Apache-2.0
//
// What does a certificate say? An in-toto Statement (version 1) about the artifacts that were
// judged: by which suite, in which way, and with which verdicts. Everything but `Given` follows
// from the transcript, so that nobody need believe it.

#ifndef HURRAY_CONFORMANCE_STATEMENT_H
#define HURRAY_CONFORMANCE_STATEMENT_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/runner/attachment_digests.h"
#include "conformance/runner/case.h"
#include "conformance/runner/run.h"

namespace hurray::conformance {

// How many wrong implementations the suite catches, see kill_score.h.
struct KillScore {
  std::uint64_t faults = 0, caught = 0, requirements = 0;
  std::string cases;  // digest of the cases that were scored
  bool operator==(const KillScore&) const = default;
};

struct SuiteIdentity {
  std::string version;
  std::string cases;     // Suite::digest
  std::string profiles;  // SHA-256 of profiles.toml
  std::string rulings;   // SHA-256 of RULINGS.md
  KillScore kill_score;
  bool operator==(const SuiteIdentity&) const = default;
};
// Of this program.
SuiteIdentity identity_of(const Suite& suite);

// What only the issuer knows.
struct Given {
  std::vector<FileDigest> artifacts;           // at least one; name and SHA-256
  std::string issued;                          // `2026-11-30`, UTC
  std::string target;                          // name that the issuer gave it
  std::string attachment;                      // `exec:./adapter`
  std::string execution;                       // `native`, `emulated`
  std::map<std::string, std::string> machine;  // of an emulated one: image, emulator, model
  std::string nonce;                           // the certifier's; empty: the vendor's own run
  std::vector<std::string> certifies;          // profiles
  bool operator==(const Given&) const = default;
};

// What follows from the transcript.
struct Followed {
  std::string calls_itself;
  std::map<std::string, std::string> claims;        // by key of hello, with defaults
  std::map<std::string, std::string> profiles;      // those that are claimed → verdict
  std::map<std::string, std::string> requirements;  // all → verdict
  std::map<std::string, std::string> behaviours;
  std::vector<std::string> rulings;  // that the judged requirements rest on, sorted
  std::uint64_t cases = 0;           // that were judged
  std::uint64_t too_long = 0;        // that were not, for the target's max_line
  std::uint64_t witnessed = 0;       // of those, drawn from the nonce
  std::string transcript;            // SHA-256
  bool operator==(const Followed&) const = default;
};
Followed followed_from(const Suite& suite, const TargetResult& target, std::string_view transcript);

struct Statement {
  SuiteIdentity suite;
  Given given;
  Followed followed;
  bool operator==(const Statement&) const = default;
};

std::string to_text(const Statement& statement);
// Throws Invalid (envelope.h) unless `text` is what to_text gives for some statement.
Statement read_statement(std::string_view text);

// Lines for people.
std::string describe(const Statement& statement);

// The first thing that two statements say differently, for people: `HQ-PTA-011 is said to be
// "conforms", and comes out "violated"`. Empty if they are equal.
std::string difference(const Followed& said, const Followed& found);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_STATEMENT_H
