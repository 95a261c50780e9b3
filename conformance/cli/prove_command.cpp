// SPDX-License-Identifier: Apache-2.0
//
// `hurray-conform prove`: one function, or a set of hard parameters, against the reference on all
// inputs; over several machines in shards that are merged afterwards.

#include <chrono>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "conformance/cli/commands.h"
#include "conformance/cli/files.h"
#include "conformance/cli/sweep_arguments.h"
#include "conformance/cli/sweep_text.h"
#include "conformance/cli/terminal.h"
#include "conformance/runner/parallel.h"
#include "conformance/runner/prove.h"
#include "conformance/runner/prove_file.h"
#include "conformance/runner/prove_merge.h"
#include "conformance/runner/prove_set.h"
#include "conformance/runner/report.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

constexpr std::uint64_t kMostFileBytes = std::uint64_t{64} << 20;
constexpr std::int64_t kMostShards = 65536;

Shard shard_from(const std::string& text) {
  if (text.empty()) return {};
  const std::size_t slash = text.find('/');
  const std::int64_t index = parse_decimal(text.substr(0, slash)).value_or(0);
  const std::int64_t of =
      slash == std::string::npos ? 0 : parse_decimal(text.substr(slash + 1)).value_or(0);
  if (index < 1 || index > of || of > kMostShards) {
    throw UsageError(fmt::format(
        "--shard {}: expected I/N, the I-th of N parts of the inputs, N up to {}, for example 3/16",
        text, kMostShards));
  }
  return {static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(of)};
}

bool is_selected(const HardParameters& row, const ProveArguments& arguments) {
  const SweepFunction function = function_of(row);
  return (arguments.op.empty() || (arguments.op == "dequantize") == function.dequantizes()) &&
         (arguments.type.empty() || arguments.type == storage_of(function).name);
}

std::vector<HardParameters> rows_from(const ProveArguments& arguments) {
  std::vector<HardParameters> rows;
  for (const HardParameters& each : default_set()) {
    if (is_selected(each, arguments)) rows.push_back(each);
  }
  if (rows.empty()) {
    throw UsageError(fmt::format("--set {}: no row of it has --op {} --type {}; see --list",
                                 arguments.set, arguments.op, arguments.type));
  }
  return rows;
}

int list_rows(const std::vector<HardParameters>& rows) {
  for (const HardParameters& each : rows) {
    const SweepFunction function = function_of(each);
    fmt::print("{:<10} {:<6} {:08x} {:<16} {:>11}  {}\n",
               function.dequantizes() ? "dequantize" : "quantize", storage_of(function).name,
               each.scale_bits, fmt::format("({:.9g})", function.scale), each.zero_point, each.why);
  }
  return kExitAsExpected;
}

SweepFunction function_from(const ProveArguments& arguments) {
  const bool is_named = !arguments.function.empty();
  if (is_named == (!arguments.op.empty() && !arguments.type.empty()) || arguments.scale.empty() ||
      !arguments.zero_point) {
    throw UsageError(
        "prove: expected --op and --type, or --fn, with --scale and --zero-point, or else --set "
        "default, for example\n"
        "  hurray-conform prove --target builtin:scalar --op quantize --type int8 --scale 0.05 "
        "--zero-point 3");
  }
  return swept_function(
      arguments.op == "dequantize" ? SweepOperation::kDequantize : SweepOperation::kQuantize,
      arguments.function, arguments.type, arguments.scale, *arguments.zero_point);
}

// One line of a table.
void print_row(const Proof& proof, double seconds) {
  const SweepResult& result = proof.result;
  std::string what =
      fmt::format("as the reference{}", readings_in_brackets(proof.function, result));
  if (result.broken) what = "broken";
  if (result.not_claimed) what = "not claimed";
  if (result.finding) what = fmt::format("differs, {}", result.finding->failure_class);
  if (!result.broken && !result.finding && proof.range.count == 0) what = "nothing in this shard";
  fmt::print("{:<58} {:>10} {:<6} {}{}\n", name_of(proof.function), result.inputs,
             words_of(proof.function).many, what,
             seconds < 0 ? "" : fmt::format(", {:.1f} s", seconds));
  std::fflush(stdout);
}

// What the rows say together: findings at length, then the total. Returns the exit code.
//   not_claimed   rows that are not among the proofs, as nobody was asked
int print_total(std::string_view target, std::span<const Proof> proofs, std::size_t not_claimed) {
  std::size_t differ = 0, broken = 0, judged = 0;
  std::uint64_t inputs = 0;
  for (const Proof& each : proofs) {
    inputs += each.result.inputs;
    ++(each.result.not_claimed ? not_claimed : judged);
    if (!each.result.finding && !each.result.broken) continue;
    ++(each.result.finding ? differ : broken);
    fmt::print("\n{}\n", name_of(each.function));
    print_sweep(target, each.function, each.result);
  }
  // As with `run`: a target that was asked nothing must not look as if it agreed.
  if (judged == 0) {
    fmt::print("{}: not judged: no row is claimed\n", target);
    return kExitBroken;
  }
  const auto rows = [](std::size_t n) { return fmt::format("{} row{}", n, n == 1 ? "" : "s"); };
  std::string total = fmt::format("{}: {}, {} inputs and codes", target, rows(judged), inputs);
  total += differ + broken == 0 ? ", all as the reference" : "";
  if (differ > 0) total += fmt::format(", {} differ{}", rows(differ), differ == 1 ? "s" : "");
  if (broken > 0) total += fmt::format(", {} broken", rows(broken));
  if (not_claimed > 0) total += fmt::format("; {} not claimed", rows(not_claimed));
  fmt::print("{}\n", total);
  if (broken > 0) return kExitBroken;
  return differ > 0 ? kExitNonConformant : kExitAsExpected;
}

