"""The players' screen, on all boards and in all sizes."""

from __future__ import annotations

import re
from dataclasses import replace
from unicodedata import east_asian_width

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.session.events import Request
from controller.session.guidance import guidance_for
from controller.session.sentences import AGREED
from controller.session.setup import Seat
from controller.session.state import Hint, Phase, Session
from controller.simulation.requests import MakeMove
from controller.ui.terminal import beam_length, board_extent, cell_sizes
from controller.ui.terminal.glyphs import CellRole
from controller.ui.terminal.keyboard import Keyboard
from controller.ui.terminal.screen import ScreenView, cell_roles_of, redraw, render_screen
from engine.game import ExpectedPiece, Outcome
from engine.grid import HexGrid
from engine.sentences import plain
from tests.support.engine.random_play import examples
from tests.support.play.keyboard_sessions import BOARDS, KEYS, KeyboardUser, session
from vision.infer import Difference

GAMES = sorted(BOARDS)
SIZES = [(80, 24), (100, 40), (60, 20), (46, 16), (36, 15), (20, 8), (1, 1)]
CODE = re.compile(r"\x1b\[[0-9;]*m")


def text(view: ScreenView, size: tuple[int, int] | None = (80, 24), **more: bool) -> str:
    return "\n".join(render_screen(view, size, more.pop("colour", False), **more))


def columns(line: str) -> int:
    return sum(1 + (east_asian_width(sign) in "WF") for sign in CODE.sub("", line))


# -- content -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_a_screen_of_80_by_24_shows_everything_that_a_player_needs(name: str) -> None:
    now = session(name, 5)
    game, position = now.game, now.position
    shown = text(ScreenView(now, messages=("hello", "there"), at_ms=2_000.0))
    assert shown.startswith(f"{game.title} · 5 turns played")
    for player, left in enumerate(("5:00", "4:58") if len(now.to_move) == 1 else ("4:58", "4:58")):
        runs = "▶" if player in now.to_move else " "
        assert re.search(rf"{runs} {game.players[player]} {now.seats[player].name} +{left}", shown)
    assert str(guidance_for(now).sentence) in shown
    assert "hello" in shown
    assert "there" in shown
    assert "? help" in shown
    for number in range(1, 6):
        assert re.search(rf"^.* {number} \S", shown, re.MULTILINE)
    letters = re.findall(r"(?<![A-Za-z])([A-Za-z])[▲▶▼◀◥◢◣◤▀▐▄▌╲╱♚■↗→↘↙←↖]", shown)
    assert len(letters) == len(position.pieces)


def test_turns_are_listed_in_notation_or_in_words() -> None:
    now = session("laser-chess", 3)
    shown = text(ScreenView(now))
    for number, past in enumerate(now.history, 1):
        (player, move) = past.turn.moves[0]
        written = now.game.write_move(past.position, player, move)
        assert f" {number} {written}" in shown
    assert re.search(r"1 [a-j]\d+ (to|turns) ", text(ScreenView(session("photon", 3))))
    assert "{" not in text(ScreenView(session("photon", 3)))


def test_only_the_last_turns_are_shown_with_their_numbers() -> None:
    shown = text(ScreenView(session("laser-chess", 14)))
    assert re.search(r"\b14 [a-j]\d", shown)
    assert re.search(r"\b7 [a-j]\d", shown)
    assert not re.search(r"\b6 [a-j]\d", shown)


def difference(now: Session, square: str) -> Difference:
    cell = now.position.grid.cell(square)
    piece = now.position.pieces[cell]
    expected = ExpectedPiece(piece.kind, piece.owner, frozenset({piece.orientation}))
    return Difference(cell, expected, None, 9.0, plain(f"{square}: {piece.kind} is missing"))


def test_differences_are_listed_and_marked() -> None:
    now = session()
    wrong = tuple(difference(now, square) for square in ("c1", "j4"))
    now = replace(now, phase=Phase.MISMATCH, table=replace(now.table, differences=wrong))
    shown = text(ScreenView(now))
    assert "! c1: deflector is" in shown
    assert "! j4: deflector is" in shown
    assert "!B◢ !" in shown
    assert "!B◥ !" in shown


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
def test_some_of_many_differences_are_listed_and_the_rest_counted(size: tuple[int, int]) -> None:
    now = session(phase=Phase.SETTING_UP)
    squares = [now.position.grid.name(cell) for cell in now.position.pieces]
    now = replace(
        now,
        table=replace(now.table, differences=tuple(difference(now, square) for square in squares)),
    )
    shown = text(ScreenView(now), size)
    reported = len(re.findall(r"! [a-j]\d: ", shown))
    assert 0 < reported < len(squares)
    assert f"and {len(squares) - reported} more" in shown


