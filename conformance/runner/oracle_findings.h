// SPDX-License-Identifier: Apache-2.0
//
// From what the reference finds wrong with a descriptor to the answers that may be given.

#ifndef HURRAY_CONFORMANCE_ORACLE_FINDINGS_H
#define HURRAY_CONFORMANCE_ORACLE_FINDINGS_H

#include <functional>
#include <string>
#include <vector>

#include "conformance/runner/combinations.h"
#include "conformance/runner/oracle.h"
#include "reference/choices.h"
#include "reference/findings.h"

namespace hurray::conformance {

// What the call-discipline keys of the request add to a refusal, and to an answer.
std::string reject_line(const ReadRequest& request);
std::string ok_suffix(const ReadRequest& request);

// To refuse, and to know nothing of what is asked, where the one is as good as the other.
std::vector<Alternative> refuse_or_unsupported(const ReadRequest& request);

// Adds that a target need not know what is asked.
void add_unsupported(std::vector<Alternative>& alternatives);

// A mode of the caller's other than the default may show in the output, which is then recorded
// (R15).
void add_rounding_mode(const ReadRequest& request, std::vector<Behaviour>& behaviours);
bool follows_mode(const Combination& combination);
// The same answer with every value left open.
std::string any_values(std::string_view answer);

// What a combination of options means to the reference.
Choices choices_of(const Combination& combination);

// Answers to a request that reads: `reject` alone if something has to be refused; with `answer_of`
// as a warning if something should be; each way where a behaviour is open, and recorded with its
// values open where the caller's mode may show.
//   more        further open behaviours, of the answer itself
//   answer_of   the answer of one combination of `more`, without suffix
std::vector<Alternative> answers_of_reader(
    const ReadRequest& request, const Findings& findings, std::vector<Behaviour> more,
    const std::function<std::string(const Combination&)>& answer_of);

// Answers to a request that writes `answer`: refused where a reader has to or should refuse, and
// refused or written where a reader may do either; recorded likewise.
std::vector<Alternative> answers_of_writer(const ReadRequest& request, const Findings& findings,
                                           const std::string& answer);

// Verbs on element types, descriptors of all schemes, whole tensors, and conversion.
std::vector<Alternative> element_answers(const ReadRequest& request);
std::vector<Alternative> decode_answers(const ReadRequest& request);
std::vector<Alternative> encode_answers(const ReadRequest& request);
std::vector<Alternative> decode_tensor_answers(const ReadRequest& request);
std::vector<Alternative> encode_tensor_answers(const ReadRequest& request);
std::vector<Alternative> dequantize_tensor_answers(const ReadRequest& request);
std::vector<Alternative> convert_answers(const ReadRequest& request);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_ORACLE_FINDINGS_H
