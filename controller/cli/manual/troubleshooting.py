"""Writes `docs/troubleshooting.md`: the doctor's table of known problems, by symptom."""

from __future__ import annotations

from controller.builder.doctor.problems import KnownProblem

CHECKS = {
    "camera": "The camera",
    "light": "The light in the room",
    "board": "The board in the image",
    "pieces": "The pieces",
    "leds": "The LEDs",
    "current": "The LEDs' power supply",
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
        "First run `laserboard doctor`. It checks everything that play needs, one line each, and"
        " prints a remedy after `->` for each problem. This page lists the problems that it knows,"
        " by symptom. Drivers and the reader report further problems with their own remedies.\n",
        "| symptom | the doctor's line | remedy |",
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
