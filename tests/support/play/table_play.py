"""A game on a perfectly seen table: sends events to `step` and carries out its effects at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from controller.config.board_file import load_board
from controller.ports.events import DeviceBack, DeviceLost, Pressed, Signal, WriteFailed, Written
from controller.ports.frames import Observed
from controller.session.board_fit import fit_board
from controller.session.clocks import Clocks, TimeControl
from controller.session.effects import (
    Announce,
    Effect,
    PlaySignal,
    Refuse,
    ShowBeams,
    Think,
    Write,
)
from controller.session.events import (
    BeamsShown,
    ChoiceFailed,
    Event,
    MoveChosen,
    Request,
    Requested,
    Tick,
)
from controller.session.setup import Seat
from controller.session.state import Phase, Session, SessionSetup, TablePreferences
from controller.session.step import step
from engine import games
from engine.grid import Cell
from engine.sentences import Sentence, Slot, Template, plain
from tests.support.vision.tagged_table import Tabletop as Table
from tests.support.vision.tagged_table import perfect_evidence
from vision.observation import CellState, Observation, Sighting

BLUE, RED = 0, 1
# Blue has a mirror on j4. From j5 its beam captures Red's mirror on c5.
DUEL = "l++9/4k5/*/2b7/9B/*/*/4K4L"
FULL = plain("the disk is full: free some space")


def matches(sentence: Sentence, template: Template, **slots: Slot) -> bool:
    """Whether the sentence is made from this template, with the same text in its slots."""
    return sentence.key == template.key and str(sentence) == str(template(**slots))


Transition = tuple[Phase, str, Phase]


@dataclass
class Play:
    """One session with its table: methods send events, effects are carried out at once."""

    session: Session
    table: Table
    at_ms: float = 0.0
    frame_ms: float = 100.0
    written: list[Write] = field(default_factory=list)
    said: list[Sentence] = field(default_factory=list)
    effects: list[Effect] = field(default_factory=list)
    disk: bool | None = True  # False: full; None: never answers
    leds_answer: bool = True
    transitions: Counter[Transition] = field(default_factory=Counter)

    def send(self, event: Event) -> None:
        before = self.session.phase
        self.session, effects = step(self.session, event)
        self.effects += effects
        self.transitions[before, type(event).__name__, self.session.phase] += 1
        for effect in effects:
            match effect:
                case Announce(sentence) | Refuse(_, sentence):
                    self.said.append(sentence)
                case Write():
                    self.write(effect)
                case ShowBeams() if self.leds_answer:
                    self.send(BeamsShown(self.at_ms))
                case _:
                    continue

    def write(self, entry: Write) -> None:
        if self.disk:
            self.written.append(entry)
            self.send(Written(entry.number, self.at_ms))
        elif self.disk is False:
            self.send(WriteFailed(entry.number, FULL, self.at_ms))

    def see(
        self,
        seconds: float = 1.5,
        covered: Collection[Cell] = (),
        off_mm: Mapping[Cell, float] | None = None,
    ) -> Play:
        grid, off = self.table.grid, off_mm or {}
        sightings = tuple(
            Sighting(CellState.COVERED)
            if cell in covered
            else Sighting(
                CellState.OCCUPIED,
                *self.table.tags[cell],
                offset_mm=(0.0, off.get(cell, 0.0)),
                confidence=0.99,
            )
            if cell in self.table.tags
            else Sighting(CellState.EMPTY, confidence=0.99)
            for cell in range(grid.size)
        )
        evidence = perfect_evidence(self.table, covered)
        seen = Observation(grid, sightings, evidence, changed=frozenset())
        for _ in range(round(1000 * seconds / self.frame_ms)):
            self.at_ms += self.frame_ms
            self.send(Observed(seen, self.at_ms))
        return self

    def cell(self, name: str) -> Cell:
        return self.table.grid.cell(name)

    def moves(self, source: str, target: str) -> Play:
        self.table = self.table.moved(self.cell(source), self.cell(target))
        return self.see()

    def turns(self, name: str, by: int) -> Play:
        self.table = self.table.turned(self.cell(name), by)
        return self.see()

    def takes(self, name: str) -> Play:
        self.table = self.table.without(self.cell(name))
        return self.see()

    def presses(self, player: int) -> Play:
        self.send(Pressed(f"fire {player}", self.at_ms))
        return self

    def asks(self, requested: Request, player: int, choice: int = 0) -> Play:
        self.send(Requested(requested, player, self.at_ms, choice))
        return self

    def shows(self) -> Play:
        """The beams have been shown."""
        self.send(BeamsShown(self.at_ms))
        return self

    def loses(self, device: str, reason: str = "it was unplugged") -> Play:
        self.send(DeviceLost(device, plain(reason), self.at_ms))
        return self

    def regains(self, device: str) -> Play:
        self.send(DeviceBack(device, self.at_ms))
        return self

    def chooses(
        self,
        player: int,
        move: str,
        hint: bool = False,
        claim: bool = False,
        score: int = 0,
        line: tuple[str, ...] = (),
    ) -> Play:
        self.send(MoveChosen(player, move, self.at_ms, hint, claim, score, line))
        return self

    def gives_up(self, player: int, reason: str = "it fell asleep") -> Play:
        self.send(ChoiceFailed(player, plain(reason), self.at_ms))
        return self

    def later(self, seconds: float) -> Play:
        self.at_ms += 1000 * seconds
        self.send(Tick(self.at_ms))
        return self

    def phase(self) -> Phase:
        return self.session.phase

    def kinds(self) -> list[str]:
        return [entry.kind for entry in self.written]

    def fired(self) -> int:
        return sum(isinstance(effect, ShowBeams) for effect in self.effects)

    def thought(self) -> list[Think]:
        return [effect for effect in self.effects if isinstance(effect, Think)]

    def signal_count(self, signal: Signal) -> int:
        return self.effects.count(PlaySignal(signal))

    def left_ms(self, player: int) -> float:
        left = self.session.clocks.remaining_ms(player, self.at_ms)
        assert left is not None
        return left


def play(
    position: str = DUEL,
    clock: str = "none",
    red_level: int | None = None,
    preferences: TablePreferences | None = None,
    random_seed: int = 0,
) -> Play:
    """A Laser Chess session whose board is set up."""
    rules = games.make()
    start: Any = rules.read_position(position)
    return _seated(rules, start, "demo-10x8", clock, (None, red_level), preferences, random_seed)


def ships(
    clock: str = "none",
    levels: tuple[int | None, int | None] = (None, None),
    preferences: TablePreferences | None = None,
    seats: tuple[Seat, Seat] | None = None,
) -> Play:
    """A Spaceships session, ships on a6 and k6: both players act at once."""
    rules = games.make("spaceships")
    start = rules.start(None, 7)
    return _seated(rules, start, "hex-r5", clock, levels, preferences, 0, seats)


def _seated(
    rules: Any,
    start: Any,
    board: str,
    clock: str,
    levels: tuple[int | None, int | None],
    preferences: TablePreferences | None,
    random_seed: int,
    seats: tuple[Seat, Seat] | None = None,
) -> Play:
    top = fit_board(load_board(board), rules, None, start.grid)
    seats = seats or (Seat("Ada", levels[0]), Seat("Bob", levels[1]))
    clocks = Clocks.for_control(TimeControl.parse(clock))
    session = Session(
        setup=SessionSetup(
            fitted_board=top,
            seats=seats,
            preferences=preferences or TablePreferences(),
            random_seed=random_seed,
        ),
        position=start,
        clocks=clocks,
    )
    return Play(session, Table.of(rules, start)).see()
