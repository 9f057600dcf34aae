"""Boards as text, checked character by character with the help of the labels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import dedent
from types import SimpleNamespace
from typing import cast
from unicodedata import east_asian_width

import pytest

from controller.ui.terminal import render_board
from controller.ui.terminal.glyphs import FACING_SIGNS
from engine import games
from engine.beam import Beam, BeamEvent, Emitter, Reaction, trace
from engine.game import AnyGame, AnyTurn, Mark, Piece
from engine.grid import SQUARE_STEPS, Cell, Grid, Heading, HexGrid, SquareGrid
from tests.support.engine.random_play import endless_turns

GAMES = sorted(games.GAMES)
SQUARES = SquareGrid(4, 3)
HEXAGONS = HexGrid.hexagon(2)
HEAVY = str.maketrans("┃━┗┏┓┛┣┳┫┻╋", "│─└┌┐┘├┬┤┴┼")


@dataclass(frozen=True)
class FakePosition:
    grid: Grid
    pieces: Mapping[Cell, Piece]


def fake_game(marks: Mapping[Cell, Mark] | None = None) -> AnyGame:
    letters = {"wizard": "W", "ship": "S", "block": "B", "mirror": "M", "shooter": "G"}
    game = SimpleNamespace(
        title="A fourth game", players=("one", "two"), letters=letters, marks=lambda _: marks or {}
    )
    return cast(AnyGame, game)


def fire(
    grid: Grid,
    *emitters: tuple[str, Heading, int],
    reactions: Mapping[str, Reaction] | None = None,
    meeting: bool = True,
) -> tuple[Beam, ...]:
    by_cell = {grid.cell(name): reaction for name, reaction in (reactions or {}).items()}
    at = [Emitter(grid.cell(name), heading, owner) for name, heading, owner in emitters]
    return trace(grid, at, lambda cell, _: by_cell.get(cell), meeting=meeting)


def squares(beams: Sequence[Beam] = (), *, colour: bool = False, **pieces: Piece) -> str:
    position = FakePosition(SQUARES, {SQUARES.cell(name): piece for name, piece in pieces.items()})
    return render_board(fake_game(), position, beams, colour=colour)


def turns(name: str, most: int = 8) -> Iterator[tuple[AnyGame, AnyTurn]]:
    game = games.make(name)
    return ((game, turn) for turn in endless_turns(game, seed=7, most=most))


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def width(line: str) -> int:
    return sum(2 if east_asian_width(sign) in "WF" else 1 for sign in line)


def assert_picture(text: str, expected: str) -> None:
    """The text without blanks at the ends of lines and without empty lines."""
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    assert lines == [line.rstrip() for line in dedent(expected).splitlines() if line.strip()]


# -- every game ----------------------------------------------------------------------------------


@pytest.mark.parametrize("colour", [True, False])
@pytest.mark.parametrize("name", GAMES)
def test_all_lines_are_equally_wide_and_fit_a_terminal(name: str, colour: bool) -> None:
    for game, turn in turns(name):
        text = plain(render_board(game, turn.aimed, turn.beams, colour=colour, highlight=[3, 4]))
        lines = text.split("\n")
        assert len({width(line) for line in lines}) == 1
        assert width(lines[0]) <= 80
        assert len(lines) <= 25


@pytest.mark.parametrize("name", GAMES)
def test_without_colour_there_is_no_escape_code(name: str) -> None:
    for game, turn in turns(name):
        text = render_board(game, turn.aimed, turn.beams, colour=False, highlight=[0])
        assert all(sign.isprintable() or sign == "\n" for sign in text)


@pytest.mark.parametrize("name", GAMES)
def test_colour_ends_with_every_line(name: str) -> None:
    game = games.make(name)
    for line in render_board(game, game.start(), colour=True).split("\n"):
        assert line.endswith("\x1b[0m")


@pytest.mark.parametrize("colour", [True, False])
@pytest.mark.parametrize("name", GAMES)
def test_every_piece_is_shown_by_its_letter(name: str, colour: bool) -> None:
    for game, turn in turns(name):
        board = plain(render_board(game, turn.after, colour=colour)).rsplit("\n", 1)[0]
        for owner, case in ((0, str.upper), (1, str.lower)):
            for kind, letter in game.letters.items():
                standing = [
                    p for p in turn.after.pieces.values() if (p.kind, p.owner) == (kind, owner)
                ]
                # The names of columns are letters followed by a blank.
                assert len(re.findall(rf"{case(letter)}[^ ]", board)) == len(standing)


def square_at(text: str, name: str) -> tuple[str, str]:
    """The letter and the direction character on a square, found by the labels."""
    lines = plain(text).split("\n")
    letters = next(line for line in lines if re.fullmatch(r" *a( +[a-z])+ *", line))
    row = next(line for line in lines if re.match(rf" *{name[1:]}[^0-9]", line))
    column = letters.index(name[0])
    return row[column - 1], row[column]


@pytest.mark.parametrize("colour", [True, False])
@pytest.mark.parametrize("name", [n for n in GAMES if games.make(n).start().grid.headings == 4])
def test_every_piece_is_in_line_with_its_labels(name: str, colour: bool) -> None:
    game = games.make(name)
    position = game.start()
    text = render_board(game, position, colour=colour)
    for cell, piece in position.pieces.items():
        letter = game.letters[piece.kind]
        found, sign = square_at(text, position.grid.name(cell))
        assert found == (letter.lower() if piece.owner else letter)
        assert sign == FACING_SIGNS[piece.kind][piece.orientation]


# The direction of the solid part of a symbol, x to the right and y down.
SOLID = {"◥": (1, -1), "◢": (1, 1), "◣": (-1, 1), "◤": (-1, -1),
         "▀": (0, -1), "▐": (1, 0), "▄": (0, 1), "▌": (-1, 0)}  # fmt: skip


@pytest.mark.parametrize("name", GAMES)
def test_direction_characters_agree_with_the_rules(name: str) -> None:
    """Beams turn on the open side of a triangle and stop on the solid side of a shield."""
    kinds = {"deflector", "mirror", "defender"} & set(games.GAMES[name].letters)
    seen = set()
    for _, turn in turns(name, most=300):
        for beam in turn.beams:
            for step in beam.steps:
                piece = turn.aimed.pieces.get(step.cell)
                if piece is None or piece.kind not in kinds or step.entered is None:
                    continue
                solid = SOLID[FACING_SIGNS[piece.kind][piece.orientation]]
                way = SQUARE_STEPS[step.entered]
                hits_solid = solid[0] * way[0] + solid[1] * way[1] < 0
                survives = step.event is not BeamEvent.CAPTURE
                assert survives == (hits_solid if piece.kind == "defender" else not hits_solid)
                seen.add(piece.kind)
    assert seen == kinds


@pytest.mark.parametrize("heading", range(4))
def test_shields_and_guns_are_on_the_side_they_face(heading: Heading) -> None:
    assert SOLID[FACING_SIGNS["defender"][heading]] == SQUARE_STEPS[heading]
    for kind in ("laser", "shooter"):
        assert (
            FACING_SIGNS[kind][heading]
            == {(0, -1): "▲", (1, 0): "▶", (0, 1): "▼", (-1, 0): "◀"}[SQUARE_STEPS[heading]]
        )


@pytest.mark.parametrize("name", GAMES)
def test_colour_changes_no_character(name: str) -> None:
    for game, turn in turns(name):
        with_colour = plain(render_board(game, turn.aimed, turn.beams, colour=True)).translate(
            HEAVY
        )
        without = render_board(game, turn.aimed, turn.beams, colour=False)
        for shown, expected in zip(with_colour, without, strict=True):
            assert shown == expected or (expected == " " and shown in "▀▄")


# -- pictures ------------------------------------------------------------------------------------


def test_a_board_of_squares_is_drawn() -> None:
    text = squares(
        fire(SQUARES, ("a1", 0, 0), reactions={"a2": Reaction(BeamEvent.TURN, 1)}),
        a1=Piece("shooter", 0, 0),
        a2=Piece("mirror", 1, 1),
        c3=Piece("block", 1, 0, 2),
        d1=Piece("wizard", 0, 3),
    )
    assert_picture(
        text,
        """
        3   ·    ·   b■2   ·

        2  m◤─────────────────→
            │
        1  G▲    ·    ·   W←

            a    b    c    d
        one: CAPITALS   two: small letters
        """,
    )


def test_beams_turn_cross_and_capture() -> None:
    text = squares(
        fire(
            SQUARES,
            ("a2", 1, 0),
            ("b1", 0, 1),
            reactions={"d2": Reaction(BeamEvent.TURN, 2), "d1": Reaction(BeamEvent.CAPTURE)},
            meeting=False,
        ),
        d1=Piece("king", 1),
    )
    assert_picture(
        text,
        """
                 ↑
        3   ·    │    ·    ·
                 │
        2   ╶────┼─────────┐
                 │         │
        1   ·    ╵    ·   k✸

            a    b    c    d
        one: CAPITALS   two: small letters
        """,
    )


def test_crossing_beams_of_two_owners_have_a_neutral_colour() -> None:
    text = squares(fire(SQUARES, ("a2", 1, 0), ("b1", 0, 1), meeting=False), colour=True)
    inks = {sign: re.findall(rf"38;2;(\d+;\d+;\d+)[^m]*m[^\x1b]*{sign}", text) for sign in "━┃╋"}
    assert len(inks["╋"]) == 1
    assert inks["━"]
    assert inks["┃"]
    assert not set(inks["╋"]) & {*inks["━"], *inks["┃"]}


def test_the_ends_of_beams_differ_by_event() -> None:
    wall = {"d3": Reaction(BeamEvent.ABSORB), "d2": Reaction(BeamEvent.DAMAGE)}
    beams = fire(SQUARES, ("a3", 1, 0), ("a2", 1, 0), ("a1", 1, 0), ("d1", 3, 1), reactions=wall)
    text = squares(beams, d3=Piece("block", 1, 0, 2), d2=Piece("block", 1, 0, 2))
    assert_picture(
        text,
        """
        3   ╶────────────×b■2

        2   ╶────────────✶b■2

        1   ╶──────✕───────╴

            a    b    c    d
        one: CAPITALS   two: small letters
        """,
    )


def hexagons(beams: Sequence[Beam], *, colour: bool = False) -> str:
    marks = dict.fromkeys(range(HEXAGONS.size), Mark.LAND)
    marks[HEXAGONS.cell("d4")] = Mark.MOUNTAIN
    marks[HEXAGONS.cell("b2")] = Mark.VOID
    ships = {
        HEXAGONS.cell("a3"): Piece("ship", 0, 2, 80),
        HEXAGONS.cell("e3"): Piece("ship", 1, 0, 7),
    }
    return render_board(fake_game(marks), FakePosition(HEXAGONS, ships), beams, colour=colour)


def test_a_board_of_hexagons_is_drawn() -> None:
    assert_picture(
        hexagons(()),
        """
            5   ·   ·   ·

          4   ·   ·   ▲   ·

        3  S↘   ·   ·   ·  s↗

          2   ·   ⋆   ·   ·   e

            1   ·   ·   ·   d

                  a   b   c
        one: CAPITALS, S  80 hp   two: small letters, s   7 hp
        """,
    )


def test_beams_run_along_the_slants_of_hexagons_and_cross() -> None:
    beams = fire(
        HEXAGONS,
        ("a3", 0, 0),
        ("c1", 5, 1),
        ("e3", 4, 1),
        reactions={"a3": Reaction(BeamEvent.DAMAGE)},
        meeting=False,
    )
    assert_picture(
        hexagons(beams),
        """
               ↖ ↗
            5   ╳   ·   ·
               ╱ ╲
          4   ╱   ╲   ▲   ·
             ╱     ╲
        3  S↗ ✶─────✳──────s←
                     ╲
          2   ·   ⋆   ╲   ·   e
                       ╲
            1   ·   ·   ╲   d

                  a   b   c
        one: CAPITALS, S  80 hp   two: small letters, s   7 hp
        """,
    )


@pytest.mark.parametrize("orientation", range(6))
def test_a_ship_on_hexagons_shows_its_heading(orientation: int) -> None:
    position = FakePosition(HEXAGONS, {0: Piece("ship", 0, orientation, 5)})
    text = render_board(fake_game(), position, colour=False)
    assert f"S{'↗→↘↙←↖'[orientation]}" in text


def test_every_mark_of_an_empty_cell_is_distinct() -> None:
    for grid in (SQUARES, HEXAGONS):
        looks = [
            render_board(fake_game({0: mark} if mark else {}), FakePosition(grid, {}), colour=True)
            for mark in (None, *Mark)
        ]
        assert len(set(looks)) == len(looks)


def test_a_highlighted_cell_is_bracketed_or_coloured() -> None:
    position = FakePosition(SQUARES, {SQUARES.cell("b2"): Piece("king", 0)})
    bracketed = render_board(fake_game(), position, colour=False, highlight=[SQUARES.cell("b2")])
    assert "[K♚ ]" in bracketed
    coloured = render_board(fake_game(), position, colour=True, highlight=[SQUARES.cell("b2")])
    assert plain(coloured) == plain(render_board(fake_game(), position, colour=True))
    assert coloured != render_board(fake_game(), position, colour=True)


def test_owners_differ_by_colour_and_by_case() -> None:
    first, second = (squares(colour=True, b2=Piece("king", owner)) for owner in (0, 1))
    assert "K♚" in plain(first)
    assert "k♚" in plain(second)
    codes = [re.findall(r"(\x1b\[[0-9;]*m)[Kk]", text) for text in (first, second)]
    assert codes[0] != codes[1]


def test_a_board_too_large_for_cell_names_is_still_drawn() -> None:
    grid = HexGrid.hexagon(13)
    text = render_board(fake_game(), FakePosition(grid, {0: Piece("ship", 0, 0, 9)}), colour=False)
    assert text.count("·") == grid.size - 1
