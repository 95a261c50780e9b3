// SPDX-License-Identifier: Apache-2.0
//
// Lists of known deviations, see known_file.h.

#include "conformance/runner/known_file.h"

#include <algorithm>
#include <sstream>
#include <tuple>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "conformance/runner/attachment.h"

namespace hurray::conformance {
namespace {

// Every field with what to write there, for messages.
struct FieldOfList {
  std::string_view key, wanted, example;
};
constexpr FieldOfList kFields[] = {
    {"target", "a glob of names of targets", "target = \"mine\""},
    {"pattern", "a glob of names of cases, or several in an array",
     "pattern = \"quantize/ties/*\""},
    {"matches", "how many cases it names, a whole number above 0", "matches = 12"},
    {"fingerprint", "16 hexadecimal digits (`run --update-known` writes them), or \"any\"",
     "fingerprint = \"0123456789abcdef\""},
    {"reason", "why it is so, in words", "reason = \"the vendor rounds ties to even\""},
    {"note", "text", "note = \"wait for release 3\""},
    {"link", "an address that begins with https:// or http://",
     "link = \"https://tracker.example/17\""},
    {"expires", "the last day on which the entry counts, a date without quotes",
     "expires = 2027-03-31"},
};

// Reads the fields of one entry; what is wrong names the file, the line and the field.
class Entry {
 public:
  Entry(const toml::table& table, std::string_view file) : table_(table), file_(file) {
    for (const auto& [key, node] : table) {
      const bool is_known =
          std::ranges::find(kFields, key.str(), &FieldOfList::key) != std::end(kFields);
      if (is_known) continue;
      throw UsageError(fmt::format(
          "{}: line {}: unknown field `{}`; expected target, pattern, matches, fingerprint, "
          "reason, note, link or expires",
          file_, node.source().begin.line, key.str()));
    }
  }

  std::size_t line() const { return table_.source().begin.line; }

  std::string text(std::string_view key, bool is_needed) const {
    const toml::node* node = find(key, is_needed);
    if (!node) return {};
    if (!node->is_string()) bad(key, "is not a string", node);
    std::string value = **node->as_string();
    // Printed at length wherever the entry is; an empty one says nothing.
    if (value.empty()) bad(key, "is empty", node);
    return value;
  }

  std::vector<std::string> patterns() const {
    const toml::node* node = find("pattern", true);
    std::vector<std::string> all;
    if (const toml::array* several = node->as_array()) {
      for (const toml::node& each : *several) {
        if (!each.is_string() || (**each.as_string()).empty()) {
          bad("pattern", "has what is no pattern", &each);
        }
        all.push_back(**each.as_string());
      }
      if (all.empty()) bad("pattern", "is empty", node);
    } else {
      all.push_back(text("pattern", true));
    }
    std::ranges::sort(all);
    return all;
  }

  std::size_t matches() const {
    const toml::node* node = find("matches", true);
    const std::int64_t value = node->is_integer() ? **node->as_integer() : 0;
    if (value < 1) bad("matches", "is not a whole number above 0", node);
    return static_cast<std::size_t>(value);
  }

  std::string fingerprint() const {
    const std::string value = text("fingerprint", true);
    const bool is_hex = value.size() == kFingerprintDigits &&
                        value.find_first_not_of("0123456789abcdef") == std::string::npos;
    if (!is_hex && value != kAnyFingerprint) {
      bad("fingerprint", "is none", table_.get("fingerprint"));
    }
    return value;
  }

  std::string link() const {
    const std::string value = text("link", false);
    if (!value.empty() && !value.starts_with("https://") && !value.starts_with("http://")) {
      bad("link", "is no address", table_.get("link"));
    }
    return value;
  }

  Day expires() const {
    const toml::node* node = find("expires", true);
    if (!node->is_date()) bad("expires", "is not a date", node);
    const toml::date date = **node->as_date();
    const Day day{std::chrono::year(date.year), std::chrono::month(date.month),
                  std::chrono::day(date.day)};
    if (!day.ok()) bad("expires", "is not a day of the calendar", node);
    return day;
  }

 private:
  const toml::node* find(std::string_view key, bool is_needed) const {
    const toml::node* node = table_.get(key);
    if (!node && is_needed) bad(key, "is missing", &table_);
    return node;
  }

  [[noreturn]] void bad(std::string_view key, std::string_view what, const toml::node* node) const {
    const FieldOfList& field = *std::ranges::find(kFields, key, &FieldOfList::key);
    throw UsageError(fmt::format("{}: line {}: `{}` {}; expected {}, for example\n  {}", file_,
                                 node->source().begin.line, key, what, field.wanted,
                                 field.example));
  }

