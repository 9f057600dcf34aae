"""Runs the doctor's checks and prints each finding with its remedy."""

from __future__ import annotations

import json
import os
from textwrap import fill

from controller.builder.doctor.checks import Finding, Severity
from controller.builder.doctor.run import DoctorOptions, DoctorRun
from controller.ui.commands import sentences
from controller.ui.console import Console
from engine.sentences import Sentence

SIGNS = {"good": "✓", "warning": "!", "bad": "✗", "skipped": "-"}
ASCII_SIGNS = SIGNS | {"good": "+", "bad": "X"}
COLOURS = {"good": 32, "warning": 33, "bad": 31, "skipped": 2}
NAME_WIDTH = 12
MARGIN = " " * (NAME_WIDTH + 2)
MAX_COLUMNS = 100


def run_doctor(
    board: str, camera: str | None, leds: str | None, console: Console, *, as_json: bool
) -> int:
    """Run all checks and print their findings; 1: a problem prevents play."""
    options = DoctorOptions(board, console.clock, console.err, camera, leds)
    found = []
    for finding in DoctorRun(options).findings():
        found.append(finding)
        if not as_json:
            console.print(finding_text(finding, console))
            console.out.flush()
    if as_json:
        console.print(
            json.dumps([_finding_json(each) for each in found], ensure_ascii=False, indent=2)
        )
    else:
        console.print(summary_sentence(found))
    return 1 if any(each.level is Severity.BAD for each in found) else 0


def finding_text(finding: Finding, console: Console) -> str:
    """A finding as one line, and its remedy under it."""
    plain = console.size is not None and not supports_unicode()
    sign = (ASCII_SIGNS if plain else SIGNS)[finding.level]
    if console.colour:
        sign = f"\x1b[{COLOURS[finding.level]}m{sign}\x1b[0m"
    width = min(MAX_COLUMNS, console.size[0] if console.size else MAX_COLUMNS)
    text = _wrapped(f"  {finding.name:{NAME_WIDTH}}{finding.sentence}", width, MARGIN)
    if finding.remedy:
        text += f"\n{_wrapped(f'{MARGIN}-> {finding.remedy}', width, MARGIN + '   ')}"
    return f"{sign} {text[2:]}"


def _finding_json(finding: Finding) -> dict[str, str]:
    return {
        "name": finding.name,
        "level": finding.level,
        "sentence": str(finding.sentence),
        "remedy": "" if finding.remedy is None else str(finding.remedy),
    }


def summary_sentence(found: list[Finding]) -> Sentence:
    bad = tuple(each.name for each in found if each.level == "bad")
    odd = tuple(each.name for each in found if each.level == "warning")
    if bad:
        return sentences.DOCTOR_NOT_READY(checks=bad)
    if odd:
        return sentences.DOCTOR_WARNINGS(checks=odd)
    return sentences.DOCTOR_READY()


def supports_unicode() -> bool:
    """Whether the locale is UTF-8 or not set."""
    named = os.environ.get("LC_ALL") or os.environ.get("LC_CTYPE") or os.environ.get("LANG") or ""
    return not named or "utf" in named.lower()


def _wrapped(text: str, width: int, margin: str) -> str:
    return fill(
        text, width, subsequent_indent=margin, break_long_words=False, break_on_hyphens=False
    )
