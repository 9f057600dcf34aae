"""One game of a soak in chaos: through every life of its process, with one book.

A real `kill -9` takes the process away: what it leaves behind is the journal, the table, and the
book of the people, who go on with the next process.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import dropwhile
from pathlib import Path
from random import Random
from typing import Protocol

from controller.config.addresses.leds import SimulatedLedAddress, parse_led_url
from controller.config.board_file import load_board_file
from controller.session.journal import recover
from controller.session.replay import replay
from controller.session.setup import GameSetup
from controller.simulation.faults.injector import FaultInjector, run_alongside
from controller.simulation.faults.people import FaultTolerantPlayers
from controller.simulation.faults.recovery import FaultOccurrence, RecoveryTracker
from controller.simulation.faults.schedule import draw_schedule, possible_faults
from controller.simulation.game import SimulatedGame
from controller.simulation.rig import SMALL_CAMERA_URL, SteppedSimulatedRig
from controller.table.plan import GamePlan, JournalOpener
from controller.table.rig import TableSpec
from engine.game import AnyTurn, Outcome
from vision.scene import ScenePiece


class SeededGame(Protocol):
    """Which game, and from which seed."""

    @property
    def board(self) -> str: ...

    @property
    def seed(self) -> int: ...

    @property
    def max_turns(self) -> int: ...


@dataclass
class GameLog:
    """What hands did, and what befell them."""

    turns_made: Sequence[AnyTurn] = ()
    unfired: Sequence[AnyTurn] = ()  # made and not seen fired, where the game was stopped
    outcome: Outcome | None = None
    asked: int = 0
    mismatches: int = 0
    unseen: int = 0
    wrong: int = 0
    lives: int = 1
    faults: Counter[tuple[str, str]] = field(default_factory=Counter)
    trouble: str = ""


@dataclass(frozen=True)
class ProcessSnapshot:
    """What a killed process leaves behind, the journal aside."""

    things: tuple[ScenePiece, ...]
    moves_made: tuple[dict[int, str], ...]  # moves, as their game writes them
    unfired: tuple[dict[int, str], ...]
    occurrences: tuple[FaultOccurrence, ...]
    last_fault_number: int  # the number of the last fault
    at_ms: float
    lives: int
    asked: int
    mismatches: int
    unseen: int
    seconds: float = 0.0


OnKill = Callable[[ProcessSnapshot], None]


async def play_with_faults(
    seeded_game: SeededGame,
    start: GameSetup,
    leds: str,
    path: Path,
    log: GameLog,
    progress: Callable[[int], None],
    snapshot: ProcessSnapshot | None,
    on_kill: OnKill | None,
) -> None:
    """To the end of the game, or of this process."""
    plan = GamePlan(start, load_board_file(seeded_game.board), random_seed=seeded_game.seed)
    table_spec = TableSpec(
        seeded_game.board, plan.board_file, plan.fitted_board, leds, SMALL_CAMERA_URL
    )
    room = SteppedSimulatedRig(table_spec, start.first_position().pieces, JournalOpener(path))
    made = _read_moves(start, snapshot.moves_made if snapshot else ())
    before = snapshot.lives if snapshot else 0
    if snapshot is not None and replay(recover(path.read_bytes()).entries).outcome is not None:
        # Killed between the last entry and its beam: nobody can go on, and nobody need.
        log.turns_made = _read_moves(start, (*snapshot.moves_made, *snapshot.unfired))
        log.outcome, log.lives = log.turns_made[-1].outcome, before + 1
        log.faults = RecoveryTracker(snapshot.occurrences).count_recoveries()
        return
    if snapshot is not None:
        room.table.set_pieces({})
        for thing in snapshot.things:
            room.table.place(thing)

    def alive() -> None:
        progress(len(people.turns_made))

    def dying(disturber: FaultInjector) -> None:
        if on_kill is not None:
            on_kill(_take_snapshot(start, room, people, disturber, before + simulation.lives))

    computer = any(seat.is_automated for seat in start.seats)
    faults = possible_faults(computer, isinstance(parse_led_url(leds), SimulatedLedAddress))
    number = snapshot.last_fault_number if snapshot else 0
    dues = dropwhile(lambda due: due.number <= number, draw_schedule(seeded_game.seed, faults))
    endings = RecoveryTracker(snapshot.occurrences if snapshot else ())
    for one in endings.occurrences:  # what was wrong around the table ended with the process
        one.is_undone, one.lives = True, one.lives - (snapshot.lives if snapshot else 0)
    disturber = FaultInjector(
        room,
        dues,
        seeded_game.seed,
        lambda _: None,
        endings,
        snapshot.at_ms if snapshot else 0.0,
        dying if on_kill is not None else None,
    )
    async with SimulatedGame(
        room, plan.start_session, lambda _: None, room.free_disk_space
    ) as simulation:
        rng = Random(f"{seeded_game.seed}/{before}")
        people = FaultTolerantPlayers(
            simulation, room, start.first_position(), rng, made, on_progress=alive
        )
        if snapshot is not None:
            people.asked, people.mismatches = snapshot.asked, snapshot.mismatches
            people.unseen = snapshot.unseen
        try:
            await run_alongside(
                people.play(seeded_game.max_turns), people.watch(), disturber.run(simulation)
            )
        finally:
            log.turns_made, log.outcome = people.turns_made, people.outcome
            log.unfired = people.unfired_turns()
            log.asked, log.mismatches = people.asked, people.mismatches
            log.unseen = people.unseen
            log.wrong, log.lives = len(people.wrong_turns), before + simulation.lives
            log.faults = endings.count_recoveries()


def _format_moves(start: GameSetup, turns: Sequence[AnyTurn]) -> tuple[dict[int, str], ...]:
    write = start.game.write_move
    return tuple(
        {each: write(turn.before, each, move) for each, move in turn.moves} for turn in turns
    )


def _read_moves(start: GameSetup, written_moves: Sequence[dict[int, str]]) -> list[AnyTurn]:
    """The book, read again."""
    turns: list[AnyTurn] = []
    for moves in written_moves:
        before = turns[-1].after if turns else start.first_position()
        read = {
            player: start.game.read_move(before, player, text) for player, text in moves.items()
        }
        turns.append(start.game.resolve(before, read))
    return turns


def _take_snapshot(
    start: GameSetup,
    room: SteppedSimulatedRig,
    people: FaultTolerantPlayers,
    disturber: FaultInjector,
    lives: int,
) -> ProcessSnapshot:
    return ProcessSnapshot(
        tuple(room.table.things.values()),
        _format_moves(start, people.turns_made),
        _format_moves(start, people.unfired_turns()),
        tuple(disturber.recoveries.occurrences),
        disturber.last_fault_number,
        disturber.now_ms(),
        lives,
        people.asked,
        people.mismatches,
        people.unseen,
    )
