"""A game taken up where its journal ends: entries in, a session that waits for its table out.

The clocks stand still, and whoever was to move still is. The table is compared with the position
before play goes on, so that a piece moved in the meantime, or one captured and not taken off, is
asked for like any other difference.
"""

from __future__ import annotations

from collections.abc import Sequence

from controller.affairs import affairs_of
from controller.agreement import BadGame
from controller.clocks import Clocks, TimeControl
from controller.journal import Entry
from controller.played import replay
from controller.session_values import Past, Phase, Session
from controller.tabletop import fitted
from vision.board import PhysicalBoard
from vision.view import Lens


def resumed(entries: Sequence[Entry], board: PhysicalBoard, lens: Lens | None = None) -> Session:
    """The session after the last entry; `BadGame` if there is nothing to go on with."""
    played = replay(entries)
    if played.fault is not None:
        raise BadGame(f"the journal cannot be gone on with: {played.fault}")
    start = played.start
    affairs = affairs_of(entries)
    if played.ended is not None and not affairs.waits(start.laws, start.seats):
        raise BadGame(f"the game is over: {played.ended}")
    first, second = start.seats
    table = fitted(board, start.game, lens, played.position.grid)
    begun = Clocks.of(TimeControl.read(start.time_control or "none"))
    after = [each or begun for each in played.clocks]
    before = [begun, *after][: len(played.turns)]
    return Session(
        table,
        (first, second),
        played.position,
        (played.last_clocks or (after[-1] if after else begun)).halted(),
        phase=Phase.OVER if played.result is not None else Phase.SETTING_UP,
        outcome=played.result,
        entries=len(entries),
        history=tuple(
            Past(turn.before, clocks, turn)
            for turn, clocks in zip(played.turns, before, strict=True)
        ),
        laws=start.laws,
        goal=start.goal,
        affairs=affairs,
    )
