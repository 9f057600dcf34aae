"""The starting positions: complete, point-symmetric, and their first beams as drawn by hand.

The header of `first_beams.txt` explains its format. Each block has a drawing and a path; both are
compared with the engine.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from engine import catalogue
from engine.beam import Beam, BeamEvent
from engine.game import AnyGame
from engine.laser_chess import Position
from engine.perft import perft
from engine.photon import Photon
from tests.support.engine.random_play import LASER_CHESS, PHOTON, turn_laser_chess, turn_photon

CHESS_SETUPS = ["ace", "curiosity", "grail", "mercury", "mercury-horizontal", "sophie"]
COMPLETE = {"laser": 1, "deflector": 7, "defender": 2, "switch": 2, "king": 1}
GRID = LASER_CHESS.start().grid
COLUMNS = "abcdefghij"


# -- names, pieces, symmetry -----------------------------------------------------------------


def test_the_setups_have_their_names_in_order() -> None:
    assert list(LASER_CHESS.setups()) == CHESS_SETUPS
    assert list(PHOTON.setups()) == ["standard", "offset"]
    assert LASER_CHESS.default_setup == "ace"


def test_setups_with_a_remark_in_the_rules_have_a_note() -> None:
    remarked = [name for name, setup in LASER_CHESS.setups().items() if setup.remark]
    assert remarked == ["mercury", "mercury-horizontal", "sophie"]
    assert LASER_CHESS.setup("mercury").remark == catalogue.SETUP_MERCURY()
    assert PHOTON.setup("standard").remark == catalogue.SETUP_STANDARD()
    setups = {(game.name, name) for game in (LASER_CHESS, PHOTON) for name in game.setups()}
    assert catalogue.SETUP_REMARKS.keys() <= setups


@pytest.mark.parametrize("name", CHESS_SETUPS)
def test_a_setup_is_complete_and_blue_begins(name: str) -> None:
    position = LASER_CHESS.start(name)
    assert LASER_CHESS.to_move(position) == (0,)
    assert LASER_CHESS.outcome(position) is None
    for owner in (0, 1):
        kinds = Counter(p.kind for p in position.pieces.values() if p.owner == owner)
        assert kinds == COMPLETE


@pytest.mark.parametrize("name", CHESS_SETUPS)
def test_a_setup_is_point_symmetric(name: str) -> None:
    def arrangement(position: Position) -> dict[int, tuple[str, int, int]]:
        fold = {"king": 1, "switch": 2}  # distinguishable orientations
        return {
            cell: (piece.kind, piece.owner, piece.orientation % fold.get(piece.kind, 4))
            for cell, piece in position.pieces.items()
        }

    position = LASER_CHESS.start(name)
    assert arrangement(turn_laser_chess(position)) == arrangement(position)


def test_mercury_horizontal_is_mercury_with_horizontal_lasers() -> None:
    printed, turned = LASER_CHESS.start("mercury").pieces, LASER_CHESS.start("mercury-horizontal")
    differing = {c: p.orientation for c, p in turned.pieces.items() if printed[c] != p}
    assert differing == {GRID.cell("a8"): 1, GRID.cell("j1"): 3}
    assert printed.keys() == turned.pieces.keys()


# -- first beams -----------------------------------------------------------------------------


class Drawing(NamedTuple):
    squares: dict[str, str]
    path: list[str]
    ending: str


def read_drawings() -> dict[tuple[str, str], Drawing]:
    text = (Path(__file__).parent / "first_beams.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    drawings = {}
    for i in range(0, len(lines), 11):
        mark, setup, side = lines[i].split()
        assert mark == "=="
        assert lines[i + 1].split() == list(COLUMNS)
        squares = {}
        for number, row in zip("87654321", lines[i + 2 : i + 10], strict=True):
            head, *drawn = row.split()
            assert head == number
            assert len(drawn) == 10
            squares.update({column + number: d for column, d in zip(COLUMNS, drawn, strict=True)})
        words = lines[i + 10].removeprefix("path: ").split()
        end = next(n for n, w in enumerate(words) if w in ("exit", "captures", "absorbed"))
        drawings[setup, side] = Drawing(squares, words[:end], " ".join(words[end:]))
    return drawings


DRAWINGS = read_drawings()


def first_beam(setup: str, side: str) -> tuple[Position, Beam]:
    position = LASER_CHESS.start(setup)
    (beam,) = LASER_CHESS.standing_beams(position, ["blue", "red"].index(side))
    return position, beam


def drawn(position: Position, beam: Beam) -> dict[str, str]:
    """The engine's beam in the characters of the drawing."""
    picture = {}
    for cell in range(GRID.size):
        piece = position.pieces.get(cell)
        letter = "." if piece is None else LASER_CHESS.letters[piece.kind]
        picture[cell] = letter if piece is None or piece.owner == 0 else letter.lower()
    passed: dict[int, set[str]] = defaultdict(set)
    for step in beam.steps:
        cell, piece = step.cell, position.pieces.get(step.cell)
        if step.event is BeamEvent.FIRE:
            picture[cell] = "O"
        elif step.event is BeamEvent.PASS:
            assert step.entered is not None
            passed[cell].add("|-"[step.entered % 2])
            picture[cell] = "+" if len(passed[cell]) == 2 else "".join(passed[cell])
        elif step.event is BeamEvent.TURN:
            assert piece is not None
            # Deflector and switch are drawn as `\` at 0 and 180 degrees.
            picture[cell] = "\\/"[piece.orientation % 2]
        elif step.event is not BeamEvent.LEAVE:
            picture[cell] = {BeamEvent.CAPTURE: "*", BeamEvent.ABSORB: "#"}[step.event]
    return {GRID.name(cell): letter for cell, letter in picture.items()}


