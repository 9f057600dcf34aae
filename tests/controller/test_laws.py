"""Every row of docs/laws.md: what a referee reads there is what the table does."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from controller.laws import Laws
from tests.controller.refereed import Refereed, laws_of

PAGE = Path(__file__).parents[2] / "docs" / "laws.md"


class Row(NamedTuple):
    line: int
    happens: str
    law: str
    comes: str


def rows() -> list[Row]:
    found = []
    for number, line in enumerate(PAGE.read_text("utf-8").splitlines(), start=1):
        if line.startswith("| ") and not line.startswith("| what happens"):
            happens, law, comes = (each.strip() for each in line.strip("|").split("|"))
            found.append(Row(number, happens, law, comes))
    return found


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"line {row.line}")
def test_the_table_does_what_the_page_says(row: Row) -> None:
    table = Refereed(laws_of(row.law))
    for sentence in row.happens.split("; "):
        table.does(sentence)
    for sentence in row.comes.split("; "):
        table.finds(sentence)


def test_the_page_tells_of_every_happening_and_policy() -> None:
    told = " ".join(row.law for row in rows())
    usual = Laws().as_json()["policies"]
    for happening, policy in usual.items():
        for other in {"accept", "propose", "log"} - {policy}:
            assert f"{happening}: {other}" in told
