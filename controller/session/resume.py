"""Resumes a game: the entries of a journal in, a session in the phase SETTING_UP or OVER out.

The clocks stand still until the table shows the position, so a piece that was moved meanwhile, or
a captured one that still stands, is reported like any other difference.
"""

from __future__ import annotations

from collections.abc import Sequence

from controller.session import sentences
from controller.session.board_fit import fit_board
from controller.session.clocks import Clocks, TimeControl
from controller.session.journal import JournalEntry
from controller.session.referee.state import referee_state_of
from controller.session.replay import replay
from controller.session.setup import BadGame
from controller.session.state import (
    PendingWrites,
    Phase,
    PlayedTurn,
    PuzzleState,
    Session,
    SessionSetup,
)
from engine.catalogue import GAME_OVER
from vision.board import PhysicalBoard
from vision.camera_model import Lens


def resume_session(
    entries: Sequence[JournalEntry], board: PhysicalBoard, lens: Lens | None = None
) -> Session:
    """The session after the last entry; `BadGame` if the game cannot be resumed."""
    played = replay(entries)
    if played.fault is not None:
        raise BadGame(sentences.CANNOT_RESUME(fault=played.fault.sentence))
    start = played.setup
    referee_state = referee_state_of(entries)
    if played.outcome is not None and not referee_state.result_blocked_by(
        start.policies, start.seats
    ):
        raise BadGame(GAME_OVER(outcome=sentences.outcome_sentence(played.outcome)))
    first, second = start.seats
    fitted_board = fit_board(board, start.game, lens, played.position.grid)
    begun = Clocks.for_control(TimeControl.parse(start.time_control or "none"))
    after = [each or begun for each in played.clocks]
    before = [begun, *after][: len(played.turns)]
    return Session(
        setup=SessionSetup(
            fitted_board=fitted_board, seats=(first, second), policies=start.policies
        ),
        writing=PendingWrites(entry_count=len(entries)),
        puzzle=PuzzleState(goal=start.puzzle_goal),
        position=played.position,
        clocks=(played.last_clocks or (after[-1] if after else begun)).stopped_for_resume(),
        phase=Phase.OVER if played.result is not None else Phase.SETTING_UP,
        outcome=played.result,
        history=tuple(
            PlayedTurn(turn.before, clocks, turn)
            for turn, clocks in zip(played.turns, before, strict=True)
        ),
        referee=referee_state,
    )
