// SPDX-License-Identifier: Apache-2.0
//
// How is a firmware image started? By Debian's QEMU, with semihosting, in a private folder whose
// two FIFOs the guest opens; one boot serves a whole run.

#ifndef HURRAY_CONFORMANCE_QEMU_H
#define HURRAY_CONFORMANCE_QEMU_H

#include <string_view>

#include "conformance/runner/attachment.h"

namespace hurray::conformance {

// Fills command and execution from `IMAGE[,machine=…][,cpu=…]`. The image may name its machine
// itself. Throws UsageError: no such image, unknown option. Throws SuiteError: QEMU is missing or
// too old.
void attach_qemu(std::string_view rest, Attachment& attachment);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_QEMU_H
