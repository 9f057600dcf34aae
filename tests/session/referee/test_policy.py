"""Runs every row of docs/referee-policy.md against the session."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from controller.ports.events import Pressed
from controller.session.referee.policy import RefereePolicies
from tests.support.paths import DOCS
from tests.support.play.refereed_play import Refereed, policies_of

PAGE = DOCS / "referee-policy.md"


class Row(NamedTuple):
    line: int
    events: str
    policy: str
    result: str


def rows() -> list[Row]:
    found = []
    for number, line in enumerate(PAGE.read_text("utf-8").splitlines(), start=1):
        if line.startswith("| ") and not line.startswith("| events"):
            events, policy, result = (each.strip() for each in line.strip("|").split("|"))
            found.append(Row(number, events, policy, result))
    return found


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"line {row.line}")
def test_the_session_follows_every_row_of_the_policy_page(row: Row) -> None:
    table = Refereed(policies_of(row.policy))
    for sentence in row.events.split("; "):
        table.does(sentence)
    for sentence in row.result.split("; "):
        table.finds(sentence)


def test_the_page_has_every_incident_and_policy() -> None:
    policies_on_page = " ".join(row.policy for row in rows())
    usual = RefereePolicies().as_json()["policies"]
    for incident, policy in usual.items():
        for other in {"accept", "propose", "log"} - {policy}:
            assert f"{incident}: {other}" in policies_on_page


def test_a_press_that_confirms_or_calls_is_attributed_to_the_player() -> None:
    table = Refereed(RefereePolicies())
    table.does("blue resigns")
    table.does("red presses fire")
    table.game.happens(Pressed("pause", table.game.at_ms))
    attributed_to = {each.kind: each.body["by"] for each in table.game.written}
    assert (attributed_to["confirmation"], attributed_to["matter"]) == ("player", "player")
