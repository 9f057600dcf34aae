"""How soon light follows a hand: from the frame in which the table has settled, with fire pressed
already, to the first byte of the beam on the wire.

A game is played on the simulated table first, in time that waits, and all there was just before
each turn's settled frame is kept. Then every such frame is handed to the real loop again, with
its threads, a journal on the real disk and the firmware behind a serial line: nothing is drawn
meanwhile. OpenCV's `detectMarkers` has its turn in between, on the same frames.
"""

from __future__ import annotations

import asyncio
import copy
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np

from controller.agreement import Seat, Start
from controller.beginning import Keeping, Plan
from controller.button_settings import ButtonSettings, SpeakerSettings
from controller.config import load_board_file
from controller.journal import count
from controller.lights import Lights
from controller.loop import Devices, Eyes, InTime, Loop
from controller.ports import Camera, Clock, Journal, Pixels, Pressed, Written
from controller.room import Furniture, SteppedRoom, led_settings
from controller.session_values import Event, Phase, Session
from controller.simulated.deeds import deeds
from controller.simulated.hands import Hands, Unexpected
from controller.tabletop import fitted
from controller.wiring import (
    camera_over,
    direct_player,
    open_buttons,
    open_eyes,
    open_instruments,
    open_speaker,
    open_voice,
)
from engine.game import AnyTurn
from vision.observation import Observation
from vision.reader import Reader
from vision.tags import dictionary

BOARDS = ("demo-10x8", "full-10x8")
TURNS, ROUNDS = 30, 5
REST_MS = 300.0  # until the guide's light has come to rest
PATIENCE_MS = 10_000.0
MOST_ON_LOOP_MS = 5.0
PARTS = (
    ("read", "frame", "seen"),
    ("step", "seen", "asked"),
    ("write", "asked", "syncing"),
    ("sync", "syncing", "synced"),
    ("loop", "synced", "fire"),
    ("light", "fire", "show"),
    ("driver", "show", "byte"),
)


Busy = Callable[[str], AbstractContextManager[None]]


@dataclass(frozen=True)
class Settling:
    """All that there was just before the frame in which a table settled, and that frame."""

    session: Session
    reader: dict[str, Any]
    grey: Pixels
    turn: AnyTurn  # that came of it


@dataclass(frozen=True)
class Way:
    """One turn's way from its frame to the first byte, part by part."""

    cpu_ms: dict[str, float]
    wall_ms: dict[str, float]
    detector_ms: float

    @classmethod
    def of(
        cls, lap: Mapping[str, tuple[float, float]], sync_cpu_ms: float, detector_ms: float
    ) -> Way:
        """From wall and CPU time at every place on it."""
        wall_ms = {part: lap[end][0] - lap[begin][0] for part, begin, end in PARTS}
        cpu_ms = {part: lap[end][1] - lap[begin][1] for part, begin, end in PARTS}
        # While the disk is at work, the loop goes on with its beat.
        cpu_ms["loop"] += cpu_ms["sync"] - sync_cpu_ms
        cpu_ms["sync"] = sync_cpu_ms
        return cls(cpu_ms, wall_ms, detector_ms)

    @property
    def total_cpu_ms(self) -> float:
        return sum(took for part, took in self.cpu_ms.items() if part != "sync")

    @property
    def total_wall_ms(self) -> float:
        return sum(self.wall_ms.values())


