"""The part `referee` of the page: who and what is named are sentences."""

from __future__ import annotations

from typing import Any

from controller.session.sentences import THE_REFEREE
from controller.ui.web import sentences
from controller.ui.web.referee_json import referee_part
from engine.sentences import plain, sentence_json
from tests.support.play.refereed_play import Refereed, policies_of


def referee(policies: str, *actions: str) -> dict[str, Any]:
    table = Refereed(policies_of(policies))
    for action in actions:
        table.does(action)
    part = referee_part(table.game.session, lambda _: None)
    assert part is not None
    return part


def test_a_result_names_who_must_still_confirm_it() -> None:
    blue = {"player": 0, "name": sentence_json(plain("blue"))}
    red = {"player": 1, "name": sentence_json(plain("red"))}
    ruling = {"player": None, "name": sentence_json(THE_REFEREE())}
    assert referee("", "blue resigns")["pending_confirmations"] == [blue, red]
    called = referee("", "blue resigns", "red calls the referee")
    assert called["pending_confirmations"] == [ruling, blue, red]


def test_the_penalty_of_a_proposal_is_a_sentence() -> None:
    moved = ("blue moves j4 j2", "blue presses fire")
    time, loss = (
        referee(f"illegal move: propose; penalties: {penalties}", *moved)["proposals"][0]
        for penalties in ("2m", "loss")
    )
    assert time["penalty"] == sentence_json(sentences.PENALTY_TIME(time="2m"))
    assert loss["penalty"] == sentence_json(sentences.PENALTY_LOSS())
    assert referee("", "blue calls the referee")["proposals"][0]["penalty"] is None
