"""The rows of docs/referee-policy.md."""

from __future__ import annotations

from typing import NamedTuple

from tests.support.paths import DOCS

PAGE = DOCS / "referee-policy.md"


class Row(NamedTuple):
    line: int
    events: str
    policy: str
    result: str


def policy_rows() -> list[Row]:
    found = []
    for number, line in enumerate(PAGE.read_text("utf-8").splitlines(), start=1):
        if line.startswith("| ") and not line.startswith("| events"):
            events, policy, result = (each.strip() for each in line.strip("|").split("|"))
            found.append(Row(number, events, policy, result))
    return found