  const toml::table& table_;
  std::string_view file_;
};

KnownDeviation read_entry(const toml::table& table, std::string_view file) {
  const Entry entry(table, file);
  KnownDeviation known;
  known.line = entry.line();
  if (table.contains("target")) known.target = entry.text("target", true);
  known.patterns = entry.patterns();
  known.matches = entry.matches();
  known.fingerprint = entry.fingerprint();
  known.reason = entry.text("reason", true);
  known.note = entry.text("note", false);
  known.link = entry.link();
  known.expires = entry.expires();
  return known;
}

// Lines up to the first that is neither empty nor a comment.
std::string header_of(std::string_view content) {
  std::size_t end = 0;
  while (end < content.size()) {
    const std::size_t line_end = std::min(content.find('\n', end), content.size() - 1) + 1;
    const std::string_view line = content.substr(end, line_end - end);
    const std::size_t start = line.find_first_not_of(" \t\r\n");
    if (start != std::string_view::npos && line[start] != '#') break;
    end = line_end;
  }
  std::string header(content.substr(0, end));
  while (header.ends_with('\n') || header.ends_with('\r')) header.pop_back();
  return header.empty() ? header : header + "\n";
}

// As TOML writes it, on one line.
std::string quoted(const std::string& text) {
  const toml::value<std::string> value(text);
  std::ostringstream stream;
  stream << toml::toml_formatter(value, toml::format_flags::allow_unicode_strings);
  return stream.str();
}

std::string pattern_text(const std::vector<std::string>& patterns) {
  if (patterns.size() == 1) return quoted(patterns.front());
  std::string text = "[\n";
  for (const std::string& each : patterns) text += "  " + quoted(each) + ",\n";
  return text + "]";
}

// Where the next `#` outside of a string is, of TOML that can be read.
std::size_t find_comment(std::string_view content, std::size_t from) {
  std::string_view quotes;  // of the string that this is in
  for (std::size_t i = from; i < content.size(); ++i) {
    const char c = content[i];
    if (quotes.empty()) {
      if (c == '#') return i;
      if (c != '"' && c != '\'') continue;
      const bool is_long = content.substr(i).starts_with(std::string(3, c));
      quotes = content.substr(i, is_long ? 3 : 1);
      i += quotes.size() - 1;
    } else if (quotes.front() == '"' && c == '\\') {
      ++i;
    } else if (content.substr(i).starts_with(quotes)) {
      i += quotes.size() - 1;
      // A long string can end with one or two quotes of its own.
      while (quotes.size() == 3 && i + 1 < content.size() && content[i + 1] == quotes.front()) ++i;
      quotes = {};
    }
  }
  return std::string_view::npos;
}

}  // namespace

std::string day_text(const Day& day) {
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()),
                     static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
}

KnownFile read_known_text(std::string_view name, std::string_view content) {
  KnownFile file;
  try {
    const toml::table root = toml::parse(content, name);
    for (const auto& [key, node] : root) {
      if (key.str() == "known" && node.is_array_of_tables()) continue;
      throw UsageError(
          fmt::format("{}: line {}: `{}` does not belong there; expected entries that begin with "
                      "[[known]]",
                      name, node.source().begin.line, key.str()));
    }
    if (const toml::node* all = root.get("known")) {
      for (const toml::node& each : *all->as_array()) {
        file.entries.push_back(read_entry(*each.as_table(), name));
      }
    }
  } catch (const toml::parse_error& error) {
    throw UsageError(
        fmt::format("{}: line {}: {}", name, error.source().begin.line, error.description()));
  }
  file.header = header_of(content);
  return file;
}

std::string known_toml(const KnownFile& file) {
  std::vector<KnownDeviation> entries = file.entries;
  std::ranges::sort(entries, {}, [](const KnownDeviation& each) {
    return std::tie(each.target, each.patterns, each.fingerprint, each.reason);
  });
  std::string text = file.header;
  for (const KnownDeviation& each : entries) {
    text += fmt::format("{}[[known]]\n", text.empty() ? "" : "\n");
    if (each.target != "*") text += fmt::format("target = {}\n", quoted(each.target));
    text += fmt::format("pattern = {}\nmatches = {}\nfingerprint = {}\nreason = {}\n",
                        pattern_text(each.patterns), each.matches, quoted(each.fingerprint),
                        quoted(each.reason));
    if (!each.note.empty()) text += fmt::format("note = {}\n", quoted(each.note));
    if (!each.link.empty()) text += fmt::format("link = {}\n", quoted(each.link));
    text += fmt::format("expires = {}\n", day_text(each.expires));
  }
  return text;
}

std::size_t lost_comment_line(std::string_view content) {
  const std::size_t at = find_comment(content, header_of(content).size());
  if (at == std::string_view::npos) return 0;
  return 1 + static_cast<std::size_t>(std::ranges::count(content.substr(0, at), '\n'));
}

}  // namespace hurray::conformance