int merge(const ProveArguments& arguments) {
  std::vector<ProofFile> files;
  for (const std::string& path : arguments.merge) {
    const std::vector<std::uint8_t> bytes = read_file(path, kMostFileBytes);
    files.push_back(read_proof_json(path, std::string(bytes.begin(), bytes.end())));
  }
  const std::vector<Proof> proofs = merged(files);
  const std::string& target = files.front().target;
  if (proofs.size() == 1) {
    return print_sweep(target, proofs.front().function, proofs.front().result);
  }
  for (const Proof& each : proofs) print_row(each, -1);
  return print_total(target, proofs, 0);
}

// One session of `prove`: the target, and the file that is written after each row, so that what was
// proved is kept if it is interrupted.
class Session {
 public:
  explicit Session(const ProveArguments& arguments)
      : arguments_(arguments),
        shard_(shard_from(arguments.shard)),
        attachment_(parse_attachment(arguments.target)) {
    if (arguments.out.empty()) return;
    prepare_folder_of(arguments.out);
    files_ = digests_of(attachment_);
  }

  int one(const SweepFunction& function) {
    const SweepRange range = shard_of(function, shard_);
    if (range.count == 0) {
      throw UsageError(fmt::format("--shard {}: {} has only {} codes", arguments_.shard,
                                   storage_of(function).name, patterns_of(function)));
    }
    Introduction introduction = introduce(attachment_, arguments_.limits);
    SweepResult result;
    result.broken = std::move(introduction.broken);
    if (!result.broken) {
      result.not_claimed = reason_not_to_sweep(*introduction.claims, function);
      if (!result.not_claimed) result = proved(*introduction.claims, function, range);
    }
    proofs_.push_back({function, range, std::move(result)});
    write();
    return print_sweep(attachment_.name, function, proofs_.back().result);
  }

  int set(const std::vector<HardParameters>& rows) {
    const Introduction introduction = introduce(attachment_, arguments_.limits);
    if (introduction.broken) {
      SweepResult result;
      result.broken = introduction.broken;
      return print_sweep(attachment_.name, function_of(rows.front()), result);
    }
    std::size_t not_claimed = 0;
    for (const HardParameters& row : rows) {
      const auto functions = claimed_of(std::span(&row, 1), *introduction.claims);
      if (functions.empty()) ++not_claimed;
      for (const SweepFunction& function : functions) add_row(*introduction.claims, function);
    }
    write();
    const int code = print_total(attachment_.name, proofs_, not_claimed);
    if (proofs_.empty()) {
      fmt::print(
          "  its answer to hello has to name ops=sweep with types.quantize= or contract ra8,\n"
          "  or ops=sweep.dequantize with types.dequantize=; a table in C gets them from the kit "
          "with\n"
          "  .contracts, and .quantize_types and .dequantize_types beside the functions\n");
    }
    return code;
  }

 private:
  SweepResult proved(const Claims& claims, const SweepFunction& function, const SweepRange& range) {
    Progress progress;
    const std::string what = fmt::format("{} of {}", words_of(function).many, name_of(function));
    ProveOptions options;
    options.limits = arguments_.limits;
    options.jobs = arguments_.jobs == 0 ? processors() : arguments_.jobs;
    options.on_progress = [&](std::uint64_t done) { progress.show(done, range.count, what); };
    return prove(attachment_, claims, function, range, options);
  }

  void add_row(const Claims& claims, const SweepFunction& function) {
    const auto start = std::chrono::steady_clock::now();
    const SweepRange range = shard_of(function, shard_);
    proofs_.push_back({function, range, proved(claims, function, range)});
    // What is shown is in the file.
    write();
    print_row(proofs_.back(),
              std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }

  void write() const {
    if (arguments_.out.empty()) return;
    write_file(arguments_.out,
               proof_json({{}, std::string(kSuiteVersion), attachment_.name, proofs_, files_}));
  }

  const ProveArguments& arguments_;
  Shard shard_;
  Attachment attachment_;
  std::vector<FileDigest> files_;
  std::vector<Proof> proofs_;
};

}  // namespace

int prove_command(const ProveArguments& arguments) {
  if (!arguments.merge.empty()) return merge(arguments);
  if (arguments.list) return list_rows(rows_from(arguments));
  if (arguments.target.empty()) {
    throw UsageError(
        "prove: no --target; expected one, or --merge with files of --out, for example\n"
        "  hurray-conform prove --target builtin:scalar --set default");
  }
  if (!arguments.set.empty()) {
    const std::vector<HardParameters> rows = rows_from(arguments);
    return Session(arguments).set(rows);
  }
  const SweepFunction function = function_from(arguments);
  return Session(arguments).one(function);
}

}  // namespace hurray::conformance