def test_every_setup_is_drawn_for_both_sides() -> None:
    assert sorted(DRAWINGS) == sorted((s, side) for s in CHESS_SETUPS for side in ("blue", "red"))


@pytest.mark.parametrize(("setup", "side"), DRAWINGS)
def test_a_first_beam_matches_the_hand_made_drawing(setup: str, side: str) -> None:
    assert drawn(*first_beam(setup, side)) == DRAWINGS[setup, side].squares


@pytest.mark.parametrize(("setup", "side"), DRAWINGS)
def test_a_first_beam_follows_the_hand_written_path(setup: str, side: str) -> None:
    _, beam = first_beam(setup, side)
    last = GRID.name(beam.end.cell)
    endings = {BeamEvent.LEAVE: "exit", BeamEvent.CAPTURE: f"captures {last}"}
    drawing = DRAWINGS[setup, side]
    assert [GRID.name(cell) for cell in beam.path] == drawing.path
    assert endings[beam.end.event] == drawing.ending


@pytest.mark.parametrize("side", [0, 1])
def test_68_of_72_first_moves_of_mercury_capture_an_own_deflector(side: int) -> None:
    text = LASER_CHESS.setup("mercury").text + (" b", " r")[side]
    position = LASER_CHESS.read_position(text)
    turns = [LASER_CHESS.resolve(position, {side: m}) for m in LASER_CHESS.legal(position, side)]
    burnt = [
        turn
        for turn in turns
        if any(loss.piece.kind == "deflector" and loss.piece.owner == side for loss in turn.losses)
    ]
    assert (len(burnt), len(turns)) == (68, 72)


# -- Photon ----------------------------------------------------------------------------------

N, S = 0, 2
NE, SE, SW, NW = range(4)
RED_OFFSET, BLUE_OFFSET = {(2, 1): (1, 1)}, {(7, 8): (8, 8)}
PHOTON_STANDARD = {
    (4, 0): ("K", 0, 1, 0),
    (4, 1): ("B", 0, 2, 0),
    (2, 1): ("S", 0, 1, S),
    (7, 1): ("S", 0, 1, S),
    (3, 2): ("M", 0, 1, SW),
    (6, 2): ("M", 0, 1, SE),
    (5, 9): ("K", 1, 1, 0),
    (5, 8): ("B", 1, 2, 0),
    (7, 8): ("S", 1, 1, N),
    (2, 8): ("S", 1, 1, N),
    (6, 7): ("M", 1, 1, NE),
    (3, 7): ("M", 1, 1, NW),
}
PHOTON_OFFSET = {
    (RED_OFFSET | BLUE_OFFSET).get(place, place): piece for place, piece in PHOTON_STANDARD.items()
}


def photon_pieces(text: str) -> dict[tuple[int, int], tuple[Any, ...]]:
    keys = ("type", "player", "hp", "orientation")
    return {
        (x, y): tuple(piece[key] for key in keys)
        for y, row in enumerate(json.loads(text)["board"])
        for x, piece in enumerate(row)
        if piece
    }


@pytest.mark.parametrize(
    ("name", "pieces"), [("standard", PHOTON_STANDARD), ("offset", PHOTON_OFFSET)]
)
def test_a_photon_setup_matches_the_rules(
    name: str, pieces: dict[tuple[int, int], tuple[Any, ...]]
) -> None:
    position = PHOTON.start(name)
    assert photon_pieces(PHOTON.write_position(position)) == pieces
    assert PHOTON.to_move(position) == (0,)
    assert turn_photon(position).squares == position.squares


def test_independent_beams_start_from_offset() -> None:
    independent = Photon(beams="independent")
    assert (PHOTON.default_setup, independent.default_setup) == ("standard", "offset")
    assert independent.start() == PHOTON.start("offset")
    assert PHOTON.start() == PHOTON.start("standard")


def test_standard_with_independent_beams_loses_nearly_all_shooters_in_one_turn() -> None:
    game = Photon(beams="independent")
    position = game.start("standard")
    left = [
        sum(
            piece.kind == "shooter"
            for piece in game.resolve(position, {0: m}).after.pieces.values()
        )
        for m in game.legal(position, 0)
    ]
    assert max(left) <= 2
    assert left.count(0) > len(left) / 2


# -- perft -----------------------------------------------------------------------------------

PERFT: list[tuple[AnyGame, str, list[int]]] = [
    (LASER_CHESS, "ace", [81, 6552, 526446]),
    (LASER_CHESS, "curiosity", [77, 5943]),
    (LASER_CHESS, "grail", [74, 5426]),
    (LASER_CHESS, "mercury", [72, 5196]),
    (LASER_CHESS, "mercury-horizontal", [72, 4987]),
    (LASER_CHESS, "sophie", [78, 5920]),
    (PHOTON, "standard", [29, 841, 22649]),
    (PHOTON, "offset", [29, 841]),
    (Photon(beams="independent"), "standard", [29, 230]),
    (Photon(beams="independent"), "offset", [29, 829]),
    (Photon(mirrors="two_sided"), "standard", [29, 841]),
]


@pytest.mark.parametrize(("game", "setup", "counts"), PERFT)
def test_perft_of_every_setup_is_known(game: AnyGame, setup: str, counts: list[int]) -> None:
    position = game.start(setup)
    board = game.board(position)
    assert board is not None
    for depth, count in enumerate(counts, 1):
        assert board.perft(depth) == count
        assert perft(game, position, depth) == count
