# SPDX-License-Identifier: Apache-2.0
"""The page of report.py: one file that needs nothing else, light and dark, a bar for every figure."""

import html

from contenders import kind_of

BAR, HEIGHT, LABEL, FIGURE = 170, 18, 140, 56

STYLE = """
:root { --ink: #1c2024; --soft: #60666d; --line: #d9dde2; --paper: #ffffff; --ours: #2f6fb3; --peer: #b5651d;
        --plain: #8a929b; --limit: #d5dbe1; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e3e6ea; --soft: #9aa2ab; --line: #343a41; --paper: #15181b; --ours: #6aa5e3; --peer: #e09a55;
          --plain: #79828c; --limit: #3a424a; } }
body { margin: 2rem auto; max-width: 78rem; padding: 0 1rem; background: var(--paper); color: var(--ink);
       font: 15px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin: 2.2rem 0 .3rem; } p { color: var(--soft); margin: .2rem 0 .8rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .15rem .6rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th { color: var(--soft); font-weight: 500; } td:first-child, td:nth-child(2), .text td { text-align: left; }
.text td { white-space: normal; }
details { border-top: 1px solid var(--line); padding: .3rem 0; } summary { cursor: pointer; padding: .2rem 0; }
.rows { display: flex; flex-wrap: wrap; gap: .3rem 1.6rem; } figure { margin: .4rem 0; } figcaption { color: var(--soft); }
svg { display: block; max-width: 100%; height: auto; } svg text { font: 12px system-ui, sans-serif; fill: var(--ink); }
.ours { fill: var(--ours); } .peer { fill: var(--peer); } .plain { fill: var(--plain); } .limit { fill: var(--limit); }
.key span { margin-right: 1.2rem; }
"""

KEY = (("ours", "vector kernels"), ("peer", "XNNPACK"), ("plain", "other forms, plain C"), ("limit", "moving bytes alone"))


def bars(row, shown):
    """One figure: a bar for each contender, longer is faster."""
    rates = row.rates()
    most = max(rates.values())
    parts = []
    for i, (name, rate) in enumerate(sorted(rates.items(), key=lambda each: -each[1])):
        y, length = i * HEIGHT, max(1.0, BAR * rate / most)
        parts.append(f'<text x="{LABEL - 8}" y="{y + 13}" text-anchor="end">{html.escape(name)}</text>'
                     f'<rect class="{kind_of(name)}" x="{LABEL}" y="{y + 3}" width="{length:.1f}" height="{HEIGHT - 6}" rx="2"/>'
                     f'<text x="{LABEL + length + 6:.1f}" y="{y + 13}">{shown(row, rate)}</text>')
    width, height = LABEL + BAR + FIGURE + 6, HEIGHT * len(rates)
    label = html.escape(f"{row.group} {row.kind} {row.level}")
    return (f'<figure><figcaption>{html.escape(row.level)}</figcaption><svg role="img" aria-label="{label}" width="{width}" '
            f'height="{height}" viewBox="0 0 {width} {height}">{"".join(parts)}</svg></figure>')


def table_of(header, lines, kind=""):
    def line(cells, tag):
        return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    head = line(header, "th") if any(header) else ""
    return f'<div class="wide"><table class="{kind}">{head}{"".join(line(each, "td") for each in lines)}</table></div>'


def page(machine, difference_lines, differences, sections, table, shown):
    parts = ["<h1>Speed</h1><p>Medians; a row was measured side by side, in random order. Figures belong to this machine.</p>"]
    if machine:
        parts.append(table_of(["", ""], machine, "text"))
    if differences:
        parts.append(f"<h2>Differences from the reference, scale {differences['scale']}, zero point "
                     f"{differences['zero_point']}</h2><p>NaN is left out.</p>")
        parts.append(table_of(["target", "", "differ", "of"], difference_lines))
    for title, unit, rows, has_peers in sections:
        parts.append(f"<h2>{html.escape(title)}</h2><p>In {html.escape(unit)}; longer bars are faster{', and smaller numbers' if unit == 'ns' else ''}.</p>")
        if has_peers:
            keys = "".join(f'<span><svg width="11" height="11" style="display:inline"><rect class="{kind}" width="11" height="11"/>'
                           f"</svg> {text}</span>" for kind, text in KEY)
            parts.append(f'<p class="key">{keys}</p>')
        for i, kind in enumerate(dict.fromkeys(row.kind for row in rows)):
            figures = "".join(bars(row, shown) for row in rows if row.kind == kind)
            parts.append(f'<details{" open" if i == 0 else ""}><summary>{html.escape(kind)}</summary>'
                         f'<div class="rows">{figures}</div></details>')
        parts.append(table_of(*table(rows, has_peers)))
    return ('<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" '
            'content="width=device-width, initial-scale=1"><title>Speed</title>'
            f"<style>{STYLE}</style></head><body>{''.join(parts)}</body></html>\n")