def test_cursor_selection_and_targets_are_marked() -> None:
    play = KeyboardUser(session()).at("j4")
    assert "[B◥ ]" in text(ScreenView(play.session, play.keyboard))
    play.keys("enter", "left")
    shown = text(ScreenView(play.session, play.keyboard))
    assert "(B◥ )" in shown
    assert shown.count("<") == 3  # the fourth target has the cursor
    assert "i4 empty · Enter makes the move j4 to i4" in shown
    marked = cell_roles_of(play.session, play.keyboard)
    assert {play.name(cell) for cell in marked[CellRole.TARGET]} == {"i3", "i4", "i5", "j3"}


def test_an_unfired_move_is_shown_on_the_board() -> None:
    play = KeyboardUser(session())
    (make,) = play.types("j4j3")
    before = text(ScreenView(play.session)).splitlines()
    after = text(ScreenView(play.makes_on_table(make).session)).splitlines()
    row_4, row_3 = (next(i for i, line in enumerate(before) if line.startswith(n)) for n in "43")
    assert "B◥" in before[row_4][45:]
    assert "B◥" not in after[row_4][45:]
    assert "B◥" in after[row_3][45:]


def test_the_last_turn_the_hint_and_the_computers_move_are_marked() -> None:
    now = session(turns=1)
    game = now.game
    assert cell_roles_of(now, Keyboard())[CellRole.LAST_TURN]
    turn = game.resolve(now.position, {1: game.read_move(now.position, 1, "a5a6")})
    for known in (
        replace(now, computer=replace(now.computer, turn=turn)),
        replace(now, turn=replace(now.turn, hint=Hint(turn))),
    ):
        marked = cell_roles_of(known, Keyboard())[CellRole.TARGET]
        assert {now.position.grid.name(cell) for cell in marked} == {"a5", "a6"}


# -- status line and keys ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "part"),
    [
        ("f", "> f_   Enter sends fire, or continue typing"),
        ("j4", "> j4_   Enter sends it"),
        ("R", "blue resigns: really?  Y yes"),
        ("?", "another game like this one (asks first)"),
        ("?", "CAPITALS act at once"),
        ("?", "leave: the game is stored"),
    ],
)
def test_the_status_line_shows_the_effect_of_a_key(keys: str, part: str) -> None:
    play = KeyboardUser(session())
    play.keys(*keys)
    assert part in text(ScreenView(play.session, play.keyboard))


def test_questions_show_the_keys_for_an_answer() -> None:
    offered = replace(session(), offer=(Request.OFFER_DRAW, 0))
    assert "blue offers a draw:  Y yes · N no" in text(ScreenView(offered))
    now = session()
    game = now.game
    turns = [game.resolve(now.position, {0: move}) for move in game.legal(now.position, 0)[:2]]
    asked = replace(
        now,
        phase=Phase.CHOOSING_TURN,
        turn=replace(now.turn, choices=tuple((turn,) for turn in turns)),
    )
    shown = text(ScreenView(asked))
    assert re.search(r"1 blue d6 turns right", shown)
    assert re.search(r"2 blue d6 turns left", shown)
    assert "choose with 1 to 2" in shown
    play = KeyboardUser(session("spaceships")).at("a6")
    play.keys("enter", "right", "enter")
    assert "1 to b6 · 2 fire toward b6 · Esc" in text(ScreenView(play.session, play.keyboard))


def test_a_long_message_is_shown_in_full_and_once() -> None:
    long = "no, " * 30 + "and this is why"
    shown = text(ScreenView(session(), messages=("earlier", long, long)))
    assert "and this is why" in shown
    assert shown.count("and this is why") == 1
    assert "earlier" in text(ScreenView(session("photon"), messages=("earlier", "later", "later")))


def test_a_narrow_screen_shows_the_most_useful_keys() -> None:
    assert "Q leave" in text(ScreenView(session()))
    paused = text(ScreenView(session(phase=Phase.PAUSED)))
    assert "P continue" in paused
    assert "P pause" not in paused


def test_the_status_line_asks_to_wait_until_the_move_is_read() -> None:
    play = KeyboardUser(session()).at("j4")
    play.keys("enter", "down", "enter")
    assert "one moment" not in text(ScreenView(session(), Keyboard()))
    assert "one moment" in text(ScreenView(play.session, play.keyboard))
    play.makes_on_table(play.intents[-1])
    assert "one moment" not in text(ScreenView(play.session, play.keyboard))


def test_at_a_real_board_there_is_no_cursor_and_no_help_for_moving() -> None:
    shown = text(ScreenView(session(), Keyboard(simulated_hands=False)))
    assert "[" not in shown
    assert "Enter" not in shown
    assert "Space fire" in shown
    assert "type" not in text(
        ScreenView(session(), Keyboard(simulated_hands=False, showing_help=True))
    )


# -- light -------------------------------------------------------------------------------------


def test_a_beam_runs_over_the_board_and_then_hits() -> None:
    now = session()
    game = now.game
    turn = game.resolve(now.position, {0: game.read_move(now.position, 0, "j4i4")})
    lit = [text(ScreenView(now, beam=(turn, n))).count("│") for n in range(beam_length(turn) + 1)]
    assert lit == sorted(lit)
    assert lit[0] < lit[-1]
    assert "[B✸ ]" in text(ScreenView(now, beam=(turn, beam_length(turn) + 1)))


