"""`docs/troubleshooting.md`: the doctor's own table, by what people notice."""

from __future__ import annotations

from controller.builder.doctor.problems import KnownProblem

CHECKS = {
    "camera": "The camera",
    "light": "The light in the room",
    "board": "The board in the picture",
    "pieces": "The pieces",
    "leds": "The LEDs",
    "current": "Their power",
    "voice": "The voice",
    "computer": "The computer player",
    "disk": "The disk",
    "clock": "The clock",
    "permissions": "Permissions",
    "file": "The board file",
    "python": "The installation",
    "any device": "Any device",
    "any": "Anything else",
}


def page() -> str:
    parts = [
        "# Troubleshooting\n",
        "First of all: `laserboard doctor`. It tries everything that play needs, a line each, and"
        " says what to do where something is wrong; this page is its table, by what you notice."
        " Cameras, ports and the reader of pieces also speak for themselves: what stands behind"
        " `->` in the doctor's line is always the thing to do.\n",
        "| what you notice | the doctor's line | what to do |",
        "|---|---|---|",
    ]
    for check, title in CHECKS.items():
        parts += [
            f"| {each.symptom} | {_named(check, title)} | {_sentence(each)} |"
            for each in KnownProblem
            if each.check == check
        ]
    return "\n".join(parts) + "\n"


def _named(check: str, title: str) -> str:
    return title if check.startswith("any") else f"`{check}`: {title[0].lower()}{title[1:]}"


def _sentence(problem: KnownProblem) -> str:
    gaps = {"groups": "dialout,video", "cells": "e4", "counts": "3 bad crc"}
    remedy = str(problem.remedy(**{name: gaps[name] for name in problem.remedy.names}))
    return f"{remedy[0].upper()}{remedy[1:]}."
