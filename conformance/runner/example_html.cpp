// SPDX-License-Identifier: Apache-2.0
//
// Counter-examples on a page, see example_html.h.

#include "conformance/runner/example_html.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "conformance/runner/byte_rows.h"
#include "conformance/runner/classify.h"
#include "conformance/runner/html.h"
#include "conformance/runner/inspect.h"
#include "conformance/runner/oracle.h"
#include "conformance/runner/plots.h"
#include "conformance/runner/report.h"
#include "conformance/runner/snippet.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {

const std::string_view kExampleStyle = R"(
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .1rem .8rem;
  margin: .4rem 0; } dt { color: var(--quiet); } dd { margin: 0; overflow-wrap: anywhere; }
.expected-text { color: var(--good); } .got-text { color: var(--bad); }
pre { overflow-x: auto; background: var(--panel); padding: .5rem; margin: .4rem 0; }
.pair td { font-family: ui-monospace, monospace; font-size: 13px; padding: .1rem .3rem;
  border: 0; } .unlike { background: var(--unlike); font-weight: 700; text-decoration: underline; }
.example .findings { font-size: 14px; padding-left: 1.2rem; margin: .3rem 0; }
)";

namespace {

constexpr std::size_t kMostValue = 400;  // characters of an answer
constexpr std::size_t kMostBytes = 256;  // of a descriptor
constexpr std::size_t kMostFindings = 6;
constexpr std::size_t kMostSnippet = 3000;

std::string row(std::string_view term, const std::string& html) {
  return fmt::format("<dt>{}</dt><dd>{}</dd>\n", term, html);
}

std::string code(std::string_view text, std::string_view css = {}) {
  return fmt::format("<code{}>{}</code>", css.empty() ? "" : fmt::format(" class=\"{}\"", css),
                     escaped(excerpt(cleaned(text), kMostValue)));
}

// The descriptor that a reader was given, with the rules that it breaks.
std::string inspected(const ReadRequest& request) {
  const bool is_tensor = request.verb == "decode_tensor" || request.verb == "dequantize_tensor";
  if (request.verb != "decode" && !is_tensor) return {};
  if (request.bytes.empty()) return {};
  const Inspection inspection =
      is_tensor ? inspect_tensor(request.bytes) : inspect_quantization(request.type, request.bytes);
  std::string findings;
  for (std::size_t i = 0; i < std::min(kMostFindings, inspection.findings.size()); ++i) {
    const PlacedFinding& each = inspection.findings[i];
    std::string places;
    for (const std::size_t field : each.fields) {
      const MapField& at = inspection.map.fields[field];
      places += fmt::format("{} @{} {}", places.empty() ? ", at" : ",", at.offset, at.name);
    }
    findings +=
        fmt::format("<li>{}: {}{} <span class=\"quiet\">{}</span></li>\n",
                    escaped(severity_words(each.finding)), escaped(text_of(each.finding.status)),
                    escaped(places), escaped(each.finding.requirement));
  }
  return fmt::format("<p class=\"quiet\">{}{}</p>\n{}{}{}", escaped(inspection.title),
                     inspection.summary.empty() ? "" : ": " + escaped(inspection.summary),
                     byte_rows(inspection, {false, kMostBytes}),
                     findings.empty() ? "" : "<ul class=\"findings\">\n" + findings + "</ul>\n",
                     inspection.findings.size() > kMostFindings
                         ? fmt::format("<p class=\"quiet\">and {} findings more</p>\n",
                                       inspection.findings.size() - kMostFindings)
                         : "");
}

std::optional<Bytes> bytes_of(const std::string& body) {
  std::string error;
  const std::optional<Answer> answer = parse_answer_body(body, error);
  const std::string* hex = answer ? answer->fields.find("bytes") : nullptr;
  return hex ? parse_hex(*hex) : std::nullopt;
}

std::string byte_cells(const Bytes& bytes, const Bytes& other, std::size_t first) {
  std::string cells;
  for (std::size_t i = first; i < std::min(first + kRowBytes, std::max(bytes.size(), other.size()));
       ++i) {
    if (i >= bytes.size()) {
      cells += "<td></td>";
      continue;
    }
    const bool is_unlike = i >= other.size() || bytes[i] != other[i];
    cells += fmt::format("<td{}>{:02x}</td>", is_unlike ? " class=\"unlike\"" : "", bytes[i]);
  }
  return cells;
}

// What a writer wrote, below what it should have written: rows with a difference.
std::string written(const Picture& picture) {
  const std::optional<Bytes> got = bytes_of(picture.got);
  const std::optional<Bytes> expected = bytes_of(picture.expected.front().answer);
  if (!got || !expected || *got == *expected) return {};
  constexpr std::size_t kMostRows = 6;
  std::string rows;
  std::size_t shown = 0;
  for (std::size_t at = 0; at < std::max(got->size(), expected->size()); at += kRowBytes) {
    const auto part = [&](const Bytes& bytes) {
      const std::size_t start = std::min(at, bytes.size());
      return std::span(bytes).subspan(start, std::min(kRowBytes, bytes.size() - start));
    };
    if (std::ranges::equal(part(*got), part(*expected))) continue;
    if (++shown > kMostRows) continue;
    rows += fmt::format(
        "<tr><th scope=\"row\">{} expected</th>{}</tr>\n<tr><th scope=\"row\">got</th>{}</tr>\n",
        at, byte_cells(*expected, *got, at), byte_cells(*got, *expected, at));
  }
  if (shown > kMostRows) {
    rows += fmt::format("<tr><td colspan=\"17\">and {} rows more</td></tr>\n", shown - kMostRows);
  }
  return scrolled("Bytes that were written", "<table class=\"pair\">\n" + rows + "</table>\n");
}

std::string pictured(const TargetResult& target, std::size_t case_index) {
  const auto found = target.pictures.find(case_index);
  if (found == target.pictures.end()) return {};
  return found->second.request.starts_with("encode") ? written(found->second)
                                                     : figure_of(found->second);
}

}  // namespace

std::string example_html(const Suite& suite, const TargetResult& target, std::size_t case_index) {
  const Case& item = suite.cases[case_index];
  const std::optional<Failure>& failure = target.cases[case_index].failure;
  std::string rows = row("case", code(item.name)) + row("looks for", escaped(item.why));
  if (!failure) return "<dl>\n" + rows + "</dl>\n";
  if (item.steps.size() > 1) {
    rows += row("step", fmt::format("{} of {}", failure->step + 1, item.steps.size()));
  }
  rows += row("request", code(failure->request));
  if (!failure->input.empty()) rows += row("input", code(failure->input));
  rows += row("expected", code(failure->expected, "expected-text"));
  rows +=
      row("got",
          code(failure->got, "got-text") +
              (failure->distance.empty() ? "" : " (" + escaped(cleaned(failure->distance)) + ")"));
  if (failure->total > 1) {
    rows += row("differing",
                fmt::format("{} of {} elements of the case", failure->differing, failure->total));
  }
  const std::string_view meaning = meaning_of_class(failure->failure_class);
  rows += row("class", fmt::format("<strong>{}</strong>{}{}", escaped(failure->failure_class),
                                   meaning.empty() ? "" : ": ", escaped(meaning)));
  rows += row("replay", code(replay_line(target.attachment.text, target, item, *failure)));
  return fmt::format(
      "<dl>\n{}</dl>\n{}{}<details><summary>in C</summary><pre tabindex=\"0\">{}</pre></details>\n",
      rows, inspected(read_request(failure->request)), pictured(target, case_index),
      escaped(excerpt(c_snippet(failure->request), kMostSnippet)));
}

}  // namespace hurray::conformance
