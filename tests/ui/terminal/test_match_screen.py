"""The spectators' screen of a match of programs."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from controller.config.board_file import load_board_file
from controller.lighting.animation import LightEffects
from controller.lighting.layout import led_layout
from controller.lighting.scenes import background_scene
from controller.session.events import Request
from controller.session.setup import Seat
from controller.session.state import PendingWrites, Phase, Session, SessionSetup
from controller.storage.record_file import RecordFile
from controller.ui.terminal.glyphs import CellRole
from controller.ui.terminal.keyboard import Keyboard
from controller.ui.terminal.match_screen import MatchView, match_screen, result_text, round_text
from controller.ui.terminal.screen import cell_roles_of, shown_position
from controller.ui.terminal.sentences import MATCH_WON
from controller.ui.terminal.styled_text import display_width
from engine.record import read_games
from tests.support.engine.sentences import mentions
from tests.support.play.match_session import FIRST, SECOND, MatchSession
from tests.support.play.program_matches import plan
from tests.support.play.table_play import ships

CODES = re.compile(r"\x1b\[[0-9;]*m")
SIZES = [(80, 24), (110, 32), (200, 60), (60, 30), (40, 12), (20, 5)]


def played_match(rounds: int = 5) -> MatchSession:
    """Two rounds: both programs fire and miss, then one does not answer."""
    match = MatchSession(rounds=rounds).later()
    match.answers(FIRST).answers(SECOND)
    return match.fails(FIRST, "no answer within 4 s").answers(SECOND)


def text(session: Session, size: tuple[int, int] = (110, 32)) -> str:
    return "\n".join(match_screen(MatchView(session), size, colour=False))


def test_the_screen_shows_names_hit_points_scores_round_and_events() -> None:
    shown = text(played_match().session)
    assert "Spaceships · round 3 of 5" in shown
    assert "S Mallory  program" in shown
    assert "s Ada  program" in shown
    assert shown.count("100 hp") == 2
    assert "score -5" in shown
    assert "  1 Mallory fires a6 to b6" in shown
    assert "Mallory does nothing: no answer within 4 s" in shown
    assert "waiting for Mallory and Ada" in shown
    assert "P pause   R reset   Q leave" in shown


def test_the_beams_of_the_last_round_stay_visible() -> None:
    match = MatchSession().later()
    before = text(match.session)
    match.answers(FIRST).answers(SECOND)
    assert "─" not in before
    assert "─" in text(match.session)


def test_a_pause_and_the_result_are_shown() -> None:
    match = played_match().asks(Request.PAUSE)
    assert "\npaused\n" in text(match.session)
    assert "P continue" in text(match.session)
    over = played_match(rounds=2).session
    assert over.phase is Phase.OVER
    assert "Ada wins: more score after 2 rounds" in text(over)
    assert mentions(result_text(over), MATCH_WON)
    assert result_text(over).slots["player"] == "Ada"


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("colour", [True, False])
def test_the_screen_fits_every_terminal(size: tuple[int, int], colour: bool) -> None:
    lines = match_screen(MatchView(played_match().session), size, colour)
    assert len(lines) <= size[1]
    assert max(display_width(CODES.sub("", line)) for line in lines) < size[0]


def test_control_characters_in_a_name_do_not_move_the_cursor() -> None:
    made = plan(seats=(Seat("\u202eevil", is_program=True), Seat("Ada", is_program=True)))
    match = MatchSession()
    first, second = made.setup.seats
    match.session = Session(
        setup=SessionSetup(made.fitted_board, (first, second), moved_by_hand=False),
        writing=PendingWrites(entry_count=1),
        position=made.setup.first_position(),
        clocks=match.session.clocks,
    )
    match.later().fails(FIRST, "\x1b[2Jgone").answers(SECOND)
    shown = text(match.session)
    assert "\x1b" not in shown
    assert "\u202e" not in shown


def test_without_a_screen_a_round_is_one_line() -> None:
    session = played_match().session
    assert str(round_text(session, session.history[-1].turn)) == (
        "round 2: Ada fires k6 to k6 · Mallory does nothing: no answer within 4 s"
    )


# -- a person beside a program -----------------------------------------------------------------


def test_the_programs_move_is_hidden_until_both_fire() -> None:
    game = ships(seats=(Seat("Me"), Seat("Bot", is_program=True)))
    game.chooses(SECOND, '{"type":"move","direction":[0,-1,1]}').moves("a6", "b7").see()
    shown = shown_position(game.session, Keyboard())
    name = shown.grid.name
    assert {name(cell) for cell in shown.pieces} == {"b7", "k6"}
    marked = cell_roles_of(game.session, Keyboard())[CellRole.LAST_TURN]
    assert {name(cell) for cell in marked} == {"a6", "b7"}


# -- LEDs --------------------------------------------------------------------------------------


def test_without_pieces_on_the_board_lights_show_the_ships() -> None:
    lies = led_layout(load_board_file("hex-r5"))
    assert lies is not None
    session = played_match().session

    def lit(shown: Session) -> dict[str, tuple[float, ...]]:
        canvas = background_scene(shown, lies, LightEffects.NORMAL).at(0.0)
        found = ((lies.cell_of(led), canvas[led]) for led in range(lies.led_count))
        name = session.position.grid.name
        return {name(cell): tuple(map(float, c)) for cell, c in found if cell is not None}

    alone, by_hand = (
        lit(session),
        lit(replace(session, setup=replace(session.setup, moved_by_hand=True))),
    )
    assert {cell for cell in alone if alone[cell] != by_hand[cell]} == {"a6", "k6"}
    assert alone["a6"] != alone["k6"], "each in its own colour"
    assert any(map(any, by_hand.values())), "the map is there all the time"


# -- the record file ---------------------------------------------------------------------------


def test_the_record_file_is_complete_after_every_round(tmp_path: Path) -> None:
    path = tmp_path / "match.json"

    def save(content: str) -> None:
        path.write_text(content, "utf-8")

    start, match = plan(rounds=5).setup, played_match()
    kept = RecordFile(save)
    kept.update(start, match.session)
    kept.next_game()
    assert [record.result for record in read_games(path.read_text("utf-8"))] == ["*"]  # type: ignore[union-attr]
    kept.update(start, played_match().session)
    kept.close()
    assert len(list(read_games(path.read_text("utf-8")))) == 2


def test_a_record_that_cannot_be_written_is_reported() -> None:
    def full(_: str) -> None:
        raise OSError("no space")

    start, match = plan(rounds=5).setup, played_match()
    kept = RecordFile(full)
    kept.update(start, match.session)
    kept.close()
    with pytest.raises(OSError, match="no space"):
        kept.update(start, match.session)
