// SPDX-License-Identifier: Apache-2.0
//
// What is done for each verb?

#ifndef HURRAY_KIT_VERBS_H
#define HURRAY_KIT_VERBS_H

#include "kit_request.h"

struct kit_session {
  struct hurray_target target;  // the table of today; what an older one lacks is NULL
  const struct hurray_kit_host* host;
  struct kit_output output;
};

// Writes everything behind the id of the answer, without the newline.
void hurray_kit_answer_hello(struct kit_session* session, const struct kit_request* request);
void hurray_kit_answer_operation(struct kit_session* session, const struct kit_request* request);
void hurray_kit_answer_sweep(struct kit_session* session, const struct kit_request* request);
void hurray_kit_answer_convert(struct kit_session* session, const struct kit_request* request);
void hurray_kit_answer_decode_tensor(struct kit_session* session,
                                     const struct kit_request* request);
void hurray_kit_answer_encode_tensor(struct kit_session* session,
                                     const struct kit_request* request);
void hurray_kit_answer_dequantize_tensor(struct kit_session* session,
                                         const struct kit_request* request);

#endif  // HURRAY_KIT_VERBS_H
