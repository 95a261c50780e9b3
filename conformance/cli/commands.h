// SPDX-License-Identifier: Apache-2.0
//
// What the program can do, one function per command. Options are read in main.cpp.

#ifndef HURRAY_CONFORMANCE_COMMANDS_H
#define HURRAY_CONFORMANCE_COMMANDS_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/runner/campaign.h"
#include "conformance/runner/process.h"
#include "conformance/runner/run.h"
#include "conformance/runner/zoo.h"

namespace hurray::conformance {

// Exit codes of the program.
inline constexpr int kExitAsExpected = 0;
inline constexpr int kExitNonConformant = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitBroken = 3;     // the adapter or the suite
inline constexpr int kExitUnwritten = 4;  // `fuzz`: shown, and not written as files

struct RunArguments {
  std::vector<std::string> targets;
  std::string report_dir;
  std::string summary;  // file, or empty
  std::string source;
  std::string known;  // file, or empty
  bool update_known = false;
  std::string expect;
  bool table_only = false;
  Limits limits;
  RunOptions options;
  std::vector<std::string> command_line;
};
int run_command(const RunArguments& arguments);

struct CompareArguments {
  std::vector<std::string> files;
  std::string html;  // file, or empty
};
int compare_command(const CompareArguments& arguments);

int list_command(const std::string& what, bool json);
int explain_command(const std::string& what);

struct ReplayArguments {
  std::string target;
  std::vector<std::string> cases;
  std::string vector;  // file with a case of its own, instead of names
  bool strict = false;
  Limits limits;
};
int replay_command(const ReplayArguments& arguments);

struct InspectArguments {
  std::string hex;   // the bytes, or
  std::string file;  // where they are
  std::string type;  // storage type of a quantization descriptor; empty for a tensor descriptor
  bool is_tensor = false;
  std::string html;  // file, or empty
};
int inspect_command(const InspectArguments& arguments);
struct LintArguments {
  std::vector<std::string> files;
  bool json = false;
};
int lint_command(const LintArguments& arguments);

int doctor_command();

// `small`: the selection that the repository keeps.
int vectors_export_command(const std::string& folder, bool small);
int vectors_check_command(const std::string& folder);

struct SweepArguments {
  std::string target;
  std::string function;  // of the firmware header, or
  std::string type;      // a storage type
  std::string scale;     // as written: eight hexadecimal digits or a number
  std::int32_t zero_point = 0;
  std::string first = "00000000";
  std::optional<std::uint64_t> count;  // to the last pattern, if not given
  Limits limits;
};
int sweep_command(const SweepArguments& arguments);

struct ProveArguments {
  std::string target;
  std::string op;        // quantize or dequantize, with
  std::string type;      // a storage type; or
  std::string function;  // of the firmware header; or
  std::string set;       // `default`, of which op and type select rows
  bool list = false;     // only print the set
  std::string scale;     // as written
  std::optional<std::int32_t> zero_point;
  unsigned jobs = 0;
  std::string shard;               // I/N, or empty
  std::string out;                 // file, or empty
  std::vector<std::string> merge;  // files that --out wrote, instead of all above
  Limits limits;
};
int prove_command(const ProveArguments& arguments);

struct FuzzArguments {
  std::string target;
  std::string out;  // folder, or empty
  Limits limits;
  CampaignOptions options;
};
int fuzz_command(const FuzzArguments& arguments);

struct FaultsArguments {
  std::string select;
  std::string matrix;  // file, or empty
  std::string score;
  std::string html;
  unsigned jobs = 0;
  Limits limits = ZooOptions{}.limits;
};
int faults_command(const FaultsArguments& arguments);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_COMMANDS_H
