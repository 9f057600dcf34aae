"""The lines of the engine protocol as values: what is written is read, whatever is in it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.devices.clock import ManualClock
from controller.engine_lines import SETTINGS, Listener
from controller.engine_protocol import (
    BadLine,
    BestMove,
    Info,
    Offer,
    Refusal,
    Said,
    going,
    read_reply,
    setting_out,
    words,
)
from controller.ports import Question
from engine import games
from engine.search import DECIDED, WIN

plain = st.from_regex(r"[a-z0-9+/*-]+", fullmatch=True)
as_json = st.recursive(
    st.none() | st.integers() | st.text(max_size=8), lambda each: st.lists(each, max_size=3)
).map(lambda value: json.dumps([value, "moves pv {"], ensure_ascii=False))
moves = plain | as_json
scores = st.integers(-DECIDED, DECIDED) | st.integers(DECIDED + 1, WIN).flatmap(
    lambda score: st.sampled_from([score, -score])
)
counts = st.integers(0, 10**12)


@given(st.lists(moves), st.sampled_from([" ", "  ", "\t"]))
def test_words_come_apart_as_they_were_joined(texts: list[str], blank: str) -> None:
    assert words(blank.join(texts)) == texts


@given(counts, scores, counts, counts, st.lists(moves).map(tuple))
def test_what_is_thought_comes_back(
    depth: int, score: int, nodes: int, time_ms: int, line: tuple[str, ...]
) -> None:
    info = Info(depth, score, nodes, time_ms, line)
    assert read_reply(str(info)) == info


@given(moves, st.booleans())
def test_a_move_comes_back(move: str, claim: bool) -> None:
    assert read_reply(str(BestMove(move, claim))) == BestMove(move, claim)


@given(st.text())
def test_an_error_is_one_line_whatever_it_says(reason: str) -> None:
    line = str(Refusal(reason))
    assert len(line.splitlines()) == 1
    assert isinstance(read_reply(line), Refusal)


@given(st.text() | st.text().map(lambda rest: f"info {rest}") | st.text().map("bestmove {}".format))
def test_whatever_a_program_says_it_does_no_harm(line: str) -> None:
    read_reply(line)


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        ("ok", Said("ok")),
        ("readyok\r", Said("readyok")),
        ("option name Level type number default 8 min 1 max 8", Offer("Level")),
        ("option", None),
        ("info string thinking hard", None),
        ("info depth 3 score mate 2", None),
        ("info depth x score cp 3", None),
        ("info score cp 3 wdl 1 2 3 pv a b", Info(0, 3, line=("a", "b"))),
        ("info depth 2 score loss 4", Info(2, 4 - WIN)),
        ("bestmove a1a2 ponder b1b2", BestMove("a1a2")),
        ("bestmove", Refusal("bestmove without a move")),
        ("id name Other", None),
        ("", None),
    ],
)
def test_replies_are_understood(line: str, reply: object) -> None:
    assert read_reply(line) == reply


def test_json_that_is_torn_is_told() -> None:
    with pytest.raises(BadLine, match="not JSON"):
        words('position {"a": [1')


# -- questions ---------------------------------------------------------------------------------


def test_a_question_becomes_lines() -> None:
    asked = Question(
        "chess", "8/8 b", ("a1a2",), {"rule": "off"}, 3, 4, 2.5, 7, 1, 900, 0.5, "python"
    )
    assert setting_out(asked, SETTINGS) == [
        "setoption name Level value 3",
        "setoption name Core value python",
        "setoption name Seed value 7",
        'game chess {"rule":"off"}',
        "position 8/8 b moves a1a2",
    ]
    assert going(asked, asked.seconds) == "go player 1 depth 4 nodes 900 movetime 2500 softtime 500"
    assert setting_out(Question("chess", "8/8 b"), ()) == ["game chess", "position 8/8 b"]


def test_settings_of_one_question_are_not_those_of_the_next() -> None:
    game = games.make()
    start = game.write_position(game.start())
    listener = Listener(print, ManualClock())
    found = []
    for asked in (Question(game.name, start, level=2, depth=1, core="python"),
                  Question(game.name, start, depth=3)):  # fmt: skip
        for line in setting_out(asked, SETTINGS):
            assert listener.hear(line) is None
        thought = listener.hear(going(asked, 60.0))
        assert thought is not None
        found.append((thought.limit.level, thought.limit.depth, thought.limit.core))
    assert found == [(2, 1, "python"), (8, 3, "auto")]
