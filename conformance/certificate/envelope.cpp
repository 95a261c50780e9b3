// SPDX-License-Identifier: Apache-2.0
//
// Envelopes, see envelope.h.

#include "conformance/certificate/envelope.h"

#include <optional>

#include <fmt/format.h>

#include "conformance/certificate/canonical_json.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

using Json = nlohmann::json;

// What is signed: DSSE's pre-authentication encoding.
std::string signed_text(std::string_view payload) {
  return fmt::format("DSSEv1 {} {} {} {}", kPayloadType.size(), kPayloadType, payload.size(),
                     payload);
}

std::string envelope_of(std::string_view payload, std::string_view key_id,
                        std::string_view signature) {
  return to_canonical(
      {{"payload", to_base64(payload)},
       {"payloadType", kPayloadType},
       {"signatures", Json::array({{{"keyid", key_id}, {"sig", to_base64(signature)}}})}});
}

std::string decoded(const Json& object, const char* key) {
  const std::optional<std::string> bytes = from_base64(text_of(object, key));
  if (!bytes) throw Invalid(fmt::format("`{}` of the certificate is not canonical base64", key));
  return *bytes;
}

}  // namespace

std::string seal(std::string_view payload, const Key& key) {
  return envelope_of(payload, key.id(), key.sign(signed_text(payload)));
}

std::string unseal(std::string_view file, const Key& key) {
  if (file.size() > kMostCertificateBytes) {
    throw Invalid(
        fmt::format("the certificate has more than {} bytes, as none has", kMostCertificateBytes));
  }
  const Json json = parse_canonical(file, "the certificate");
  if (const std::string type = text_of(json, "payloadType"); type != kPayloadType) {
    throw Invalid(fmt::format("the payload is of type `{}`; expected {}",
                              cleaned(excerpt(type, 60)), kPayloadType));
  }
  const Json& signatures = member_of(json, "signatures");
  if (!signatures.is_array() || signatures.size() != 1)
    throw Invalid("the certificate has not exactly one signature");
  const std::string key_id = text_of(signatures[0], "keyid");
  if (key_id != key.id()) {
    throw Invalid(fmt::format("the certificate names the key {}; the one given is {}",
                              cleaned(excerpt(key_id, 64)), key.id()));
  }
  const std::string payload = decoded(json, "payload");
  const std::string signature = decoded(signatures[0], "sig");
  if (envelope_of(payload, key_id, signature) != file)
    throw Invalid("the certificate has members that none has");
  if (!key.has_signed(signed_text(payload), signature))
    throw Invalid("the signature does not fit: the certificate was changed, or signed by another");
  return payload;
}

}  // namespace hurray::conformance
