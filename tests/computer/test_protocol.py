"""The lines of the engine protocol as values: writing and reading are inverse."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.computer.protocol import (
    BadLine,
    BestMove,
    ErrorReply,
    OptionReply,
    SearchProgress,
    StatusReply,
    go_line,
    read_reply,
    setup_lines,
    split_words,
)
from controller.computer.server import OPTIONS, EngineServer
from controller.devices.clock import ManualClock
from controller.ports.devices import MoveQuestion
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
def test_options_joined_with_blanks_are_split_again(texts: list[str], blank: str) -> None:
    assert split_words(blank.join(texts)) == texts


@given(counts, scores, counts, counts, st.lists(moves).map(tuple))
def test_search_progress_round_trips(
    depth: int, score: int, nodes: int, time_ms: int, line: tuple[str, ...]
) -> None:
    info = SearchProgress(depth, score, nodes, time_ms, line)
    assert read_reply(str(info)) == info


@given(moves, st.booleans())
def test_a_best_move_round_trips(move: str, claim: bool) -> None:
    assert read_reply(str(BestMove(move, claim))) == BestMove(move, claim)


@given(st.text())
def test_an_error_is_always_one_line(reason: str) -> None:
    line = str(ErrorReply(reason))
    assert len(line.splitlines()) == 1
    assert isinstance(read_reply(line), ErrorReply)


@given(st.text() | st.text().map(lambda rest: f"info {rest}") | st.text().map("bestmove {}".format))
def test_any_output_of_a_program_is_parsed_without_an_error(line: str) -> None:
    read_reply(line)


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        ("ok", StatusReply("ok")),
        ("readyok\r", StatusReply("readyok")),
        ("option name Level type number default 8 min 1 max 8", OptionReply("Level")),
        ("option", None),
        ("info string thinking hard", None),
        ("info depth 3 score mate 2", None),
        ("info depth x score cp 3", None),
        ("info score cp 3 wdl 1 2 3 pv a b", SearchProgress(0, 3, line=("a", "b"))),
        ("info depth 2 score loss 4", SearchProgress(2, 4 - WIN)),
        ("bestmove a1a2 ponder b1b2", BestMove("a1a2")),
        ("bestmove", ErrorReply("bestmove without a move")),
        ("id name Other", None),
        ("", None),
    ],
)
def test_replies_are_parsed(line: str, reply: object) -> None:
    assert read_reply(line) == reply


def test_truncated_json_is_refused() -> None:
    with pytest.raises(BadLine, match="not JSON"):
        split_words('position {"a": [1')


# -- questions ---------------------------------------------------------------------------------


def test_a_question_becomes_lines() -> None:
    asked = MoveQuestion(
        "chess", "8/8 b", ("a1a2",), {"rule": "off"}, 3, 4, 2.5, 7, 1, 900, 0.5, "python"
    )
    assert setup_lines(asked, OPTIONS) == [
        "setoption name Level value 3",
        "setoption name Core value python",
        "setoption name Seed value 7",
        'game chess {"rule":"off"}',
        "position 8/8 b moves a1a2",
    ]
    assert (
        go_line(asked, asked.time_limit_s)
        == "go player 1 depth 4 nodes 900 movetime 2500 softtime 500"
    )
    assert setup_lines(MoveQuestion("chess", "8/8 b"), ()) == ["game chess", "position 8/8 b"]


def test_settings_of_one_question_are_not_those_of_the_next() -> None:
    game = games.make()
    start = game.write_position(game.start())
    listener = EngineServer(print, ManualClock())
    found = []
    for asked in (MoveQuestion(game.name, start, level=2, depth=1, search_core="python"),
                  MoveQuestion(game.name, start, depth=3)):  # fmt: skip
        for line in setup_lines(asked, OPTIONS):
            assert listener.execute_line(line) is None
        thought = listener.execute_line(go_line(asked, 60.0))
        assert thought is not None
        found.append((thought.limit.level, thought.limit.depth, thought.limit.core))
    assert found == [(2, 1, "python"), (8, 3, "auto")]
