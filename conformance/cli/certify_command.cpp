// SPDX-License-Identifier: Apache-2.0
//
// `hurray-conform keygen`, `certify` and `reproduce`: what needs a secret key, or the target.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <filesystem>
#include <set>
#include <system_error>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "conformance/certificate/certificate.h"
#include "conformance/certificate/envelope.h"
#include "conformance/certificate/witness.h"
#include "conformance/cli/certificate_commands.h"
#include "conformance/cli/certificate_files.h"
#include "conformance/cli/commands.h"
#include "conformance/cli/files.h"
#include "conformance/cli/terminal.h"
#include "conformance/runner/digest.h"
#include "conformance/runner/profiles.h"

namespace hurray::conformance {
namespace {

// Never in place of another, and with its mode from the first moment: nobody else reads a key.
void write_new_file(const std::string& path, const std::string& content, mode_t mode) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (file < 0) {
    throw UsageError(
        fmt::format("cannot make {}: {}; expected the name of a file that is not there", path,
                    std::generic_category().message(errno)));
  }
  const ssize_t written = write(file, content.data(), content.size());
  // Written in part: there is no room for the rest.
  const int failure = written < 0 ? errno : ENOSPC;
  if (close(file) == 0 && written == static_cast<ssize_t>(content.size())) return;
  unlink(path.c_str());
  throw UsageError(
      fmt::format("cannot write {}: {}", path, std::generic_category().message(failure)));
}

// What is judged, as files. Of a builtin target that is this program.
std::vector<FileDigest> artifacts_of(const Attachment& attachment,
                                     const std::vector<std::string>& more) {
  std::vector<FileDigest> artifacts = digests_of(attachment);
  for (const std::string& each : more) artifacts.push_back({each, digest_of_file(each)});
  if (artifacts.empty() && attachment.text.starts_with("builtin:"))
    artifacts.push_back({"hurray-conform", digest_of_file("/proc/self/exe")});
  if (artifacts.empty()) {
    throw UsageError(
        fmt::format("no file of {} is known, so there is nothing to certify; expected --artifact "
                    "FILE, once for "
                    "each file that it is made of",
                    attachment.text));
  }
  return artifacts;
}

// What is known of how it runs. A command may start anything, an emulator among it.
std::string execution_of(const Attachment& attachment) {
  const std::string kind = attachment.text.substr(0, attachment.text.find(':'));
  if (kind == "builtin" || kind == "lib") return "native";
  if (kind == "qemu") return "emulated";
  return kind == "exec" ? "command" : kind;
}

void check_profile_names(const std::vector<std::string>& names) {
  if (names.empty()) return;
  const std::vector<Profile> profiles = load_profiles(load_requirements());
  for (const std::string& name : names) {
    if (std::ranges::find(profiles, name, &Profile::name) != profiles.end()) continue;
    std::vector<std::string> known;
    for (const Profile& each : profiles) known.push_back(each.name);
    throw UsageError(
        fmt::format("no profile {}; there are: {}", cleaned(name), fmt::join(known, " ")));
  }
}

Judged judge_with_progress(Suite suite, const Candidate& candidate, const std::string& nonce,
                           unsigned jobs) {
  Progress progress;
  JudgeOptions options{nonce, jobs, {}};
  options.on_progress = [&](std::size_t done, std::size_t all) {
    progress.show(done, all, "cases");
  };
  return judge_live(std::move(suite), candidate, options);
}

}  // namespace

int keygen_command(const std::string& prefix) {
  if (!std::filesystem::path(prefix).has_filename()) {
    throw UsageError(fmt::format("keygen: {} is a folder; expected {}NAME", prefix, prefix));
  }
  const std::string secret = prefix + ".key", open = prefix + ".pub";
  for (const std::string& each : {secret, open}) {
    std::error_code failure;
    if (std::filesystem::exists(std::filesystem::symlink_status(each, failure))) {
      throw UsageError(
          fmt::format("{} is there already, and a key that is lost cannot be made again; expected "
                      "another PREFIX",
                      each));
    }
  }
  const Key key = Key::make();
  write_new_file(secret, key.private_pem(), 0600);
  try {
    write_new_file(open, key.public_pem(), 0644);
  } catch (...) {
    unlink(secret.c_str());
    throw;
  }
  fmt::print("{}  signs; keep it secret\n{}  to be given away\nkeyid {}\n", secret, open, key.id());
  return kExitAsExpected;
}

