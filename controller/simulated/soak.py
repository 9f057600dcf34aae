"""One game of a soak: a seeded game through the whole chain, held against what hands did.

A fixture says which game is played; the verdict says what came of it. The book is kept by those
who move (`controller.simulated.mover`), the journal is read afresh from the disk, and its record
is written, read and played once more.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from controller.agreement import Seat, Start
from controller.beginning import Keeping, Plan
from controller.config import load_board_file, shipped_boards
from controller.journal import recover
from controller.played import Played, record, replay
from controller.ports import Clock
from controller.room import SMALL_CAMERA, Furniture, SteppedRoom
from controller.simulated.chaos.game import Book, Die, Left, played_in_chaos
from controller.simulated.chaos.people import Stuck
from controller.simulated.hands import Unexpected
from controller.simulated.mover import Mover
from controller.simulated.simulation import Simulation
from controller.tabletop import fitted
from engine import games
from engine.errors import LaserboardError
from engine.game import AnyTurn, Outcome
from engine.record import play as played_again
from engine.record import read, write

MOST_TURNS = 40
WITH_COMPUTER = 4  # every so many games
LEVEL = 1


@dataclass(frozen=True)
class Fixture:
    """A game that is to be played, always in the same way."""

    number: int  # from 1
    game: str
    board: str
    seed: int
    setup: str | None = None  # else the seed draws a map
    levels: tuple[int | None, int | None] = (None, None)
    most_turns: int = MOST_TURNS
    chaos: bool = False  # whether faults befall it, drawn from the same seed

    def start(self) -> Start:
        game = games.make(self.game)
        first, second = (
            Seat(name if level is None else f"computer {level}", level)
            for name, level in zip(game.players, self.levels, strict=True)
        )
        return Start(
            game,
            (first, second),
            setup=self.setup,
            seed=self.seed if self.setup is None else None,
            board=self.board,
            simulated=True,
        )


@dataclass(frozen=True)
class Verdict:
    """What came of a game."""

    number: int
    game: str
    turns: int = 0  # that hands made
    wrong: int = 0  # that the journal or the record tells otherwise
    lost: int = 0  # that the journal does not tell
    hangs: int = 0
    asked: int = 0
    mismatches: int = 0
    unseen: int = 0  # turns beside which something stood wrong that the camera could not see
    seconds: float = 0.0
    outcome: str = ""
    trouble: str = ""
    journal: str = ""
    lives: int = 1  # the program was killed, or the power went, one time less
    faults: dict[str, int] = field(default_factory=dict)  # "bump: asked a person", how often

    @property
    def good(self) -> bool:
        return not (self.wrong or self.lost or self.hangs or self.trouble)


def fixture(
    seed: int,
    number: int,
    names: Sequence[str],
    most_turns: int = MOST_TURNS,
    chaos: bool = False,
) -> Fixture:
    """The game of that number: one kind after the other, some against the computer."""
    rng = Random(f"{seed}/{number}")
    name = names[(number - 1) % len(names)]
    game = games.make(name)
    setups = sorted(game.setups())
    level: list[int | None] = [None, None]
    computer_plays = game.computer_plays(game.start())
    if computer_plays and ((number - 1) // len(names)) % WITH_COMPUTER == WITH_COMPUTER - 1:
        level[rng.randrange(2)] = LEVEL
    return Fixture(
        number,
        name,
        board_for(name),
        rng.randrange(10**6),
        rng.choice(setups) if setups else None,
        (level[0], level[1]),
        most_turns,
        chaos,
    )


@cache
def board_for(name: str) -> str:
    """The first board of ours with LEDs that is made for that game."""
    for board in shipped_boards():
        file = load_board_file(board)
        if file.leds is not None and fitted(file.board).game.name == name:
            return board
    raise Unexpected(f"no board that comes along is made for {name}")


def play(
    what: Fixture,
    leds: str,
    path: Path,
    clock: Clock,
    progress: Callable[[int], None],
    left: Left | None = None,
    die: Die | None = None,
) -> Verdict:
    """Play it, with its journal in that file; `progress` is told of every turn.

    `left` is what an earlier process left behind; `die` is how this one dies, where it may.
    """
    begun_ms, start = clock.now_ms() - (left.seconds * 1000 if left else 0.0), what.start()
    book, hangs = Book(), 0

    def dying(so_far: Left) -> None:
        assert die is not None
        die(replace(so_far, seconds=(clock.now_ms() - begun_ms) / 1000))

    try:
        if what.chaos:
            dies = dying if die is not None else None
            asyncio.run(played_in_chaos(what, start, leds, path, book, progress, left, dies))
        else:
            asyncio.run(_played(what, start, leds, path, book, progress))
    except Stuck as stuck:
        book.trouble, hangs = str(stuck), 1
    except LaserboardError as unexpected:
        book.trouble = str(unexpected)
    except Exception as defect:  # whatever goes wrong is a verdict
        book.trouble = f"{type(defect).__name__}: {defect}"
    made = [*book.made, *_kept(book.unfired, len(book.made), path)]
    wrong, lost, told = compare(start, made, book.outcome, path)
    return Verdict(
        what.number,
        what.game,
        len(book.made),
        max(wrong, book.wrong),
        lost,
        hangs,
        asked=book.asked,
        mismatches=book.mismatches,
        unseen=book.unseen,
        seconds=(clock.now_ms() - begun_ms) / 1000,
        outcome=str(book.outcome or ""),
        trouble="; ".join(each for each in (book.trouble, told) if each),
        journal=str(path),
        lives=book.lives,
        faults={f"{name}: {end}": times for (name, end), times in sorted(book.faults.items())},
    )


async def _played(
    what: Fixture,
    start: Start,
    leds: str,
    path: Path,
    book: Book,
    progress: Callable[[int], None],
) -> None:
    plan = Plan(start, load_board_file(what.board), chance=what.seed)
    furniture = Furniture(what.board, plan.file, plan.top, leds, SMALL_CAMERA)
    room = SteppedRoom(furniture, start.first().pieces, Keeping(path))

    def intends(_: AnyTurn) -> None:
        progress(len(mover.made))

    async with Simulation(room, plan.begin, lambda _: None) as simulation:
        rng = Random(what.seed)
        mover = Mover(simulation, start.first(), rng, intends=intends)
        watching = asyncio.create_task(mover.watch())
        try:
            await mover.play(what.most_turns)
        finally:
            watching.cancel()
            book.made, book.outcome = mover.made, mover.outcome
            book.asked, book.mismatches = mover.asked, mover.mismatches


# -- what the disk says ------------------------------------------------------------------------


def compare(
    start: Start, made: Sequence[AnyTurn], outcome: Outcome | None, path: Path
) -> tuple[int, int, str]:
    """Turns that are told wrong, turns that are lost, and whatever else is not as it was."""
    try:
        recovered = recover(path.read_bytes())
        played = replay(recovered.entries)
        again, result = _exported(played)
    except (LaserboardError, OSError) as bad:
        return 0, len(made), f"{path.name} cannot be read: {bad}"
    told = played.turns
    wrong = max(_differing(made, told), _differing(made, again))
    lost = max(0, len(made) - min(len(told), len(again)))
    trouble = [str(each) for each in (recovered.torn, played.fault) if each is not None]
    position = made[-1].after if made else start.first()
    if not (wrong or lost) and not _alike(start, played.position, position):
        trouble.append("the journal ends in another position")
    if played.ended != outcome:
        trouble.append(f"it ended {outcome}, and the journal says {played.ended}")
    if outcome is not None and result != outcome.result:
        trouble.append(f"it ended {outcome}, and the record says {result}")
    return wrong, lost, "; ".join(trouble)


def _kept(unfired: Sequence[AnyTurn], fired: int, path: Path) -> Sequence[AnyTurn]:
    """Those turns that were made, not fired, and are in the journal all the same."""
    if not unfired:
        return ()
    return unfired[: max(0, len(replay(recover(path.read_bytes()).entries).turns) - fired)]


def _differing(made: Sequence[AnyTurn], told: Sequence[AnyTurn]) -> int:
    """How many turns are told that hands did not make, there and then."""
    different = sum(one != other for one, other in zip(made, told, strict=False))
    return different + max(0, len(told) - len(made))


def _alike(start: Start, one: Any, other: Any) -> bool:
    write_position = start.game.write_position
    return write_position(one) == write_position(other)


def _exported(played: Played) -> tuple[list[AnyTurn], str]:
    """The turns and the result as the game's record tells them, written and read again."""
    exported = read(write(record(played)))
    return list(played_again(exported)), exported.result
