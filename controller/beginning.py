"""How a game at a table begins, or goes on: what was agreed, and the journal that keeps it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from controller.affairs import affairs_of
from controller.agreement import GAME, BadGame, Goal, Occasion, Seat, Start, game_body
from controller.clocks import Clocks, TimeControl
from controller.config import BoardFile
from controller.game_store import games_folder, kept, read
from controller.journal import Entry, recover
from controller.laws import Laws
from controller.loop import Devices
from controller.played import Played, replay
from controller.ports import Clock, Journal
from controller.resume import resumed
from controller.session_values import Habits, Session
from controller.tabletop import Tabletop, fitted
from controller.wiring import OpenFile, journal_at, new_journal, wall_clock
from engine.errors import LaserboardError
from engine.game import AnyGame


@dataclass(frozen=True)
class Plan:
    """What is to be played, on what, and by whom."""

    start: Start
    file: BoardFile
    habits: Habits = field(default_factory=Habits)
    chance: int = 0
    hands: bool = True  # somebody moves pieces on a table

    @property
    def top(self) -> Tabletop:
        start = self.start
        return fitted(self.file.board, start.game, self.file.camera.lens, start.first().grid)

    def begin(self, entries: tuple[Entry, ...], devices: Devices) -> Session:
        """A session: where the journal ends, or at the start, which is its first entry."""
        if entries:
            session = resumed(entries, self.file.board, self.file.camera.lens)
        else:
            start = self.start
            devices.journal.write(GAME, game_body(start), devices.clock.now_ms())
            first, second = start.seats
            clocks = Clocks.of(TimeControl.read(start.time_control or "none"))
            session = Session(
                self.top,
                (first, second),
                start.first(),
                clocks,
                entries=1,
                laws=start.laws,
                goal=start.goal,
            )
        return replace(session, habits=self.habits, chance=self.chance, hands=self.hands)


def agreed(
    game: AnyGame,
    position: Any,
    setup: str | None,
    seats: tuple[Seat, Seat],
    control: TimeControl,
    *,
    place: str,
    file: BoardFile,
    simulated: bool,
    habits: Habits,
    chance: int,
    occasion: Occasion | None = None,
    laws: Laws | None = None,
    goal: Goal | None = None,
) -> Plan:
    """A new game that fits on its board; a setup stands for the position where one is named."""
    fitted(file.board, game, file.camera.lens, position.grid)
    if any(seat.computer for seat in seats) and not game.computer_plays(position):
        raise BadGame(f"the computer does not play {game.title} yet: two people do")
    start = Start(
        game,
        (_named(seats[0], game.players[0]), _named(seats[1], game.players[1])),
        setup=setup,
        position=None if setup is not None else position,
        time_control=str(control),
        version=version("laserboard"),
        started=wall_clock(),
        board=place,
        simulated=simulated,
        occasion=occasion,
        laws=laws,
        goal=goal,
    )
    return Plan(start, file, habits, chance)


def _named(seat: Seat, side: str) -> Seat:
    if seat.name:
        return seat
    return Seat(f"computer {seat.level}" if seat.computer else side, seat.level)


class Keeping:
    """Opens the journal of one game: a new one, and after a power cut the same again."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path

    def __call__(
        self, clock: Clock, told: Callable[[], None], opened: OpenFile = journal_at
    ) -> tuple[Journal, tuple[Entry, ...]]:
        if self.path is not None:
            return opened(self.path, clock, told)
        journal = new_journal(clock, told, opened)
        self.path = Path(journal.name)
        return journal, ()


def unfinished(board: str, simulated: bool, fewest: int = 1) -> tuple[Path, Played] | None:
    """The newest game, if it was played on that board, for so many turns at least, and can be gone
    on with."""
    for path in kept(games_folder())[:1]:
        try:
            played = replay(recover(read(path)).entries)
        except LaserboardError:
            return None
        where = (played.start.board, played.start.simulated)
        if played.start.goal or any(seat.program for seat in played.start.seats):
            return None
        enough = len(played.turns) >= fewest
        if where == (board, simulated) and enough and not (played.ended or played.fault):
            return path, played
    return None


def going_on(path: Path) -> Played:
    """The game in a journal, if one can go on with it."""
    try:
        entries = recover(read(path)).entries
        played = replay(entries)
    except BadGame as bad:
        raise BadGame(
            f"{path.stem} cannot be gone on with: {bad}; `laserboard games list` shows the others"
        ) from None
    if played.fault is not None:
        raise BadGame(f"{path.stem} cannot be gone on with: {played.fault}")
    start = played.start
    if played.ended is not None and not affairs_of(entries).waits(start.laws, start.seats):
        raise BadGame(f"{path.stem} is over: {played.ended}")
    programs = [seat.name for seat in played.start.seats if seat.program]
    if programs:
        raise BadGame(
            f"{path.stem} cannot be gone on with: where the program of {' and '.join(programs)} is"
            f" was not kept; `laserboard games show {path.stem}` shows it"
        )
    return played
