"""Sessions resumed from a journal that ends at any entry."""

from __future__ import annotations

import pytest

from controller.config.board_file import load_board
from controller.session import sentences
from controller.session.clocks import Clocks, TimeControl
from controller.session.effects import Write
from controller.session.events import Request, Requested
from controller.session.journal import JournalEntry, next_entry
from controller.session.replay import (
    RESULT,
    TAKE_BACK,
    TURN,
    result_body,
    take_back_body,
    turn_body,
)
from controller.session.resume import resume_session
from controller.session.sentences import RESIGNED
from controller.session.setup import GAME, BadGame, GameSetup, Seat, setup_body
from controller.session.state import Phase
from controller.session.step import step
from controller.session.turns import build_question
from engine import games
from engine.catalogue import GAME_OVER
from engine.game import Outcome
from tests.support.engine.sentences import raises

BOARD = load_board("demo-10x8")
MOVES = ("j4j3", "h8h7", "j3j2xh4", "h7h8")


def journal(*moves: str) -> list[JournalEntry]:
    """The journal of a game of these moves, 10 s each, with 5 minutes a player."""
    game = games.make()
    seats = (Seat("Ada"), Seat("Bob", 3))
    begun = GameSetup(game, seats, setup_name="ace", time_control="5m")
    entries = [next_entry(None, GAME, setup_body(begun), 0)]
    position, clocks = game.start("ace"), Clocks.for_control(TimeControl.parse("5m"))
    for number, text in enumerate(moves):
        (mover,) = game.to_move(position)
        turn = game.resolve(position, {mover: game.read_move(position, mover, text)})
        clocks = clocks.start(mover, 10_000.0 * number).after_move(mover, 10_000.0 * (number + 1))
        body = turn_body(game, turn, clocks)
        entries.append(next_entry(entries[-1], TURN, body, 10_000.0 * (number + 1)))
        position = turn.after
    return entries


@pytest.mark.parametrize("count", range(len(MOVES) + 1))
def test_position_clocks_and_players_are_restored(count: int) -> None:
    entries = journal(*MOVES[:count])
    session = resume_session(entries, BOARD)
    game, position = games.make(), games.make().start("ace")
    for text in MOVES[:count]:
        (mover,) = game.to_move(position)
        position = game.resolve(position, {mover: game.read_move(position, mover, text)}).after
    assert session.position == position
    assert session.to_move == (count % 2,)
    assert session.phase is Phase.SETTING_UP
    assert session.seats == (Seat("Ada"), Seat("Bob", 3))
    assert session.writing.entry_count == len(entries)
    assert len(session.history) == count
    assert [
        game.write_move(past.position, *past.turn.moves[0]) for past in session.history
    ] == list(MOVES[:count])
    assert session.clocks.running == ()
    used = (10_000 * ((count + 1) // 2), 10_000 * (count // 2))
    assert session.clocks.left_ms == (300_000 - used[0], 300_000 - used[1])


def test_clocks_stand_still_between_the_end_and_the_resume() -> None:
    session = resume_session(journal(*MOVES), BOARD)
    later = session.clocks.start(0, 7.0).remaining_ms(0, 1007.0)
    assert later == session.clocks.left_ms[0] - 1000


def test_a_turn_that_was_taken_back_is_not_restored() -> None:
    entries = journal(*MOVES[:3])
    entries.append(next_entry(entries[-1], TAKE_BACK, take_back_body(1), 40_000))
    assert (
        resume_session(entries, BOARD).position
        == resume_session(journal(*MOVES[:2]), BOARD).position
    )


@pytest.mark.parametrize("cut_off", [False, True])
def test_take_back_works_the_same_before_and_after_a_power_cut(cut_off: bool) -> None:
    """Blue's last turn and the computer's answer are removed, and the clocks restored."""
    entries = journal(*MOVES)
    session = resume_session(entries, BOARD)
    session, effects = step(session, Requested(Request.TAKE_BACK, 0, 1000.0))
    (write,) = (each for each in effects if isinstance(each, Write))
    assert write.body == {"turns": 2}
    if cut_off:
        entries.append(next_entry(entries[-1], write.kind, write.body, write.at_ms))
        session = resume_session(entries, BOARD)
    before = resume_session(journal(*MOVES[:2]), BOARD)
    assert session.position == before.position
    assert session.clocks.left_ms == before.clocks.left_ms == (290_000, 290_000)
    assert session.clocks.running == ()
    assert session.phase is Phase.SETTING_UP
    assert [past.clocks.left_ms for past in session.history] == [
        (300_000, 300_000),
        (290_000, 300_000),
    ]


def test_the_computers_question_has_the_whole_game_after_a_power_cut() -> None:
    asked = build_question(resume_session(journal(*MOVES[:3]), BOARD), 3, 0)
    assert asked.moves == MOVES[:3]
    assert asked.position == build_question(resume_session(journal(), BOARD), 3, 0).position


def test_a_finished_game_cannot_be_resumed() -> None:
    entries = journal(*MOVES)
    entries.append(next_entry(entries[-1], RESULT, result_body(Outcome.win(1, RESIGNED())), 50_000))
    resigned = Outcome.win(1, RESIGNED())
    with raises(BadGame, GAME_OVER(outcome=resigned.sentence)):
        resume_session(entries, BOARD)


def test_an_invalid_journal_cannot_be_resumed() -> None:
    entries = journal(*MOVES)
    wrong = {"moves": {"blue": "a1a2"}}
    entries.append(next_entry(entries[-1], TURN, wrong, 50_000))
    with raises(BadGame, sentences.CANNOT_RESUME):
        resume_session(entries, BOARD)
