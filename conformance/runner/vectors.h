// SPDX-License-Identifier: Apache-2.0
//
// How do the cases look to those who do not run the suite? As files of JSON vectors with a schema
// and digests, and as lines that any program can read (corpus/vectors/README.md).

#ifndef HURRAY_CONFORMANCE_VECTORS_H
#define HURRAY_CONFORMANCE_VECTORS_H

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/runner/case.h"

namespace hurray::conformance {

// kSmall: what is kept in the repository. Of each family the short cases, and its shortest ones in
// any case; the others are counted and digested.
enum class VectorSelection { kAll, kSmall };
std::string_view name_of(VectorSelection selection);

// File name → content, of one folder.
using VectorFiles = std::map<std::string, std::string>;

inline constexpr std::string_view kVectorSums = "SHA256SUMS";
inline constexpr std::string_view kVectorManifest = "manifest.json";
inline constexpr std::string_view kVectorSchema = "vectors.schema.json";

// All files of an export. The same bytes for the same suite.
VectorFiles export_vectors(const Suite& suite, VectorSelection selection);

// One vector, on one line without its newline.
std::string vector_of(const Case& item, std::span<const std::string> requirements);

// The case that a vector holds: its requests, with what the oracle of this program allows. Throws
// UsageError with what is wrong with it; `where` names the file. `differs`, if given: whether the
// vector allows something else.
Case case_of_vector(std::string_view text, const std::string& where, bool* differs = nullptr);

// --- vector_lines.cpp

// What the answer may look like, for programs that compare characters: `?` stands for any one
// character, and a `*` at the end for anything that follows. Several if one cannot say it.
std::vector<std::string> patterns_of(const std::string& request, const Alternative& alternative);

// The case as lines; ids of requests go on from `id`.
std::string lines_of(const Case& item, std::uint32_t& id);

// --- vectors_check.cpp

struct VectorProblem {
  // Not what was once exported; or whole, and not what this program exports.
  enum class Kind { kDamaged, kDiffers } kind = Kind::kDamaged;
  std::string file;
  std::string what;
};

// What keeps the files from being an export of this suite, by file. Empty: nothing.
std::vector<VectorProblem> check_vectors(const Suite& suite, const VectorFiles& files);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_VECTORS_H
