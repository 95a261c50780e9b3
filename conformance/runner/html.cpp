// SPDX-License-Identifier: Apache-2.0
//
// Pages, see html.h.

#include "conformance/runner/html.h"

#include <fmt/format.h>

#include "conformance/runner/palette.h"

namespace hurray::conformance {
namespace {

constexpr std::string_view kStyle = R"(
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 100rem; margin: 1.5rem auto; padding: 0 1rem; }
a { color: var(--link); }
h1 { font-size: 1.4rem; margin: 0 0 .2rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .6rem; }
h3 { font-size: 1rem; margin: 1rem 0 .3rem; }
.quiet { color: var(--quiet); } code, pre { font-family: ui-monospace, monospace; font-size: 13px; }
.scroll { overflow-x: auto; } .scroll:focus-visible { outline: 2px solid var(--link); }
table { border-collapse: collapse; font-size: 14px; }
td, th { text-align: left; vertical-align: top; padding: .2rem .8rem .2rem .4rem;
  border-bottom: 1px solid var(--line); }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
)";

}  // namespace

std::string html_page(std::string_view title, std::string_view style, std::string_view body) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>{}{}{}</style></head><body>\n{}</body></html>\n",
      escaped(title), palette_css(), kStyle, style, body);
}

std::string scrolled(std::string_view label, std::string_view content) {
  return fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n{}</div>\n",
      escaped(label), content);
}

}  // namespace hurray::conformance
