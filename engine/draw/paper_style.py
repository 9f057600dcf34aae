"""The style of score sheets on A4 and Letter, and board pictures in colours for paper."""

from __future__ import annotations

from engine.draw import palette

# A beam across the page with two mirrors.
BEAM_SVG = (
    '<svg class="beam" viewBox="0 0 1000 46" aria-hidden="true">'
    '<path d="M0 8H872V38H1000" fill="none" stroke="#e8464d" stroke-width="2.4"/>'
    '<path d="M862-2l20 20M862 28l20 20" stroke="#1b2230" stroke-width="5" '
    'stroke-linecap="round"/></svg>'
)

_PAPER_COLOURS = {
    palette.BACKGROUND: "#ffffff",
    palette.RIM: "#ffffff",
    palette.TILES[0]: "#eef1f6",
    palette.TILES[1]: "#f8f9fb",
    palette.INK: "#39424f",
    palette.PAPER: "#1b2230",
    palette.LAND: "#dcebe4",
    palette.VOID: "#efedf6",
    "#0b0a1c": "#dcd7ea",  # the hole of a void
    "#110e2b": "#c9c2de",
    palette.ROCK: "#b9b6b0",
    "#2a3448": "#c6cdd8",
}


def to_paper_colours(svg: str) -> str:
    """A drawing of a board for white paper: dark grounds become light."""
    for dark, light in _PAPER_COLOURS.items():
        svg = svg.replace(f'"{dark}"', f'"{light}"')
    return svg


PAPER_CSS = """
@page { margin: 11mm 14mm 10mm; }
:root { --ink: #1b2230; --soft: #5d6777; --line: #c6cdd8; --tint: #f3f5f9; --beam: #e8464d; }
* { box-sizing: border-box; margin: 0; padding: 0; }
html { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
body { color: var(--ink); background: #fff; max-width: 182mm; margin: 0 auto;
  font: 9.5pt/1.35 "Inter", "Source Sans 3", "Segoe UI", "DejaVu Sans", Arial, sans-serif; }
h1 { font-size: 21pt; line-height: 1.12; font-weight: 700; letter-spacing: -.01em;
  overflow-wrap: anywhere; max-width: 150mm; }
h2, .what, dt, .side { font-size: 7.2pt; letter-spacing: .09em; text-transform: uppercase;
  color: var(--soft); font-weight: 600; }
h2 small { text-transform: none; letter-spacing: 0; font-weight: 400; }
header { position: relative; padding-top: 8mm; }
.beam { position: absolute; top: 0; left: 0; width: 100%; height: auto; overflow: visible; }
.what { color: var(--beam); margin-bottom: 1mm; }
.facts { display: flex; flex-wrap: wrap; gap: 2mm 8mm; margin-top: 3mm; }
dd { font-weight: 600; overflow-wrap: anywhere; }
.players { display: grid; grid-template-columns: 1fr 1fr; margin: 5mm 0 4mm;
  border: .35mm solid var(--ink); border-radius: 1.5mm; }
.player { display: flex; align-items: center; gap: 2.5mm; padding: 2.4mm 3mm; min-width: 0; }
.player + .player { border-left: .35mm solid var(--ink); }
.player i { flex: none; width: 5mm; height: 5mm; border: .5mm solid var(--ink); background: #fff; }
.side0 i { border-radius: 50%; }
.side1 i { background: var(--ink); transform: rotate(45deg) scale(.8); }
.name { font-size: 13pt; font-weight: 650; overflow-wrap: anywhere; line-height: 1.15; }
.player b { margin-left: auto; font-size: 15pt; }
.moves { columns: 3; column-gap: 6mm; column-rule: .2mm solid var(--line); }
.moves.wide { columns: 2; }
.row { display: grid; grid-template-columns: 6mm minmax(0, 1fr) auto minmax(0, 1fr) auto;
  gap: 0 .9mm; align-items: baseline; break-inside: avoid; padding: .45mm .4mm;
  border-bottom: .15mm solid var(--line); font-variant-numeric: tabular-nums; font-size: 8.6pt; }
.row:nth-child(5n) { border-bottom-color: var(--soft); }
.n { color: var(--soft); text-align: right; padding-right: 1mm; }
.move { font-weight: 600; overflow-wrap: anywhere; font-family: "Inter", "Source Sans 3",
  "Segoe UI", "DejaVu Sans Condensed", "Arial", sans-serif; }
.clock { color: var(--soft); font-size: 6.9pt; text-align: right; min-width: 7mm; }
.none { color: var(--soft); }
.end { display: grid; grid-template-columns: 66mm 1fr; gap: 7mm; margin-top: 4mm;
  break-inside: avoid; align-items: center; }
.position svg { display: block; width: 100%; max-height: 68mm; }
.code, code, .head { font-family: "JetBrains Mono", "DejaVu Sans Mono", "Consolas", monospace; }
.code { font-size: 5.8pt; color: var(--soft); overflow-wrap: anywhere; margin-top: 1mm; }
.result { border-left: .9mm solid var(--beam); padding: 1mm 0 1mm 5mm; }
.score { font-size: 30pt; font-weight: 750; line-height: 1.1; }
.reason { font-size: 12pt; margin-bottom: 2mm; overflow-wrap: anywhere; }
.left { display: flex; gap: 6mm; margin-top: 2mm; color: var(--soft); }
.left b { color: var(--ink); font-variant-numeric: tabular-nums; }
.remarks { margin-top: 5mm; }
.remarks ol { list-style-position: outside; margin-left: 8mm; columns: 2; column-gap: 12mm; }
.remarks li { break-inside: avoid; padding: .5mm 0; overflow-wrap: anywhere; }
.remarks li::marker { color: var(--soft); font-size: 7.4pt; }
.remarks li i { color: var(--soft); }
.signatures { display: grid; grid-template-columns: repeat(3, 1fr); gap: 8mm; margin-top: 9mm;
  break-inside: avoid; }
.signatures span { display: block; border-bottom: .3mm solid var(--ink); height: 6mm; }
.signatures p { padding-top: 1mm; overflow-wrap: anywhere; }
.signatures i { color: var(--soft); }
footer { margin-top: 5mm; padding: 2.2mm 3mm; background: var(--tint); border-radius: 1.5mm;
  font-size: 7.2pt; color: var(--soft); break-inside: avoid; }
.head { font-size: 8pt; color: var(--soft); margin-bottom: .8mm; word-spacing: .06em; }
.head b { color: var(--ink); }
@media screen { body { padding: 10mm 0; } }
"""
