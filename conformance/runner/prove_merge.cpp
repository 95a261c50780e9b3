// SPDX-License-Identifier: Apache-2.0
//
// Merging shards, see prove_merge.h.

#include "conformance/runner/prove_merge.h"

#include <algorithm>
#include <bit>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace hurray::conformance {
namespace {

struct Piece {
  const ProofFile* file;
  const Proof* proof;

  std::uint64_t first() const { return proof->range.first; }
  std::uint64_t next() const { return first() + proof->range.count; }
};

auto key_of(const SweepFunction& function) {
  return std::tuple(function.operation, function.function, function.type,
                    std::bit_cast<std::uint32_t>(function.scale), function.zero_point);
}

std::string shown_files(const ProofFile& proof) {
  if (proof.files.empty()) return "no file";
  std::vector<std::string> words;
  for (const FileDigest& each : proof.files) {
    words.push_back(fmt::format("{} (SHA-256 {}…)", each.file, each.sha256.substr(0, 12)));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

// Folders may differ from machine to machine, what lies in the files may not.
void expect_one_build(const ProofFile& a, const ProofFile& b) {
  if (std::ranges::equal(a.files, b.files, {}, &FileDigest::sha256, &FileDigest::sha256)) return;
  throw UsageError(fmt::format(
      "{} was made with {}, {} with {}; expected shards of one build: copy the same files to every "
      "machine, and prove the shards of the others again",
      a.path, shown_files(a), b.path, shown_files(b)));
}

void expect_one_target(std::span<const ProofFile> files) {
  const ProofFile& first = files.front();
  for (const ProofFile& each : files) {
    if (each.suite_version != first.suite_version) {
      throw UsageError(
          fmt::format("{} is of suite version {}, {} of {}; expected shards of one version",
                      first.path, first.suite_version, each.path, each.suite_version));
    }
    if (each.target != first.target) {
      throw UsageError(fmt::format(
          "{} is about the target {}, {} about {}; expected shards of one target, which "
          "--target NAME=ATTACHMENT names alike on every machine",
          first.path, first.target, each.path, each.target));
    }
    expect_one_build(first, each);
  }
}

std::string shown_patterns(std::uint64_t first, std::uint64_t next) {
  return next - first == 1 ? fmt::format("input {:08x}", first)
                           : fmt::format("inputs {:08x} to {:08x}", first, next - 1);
}

// In order, without empty ones.
void expect_all_once(const SweepFunction& function, std::span<const Piece> pieces) {
  const auto missing = [&](std::uint64_t first, std::uint64_t next) {
    return UsageError(fmt::format("no file has the {} of {}; expected all shards of it",
                                  shown_patterns(first, next), name_of(function)));
  };
  std::uint64_t next = 0;
  const Piece* before = nullptr;
  for (const Piece& each : pieces) {
    if (each.first() > next) throw missing(next, each.first());
    if (each.first() < next) {
      throw UsageError(fmt::format("{} and {} both have the {} of {}; expected every input once",
                                   before->file->path, each.file->path,
                                   shown_patterns(each.first(), std::min(next, each.next())),
                                   name_of(function)));
    }
    next = each.next();
    before = &each;
  }
  if (next < patterns_of(function)) throw missing(next, patterns_of(function));
}

// The part as it is, if the readings that are left explain it, else that they do not.
SweepResult read_with(const Piece& piece, const std::vector<std::string>& readings) {
  SweepResult result = piece.proof->result;
  const bool explains = std::ranges::any_of(result.readings, [&](const std::string& each) {
    return std::ranges::find(readings, each) != readings.end();
  });
  if (explains) return result;
  SweepFinding finding;
  finding.where = piece.proof->range;
  finding.failure_class = "inconsistent";
  finding.detail = fmt::format("{}, by another reading than the shards before", piece.file->path);
  finding.readings_here = std::move(result.readings);
  result = {};
  result.readings = readings;
  result.finding = std::move(finding);
  return result;
}

Proof merged_proof(const SweepFunction& function, std::vector<Piece> pieces) {
  std::erase_if(pieces, [](const Piece& each) { return each.proof->range.count == 0; });
  // By files where several start alike, so that messages are the same every time.
  std::ranges::sort(pieces, {},
                    [](const Piece& each) { return std::pair(each.first(), each.file); });
  expect_all_once(function, pieces);
  std::vector<SweepResult> parts;
  for (const Piece& each : pieces) {
    parts.push_back(each.proof->result);
    if (each.proof->result.not_claimed.has_value() != parts.front().not_claimed.has_value()) {
      throw UsageError(
          fmt::format("{} and {} do not agree on whether {} is claimed; expected shards of one "
                      "target",
                      pieces.front().file->path, each.file->path, name_of(function)));
    }
  }
  return {function,
          {0, patterns_of(function)},
          joined(function, parts, [&](std::size_t i, const std::vector<std::string>& readings) {
            return read_with(pieces[i], readings);
          })};
}

}  // namespace

std::vector<Proof> merged(std::span<const ProofFile> files) {
  expect_one_target(files);
  std::vector<std::pair<SweepFunction, std::vector<Piece>>> functions;
  for (const ProofFile& file : files) {
    for (const Proof& proof : file.proofs) {
      const auto found = std::ranges::find_if(functions, [&](const auto& each) {
        return key_of(each.first) == key_of(proof.function);
      });
      if (found == functions.end()) {
        functions.push_back({proof.function, {{&file, &proof}}});
      } else {
        found->second.push_back({&file, &proof});
      }
    }
  }
  std::vector<Proof> proofs;
  for (auto& [function, pieces] : functions) {
    proofs.push_back(merged_proof(function, std::move(pieces)));
  }
  return proofs;
}

}  // namespace hurray::conformance
