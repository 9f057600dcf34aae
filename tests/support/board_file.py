"""The text of a board file without optional sections."""

from __future__ import annotations

GOOD = """\
board:
  kind: square
  columns: 10
  rows: 8
  cell_mm: 40
tags:
  tag_mm: 26
  cap_mm: 34
  cap_height_mm: 30
  corner_mm: 26
  corner_offset_mm: 24
"""
