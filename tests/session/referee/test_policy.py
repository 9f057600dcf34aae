"""Runs every row of docs/referee-policy.md against the session."""

from __future__ import annotations

import pytest

from controller.ports.events import Pressed
from controller.session.referee.policy import RefereePolicies
from tests.support.play.policy_page import Row, policy_rows
from tests.support.play.refereed_play import Refereed, policies_of


@pytest.mark.parametrize("row", policy_rows(), ids=lambda row: f"line {row.line}")
def test_the_session_follows_every_row_of_the_policy_page(row: Row) -> None:
    table = Refereed(policies_of(row.policy))
    for sentence in row.events.split("; "):
        table.does(sentence)
    for sentence in row.result.split("; "):
        table.finds(sentence)


def test_the_page_has_every_incident_and_policy() -> None:
    policies_on_page = " ".join(row.policy for row in policy_rows())
    usual = RefereePolicies().as_json()["policies"]
    for incident, policy in usual.items():
        for other in {"accept", "propose", "log"} - {policy}:
            assert f"{incident}: {other}" in policies_on_page


def test_a_press_that_confirms_or_calls_is_attributed_to_the_player() -> None:
    table = Refereed(RefereePolicies())
    table.does("blue resigns")
    table.does("red presses fire")
    table.game.send(Pressed("pause", table.game.at_ms))
    attributed_to = {each.kind: each.body["by"] for each in table.game.written}
    assert (attributed_to["confirmation"], attributed_to["matter"]) == ("player", "player")
