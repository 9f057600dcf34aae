"""The result message of a refereed game, and when it counts in the standings."""

from __future__ import annotations

import json
from typing import Any

import pytest

from controller.session import sentences as session_sentences
from controller.session.referee.policy import RefereePolicies
from controller.tournament.boards import TournamentState
from controller.tournament.keyed_sentences import keyed_json, read_keyed
from controller.tournament.messages import read_result
from controller.tournament.payloads import result_payload
from controller.tournament.views import TournamentView, tournament_text
from engine.sentences import Catalogue, plain
from tests.support.play.refereed_play import Refereed, policies_of
from tests.support.tournament.message_examples import EVENT, result, tournament_entry

THRICE = Catalogue("test.messages")("thrice", "{part}{part}{part}")
KING = ("a king in the beam", "blue moves j6 j7", "blue presses fire")


def reported(*sentences: str, policies: RefereePolicies | None = None) -> dict[str, Any]:
    table = Refereed(policies or RefereePolicies(), tournament_entry=tournament_entry())
    for sentence in sentences:
        table.does(sentence)
    body = result_payload(table.entries())
    assert body is not None
    assert [*map(str, read_result(body).awaiting)] == body["waits"]
    return body


@pytest.mark.parametrize(
    ("policy", "sentences", "result", "waits"),
    [
        ("", ["blue resigns"], "0-1", ["blue", "red"]),
        ("", ["blue resigns", "red presses fire"], "0-1", ["blue"]),
        ("", ["blue resigns", "red presses fire", "blue presses fire"], "0-1", []),
        ("", ["blue resigns", "the referee confirms"], "0-1", []),
        ("", ["blue resigns", "red calls the referee"], "0-1", ["the referee", "blue", "red"]),
        ("", ["blue moves j4 j3", "blue presses fire"], "*", []),
        ("", [*KING, "the referee confirms"], "1-0", []),
        ("", [*KING, "the referee confirms", "the referee takes 1 turn back"], "*", []),
        ("king hit: propose", [*KING], "*", []),
        ("king hit: propose", [*KING, "the referee accepts"], "1-0", ["blue", "red"]),
        ("result confirmed: referee", ["blue resigns"], "0-1", ["the referee"]),
        ("result confirmed: referee", ["the referee declares 1/2-1/2"], "1/2-1/2", []),
    ],
)
def test_a_result_names_the_pending_confirmations(
    policy: str, sentences: list[str], result: str, waits: list[str]
) -> None:
    body = reported(*sentences, policies=policies_of(policy))
    assert (body["result"], body["waits"]) == (result, waits)


def test_sentences_are_published_as_key_and_slots_beside_their_text() -> None:
    body = reported("blue resigns", "red calls the referee")
    read = read_result(json.loads(json.dumps(body)))
    assert read.reason == session_sentences.RESIGNED()
    assert read.awaiting == (session_sentences.THE_REFEREE(), plain("blue"), plain("red"))
    text = {key: value for key, value in body.items() if key != "sentences"}  # as in 0.1
    assert read_result(text).reason == plain(body["reason"])
    assert [*map(str, read_result(text).awaiting)] == body["waits"]


@pytest.mark.parametrize(
    "keyed",
    [
        None,
        7,
        [],
        {},
        {"key": "session.resigned"},
        {"key": "session.agreed", "slots": {}},
        {"key": "session.of_a_later_version", "slots": {"player": "blue"}},
        {"key": "session.and", "slots": {"first": "resigned"}},
        {"key": "session.and", "slots": {"first": None, "second": 7}},
        {"key": "text.plain", "slots": {"text": "x" * 10_000}},
    ],
)
def test_key_and_slots_that_do_not_give_the_text_are_ignored(keyed: Any) -> None:
    body = result(reason="resigned by foot", waits=["blue"])
    read = read_result(body | {"sentences": {"reason": keyed, "waits": keyed}})
    assert (read.reason, read.awaiting) == (plain("resigned by foot"), (plain("blue"),))


def test_slots_that_would_fill_the_memory_are_not_rendered() -> None:
    """Nine levels of a template with its slot three times give 20,000 letters."""
    keyed: dict[str, Any] = {"key": "text.plain", "slots": {"text": "x"}}
    for _ in range(9):
        keyed = {"key": THRICE.key, "slots": {"part": keyed}}
    assert read_keyed("x" * 3**9, keyed) == plain("x" * 3**9)
    shallow = THRICE(part=THRICE(part="x"))
    assert read_keyed(str(shallow), keyed_json(shallow)) == shallow


def test_a_table_without_a_referee_needs_no_confirmation() -> None:
    assert (
        read_result({key: each for key, each in result().items() if key != "waits"}).awaiting == ()
    )


def board_overview(*bodies: dict[str, Any]) -> TournamentView:
    overview = TournamentState(EVENT)
    for body in bodies:
        overview = overview.add_result(read_result(body))
    return TournamentView.build(overview, ("Ada", "Grace"))


def points(shown: TournamentView) -> dict[str, str]:
    return {row.name: row.points for row in shown.standings}


def test_a_result_is_listed_at_once_and_counts_when_it_is_final() -> None:
    waiting = result(waits=["blue", "red"])
    assert points(board_overview(waiting)) == {"Ada": "0", "Grace": "0"}
    text = tournament_text(board_overview(waiting), 0.0)
    assert "1-0  king captured  (does not count yet: waits for blue and red)" in text
    confirmed = result(waits=[], entries=21)
    assert points(board_overview(waiting, confirmed)) == {"Ada": "1", "Grace": "0"}
    withdrawn = result(result="*", entries=22)
    assert points(board_overview(waiting, confirmed, withdrawn)) == {"Ada": "0", "Grace": "0"}
