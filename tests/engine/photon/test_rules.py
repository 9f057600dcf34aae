"""Rules that only Photon has, on drawn boards; its options, and errors in its JSON.

A drawing is the top left corner of the board, one word for each square: K0 B0 b0 are king,
undamaged block and damaged block of player 0; ^0 >0 v0 <0 are shooters by direction; NE0 SE0 SW0
NW0 are mirrors by face. Red (player 0) is to move and rotates the mirror on (9,9), which no beam
reaches, so the beams are those of the drawing.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine import catalogue
from engine.beam import BeamEvent
from engine.errors import BadMove, BadPosition
from engine.game import AnyTurn, Outcome
from engine.photon import Photon, Position
from tests.support.engine.random_play import PHOTON, random_turns
from tests.support.engine.sentences import Expected, mentions, raises

RED_WINS = Outcome.win(0, catalogue.KING_CAPTURED())
BLUE_WINS = Outcome.win(1, catalogue.KING_CAPTURED())
NO_SHOOTER = Outcome.draw(catalogue.NO_SHOOTER_LEFT())
BOTH_KINGS = Outcome.draw(catalogue.BOTH_KINGS_CAPTURED())

KINDS = {"K": ("K", 0), "B": ("B", 0), "b": ("B", 0)}
KINDS |= {word: ("S", n) for n, word in enumerate("^>v<")}
KINDS |= {word: ("M", n) for n, word in enumerate(("NE", "SE", "SW", "NW"))}
TWO_KINGS = ". . . . . .\n. . . . . .\n. . . . . K0 . K1"


def piece(word: str) -> dict[str, Any]:
    kind, orientation = KINDS[word[:-1]]
    hp = 2 if word[0] == "B" else 1
    return {"type": kind, "player": int(word[-1]), "hp": hp, "orientation": orientation}


def draw(drawing: str, turn: int = 0) -> dict[str, Any]:
    board: list[list[Any]] = [[None] * 10 for _ in range(10)]
    for y, row in enumerate(drawing.strip().splitlines()):
        for x, word in enumerate(row.split()):
            board[y][x] = None if word == "." else piece(word)
    return {"board": board, "turn": turn, "history": []}


def position_of(state: Any) -> Position:
    return PHOTON.read_position(json.dumps(state))


def fired(drawing: str, game: Photon = PHOTON) -> AnyTurn:
    state = draw(drawing)
    assert state["board"][9][9] is None
    state["board"][9][9] = piece("NE0")
    position = position_of(state)
    move = game.read_move(position, 0, '{"type":"rotate","src":[9,9],"dir":1}')
    return game.resolve(position, {0: move})


def left(turn: AnyTurn) -> str:
    """The remaining pieces as `type player x y hp`, without the mirror that was turned."""
    board = json.loads(PHOTON.write_position(turn.after))["board"]
    return ", ".join(
        f"{p['type']}{p['player']} {x} {y}" + (f" hp {p['hp']}" if p["type"] == "B" else "")
        for y, row in enumerate(board)
        for x, p in enumerate(row)
        if p and (x, y) != (9, 9)
    )


def outcomes(turn: AnyTurn) -> list[tuple[str, tuple[int, int]]]:
    return [(b.end.event.value, (b.end.cell % 10, b.end.cell // 10)) for b in turn.beams]


# -- damage and the end of a game ------------------------------------------------------------

# drawing, remaining pieces, outcome
FATES = [
    (">0 . . K1 . . . . K0", "S0 0 0, K0 8 0", RED_WINS),
    (">0 . . K0 . . . . K1", "S0 0 0, K1 8 0", BLUE_WINS),
    (">1 . . K1 . . . . K0", "S1 0 0, K0 8 0", RED_WINS),
    ("K0 <1 . . . . K1 <0", "S1 1 0, S0 7 0", BOTH_KINGS),
    (">0 . B1 K1 . . . . K0", "S0 0 0, B1 2 0 hp 1, K1 3 0, K0 8 0", None),
    (">0 . b1 K1 . . . . K0", "S0 0 0, K1 3 0, K0 8 0", None),
    (">0 . B1 . <0 . K1 . K0", "S0 0 0, S0 4 0, K1 6 0, K0 8 0", None),
    (">0 . b1 . <0 . K1 . K0", "S0 0 0, S0 4 0, K1 6 0, K0 8 0", None),
    (">0 NE1 . . K1 . . K0", "S0 0 0, K1 4 0, K0 7 0", None),
    (">0 . ^1 . K1 . . K0", "S0 0 0, K1 4 0, K0 7 0", None),
]


@pytest.mark.parametrize(("drawing", "standing", "outcome"), FATES)
def test_damage_is_applied_last_and_decides_the_game(
    drawing: str, standing: str, outcome: Outcome | None
) -> None:
    turn = fired(drawing)
    assert left(turn) == standing
    assert turn.outcome == outcome


def test_a_block_loses_a_hit_point_to_each_beam() -> None:
    one = fired(f">0 . B1\n{TWO_KINGS}")
    assert [(loss.hits, loss.removed) for loss in one.losses] == [(1, False)]
    assert outcomes(one) == [("damage", (2, 0))]
    both = fired(f">0 . B1 . <0\n{TWO_KINGS}")
    assert [(loss.hits, loss.removed) for loss in both.losses] == [(2, True)]
    assert outcomes(both) == [("capture", (2, 0))] * 2
    three = fired(f">0 B1 <1\n. ^0 .\n{TWO_KINGS}")
    assert outcomes(three) == [("capture", (1, 0))] * 3
    assert [loss.removed for loss in three.losses] == [True]


def test_a_piece_destroyed_this_turn_still_stops_and_reflects_every_beam() -> None:
    # The beam of 0,1 destroys the mirror from behind; the one of 1,0 is still reflected by it.
    turn = fired(f". v0 .  .\n>1 NE0 . K1\n{TWO_KINGS.replace('K1', '.')}")
    assert outcomes(turn) == [("capture", (3, 1)), ("capture", (1, 1))]
    assert turn.outcome == RED_WINS


def test_adjacent_shooters_face_to_face_both_survive() -> None:
    turn = fired(f">0 <1\n{TWO_KINGS}")
    assert outcomes(turn) == [("annihilate", (0, 0)), ("annihilate", (1, 0))]
    assert turn.losses == ()
    independent = fired(f">0 <1\n{TWO_KINGS}", Photon(beams="independent"))
    assert outcomes(independent) == [("capture", (1, 0)), ("capture", (0, 0))]
    assert independent.outcome == NO_SHOOTER


RING = f">0 . SW0\n. . .\nNE0 . NW0\n{TWO_KINGS}"


def test_a_beam_that_returns_destroys_its_shooter() -> None:
    turn = fired(RING)
    (beam,) = turn.beams
    assert beam.end.event is BeamEvent.CAPTURE
    assert beam.end.cell == beam.path[0] == 0
    assert beam.end.entered == 0  # from below, although the shooter faces right
    assert turn.outcome == NO_SHOOTER
    assert "S0" not in left(turn)


def test_a_position_without_shooters_is_drawn() -> None:
    position = position_of(draw("K0 . K1 . NE0"))
    assert PHOTON.outcome(position) == NO_SHOOTER
    assert list(PHOTON.legal(position, 0)) == []


def test_a_missing_king_takes_precedence_over_missing_shooters() -> None:
    assert PHOTON.outcome(position_of(draw("K0"))) == RED_WINS
    assert PHOTON.outcome(position_of(draw("NE0"))) == BOTH_KINGS


def test_a_player_without_an_action_passes_and_the_beams_fire() -> None:
    position = position_of(draw("K0 B1 <1\nB1 . .\n. K1 ."))
    assert [PHOTON.write_move(position, 0, m) for m in PHOTON.legal(position, 0)] == [
        '{"type":"pass"}'
    ]
    turn = PHOTON.resolve(position, {0: PHOTON.read_move(position, 0, '{"type":"pass"}')})
    assert turn.aimed == position
    assert left(turn) == "K0 0 0, B1 1 0 hp 1, S1 2 0, B1 0 1 hp 2, K1 1 2"
    assert json.loads(PHOTON.write_position(turn.after))["history"] == [{"type": "pass"}]
    assert PHOTON.to_move(turn.after) == (1,)


# -- options ---------------------------------------------------------------------------------


def test_two_sided_mirrors_reflect_on_both_sides_and_are_never_damaged() -> None:
    behind = f">0 NE1\n. K1\n{TWO_KINGS.replace('K1', '.')}"
    one_sided, two_sided = fired(behind), fired(behind, Photon(mirrors="two_sided"))
    assert outcomes(one_sided) == [("capture", (1, 0))]
    assert one_sided.outcome is None
    assert outcomes(two_sided) == [("capture", (1, 1))]
    assert two_sided.outcome == RED_WINS
    assert "M1 1 0" in left(two_sided)


@pytest.mark.parametrize("beams", ["annihilate", "independent"])
def test_no_two_sided_mirror_is_destroyed_in_a_game(beams: str) -> None:
    game = Photon(mirrors="two_sided", beams=beams)
    for seed in range(6):
        for turn in random_turns(game, seed, 60):
            assert all(loss.piece.kind != "mirror" for loss in turn.losses)


def test_independent_beams_pass_through_each_other() -> None:
    crossing = f">0 . <1\n{TWO_KINGS}"
    assert outcomes(fired(crossing)) == [("annihilate", (1, 0))] * 2
    passed = fired(crossing, Photon(beams="independent"))
    assert outcomes(passed) == [("capture", (2, 0)), ("capture", (0, 0))]


def test_the_game_is_drawn_after_the_turn_limit() -> None:
    game = Photon(max_turns=5)
    turns = list(random_turns(game, 4, 50, retries=50))
    assert [turn.outcome for turn in turns[:4]] == [None] * 4
    assert len(turns) == 5
    drawn = Outcome.draw(catalogue.TURNS_PLAYED(count=5))
    assert turns[-1].outcome == drawn
    assert list(game.legal(turns[-1].after, 1)) == []
    # The state contains its history, so the count is unchanged after writing and reading.
    again = game.read_position(game.write_position(turns[-1].after))
    assert game.outcome(again) == drawn


def test_capturing_the_king_in_the_last_turn_wins() -> None:
    turn = fired(">0 . . K1 . . . . K0", Photon(max_turns=1))
    assert turn.outcome == RED_WINS


# -- JSON ------------------------------------------------------------------------------------


def changed(path: str, value: Any) -> dict[str, Any]:
    """The standard state with the value at one path replaced, for example `board.0.4.hp`."""
    state: Any = json.loads(PHOTON.setup("standard").text)
    *parts, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    place = state
    for part in parts:
        place = place[part]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return dict(state)


BAD_STATES: list[tuple[Any, Expected]] = [
    ([], catalogue.NOT_AN_OBJECT(what="a state", value="[]")),
    (None, catalogue.NOT_AN_OBJECT(what="a state", value="None")),
    ("state", catalogue.NOT_AN_OBJECT(what="a state", value="'state'")),
    (changed("board", ...), catalogue.MISSING_KEY(what="a state", key="board")),
    (changed("turn", ...), catalogue.MISSING_KEY(what="a state", key="turn")),
    (changed("boards", []), catalogue.UNKNOWN_KEY),
    (changed("zzz", 1), catalogue.UNKNOWN_KEY),
    (changed("board", {}), catalogue.NOT_AN_ARRAY_OF(what="board", count=10, value="{}")),
    (changed("board.9", ...), catalogue.NOT_AN_ARRAY_OF),
    (changed("board.3", None), catalogue.NOT_AN_ARRAY_OF(what="board[3]", count=10, value="None")),
    (changed("board.3.0", ...), catalogue.NOT_AN_ARRAY_OF),
    (changed("board.0.4", "K"), catalogue.NOT_AN_OBJECT(what="board[0][4]", value="'K'")),
    (changed("board.0.4", 0), catalogue.NOT_AN_OBJECT(what="board[0][4]", value="0")),
    (changed("board.0.4.type", ...), catalogue.MISSING_KEY(what="board[0][4]", key="type")),
    (changed("board.0.4.type", "Q"), catalogue.WRONG_PIECE_TYPE(place="board[0][4]", value="'Q'")),
    (changed("board.0.4.type", []), catalogue.WRONG_PIECE_TYPE(place="board[0][4]", value="[]")),
    (changed("board.0.4.colour", 1), catalogue.UNKNOWN_KEY),
    (changed("board.0.4.player", 2), catalogue.NOT_A_WHOLE_NUMBER),
    (changed("board.0.4.player", True), catalogue.NOT_A_WHOLE_NUMBER),
    (changed("board.0.4.hp", 2), catalogue.NOT_A_WHOLE_NUMBER),
    (changed("board.0.4.hp", 0), catalogue.NOT_A_WHOLE_NUMBER),
    (changed("board.1.4.hp", 3), catalogue.NOT_A_WHOLE_NUMBER),
    (changed("board.1.4.hp", 1.0), catalogue.NOT_A_WHOLE_NUMBER),
    (changed("board.0.4.orientation", 1), catalogue.NOT_A_WHOLE_NUMBER),
    (changed("board.1.2.orientation", 4), catalogue.NOT_A_WHOLE_NUMBER),
    (changed("board.1.2.orientation", -1), catalogue.NOT_A_WHOLE_NUMBER),
    (changed("board.5.5", piece("K0")), catalogue.TOO_MANY_KINGS(player=0, count=2)),
    (changed("turn", 2), catalogue.NOT_A_WHOLE_NUMBER(what="turn", least=0, most=1, value="2")),
    (changed("turn", "0"), catalogue.NOT_A_WHOLE_NUMBER(what="turn", least=0, most=1, value="'0'")),
    (
        changed("turn", None),
        catalogue.NOT_A_WHOLE_NUMBER(what="turn", least=0, most=1, value="None"),
    ),
    (changed("history", {}), catalogue.NOT_AN_ARRAY(what="history", value="{}")),
    (changed("history", [1]), catalogue.NOT_A_PHOTON_MOVE(what="history[0]", value="1")),
    (
        changed("history", [{"type": "pass"}, {"type": "move"}]),
        catalogue.MISSING_KEY(what="history[1]", key="src"),
    ),
]


@pytest.mark.parametrize(("state", "expected"), BAD_STATES)
def test_a_malformed_state_is_an_error_with_place_and_reason(
    state: Any, expected: Expected
) -> None:
    with raises(BadPosition, expected):
        PHOTON.read_position(json.dumps(state))


BAD_MOVES: list[tuple[str, Expected]] = [
    ("", catalogue.NOT_JSON_AT),
    ("{", catalogue.NOT_JSON_AT),
    ('{"type":"pass"} x', catalogue.NOT_JSON_AFTER(rest="'x'", text='\'{"type":"pass"} x\'')),
    ('{"type":"pass","type":"pass"}', catalogue.KEY_TWICE(key="'type'")),
    ('{"type":NaN}', catalogue.NO_NUMBER(value="NaN")),
    ('{"type":-Infinity}', catalogue.NO_NUMBER(value="-Infinity")),
    ('{"type":"\ud800"}', catalogue.HALF_CHARACTER(value="'\\ud800'")),
    ("9" * 5000, catalogue.TOO_MANY_DIGITS(digits=5000)),
    ("[]", catalogue.NOT_A_PHOTON_MOVE(what="a move", value="[]")),
    ('{"type":"fire"}', catalogue.NOT_A_PHOTON_MOVE(what="a move", value="{'type': 'fire'}")),
    ('{"type":["move"]}', catalogue.NOT_A_PHOTON_MOVE(what="a move", value="{'type': ['move']}")),
    ('{"type":"pass","src":[0,0]}', catalogue.UNKNOWN_KEY),
    ('{"type":"move","src":[0,0]}', catalogue.MISSING_KEY(what="a move", key="dst")),
    ('{"type":"move","src":[0,0],"dst":[0,10]}', catalogue.NOT_A_WHOLE_NUMBER),
    (
        '{"type":"move","src":[0],"dst":[0,1]}',
        catalogue.NOT_AN_ARRAY_OF(what="a move: src", count=2, value="[0]"),
    ),
    (
        '{"type":"move","src":"a1","dst":[0,1]}',
        catalogue.NOT_AN_ARRAY_OF(what="a move: src", count=2, value="'a1'"),
    ),
    ('{"type":"move","src":[0,true],"dst":[0,1]}', catalogue.NOT_A_WHOLE_NUMBER),
    ('{"type":"move","src":[0,0],"dst":[0,1],"dir":1}', catalogue.UNKNOWN_KEY),
    ('{"type":"rotate","src":[0,0]}', catalogue.MISSING_KEY(what="a move", key="dir")),
    ('{"type":"rotate","src":[0,0],"dir":0}', catalogue.NOT_A_ROTATION(what="a move", value="0")),
    (
        '{"type":"rotate","src":[0,0],"dir":1.0}',
        catalogue.NOT_A_ROTATION(what="a move", value="1.0"),
    ),
    (
        '{"type":"rotate","src":[0,0],"dir":true}',
        catalogue.NOT_A_ROTATION(what="a move", value="True"),
    ),
]


@pytest.mark.parametrize(("text", "expected"), BAD_MOVES)
def test_a_malformed_move_is_an_error_with_a_reason(text: str, expected: Expected) -> None:
    with pytest.raises(BadMove) as caught:
        PHOTON.read_move(PHOTON.start(), 0, text)
    assert mentions(caught.value.sentence, expected)
    assert len(str(caught.value)) < 300


NESTINGS = [
    ("", ""),
    ('{"type":', "}"),
    ('{"type":"rotate","src":[0,0],"dir":', "}"),
    ('{"board":', ',"turn":0}'),
    ('{"board":[[', ']],"turn":0}'),
    (PHOTON.setup("standard").text[:-3] + '[{"type":', "}]}"),
]


@pytest.mark.parametrize(("opening", "closing"), NESTINGS, ids=range(len(NESTINGS)))
def test_deeply_nested_json_is_refused(opening: str, closing: str) -> None:
    start = PHOTON.start()
    json.loads(opening + "[]" + closing)
    for depth in (*range(1, 60, 7), *range(800, 1020), 100_000):
        text = opening + "[" * depth + "]" * depth + closing
        with pytest.raises(BadPosition):
            PHOTON.read_position(text)
        with pytest.raises(BadMove):
            PHOTON.read_move(start, 0, text)