class Bench:
    """One board: a game on it, and then its settled frames again and again."""

    def __init__(self, board: str, clock: Clock) -> None:
        cv2.setNumThreads(1)
        self.clock = clock
        file = load_board_file(board)
        game = fitted(file.board).game
        start = Start(
            game,
            (Seat("one"), Seat("two")),
            setup=game.default_setup if game.setups() else None,
            seed=None if game.setups() else 1,
        )
        self.plan = Plan(start, file)
        self.furniture = Furniture(board, file, self.plan.top, "memory://")
        self.detector = cv2.aruco.ArucoDetector(dictionary())
        self.instruments = open_instruments(led_settings(file), clock)
        self.calls = defaultdict[str, list[float]](list)  # how long each kept the loop busy

    def lines(self, turns: int, rounds: int) -> Iterator[str]:
        leds = self.instruments.leds
        try:
            with TemporaryDirectory() as folder:
                settlings = asyncio.run(self.story(turns, Path(folder) / "story.journal"))
                ways = asyncio.run(self.again(settlings, rounds, Path(folder)))
        finally:
            leds.close()
        yield (
            f"{self.furniture.place}: {leds.link.leds} LEDs, {count(turns, 'turn', 'turns')}, "
            f"each settled frame handed over {count(rounds, 'time', 'times')}"
        )
        yield from _table(ways)
        yield ""
        yield from _on_the_loop(self.calls)

    # -- the game ------------------------------------------------------------------------------

    async def story(self, turns: int, path: Path) -> list[Settling]:
        """Play so many turns; fire is always pressed before the table has settled."""
        chance, room = random.Random(1), _StoryRoom(self.furniture, self.plan, path)
        devices, entries = room.switch_on()
        devices = replace(devices, lights=_TimedLights(devices.lights, self._busy))
        loop = _StoryLoop(self.plan.begin(entries, devices), devices, room, self._busy)
        hands, running = Hands(loop, room.world), asyncio.create_task(loop.run())
        try:
            await hands.rest()
            while len(loop.settlings) < turns:
                session = loop.session
                turn = _some_turn(session, chance)
                await hands.make(turn)
                for player, _ in turn.moves:
                    loop.happens(Pressed(f"fire {player}", loop.now_ms()))
                if not await loop.until(_moved_on(loop, session), PATIENCE_MS):
                    raise Unexpected(f"a turn was not recognised: {loop.session.phase}")
                await hands.clear()
        finally:
            loop.stop()
            await running
            devices.close()
        return loop.settlings

    @contextmanager
    def _busy(self, call: str) -> Iterator[None]:
        """Notes for how long this thread works meanwhile."""
        before_ms = self.instruments.own_cpu_ms()
        yield
        self.calls[call].append(self.instruments.own_cpu_ms() - before_ms)

    # -- its settled frames, in time as it passes ----------------------------------------------

    async def again(self, settlings: list[Settling], rounds: int, folder: Path) -> list[Way]:
        """Every settled frame once more in each round, through everything that is real."""
        pace, watch, ways = InTime(), self.instruments.watch, list[Way]()
        for number in range(rounds):
            journal = self.instruments.journal(folder / f"{number}.journal", pace.wake)
            try:
                for settling in settlings:
                    await self._once(settling, journal, pace)
                    detector_ms = self._detector_ms(settling.grey)
                    ways.append(Way.of(watch.lap, watch.sync_cpu_ms, detector_ms))
            finally:
                journal.close()
        return ways

    async def _once(self, settling: Settling, journal: Journal, pace: InTime) -> None:
        watch, camera = self.instruments.watch, self.instruments.camera()
        reader = _MarkedReader(settling.reader, watch.mark)
        devices = self._devices(camera, open_eyes(camera, reader, pace.wake, str), journal)
        if journal.asked == 0:
            self.plan.begin((), devices)
            journal.wait(journal.asked, PATIENCE_MS)
            journal.events()  # that entry is no part of any turn
        loop = _MarkedLoop(settling.session, devices, pace, watch.mark)
        running = asyncio.create_task(loop.run())
        try:
            await loop.until(lambda: False, REST_MS)
            camera.hand_over(settling.grey, loop.now_ms())
            if not await loop.until(watch.finished.is_set, PATIENCE_MS):
                raise Unexpected(f"no light came of a settled frame: {loop.session.phase}")
            if loop.session.history[-1].turn.moves != settling.turn.moves:
                raise Unexpected("another turn came of the same frame")
        finally:
            loop.stop()
            await running
            devices.eyes.close()

    def _devices(self, camera: Camera, eyes: Eyes, journal: Journal) -> Devices:
        """As at a real table, but for those that play no part here."""
        clock, out = self.clock, StringIO()
        return Devices(
            camera,
            eyes,
            self.furniture.lights(self.instruments.leds),
            journal,
            direct_player(clock),
            open_buttons("none://", clock, ButtonSettings()),
            open_speaker("none://", clock, SpeakerSettings(), out),
            open_voice("none", clock, out),
            clock,
        )

    def _detector_ms(self, grey: Pixels) -> float:
        return self.instruments.cpu_ms(lambda: self.detector.detectMarkers(grey))


# -- what is printed ---------------------------------------------------------------------------


def _table(ways: list[Way]) -> Iterator[str]:
    yield "| part   | CPU ms | wall ms | wall p99 |"
    yield "|---|---|---|---|"
    for part, _, _ in PARTS:
        cpu, wall = ([getattr(way, of)[part] for way in ways] for of in ("cpu_ms", "wall_ms"))
        yield f"| {part:6} | {median(cpu):6.2f} | {median(wall):7.2f} | {_p99(wall):8.2f} |"
    cpu_ms = median(way.total_cpu_ms for way in ways)
    theirs_ms = median(way.detector_ms for way in ways)
    walls = [way.total_wall_ms for way in ways]
    yield f"| all    | {cpu_ms:6.2f} | {median(walls):7.2f} | {_p99(walls):8.2f} |"
    syncs = [way.wall_ms["sync"] for way in ways]
    yield (
        f"CPU without the sync: {cpu_ms:.2f} ms, {cpu_ms / theirs_ms:.2f} of one detectMarkers "
        f"on the same frames ({theirs_ms:.2f} ms); goal: less than 1"
    )
    yield (
        f"from the frame to the first byte: median {median(walls):.1f} ms, "
        f"p99 {_p99(walls):.1f} ms; of it the sync: median {median(syncs):.1f} ms, "
        f"p99 {_p99(syncs):.1f} ms"
    )