int certify_command(const CertifyArguments& arguments) {
  const Key key = read_private_key(arguments.key);
  const Candidate candidate{parse_attachment(arguments.target), arguments.limits};
  const std::filesystem::path certificate = std::filesystem::path(arguments.out) / kCertificateName;
  const std::filesystem::path transcript = std::filesystem::path(arguments.out) / kTranscriptName;
  for (const std::filesystem::path& each : {certificate, transcript}) {
    if (std::filesystem::exists(each)) {
      throw UsageError(
          fmt::format("{} is there already; expected another folder after --out", each.string()));
    }
  }
  const std::vector<FileDigest> artifacts = artifacts_of(candidate.attachment, arguments.artifacts);
  check_profile_names(arguments.profiles);
  prepare_folder(arguments.out);
  const Judged judged =
      judge_with_progress(load_suite(), candidate, arguments.nonce, arguments.jobs);
  fmt::print("{}", describe_judged(judged));
  if (judged.target.verdict == TargetVerdict::kBroken) return kExitBroken;
  std::string refusal;
  const std::vector<std::string> profiles =
      certified_profiles(judged.target, arguments.profiles, refusal);
  if (!refusal.empty()) {
    fmt::print("no certificate: {}\n", refusal);
    return kExitNonConformant;
  }
  if (artifacts_of(candidate.attachment, arguments.artifacts) != artifacts) {
    fmt::print("no certificate: a file of the target has changed while it was judged\n");
    return kExitBroken;
  }
  const Attachment& attachment = candidate.attachment;
  const Given given{artifacts,
                    fmt::format("{:%F}", fmt::gmtime(std::time(nullptr))),
                    attachment.name,
                    attachment.text,
                    execution_of(attachment),
                    attachment.execution,
                    arguments.nonce,
                    profiles};
  const std::string file = issue(judged, given, key);
  write_file(transcript, judged.transcript);
  write_file(certificate, file);
  fmt::print("{}\n{}\n{}", certificate.string(), transcript.string(),
             describe(open_certificate(file, key)));
  return kExitAsExpected;
}

namespace {

std::set<std::string> digests_in(const std::vector<FileDigest>& files) {
  std::set<std::string> digests;
  for (const FileDigest& each : files) digests.insert(each.sha256);
  return digests;
}

// What of a certificate is not so again, a line each.
std::vector<std::string> not_reproduced(const Statement& statement, const Judged& judged,
                                        const std::vector<FileDigest>& artifacts) {
  std::vector<std::string> differing;
  if (digests_in(artifacts) != digests_in(statement.given.artifacts))
    differing.emplace_back("the files of the target are not those that were certified");
  Followed found = followed_from(judged.suite, judged.target, judged.transcript);
  // Hints for people may be worded differently each time.
  found.transcript = statement.followed.transcript;
  if (const std::string text = difference(statement.followed, found); !text.empty())
    differing.push_back(text);
  return differing;
}

}  // namespace

int reproduce_command(const ReproduceArguments& arguments) {
  const Key key = read_public_key(arguments.key);
  const Candidate candidate{parse_attachment(arguments.target), arguments.limits};
  Suite suite = load_suite();
  Statement statement;
  try {
    statement = open_certificate(read_certificate(arguments.certificate), key);
    check_suite(statement, suite);
  } catch (const Invalid& error) {
    fmt::print("{}: not valid: {}\n", arguments.certificate, error.what());
    return kExitNonConformant;
  } catch (const OtherSuite& error) {
    fmt::print("{}: not judged again: {}\n", arguments.certificate, error.what());
    return kExitOtherSuite;
  }
  const std::vector<FileDigest> artifacts = artifacts_of(candidate.attachment, arguments.artifacts);
  const Judged judged =
      judge_with_progress(std::move(suite), candidate, statement.given.nonce, arguments.jobs);
  if (judged.target.verdict == TargetVerdict::kBroken) {
    fmt::print("{}", describe_judged(judged));
    return kExitBroken;
  }
  const std::vector<std::string> differing = not_reproduced(statement, judged, artifacts);
  for (const std::string& each : differing) fmt::print("not reproduced: {}\n", each);
  if (!differing.empty()) return kExitNonConformant;
  const bool same_words = sha256_of(judged.transcript) == statement.followed.transcript;
  fmt::print("reproduced: {} cases, all verdicts as certified, {}\n", statement.followed.cases,
             same_words ? "and every answer the same to the byte"
                        : "though some answers are worded differently");
  return kExitAsExpected;
}

}  // namespace hurray::conformance
