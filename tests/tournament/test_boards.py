"""The overview of boards: states live, stale and lost by the subscriber's clock; results.

Invalid messages from the network are only counted.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.tournament.boards import MAX_BOARDS, Freshness, TournamentState
from controller.tournament.messages import safe_page_url
from engine.sentences import plain
from tests.support.tournament.message_examples import EVENT, presence, pulse, result, sent, state

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)


def after(*messages: tuple[str, Any], at_ms: float = 0.0, table: int = 1) -> TournamentState:
    found = TournamentState(EVENT)
    for what, body in messages:
        found = found.receive(*sent(what, body, table), retained=False, at_ms=at_ms)
    assert not found.rejected_count, found.last_rejection
    return found


# -- live, stale and lost ------------------------------------------------------------------------


def test_a_board_is_stale_within_three_seconds_and_lost_within_ten() -> None:
    (board,) = after(
        ("presence", presence()), ("state", state()), ("pulse", pulse())
    ).boards_by_table()
    assert board.freshness(0) is Freshness.LIVE
    assert board.freshness(2_400) is Freshness.LIVE  # one pulse may be missed
    assert board.freshness(2_600) is Freshness.STALE
    assert board.freshness(7_900) is Freshness.STALE
    assert board.freshness(8_100) is Freshness.LOST
    assert board.age_ms(8_100) == 8_100


def test_a_last_will_makes_a_board_lost_and_the_next_pulse_recovers_it() -> None:
    found = after(("pulse", pulse()), ("presence", presence("lost")))
    assert found.boards_by_table()[0].freshness(10) is Freshness.LOST
    found = found.receive(*sent("pulse", pulse()), retained=False, at_ms=900)
    assert found.boards_by_table()[0].freshness(1_000) is Freshness.LIVE


def test_the_last_will_of_an_earlier_program_does_not_affect_its_successor() -> None:
    found = after(
        ("pulse", pulse("old")), ("pulse", pulse("new")), ("presence", presence("lost", "old"))
    )
    assert found.boards_by_table()[0].freshness(10) is Freshness.LIVE


def test_a_board_that_closes_has_left_and_is_not_lost() -> None:
    found = after(("pulse", pulse()), ("presence", presence("left")))
    assert found.boards_by_table()[0].freshness(60_000) is Freshness.LEFT


def test_a_retained_message_does_not_make_a_board_live() -> None:
    found = TournamentState(EVENT)
    for what, body in (("state", state()), ("presence", presence()), ("pulse", pulse())):
        found = found.receive(*sent(what, body), retained=True, at_ms=0)
    (board,) = found.boards_by_table()
    assert board.freshness(100) is Freshness.WAITING
    assert board.freshness(2_600) is Freshness.STALE


def test_a_game_that_hangs_is_stale_although_its_program_still_pulses() -> None:
    found = after(("pulse", pulse()))
    for second in range(1, 6):
        body = pulse(quiet_ms=1000 * second)
        found = found.receive(*sent("pulse", body), retained=False, at_ms=1000.0 * second)
    assert found.boards_by_table()[0].freshness(5_000) is Freshness.STALE


def test_two_programs_at_one_table_are_reported_until_one_is_lost() -> None:
    found = after(("pulse", pulse("one")), ("pulse", pulse("two")))
    assert found.boards_by_table()[0].active_publishers(100) == 2
    found = found.receive(*sent("pulse", pulse("two")), retained=False, at_ms=6_000)
    assert found.boards_by_table()[0].active_publishers(6_000) == 1


def test_boards_are_sorted_by_table() -> None:
    found = TournamentState(EVENT)
    for table in (10, 2, 1, 9):
        found = found.receive(*sent("pulse", pulse(), table), retained=False, at_ms=0)
    assert [board.table for board in found.boards_by_table()] == [1, 2, 9, 10]


def test_the_clocks_of_a_pulse_are_newer_than_those_of_a_state() -> None:
    found = after(("state", state()), ("pulse", pulse(clocks={"left_ms": [5, 6], "running": [1]})))
    clocks = found.boards_by_table()[0].clocks
    assert clocks is not None
    assert (clocks.left_ms, clocks.running) == ((5, 6), (1,))


# -- results -------------------------------------------------------------------------------------


def test_a_repeated_result_is_listed_once() -> None:
    found = after(("result", result()), ("result", result()))
    assert [each.result for each in found.finished_results()] == ["1-0"]


def test_a_later_result_of_a_game_replaces_an_earlier_one() -> None:
    changed = result(result="0-1", entries=21)
    found = after(("result", result()), ("result", changed), ("result", result()))
    assert [each.result for each in found.finished_results()] == ["0-1"]


def test_a_withdrawn_result_is_not_listed() -> None:
    assert (
        after(("result", result()), ("result", result(result="*", entries=20))).finished_results()
        == ()
    )


def test_two_games_with_the_same_table_and_round_are_both_listed() -> None:
    found = after(("result", result()), ("result", result(game_id="cd" * 32, result="0-1")))
    assert len(found.finished_results()) == 2


# -- invalid messages ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("what", "payload"),
    [
        ("state", b""),
        ("state", b"\xff\xfe"),
        ("state", b"[" * 100_000),
        ("state", b"{" * 30),
        ("state", b"[]"),
        ("state", b'"text"'),
        ("state", b"null"),
        ("state", b"x" * 70_000),
        ("pulse", b" " * 5_000),
        ("result", b" " * (2 * 1024 * 1024 + 1)),
        ("state", json.dumps(state(round=True)).encode()),
        ("state", json.dumps(state(table=2)).encode()),
        ("state", json.dumps(state(players=["Ada"])).encode()),
        ("state", json.dumps(state(players=[1, 2])).encode()),
        ("state", json.dumps(state(head="not a hash")).encode()),
        ("state", json.dumps(state(clocks={"left_ms": [1], "running": []})).encode()),
        ("state", json.dumps(state(clocks={"left_ms": [1, 1e9], "running": []})).encode()),
        ("state", json.dumps(state(clocks=[])).encode()),
        ("state", json.dumps(state(outcome=[])).encode()),
        ("state", json.dumps(state(outcome={"result": "9-0"})).encode()),
        ("state", json.dumps(state(options=[])).encode()),
        ("state", json.dumps(state(position="x" * 17_000)).encode()),
        ("presence", json.dumps(presence("dancing")).encode()),
        ("presence", json.dumps({"presence": ["here"]}).encode()),
        ("pulse", json.dumps(pulse(quiet_ms=-1)).encode()),
        ("pulse", b'{"instance":"a","number":1e400,"quiet_ms":0}'),
        ("pulse", b'{"instance":"a","instance":"b","number":1,"quiet_ms":0}'),
        ("result", json.dumps(result(result="win")).encode()),
        ("result", json.dumps(result(head="")).encode()),
        ("result", json.dumps(result(game_id="")).encode()),
        ("result", json.dumps(result(entries=0)).encode()),
        ("result", json.dumps(result(record=5)).encode()),
        ("result", json.dumps(result(table=2)).encode()),
    ],
)
def test_an_invalid_message_only_changes_the_count(what: str, payload: bytes) -> None:
    known = after(("presence", presence()), ("state", state()), ("pulse", pulse()))
    found = known.receive(*sent(what, payload), retained=False, at_ms=1)
    assert (found.boards, found.results) == (known.boards, known.results)
    assert found.rejected_count == 1
    assert found.last_rejection is not None
    assert len(str(found.last_rejection)) <= 300


@settings(deadline=None)
@given(what=st.sampled_from(["state", "pulse", "presence", "result"]), body=JSON)
def test_any_json_is_accepted_or_counted_as_invalid(what: str, body: Any) -> None:
    payload = json.dumps(body).encode()
    assert isinstance(
        TournamentState(EVENT).receive(*sent(what, payload), retained=False, at_ms=0),
        TournamentState,
    )


@settings(deadline=None)
@given(
    what=st.sampled_from(["state", "pulse", "presence", "result"]),
    key=st.text(max_size=10),
    pick=st.integers(0, 30),
    value=JSON,
)
def test_a_single_wrong_value_is_accepted_or_counted_as_invalid(
    what: str, key: str, pick: int, value: Any
) -> None:
    bodies = {"state": state(), "pulse": pulse(), "presence": presence(), "result": result()}
    body = bodies[what]
    body[list(body)[pick % len(body)] if pick else key] = value
    payload = json.dumps(body).encode()
    found = TournamentState(EVENT).receive(*sent(what, payload), retained=False, at_ms=0)
    for board in found.boards_by_table():
        board.freshness(1_000)


@pytest.mark.parametrize(
    "topic", ["", "x", "laserboard/1/Other/1/state", "laserboard/1/%F0/1/state", "$SYS/x", "/" * 99]
)
def test_other_topics_are_ignored(topic: str) -> None:
    found = TournamentState(EVENT).receive(topic, b"{}", retained=False, at_ms=0)
    assert (found.boards, found.rejected_count) == ({}, 1)


def test_the_number_of_boards_is_limited() -> None:
    found = TournamentState(EVENT)
    for table in range(1, MAX_BOARDS + 50):
        found = found.receive(*sent("pulse", pulse(), table), retained=False, at_ms=0)
    assert len(found.boards) == MAX_BOARDS


def test_displayed_text_is_one_line_of_limited_length() -> None:
    body = state(players=["A\n\x1b[2Jda", "x" * 500], guide="g" * 999, reasons=["r\n"] * 99)
    shown = after(("state", body)).boards_by_table()[0].state
    assert shown is not None
    assert shown.players[0] == "A  [2Jda"
    assert len(shown.players[1]) == 80
    assert len(str(shown.guidance)) == 400
    assert shown.reasons == (plain("r "),) * 20


@pytest.mark.parametrize(
    ("reported", "kept"),
    [
        ("http://192.168.1.7:8137/", "http://192.168.1.7:8137/"),
        ("http://[fe80::1]:8137", "http://[fe80::1]:8137/"),
        ("https://table-4.local/", "https://table-4.local/"),
        ("javascript:alert(1)", ""),
        ("http://user:secret@192.168.1.7/", ""),
        ("http://192.168.1.7/#key=secret", ""),
        ("http://192.168.1.7/enter", ""),
        ("http://192.168.1.7:99999/", ""),
        ("http://a b/", ""),
        ("//192.168.1.7/", ""),
        ("http:///", ""),
        ("http://" + "x" * 300, ""),
        (5, ""),
        (None, ""),
    ],
)
def test_a_link_to_a_page_must_be_an_http_url(reported: Any, kept: str) -> None:
    assert safe_page_url(reported) == kept
