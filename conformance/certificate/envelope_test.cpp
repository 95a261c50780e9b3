// SPDX-License-Identifier: Apache-2.0
//
// What of keys, base64, canonical JSON and envelopes is taken from somebody else? One form of each.

#include "conformance/certificate/envelope.h"

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "conformance/certificate/canonical_json.h"
#include "conformance/certificate/certificate_test.h"
#include "conformance/runner/attachment.h"

namespace hurray::conformance {
namespace {

std::string unseal_problem(const std::string& file, const Key& key = test_key()) {
  try {
    unseal(file, key);
  } catch (const Invalid& error) {
    return error.what();
  }
  return {};
}

// An envelope with the signature that fits, and one thing changed.
std::string with(const char* member, const nlohmann::json& value) {
  nlohmann::json json = nlohmann::json::parse(seal("{}", test_key()));
  json[nlohmann::json::json_pointer(member)] = value;
  return json.dump();
}

// --- Envelopes

TEST(Envelope, GivesBackWhatWasSealed) {
  for (const std::string payload : {"", "{}", "{\"a\":1}", "\xc3\xa9"})
    EXPECT_EQ(unseal(seal(payload, test_key()), test_key()), payload);
}

// The encoding that is signed, as the DSSE specification spells it.
TEST(Envelope, IsSignedAsDsseSays) {
  const nlohmann::json json = nlohmann::json::parse(seal("{\"a\":1}", test_key()));
  const std::string text = "DSSEv1 28 application/vnd.in-toto+json 7 {\"a\":1}";
  const std::string signature = *from_base64(json["signatures"][0]["sig"].get<std::string>());
  EXPECT_EQ(signature.size(), 64u);
  EXPECT_TRUE(test_key().has_signed(text, signature));
  EXPECT_FALSE(test_key().has_signed(text + " ", signature));
}

TEST(Envelope, OnlyItsOwnFormIsTaken) {
  const std::string good = seal("{}", test_key());
  const Key other = Key::make();
  expect_in("names the key", unseal_problem(good, other));
  expect_in("names the key", unseal_problem(with("/signatures/0/keyid", other.id())));
  expect_in("of type `text/plain`", unseal_problem(with("/payloadType", "text/plain")));
  expect_in("`payload` of the certificate is not canonical",
            unseal_problem(with("/payload", "e30")));
  expect_in("`payload` of the certificate is not canonical",
            unseal_problem(with("/payload", "e31=")));
  expect_in("`payload` of the certificate is not canonical",
            unseal_problem(with("/payload", " e30")));
  expect_in("`payload` is no text", unseal_problem(with("/payload", 7)));
  expect_in("signature does not fit", unseal_problem(with("/payload", to_base64("{ }"))));
  expect_in("signature does not fit",
            unseal_problem(with("/signatures/0/sig", to_base64(std::string(64, '\0')))));
  expect_in("signature does not fit", unseal_problem(with("/signatures/0/sig", "")));
  expect_in("signature does not fit",
            unseal_problem(with("/signatures/0/sig", to_base64(std::string(9000, 'x')))));
  expect_in("members that none has", unseal_problem(with("/note", "hello")));
  expect_in("members that none has", unseal_problem(with("/signatures/0/alg", "none")));
  expect_in("not exactly one signature",
            unseal_problem(with("/signatures", nlohmann::json::array())));
  expect_in("not exactly one signature", unseal_problem(with("/signatures", "x")));
  nlohmann::json twice = nlohmann::json::parse(good);
  twice["signatures"].push_back(twice["signatures"][0]);
  expect_in("not exactly one signature", unseal_problem(twice.dump()));
  expect_in("`keyid` is missing", unseal_problem(with("/signatures/0", nlohmann::json::array())));
}

TEST(Envelope, AHugeFileIsRefusedUnread) {
  expect_in("more than", unseal_problem(std::string(kMostCertificateBytes + 1, '[')));
}

// --- JSON

TEST(CanonicalJson, ThereIsOneWayToWriteIt) {
  const std::pair<const char*, const char*> kOthers[] = {
      {"", "no JSON"},
      {"{\"a\":1", "no JSON"},
      {"{\"a\":NaN}", "no JSON"},
      {"{\"a\":\"\xff\"}", "no JSON"},
      {"{\"a\":\"\\ud800\"}", "no JSON"},
      {"{\"a\":1}x", "no JSON"},
      {"{\"a\":1.5}", "no integer"},
      {"{\"a\":1e3}", "no integer"},
      {"{\"a\":99999999999999999999999}", "no integer"},
      {"{\"a\": 1}", "differs at byte 5"},
      {"{\"a\":1,\"a\":1}", "canonical"},
      {"{\"b\":1,\"a\":1}", "canonical"},
      {"{\"a\":\"\\u0041\"}", "canonical"},
      {"{\"a\":\"\\/\"}", "canonical"},
      {"{\"a\":-0}", "canonical"},
      {"\xef\xbb\xbf{\"a\":1}", "canonical"},
  };
  for (const auto& [text, problem] : kOthers) {
    try {
      parse_canonical(text, "it");
      ADD_FAILURE() << text << " is taken";
    } catch (const Invalid& error) {
      expect_in(problem, error.what());
    }
  }
  EXPECT_NO_THROW(parse_canonical("{\"a\":[1,\"\xc3\xa9\",{}],\"b\":null}", "it"));
}

TEST(CanonicalJson, DepthIsBoundedBeforeItCosts) {
  for (const std::string open : {"[", "{\"a\":"}) {
    std::string deep;
    while (deep.size() < (std::size_t{1} << 19)) deep += open;
    try {
      parse_canonical(deep, "it");
      ADD_FAILURE();
    } catch (const Invalid& error) {
      expect_in("nested deeper", error.what());
    }
  }
}

// --- Statements

TEST(Statement, OnlyItsOwnFormIsTaken) {
  const Judged judged = small_judged();
  const std::string text = unseal(issue(judged, small_given(), test_key()), test_key());
  const auto problem = [&](const char* member, const nlohmann::json& value) {
    nlohmann::json json = nlohmann::json::parse(text);
    json[nlohmann::json::json_pointer(member)] = value;
    try {
      read_statement(json.dump());
    } catch (const Invalid& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(problem("/_type", "https://in-toto.io/Statement/v1"), "");
  expect_in("no in-toto Statement", problem("/_type", "https://in-toto.io/Statement/v0.1"));
  expect_in("no certificate of this kind", problem("/predicateType", "https://slsa.dev/x"));
  expect_in("about no artifact", problem("/subject", nlohmann::json::array()));
  expect_in("`sha256` is no SHA-256", problem("/subject/0/digest/sha256", "AA"));
  expect_in("members that no certificate has", problem("/subject/0/digest/md5", "00"));
  expect_in("members that no certificate has", problem("/predicate/more", 1));
  expect_in("members that no certificate has", problem("/predicate/suite/kill_score/more", 1));
  expect_in("`requirements` is no object", problem("/predicate/requirements", 7));
  expect_in("`XX-A-001` is no text", problem("/predicate/requirements/XX-A-001", 7));
  expect_in("`cases` is no number", problem("/predicate/cases", -1));
  expect_in("`certifies` is no list", problem("/predicate/certifies", "reader"));
  expect_in("`nonce` is none", problem("/predicate/witness/nonce", "12"));
  expect_in("is missing", problem("/predicate", nlohmann::json::object()));
}

// --- Keys

TEST(Keys, AreReadBack) {
  const Key key = Key::make();
  const Key again = Key::read_private(key.private_pem(), "x");
  const Key open = Key::read_public(key.public_pem(), "x");
  EXPECT_EQ(again.id(), key.id());
  EXPECT_EQ(open.id(), key.id());
  EXPECT_EQ(again.sign("text"), key.sign("text"));
  EXPECT_TRUE(open.has_signed("text", key.sign("text")));
  EXPECT_FALSE(open.has_signed("Text", key.sign("text")));
  EXPECT_NE(Key::make().id(), key.id());
}

// RFC 8032, section 7.1, test 1: the key and its signature of nothing.
TEST(Keys, SignAsTheStandardSays) {
  const Key key = Key::read_private(
      "-----BEGIN PRIVATE KEY-----\n"
      "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n"
      "-----END PRIVATE KEY-----\n",
      "x");
  const std::string signature = key.sign("");
  EXPECT_EQ(
      to_hex(Bytes(signature.begin(), signature.end())),
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701c"
      "f9b46bd25bf5f0595bbe24655141438e7a100b");
}

std::string key_problem(const std::string& pem, bool is_private) {
  try {
    is_private ? Key::read_private(pem, "file.pem") : Key::read_public(pem, "file.pem");
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

TEST(Keys, OthersAreRefusedWithAReason) {
  const Key key = Key::make();
  expect_in("file.pem is no private key", key_problem(key.public_pem(), true));
  expect_in("file.pem is no public key", key_problem(key.private_pem(), false));
  expect_in("file.pem is no public key", key_problem("", false));
  expect_in("file.pem is no public key", key_problem(key.public_pem().substr(0, 60), false));
  // X25519, which is 32 bytes too, and signs nothing.
  expect_in("of another algorithm",
            key_problem("-----BEGIN PUBLIC KEY-----\n"
                        "MCowBQYDK2VuAyEAhSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo=\n"
                        "-----END PUBLIC KEY-----\n",
                        false));
}

TEST(Base64, OnlyWhatIsWrittenIsRead) {
  for (const std::string& bytes :
       {std::string(), std::string("f"), std::string("fo"), std::string("foo"),
        std::string(300, '\xff'), std::string(1, '\0')})
    EXPECT_EQ(from_base64(to_base64(bytes)), bytes);
  EXPECT_EQ(to_base64("fo"), "Zm8=");
  for (const char* text :
       {"Z", "Zm8", "Zm9=", "Zm8=\n", " Zm8", "Zm8==", "====", "Zm8-", "=m8=", "Zg==Zg=="})
    EXPECT_EQ(from_base64(text), std::nullopt) << text;
}

}  // namespace
}  // namespace hurray::conformance
