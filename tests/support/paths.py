"""Folders of the repository that tests read."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS, FIRMWARE, HARDWARE = ROOT / "docs", ROOT / "firmware", ROOT / "hardware"
SCRIPTS = ROOT / "tests" / "scripts"
