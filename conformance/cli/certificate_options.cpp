// SPDX-License-Identifier: Apache-2.0
//
// Options of the commands about certificates, see certificate_options.h.

#include "conformance/cli/certificate_options.h"

#include <memory>
#include <string>

#include <fmt/format.h>

#include "conformance/certificate/witness.h"
#include "conformance/cli/certificate_commands.h"
#include "conformance/cli/options.h"

namespace hurray::conformance {
namespace {

void add_nonce(CLI::App* command, std::string& nonce, const std::string& what) {
  command->add_option("--nonce", nonce, what)
      ->check(CLI::Validator(
          [](std::string& value) {
            return is_nonce(value) ? std::string()
                                   : fmt::format(
                                         "expected {} to {} lower-case hexadecimal digits, "
                                         "for example of `openssl rand -hex 16`",
                                         kLeastNonceDigits, kMostNonceDigits);
          },
          ""));
}

template <typename Arguments>
void add_target(CLI::App* command, Arguments& arguments) {
  command->add_option("--target", arguments.target, "[NAME=]ATTACHMENT")->required();
  command
      ->add_option(
          "--artifact", arguments.artifacts,
          "A file that the target is made of, beside those that the attachment names; may be\n"
          "given several times")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--jobs", arguments.jobs, "Processes at a time; 0: one per processor")
      ->default_val(0)
      ->check(CLI::Range(0, 1024));
  add_limits(command, arguments.limits);
}

void add_keygen(CLI::App& app, int& exit_code) {
  const auto prefix = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("keygen", "Make a pair of Ed25519 keys for certificates");
  command->footer(
      "Example: hurray-conform keygen --out lab\n\n"
      "lab.key signs and stays secret (PKCS #8, readable by its owner alone), lab.pub is given "
      "away.\n"
      "Files that are there are never replaced.\n\n"
      "Exit codes: 0 made, 2 usage, or a file is there already.");
  command->add_option("--out", *prefix, "PREFIX of PREFIX.key and PREFIX.pub")->required();
  command->callback([prefix, &exit_code] { exit_code = keygen_command(*prefix); });
}

void add_certify(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<CertifyArguments>();
  CLI::App* command = app.add_subcommand(
      "certify", "Judge a target and say under seal what it is, with a transcript as evidence");
  command->footer(
      "Writes OUT/certificate.json (an in-toto Statement in a DSSE envelope) and "
      "OUT/transcript.txt. Only\n"
      "what is conformant is certified: unless profiles are named, all that the target claims and "
      "can\n"
      "show. Lists of known deviations are never read.\n\n"
      "Examples: hurray-conform certify --target mine=lib:./libmine.so --key lab.key --out cert\n"
      "          hurray-conform certify --target mine=exec:./adapter --artifact weights.bin "
      "--profile reader \\\n"
      "            --nonce $(openssl rand -hex 16) --key lab.key --out cert\n\n"
      "Exit codes: 0 certified, 1 not conformant, so there is no certificate, 2 usage, 3 the "
      "target or\n"
      "the suite is broken. See conformance/CERTIFICATION.md.");
  add_target(command, *arguments);
  command->add_option("--key", arguments->key, "Private key, PREFIX.key of keygen")->required();
  command->add_option("--out", arguments->out, "Folder for certificate.json and transcript.txt")
      ->required();
  command
      ->add_option("--profile", arguments->profiles,
                   "Certify this profile (`list profiles`), and nothing if it is not met; may be "
                   "given\nseveral times")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_nonce(command, arguments->nonce,
            "Witnessed: the certifier's number, drawn after the target was handed over");
  command->callback([arguments, &exit_code] { exit_code = certify_command(*arguments); });
}

void add_verify(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<VerifyArguments>();
  CLI::App* command = app.add_subcommand(
      "verify", "Check a certificate: its form, its signature, and whether its verdicts follow");
  command->footer(
      "Needs neither the target nor a network. With the transcript every verdict is had again from "
      "the\n"
      "answers; without it, verdicts are the issuer's word.\n\n"
      "Example: hurray-conform verify --key lab.pub cert/certificate.json cert/transcript.txt\n\n"
      "Exit codes: 0 valid, 1 not valid (and why), 2 usage, or a file that cannot be read, 3 the "
      "suite is\n"
      "broken, 4 signed, and of another suite than this program has: not recomputed, 5 valid, and "
      "issued\n"
      "under a case since withdrawn.");
  command->add_option("--key", arguments->key, "Public key of the issuer")->required();
  command->add_option("certificate", arguments->certificate, "certificate.json")->required();
  command->add_option("transcript", arguments->transcript, "transcript.txt");
  add_nonce(command, arguments->nonce, "It has to be witnessed by this number");
  command->add_option("--artifact", arguments->artifact, "It has to be about this file");
  command->add_option("--errata", arguments->errata,
                      "A newer errata.toml than this program has built in");
  command->callback([arguments, &exit_code] { exit_code = verify_command(*arguments); });
}

void add_reproduce(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<ReproduceArguments>();
  CLI::App* command =
      app.add_subcommand("reproduce", "Judge a target again as its certificate says it was");
  command->footer(
      "Example: hurray-conform reproduce --key lab.pub cert/certificate.json --target "
      "mine=lib:./libmine.so\n\n"
      "Exit codes: 0 the same artifacts and verdicts, 1 something differs, or the certificate is "
      "not valid,\n"
      "2 usage, 3 the target or the suite is broken, 4 the certificate is of another suite.");
  command->add_option("--key", arguments->key, "Public key of the issuer")->required();
  command->add_option("certificate", arguments->certificate, "certificate.json")->required();
  add_target(command, *arguments);
  command->callback([arguments, &exit_code] { exit_code = reproduce_command(*arguments); });
}

void add_emit(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<OfflineArguments>();
  CLI::App* command =
      app.add_subcommand("emit", "Write all requests as lines, for a target that stays elsewhere");
  command->footer(
      "Which requests follow depends on what the target claims, so its answer to hello comes "
      "first:\n\n"
      "  echo '1 hello version=1' | ./adapter > hello.txt\n"
      "  hurray-conform emit --hello hello.txt --out requests.txt\n"
      "  ./adapter < requests.txt > answers.txt\n"
      "  hurray-conform judge answers.txt\n\n"
      "Exit codes: 0 written, 2 usage, 3 what the target says of itself does not follow the "
      "protocol.");
  command->add_option("--hello", arguments->hello, "File with the answer to `1 hello version=1`")
      ->required();
  command->add_option("--out", arguments->out, "File; standard output if not given");
  add_nonce(command, arguments->nonce, "Requests that this number draws as well; give it to judge");
  command->callback([arguments, &exit_code] { exit_code = emit_command(*arguments); });
}

void add_judge(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<OfflineArguments>();
  CLI::App* command =
      app.add_subcommand("judge", "Judge the answers to what `emit` wrote, without the target");
  command->footer(
      "The answer to hello comes first, the others in any order. A request in the middle that is "
      "not answered counts as a "
      "crash; if\n"
      "the answers end early, nothing is said.\n\n"
      "Example: hurray-conform judge answers.txt\n\n"
      "Exit codes: 0 conformant, 1 non-conformant, 2 usage, 3 the answers do not follow the "
      "protocol, or\n"
      "are not those to these requests.");
  command->add_option("answers", arguments->answers, "File with the answers")->required();
  command->add_option("--report-dir", arguments->report_dir,
                      "Write report.json and junit.xml there");
  add_nonce(command, arguments->nonce, "The number that `emit` was given");
  command->callback([arguments, &exit_code] { exit_code = judge_command(*arguments); });
}

}  // namespace

void add_certificates(CLI::App& app, int& exit_code) {
  add_keygen(app, exit_code);
  add_certify(app, exit_code);
  add_verify(app, exit_code);
  add_reproduce(app, exit_code);
  add_emit(app, exit_code);
  add_judge(app, exit_code);
}

}  // namespace hurray::conformance
