// SPDX-License-Identifier: Apache-2.0
//
// Which floating-point environments can this image set? Hooks of struct hurray_kit_host; where
// there is no floating-point unit they do not exist.

#ifndef HURRAY_FIRMWARE_MODES_H
#define HURRAY_FIRMWARE_MODES_H

#if defined(__ARM_FP)
int hurray_firmware_enter_fenv(void* context, int mode);
int hurray_firmware_leave_fenv(void* context);
#endif

#endif  // HURRAY_FIRMWARE_MODES_H
