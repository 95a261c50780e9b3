// SPDX-License-Identifier: Apache-2.0
//
// A firmware image as one more target of the claims: a table whose functions ask a guest. What the
// image claims the table claims.

#ifndef HURRAY_FUZZ_FIRMWARE_TARGET_H
#define HURRAY_FUZZ_FIRMWARE_TARGET_H

#include <array>

#include "fuzz/claims.h"
#include "fuzz/fuzz_firmware_guest.h"

namespace hurray::fuzz {

// Which image, for the fuzzer and, without --image, for the replay program: the variable's, else
// this.
inline constexpr const char* kImageVariable = "HURRAY_FUZZ_IMAGE";
inline constexpr const char* kImage = "build/firmware/m85-helium-o2-fuzz/image.elf";

// The claims about what an image can do. The first byte of a fuzzer's input, modulo their number,
// chooses one; the rest is its input.
inline constexpr std::array<NamedClaim, 5> kFirmwareClaims = {{
    {"decoders_agree", decoders_agree, decode_request},
    {"encoders_agree", encoders_agree, encode_request},
    {"dequantize_agrees", dequantize_agrees, dequantize_request},
    {"quantize_agrees", quantize_agrees, quantize_request},
    {"requantize_is_identity", requantize_is_identity, dequantize_request},
}};

// The guest as a target. One at a time: the functions of a table have no place for whom to ask.
hurray_registry_row firmware_target(Guest& guest);

// What contradicts the claim, or what happened to the guest when it was asked.
std::optional<Mismatch> asked_of_firmware(const NamedClaim& claim, Input input,
                                          const hurray_registry_row& target);

}  // namespace hurray::fuzz

#endif  // HURRAY_FUZZ_FIRMWARE_TARGET_H
