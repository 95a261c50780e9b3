// SPDX-License-Identifier: Apache-2.0
//
// How do bytes of a stream become requests, and when are answers sent?
//
// Requests are handled where they lie in the line buffer. Before waiting for input, everything
// answered so far is written, so no answer is held back while the runner waits.

#include "kit_verbs.h"

static void answer_verb(struct kit_session* session, const struct kit_request* request) {
  switch (request->verb) {
    case kVerbHello:
      hurray_kit_answer_hello(session, request);
      return;
    case kVerbSweep:
      hurray_kit_answer_sweep(session, request);
      return;
    case kVerbConvert:
      hurray_kit_answer_convert(session, request);
      return;
    case kVerbDecodeTensor:
      hurray_kit_answer_decode_tensor(session, request);
      return;
    case kVerbEncodeTensor:
      hurray_kit_answer_encode_tensor(session, request);
      return;
    case kVerbDequantizeTensor:
      hurray_kit_answer_dequantize_tensor(session, request);
      return;
    default:
      hurray_kit_answer_operation(session, request);
  }
}

static void answer_line(struct kit_session* session, struct kit_text line) {
  struct kit_output* output = &session->output;
  struct kit_request request;
  hurray_kit_read_request(line, &request);
  hurray_kit_put_unsigned(output, request.id);
  if (request.refusal != NULL) {
    HURRAY_KIT_PUT(output, " unsupported ");
    hurray_kit_put(output, request.refusal);
    hurray_kit_put_foreign(output, request.culprit);
  } else {
    answer_verb(session, &request);
  }
  HURRAY_KIT_PUT(output, "\n");
}

static void answer_too_long(struct kit_session* session, uint32_t id) {
  hurray_kit_put_unsigned(&session->output, id);
  HURRAY_KIT_PUT(&session->output, " unsupported line too long\n");
}

static bool usable(const struct hurray_target* target, const struct hurray_kit_host* host) {
  return target != NULL && host != NULL &&
         target->struct_bytes >= offsetof(struct hurray_target, decode) &&
         target->abi == HURRAY_TARGET_ABI && host->read != NULL && host->write != NULL &&
         host->line.bytes != NULL && host->line.size >= HURRAY_KIT_LEAST_LINE &&
         host->answer.bytes != NULL && host->answer.size >= 64 && host->input.bytes != NULL &&
         host->output.bytes != NULL;
}

int hurray_kit_serve(const struct hurray_target* target, const struct hurray_kit_host* host) {
  struct kit_session session;
  __builtin_memset(&session, 0, sizeof session);
  if (!usable(target, host)) return HURRAY_KIT_BAD_SETUP;
  size_t table_bytes = target->struct_bytes;
  if (table_bytes > sizeof session.target) table_bytes = sizeof session.target;
  table_bytes -= table_bytes % sizeof(session.target.decode);  // no half of a pointer
  __builtin_memcpy(&session.target, target, table_bytes);
  session.host = host;
  session.output.host = host;

  uint8_t* const bytes = host->line.bytes;
  size_t start = 0;    // of the first line that is not answered yet
  size_t scanned = 0;  // no newline in [start, scanned)
  size_t end = 0;
  bool discarding = false;  // inside a line that is longer than the buffer
  uint32_t discarded_id = 0;
  for (;;) {
    for (;;) {
      scanned = hurray_kit_find(bytes, scanned, end, '\n');
      if (scanned == end) break;
      if (discarding) {
        answer_too_long(&session, discarded_id);
        discarding = false;
      } else {
        answer_line(&session, (struct kit_text){bytes + start, scanned - start});
      }
      if (session.output.failed) return HURRAY_KIT_WRITE_FAILED;
      start = ++scanned;
    }
    if (discarding) start = end;
    if (start != 0) {
      __builtin_memmove(bytes, bytes + start, end - start);
      end -= start;
      start = 0;
    } else if (end == host->line.size) {
      discarding = true;
      discarded_id = hurray_kit_read_id((struct kit_text){bytes, end});
      end = 0;
    }
    scanned = end;

    hurray_kit_flush(&session.output);
    if (session.output.failed) return HURRAY_KIT_WRITE_FAILED;
    const long count = host->read(host->context, bytes + end, host->line.size - end);
    if (count == 0) return HURRAY_KIT_OK;
    if (count < 0 || (unsigned long)count > host->line.size - end) return HURRAY_KIT_READ_FAILED;
    end += (size_t)count;
  }
}
