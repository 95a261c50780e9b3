// SPDX-License-Identifier: Apache-2.0
//
// What do pages share? Text of any kind as text of a page.

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

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_HTML_H
