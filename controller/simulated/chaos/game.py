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

from controller.agreement import Start
from controller.beginning import Keeping, Plan
from controller.config import load_board_file
from controller.journal import recover
from controller.led_address import Simulated, read_address
from controller.played import replay
from controller.room import SMALL_CAMERA, Furniture, SteppedRoom
from controller.simulated.chaos.beside import beside
from controller.simulated.chaos.disturber import Disturber
from controller.simulated.chaos.endings import Befallen, Endings
from controller.simulated.chaos.people import People
from controller.simulated.chaos.schedule import possible_faults, schedule
from controller.simulated.simulation import Simulation
from engine.game import AnyTurn, Outcome
from vision.scene import Thing


class Chaotic(Protocol):
    """Which game, and from which seed."""

    @property
    def board(self) -> str: ...

    @property
    def seed(self) -> int: ...

    @property
    def most_turns(self) -> int: ...


@dataclass
class Book:
    """What hands did, and what befell them."""

    made: Sequence[AnyTurn] = ()
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
class Left:
    """What a killed process leaves behind, the journal aside."""

    things: tuple[Thing, ...]
    made: tuple[dict[int, str], ...]  # moves, as their game writes them
    unfired: tuple[dict[int, str], ...]
    befallen: tuple[Befallen, ...]
    happened: int  # the number of the last fault
    at_ms: float
    lives: int
    asked: int
    mismatches: int
    unseen: int
    seconds: float = 0.0


Die = Callable[[Left], None]


async def played_in_chaos(
    what: Chaotic,
    start: Start,
    leds: str,
    path: Path,
    book: Book,
    progress: Callable[[int], None],
    left: Left | None,
    die: Die | None,
) -> None:
    """To the end of the game, or of this process."""
    plan = Plan(start, load_board_file(what.board), chance=what.seed)
    furniture = Furniture(what.board, plan.file, plan.top, leds, SMALL_CAMERA)
    room = SteppedRoom(furniture, start.first().pieces, Keeping(path))
    made = _made(start, left.made if left else ())
    before = left.lives if left else 0
    if left is not None and replay(recover(path.read_bytes()).entries).ended is not None:
        # Killed between the last entry and its beam: nobody can go on, and nobody need.
        book.made = _made(start, (*left.made, *left.unfired))
        book.outcome, book.lives = book.made[-1].outcome, before + 1
        book.faults = Endings(left.befallen).counted()
        return
    if left is not None:
        room.table.lay_out({})
        for thing in left.things:
            room.table.put(thing)

    def alive() -> None:
        progress(len(people.made))

    def dying(disturber: Disturber) -> None:
        if die is not None:
            die(_left(start, room, people, disturber, before + simulation.lives))

    computer = any(seat.computer for seat in start.seats)
    faults = possible_faults(computer, isinstance(read_address(leds), Simulated))
    number = left.happened if left else 0
    dues = dropwhile(lambda due: due.number <= number, schedule(what.seed, faults))
    endings = Endings(left.befallen if left else ())
    for one in endings.befallen:  # what was wrong around the table ended with the process
        one.undone, one.lives = True, one.lives - (left.lives if left else 0)
    disturber = Disturber(
        room,
        dues,
        what.seed,
        lambda _: None,
        endings,
        left.at_ms if left else 0.0,
        dying if die is not None else None,
    )
    async with Simulation(room, plan.begin, lambda _: None, room.make_room) as simulation:
        rng = Random(f"{what.seed}/{before}")
        people = People(simulation, room, start.first(), rng, made, alive=alive)
        if left is not None:
            people.asked, people.mismatches = left.asked, left.mismatches
            people.unseen = left.unseen
        try:
            await beside(
                people.play(what.most_turns), people.watch(), disturber.disturb(simulation)
            )
        finally:
            book.made, book.outcome = people.made, people.outcome
            book.unfired = people.unfired()
            book.asked, book.mismatches = people.asked, people.mismatches
            book.unseen = people.unseen
            book.wrong, book.lives = len(people.wrong), before + simulation.lives
            book.faults = endings.counted()


def _told(start: Start, turns: Sequence[AnyTurn]) -> tuple[dict[int, str], ...]:
    write = start.game.write_move
    return tuple(
        {each: write(turn.before, each, move) for each, move in turn.moves} for turn in turns
    )


def _made(start: Start, told: Sequence[dict[int, str]]) -> list[AnyTurn]:
    """The book, read again."""
    turns: list[AnyTurn] = []
    for moves in told:
        before = turns[-1].after if turns else start.first()
        read = {
            player: start.game.read_move(before, player, text) for player, text in moves.items()
        }
        turns.append(start.game.resolve(before, read))
    return turns


def _left(
    start: Start, room: SteppedRoom, people: People, disturber: Disturber, lives: int
) -> Left:
    return Left(
        tuple(room.table.things.values()),
        _told(start, people.made),
        _told(start, people.unfired()),
        tuple(disturber.endings.befallen),
        disturber.happened,
        disturber.now_ms(),
        lives,
        people.asked,
        people.mismatches,
        people.unseen,
    )