def test_the_leds_are_shown_in_place_of_the_board_where_they_fit() -> None:
    lights = "\n".join(["\x1b[0;38;2;9;9;9m" + "x" * 40 + "\x1b[0m"] * 12)
    shown = text(ScreenView(session(), board_replacement=lights), colour=True)
    assert shown.count("x" * 40) == 12
    assert "Ada" in shown
    assert "x" * 40 not in text(
        ScreenView(session(), board_replacement=lights), (60, 12), colour=True
    )


# -- sizes -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("colour", [True, False])
@pytest.mark.parametrize("unicode", [True, False])
def test_no_line_reaches_the_last_column_and_the_screen_never_scrolls(
    name: str, size: tuple[int, int], colour: bool, unicode: bool
) -> None:
    wide = session(name, 9)
    seats = (Seat("Ἀδα 愛" * 9), Seat("\x1b[2J\n"))
    view = ScreenView(
        replace(wide, setup=replace(wide.setup, seats=seats)),
        messages=("愛" * 90, "tab\tand\nline\x1b[31m"),
    )
    lines = render_screen(view, size, colour, unicode=unicode)
    assert len(lines) <= size[1]
    assert all(columns(line) <= max(size[0] - 1, 1) for line in lines)
    joined = "".join(lines)
    assert "\x1b[2J" not in joined
    assert "\n" not in joined
    assert colour or "\x1b" not in joined
    assert unicode or joined.isascii()


@pytest.mark.parametrize(("name", "size"), [(name, size) for name in GAMES for size in SIZES[:3]])
def test_the_board_is_shown_at_every_usual_screen_size(name: str, size: tuple[int, int]) -> None:
    now = session(name)
    shown = text(ScreenView(now), size)
    assert "too small" not in shown
    for row in range(1, 9):
        assert re.search(rf"^ *{row} ", shown, re.MULTILINE)


def test_a_small_terminal_shows_the_needed_size() -> None:
    shown = text(ScreenView(session()), (30, 12))
    needed = re.search(r"too small: (\d+) x (\d+) needed", shown)
    assert needed is not None
    enough = (int(needed[1]), int(needed[2]))
    assert "too small" not in text(ScreenView(session()), enough)
    assert "too small" in text(ScreenView(session()), (enough[0], enough[1] - 1))
    assert "too small" in text(ScreenView(session()), (enough[0] - 1, enough[1]))


@pytest.mark.parametrize("rows", range(15, 26))
def test_the_keys_are_always_at_the_bottom(rows: int) -> None:
    now = session("photon", 3)
    game = now.game
    hint = game.resolve(now.position, {1: game.legal(now.position, 1)[0]})
    lines = render_screen(
        ScreenView(replace(now, turn=replace(now.turn, hint=Hint(hint))), messages=("x",) * 9),
        (66, rows),
        colour=False,
    )
    assert "? help" in lines[-1]
    assert "hint" in "".join(lines[:-1])


def test_ascii_pieces_show_their_direction() -> None:
    shown = text(ScreenView(session()), unicode=False)
    for token in ("L^", "lv", "BJ", "b7", "BL", "bF", "D^", "dv", "s/", "S\\", "K*"):
        assert token in shown


def test_every_cell_size_draws_every_cell_once() -> None:
    for grid in (session().position.grid, HexGrid.hexagon(3)):
        sizes = [board_extent(grid, room) for room in cell_sizes(grid)]
        assert sizes == sorted(sizes, reverse=True)


def test_redrawing_clears_every_line_to_its_end_and_adds_no_line_break() -> None:
    assert redraw(["a", "b"]) == "\x1b[Ha\x1b[K\r\nb\x1b[K\x1b[J"


# -- random keys -------------------------------------------------------------------------------

STATES = [
    replace(session(name, turns), phase=phase, outcome=Outcome.draw(AGREED()))
    for name in GAMES
    for turns in (0, 4)
    for phase in Phase
    if phase is not Phase.COMPUTER_TO_MOVE
]


@examples(120)
@given(
    st.sampled_from(STATES),
    st.lists(st.sampled_from(KEYS), max_size=12),
    st.tuples(st.integers(1, 120), st.integers(1, 45)),
    st.booleans(),
    st.booleans(),
)
def test_the_screen_can_be_drawn_after_any_keys(
    now: Session, keys: list[str], size: tuple[int, int], colour: bool, hands: bool
) -> None:
    play = KeyboardUser(now, Keyboard(simulated_hands=hands))
    for intent in play.keys(*keys):
        assert hands or not isinstance(intent, MakeMove)
    lines = render_screen(ScreenView(now, play.keyboard, ("said",)), size, colour)
    assert len(lines) <= size[1]
    assert all(columns(line) <= max(size[0] - 1, 1) for line in lines)
