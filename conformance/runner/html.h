// SPDX-License-Identifier: Apache-2.0
//
// What do pages share? Text of any kind as text of a page, and the page around it.

#ifndef HURRAY_CONFORMANCE_HTML_H
#define HURRAY_CONFORMANCE_HTML_H

#include <string>
#include <string_view>

namespace hurray::conformance {

// Also fit for a value between double quotes.
inline std::string escaped(std::string_view text) {
  std::string html;
  for (const char c : text) {
    switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      default:
        html += c;
    }
  }
  return html;
}

// A page that needs nothing else: no script, nothing to load. `style` follows the palette and what
// every page has; `title` is text, `body` is HTML.
std::string html_page(std::string_view title, std::string_view style, std::string_view body);

// What is wide scrolls in itself, also by keys; `label` is text.
std::string scrolled(std::string_view label, std::string_view content);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_HTML_H
