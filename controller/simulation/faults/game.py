"""One game of a soak test with faults, across the processes that play it.

A real `kill -9` ends a process. Its journal, table and log (`ProcessSnapshot`) are handed to the
next process, which continues the game.
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
    """The parameters of a soak game that are needed here."""

    @property
    def board(self) -> str: ...

    @property
    def seed(self) -> int: ...

    @property
    def max_turns(self) -> int: ...


@dataclass
class GameLog:
    """The simulated players' log of one game."""

    turns_made: Sequence[AnyTurn] = ()
    unfired: Sequence[AnyTurn] = ()  # made, but not fired when the game was stopped
    outcome: Outcome | None = None
    asked: int = 0
    mismatches: int = 0
    unseen: int = 0
    wrong: int = 0
    start_count: int = 1
    faults: Counter[tuple[str, str]] = field(default_factory=Counter)
    trouble: str = ""


@dataclass(frozen=True)
class ProcessSnapshot:
    """The state of a killed process, apart from its journal."""

    objects: tuple[ScenePiece, ...]  # on the table
    moves_made: tuple[dict[int, str], ...]  # in the game's notation, by player
    unfired: tuple[dict[int, str], ...]
    occurrences: tuple[FaultOccurrence, ...]
    last_fault_number: int
    at_ms: float
    start_count: int
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
    game_log: GameLog,
    progress: Callable[[int], None],
    snapshot: ProcessSnapshot | None,
    on_kill: OnKill | None,
) -> None:
    """Play to the end of the game, or until this process is killed."""
    plan = GamePlan(start, load_board_file(seeded_game.board), random_seed=seeded_game.seed)
    table_spec = TableSpec(
        seeded_game.board, plan.board_file, plan.fitted_board, leds, SMALL_CAMERA_URL
    )
    rig = SteppedSimulatedRig(table_spec, start.first_position().pieces, JournalOpener(path))
    made = _read_moves(start, snapshot.moves_made if snapshot else ())
    starts_before = snapshot.start_count if snapshot else 0
    if snapshot is not None and replay(recover(path.read_bytes()).entries).outcome is not None:
        # The process was killed between the last entry and its beam: the game is over.
        game_log.turns_made = _read_moves(start, (*snapshot.moves_made, *snapshot.unfired))
        game_log.outcome = game_log.turns_made[-1].outcome
        game_log.start_count = starts_before + 1
        game_log.faults = RecoveryTracker(snapshot.occurrences).count_recoveries()
        return
    if snapshot is not None:
        rig.table.set_pieces({})
        for scene_piece in snapshot.objects:
            rig.table.place(scene_piece)

    def report_progress() -> None:
        progress(len(people.turns_made))

    def kill(injector: FaultInjector) -> None:
        if on_kill is not None:
            on_kill(
                _take_snapshot(start, rig, people, injector, starts_before + simulation.start_count)
            )

    computer = any(seat.is_automated for seat in start.seats)
    faults = possible_faults(computer, isinstance(parse_led_url(leds), SimulatedLedAddress))
    number = snapshot.last_fault_number if snapshot else 0
    schedule = dropwhile(lambda due: due.number <= number, draw_schedule(seeded_game.seed, faults))
    recoveries = RecoveryTracker(snapshot.occurrences if snapshot else ())
    for each in recoveries.occurrences:  # a new process starts with working devices
        each.is_undone, each.start_count = True, each.start_count - starts_before
    injector = FaultInjector(
        rig,
        schedule,
        seeded_game.seed,
        lambda _: None,
        recoveries,
        snapshot.at_ms if snapshot else 0.0,
        kill if on_kill is not None else None,
    )
    async with SimulatedGame(
        rig, plan.start_session, lambda _: None, rig.free_disk_space
    ) as simulation:
        rng = Random(f"{seeded_game.seed}/{starts_before}")
        people = FaultTolerantPlayers(
            simulation, rig, start.first_position(), rng, made, on_progress=report_progress
        )
        if snapshot is not None:
            people.asked, people.mismatches = snapshot.asked, snapshot.mismatches
            people.unseen = snapshot.unseen
        try:
            await run_alongside(
                people.play(seeded_game.max_turns), people.watch(), injector.run(simulation)
            )
        finally:
            game_log.turns_made, game_log.outcome = people.turns_made, people.outcome
            game_log.unfired = people.unfired_turns()
            game_log.asked, game_log.mismatches = people.asked, people.mismatches
            game_log.unseen = people.unseen
            game_log.wrong = len(people.wrong_turns)
            game_log.start_count = starts_before + simulation.start_count
            game_log.faults = recoveries.count_recoveries()


def _format_moves(start: GameSetup, turns: Sequence[AnyTurn]) -> tuple[dict[int, str], ...]:
    write = start.game.write_move
    return tuple(
        {each: write(turn.before, each, move) for each, move in turn.moves} for turn in turns
    )


def _read_moves(start: GameSetup, written_moves: Sequence[dict[int, str]]) -> list[AnyTurn]:
    """The turns of `_format_moves`."""
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
    rig: SteppedSimulatedRig,
    people: FaultTolerantPlayers,
    injector: FaultInjector,
    start_count: int,
) -> ProcessSnapshot:
    return ProcessSnapshot(
        tuple(rig.table.objects.values()),
        _format_moves(start, people.turns_made),
        _format_moves(start, people.unfired_turns()),
        tuple(injector.recoveries.occurrences),
        injector.last_fault_number,
        injector.now_ms(),
        start_count,
        people.asked,
        people.mismatches,
        people.unseen,
    )
