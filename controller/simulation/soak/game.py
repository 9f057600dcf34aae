"""One game of a soak test: plays a seeded game, and compares the log of the simulated players
(`random_players.py`) with the journal on disk and with the exported record."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from controller.config.board_file import load_board_file, shipped_boards
from controller.ports.devices import Clock
from controller.session.board_fit import fit_board
from controller.session.journal import recover
from controller.session.replay import ReplayedGame, game_record, replay
from controller.session.setup import GameSetup, Seat
from controller.simulation.faults.game import GameLog, OnKill, ProcessSnapshot, play_with_faults
from controller.simulation.faults.people import GameStuck
from controller.simulation.game import SimulatedGame
from controller.simulation.hands import SimulationFailed
from controller.simulation.random_players import RandomPlayers
from controller.simulation.rig import SMALL_CAMERA_URL, SteppedSimulatedRig
from controller.table.plan import GamePlan, JournalOpener
from controller.table.rig import TableSpec
from engine import games
from engine.errors import LaserboardError
from engine.game import AnyTurn, Outcome
from engine.record import play as played_again
from engine.record import read_record, write_record

log = logging.getLogger(__name__)

MAX_TURNS = 40
COMPUTER_EVERY_GAMES = 4  # one in so many games of a kind
COMPUTER_LEVEL = 1


@dataclass(frozen=True)
class SoakGame:
    """The parameters of one game; they determine the whole game."""

    number: int  # from 1
    game: str
    board: str
    seed: int
    setup: str | None = None  # None: a random map from the seed
    levels: tuple[int | None, int | None] = (None, None)  # of the computer; None: a person
    max_turns: int = MAX_TURNS
    with_faults: bool = False  # drawn from the same seed

    def game_setup(self) -> GameSetup:
        game = games.make(self.game)
        first, second = (
            Seat(name if level is None else f"computer {level}", level)
            for name, level in zip(game.players, self.levels, strict=True)
        )
        return GameSetup(
            game,
            (first, second),
            setup_name=self.setup,
            seed=self.seed if self.setup is None else None,
            board=self.board,
            simulated=True,
        )


@dataclass(frozen=True)
class SoakResult:
    """The result of one game. The fields are columns of the report and keys of its JSON."""

    number: int
    game: str
    turns: int = 0  # made by hand
    wrong: int = 0  # turns that differ in the journal or the record
    lost: int = 0  # turns that are not in the journal
    hangs: int = 0
    asked: int = 0
    mismatches: int = 0
    unseen: int = 0  # turns with another piece out of place on a covered cell
    seconds: float = 0.0
    outcome: str = ""
    trouble: str = ""
    journal: str = ""
    start_count: int = 1  # starts of the program: kills and power cuts + 1
    faults: dict[str, int] = field(default_factory=dict)  # counts, by "bump: asked a person"

    @property
    def passed(self) -> bool:
        return not (self.wrong or self.lost or self.hangs or self.trouble)


def make_soak_game(
    seed: int,
    number: int,
    names: Sequence[str],
    max_turns: int = MAX_TURNS,
    with_faults: bool = False,
) -> SoakGame:
    """The game of that number: the kinds of games in turn, some against the computer."""
    rng = Random(f"{seed}/{number}")
    name = names[(number - 1) % len(names)]
    game = games.make(name)
    setups = sorted(game.setups())
    level: list[int | None] = [None, None]
    computer_plays = game.computer_plays(game.start())
    if (
        computer_plays
        and ((number - 1) // len(names)) % COMPUTER_EVERY_GAMES == COMPUTER_EVERY_GAMES - 1
    ):
        level[rng.randrange(2)] = COMPUTER_LEVEL
    return SoakGame(
        number,
        name,
        board_for_game(name),
        rng.randrange(10**6),
        rng.choice(setups) if setups else None,
        (level[0], level[1]),
        max_turns,
        with_faults,
    )


@cache
def board_for_game(name: str) -> str:
    """The first shipped board with LEDs for that game."""
    for board in shipped_boards():
        file = load_board_file(board)
        if file.leds is not None and fit_board(file.board).game.name == name:
            return board
    raise SimulationFailed(f"no shipped board fits {name}")


def play_soak_game(
    soak_game: SoakGame,
    leds: str,
    path: Path,
    clock: Clock,
    progress: Callable[[int], None],
    snapshot: ProcessSnapshot | None = None,
    on_kill: OnKill | None = None,
) -> SoakResult:
    """Play a game with its journal at `path`; `progress` receives the number of turns.

    `snapshot` is the state of an earlier process that was killed. `on_kill` receives the state of
    this process, and kills it.
    """
    started_ms, start = (
        clock.now_ms() - (snapshot.seconds * 1000 if snapshot else 0.0),
        soak_game.game_setup(),
    )
    game_log, hangs = GameLog(), 0

    def kill(now: ProcessSnapshot) -> None:
        assert on_kill is not None
        on_kill(replace(now, seconds=(clock.now_ms() - started_ms) / 1000))

    try:
        if soak_game.with_faults:
            killer = kill if on_kill is not None else None
            asyncio.run(
                play_with_faults(soak_game, start, leds, path, game_log, progress, snapshot, killer)
            )
        else:
            asyncio.run(_play_without_faults(soak_game, start, leds, path, game_log, progress))
    except GameStuck as stuck:
        game_log.trouble, hangs = str(stuck), 1
    except LaserboardError as unexpected:
        game_log.trouble = str(unexpected)
    except Exception as defect:
        log.exception("game %d failed", soak_game.number)
        game_log.trouble = f"{type(defect).__name__}: {defect}"
    made = [
        *game_log.turns_made,
        *_journaled_unfired(game_log.unfired, len(game_log.turns_made), path),
    ]
    wrong, lost, difference = compare_with_journal(start, made, game_log.outcome, path)
    return SoakResult(
        soak_game.number,
        soak_game.game,
        len(game_log.turns_made),
        max(wrong, game_log.wrong),
        lost,
        hangs,
        asked=game_log.asked,
        mismatches=game_log.mismatches,
        unseen=game_log.unseen,
        seconds=(clock.now_ms() - started_ms) / 1000,
        outcome=str(game_log.outcome or ""),
        trouble="; ".join(each for each in (game_log.trouble, difference) if each),
        journal=str(path),
        start_count=game_log.start_count,
        faults={f"{name}: {end}": times for (name, end), times in sorted(game_log.faults.items())},
    )


async def _play_without_faults(
    soak_game: SoakGame,
    start: GameSetup,
    leds: str,
    path: Path,
    game_log: GameLog,
    progress: Callable[[int], None],
) -> None:
    plan = GamePlan(start, load_board_file(soak_game.board), random_seed=soak_game.seed)
    table_spec = TableSpec(
        soak_game.board, plan.board_file, plan.fitted_board, leds, SMALL_CAMERA_URL
    )
    rig = SteppedSimulatedRig(table_spec, start.first_position().pieces, JournalOpener(path))

    def report_turn(_: AnyTurn) -> None:
        progress(len(players.turns_made))

    async with SimulatedGame(rig, plan.start_session, lambda _: None) as simulation:
        rng = Random(soak_game.seed)
        players = RandomPlayers(simulation, start.first_position(), rng, on_turn_chosen=report_turn)
        watching = asyncio.create_task(players.watch())
        try:
            await players.play(soak_game.max_turns)
        finally:
            watching.cancel()
            game_log.turns_made, game_log.outcome = players.turns_made, players.outcome
            game_log.asked, game_log.mismatches = players.asked, players.mismatches


# -- comparison with the journal ---------------------------------------------------------------


def compare_with_journal(
    start: GameSetup, turns_made: Sequence[AnyTurn], outcome: Outcome | None, path: Path
) -> tuple[int, int, str]:
    """The number of wrong turns, the number of lost turns, and other differences in words."""
    try:
        recovered = recover(path.read_bytes())
        played = replay(recovered.entries)
        again, result = _round_trip_record(played)
    except (LaserboardError, OSError) as error:
        return 0, len(turns_made), f"{path.name} cannot be read: {error}"
    recorded = played.turns
    wrong = max(_count_differing(turns_made, recorded), _count_differing(turns_made, again))
    lost = max(0, len(turns_made) - min(len(recorded), len(again)))
    trouble = [str(each) for each in (recovered.damaged_tail, played.fault) if each is not None]
    position = turns_made[-1].after if turns_made else start.first_position()
    if not (wrong or lost) and not _same_position(start, played.position, position):
        trouble.append("the journal ends in another position")
    if played.outcome != outcome:
        trouble.append(f"it ended {outcome}, and the journal says {played.outcome}")
    if outcome is not None and result != outcome.result:
        trouble.append(f"it ended {outcome}, and the record says {result}")
    return wrong, lost, "; ".join(trouble)


def _journaled_unfired(unfired: Sequence[AnyTurn], fired: int, path: Path) -> Sequence[AnyTurn]:
    """The unfired turns that are in the journal nevertheless."""
    if not unfired:
        return ()
    return unfired[: max(0, len(replay(recover(path.read_bytes()).entries).turns) - fired)]


def _count_differing(turns_made: Sequence[AnyTurn], recorded: Sequence[AnyTurn]) -> int:
    """The number of recorded turns that differ from the turns made."""
    different = sum(one != other for one, other in zip(turns_made, recorded, strict=False))
    return different + max(0, len(recorded) - len(turns_made))


def _same_position(start: GameSetup, one: Any, other: Any) -> bool:
    write_position = start.game.write_position
    return write_position(one) == write_position(other)


def _round_trip_record(played: ReplayedGame) -> tuple[list[AnyTurn], str]:
    """Write the game's record, read it again, and return its turns and result."""
    exported = read_record(write_record(game_record(played)))
    return list(played_again(exported)), exported.result