def _on_the_loop(calls: dict[str, list[float]]) -> Iterator[str]:
    yield f"CPU of single calls on the loop (goal: none over {MOST_ON_LOOP_MS:g} ms)"
    yield "| call | times | median ms | p99 ms | most ms |"
    yield "|---|---|---|---|---|"
    for call, took in sorted(calls.items(), key=lambda each: -max(each[1])):
        yield (
            f"| {call:31} | {len(took):5} | {median(took):6.2f} | {_p99(took):6.2f} "
            f"| {max(took):6.2f} |"
        )


def _p99(took: list[float]) -> float:
    return float(np.percentile(took, 99))


# -- a game that remembers ---------------------------------------------------------------------


def _some_turn(session: Session, chance: random.Random) -> AnyTurn:
    """Any turn that hands can make, that fires something and does not end the game."""
    game, facing = session.table.game, session.facing
    turns = [turn for turn in game.turns(session.position) if turn.beams and turn.outcome is None]
    return chance.choice([turn for turn in turns if deeds(game, turn, facing) is not None])


def _moved_on(loop: Loop, before: Session) -> Callable[[], bool]:
    return lambda: loop.session.position is not before.position


class _KeptReader(Reader):
    """Remembers how it was before the last frame."""

    before: dict[str, Any]
    grey: Pixels

    def read(self, grey: Pixels) -> Observation:
        mine = {name: each for name, each in vars(self).items() if name not in ("before", "grey")}
        self.before = copy.deepcopy(mine, {id(self.board): self.board})
        self.grey = grey
        return super().read(grey)


class _StoryRoom(SteppedRoom):
    """A room whose reader remembers."""

    def __init__(self, furniture: Furniture, plan: Plan, path: Path) -> None:
        super().__init__(furniture, plan.start.first().pieces, Keeping(path))

    def switch_on(self) -> tuple[Devices, Any]:
        devices, entries = super().switch_on()
        devices.eyes.close()
        top = self.furniture.top
        self.reader = _KeptReader(top.board, top.meanings, top.lens)
        camera = camera_over(self.table, devices.clock, False, self.world.glow)
        return replace(devices, eyes=open_eyes(camera, self.reader, None, str)), entries


class _StoryLoop(Loop):
    """Notes how long it is kept busy, and what there was before each table settled."""

    def __init__(self, session: Session, devices: Devices, room: _StoryRoom, busy: Busy) -> None:
        super().__init__(session, devices, room.pace, lambda _: None)
        self._room, self._busy = room, busy
        self.settlings: list[Settling] = []

    def happens(self, event: Event) -> None:
        before = self.session
        with self._busy(f"{type(event).__name__}, {before.phase}"):
            super().happens(event)
        if self.session.phase is Phase.FIRING and before.phase is not Phase.FIRING:
            reader = self._room.reader
            self.settlings.append(
                Settling(before, reader.before, reader.grey, self.session.pending[0])
            )


class _TimedLights(Lights):
    """Lights, taken over, that note how long they keep the loop busy."""

    def __init__(self, lights: Lights, busy: Busy) -> None:
        vars(self).update(vars(lights))
        self._busy = busy

    def shine(self, session: Session, at_ms: float) -> bool:
        with self._busy("shine"):
            return super().shine(session, at_ms)


# -- marks on the way --------------------------------------------------------------------------


class _MarkedReader(Reader):
    """A reader as it once was; when it has read is noted."""

    def __init__(self, before: dict[str, Any], mark: Callable[[str], None]) -> None:
        vars(self).update(copy.deepcopy(before, {id(before["board"]): before["board"]}))
        self._mark = mark

    def read(self, grey: Pixels) -> Observation:
        seen = super().read(grey)
        self._mark("seen")
        return seen


class _MarkedLoop(Loop):
    """Notes when it hears that a turn is on the disk: what comes then is light."""

    def __init__(
        self, session: Session, devices: Devices, pace: InTime, mark: Callable[[str], None]
    ) -> None:
        super().__init__(session, devices, pace, lambda _: None)
        self._mark = mark

    def happens(self, event: Event) -> None:
        if isinstance(event, Written):
            self._mark("fire")
        super().happens(event)
