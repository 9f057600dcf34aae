"""What a page with many spectators costs the game: with and without them by turns, in one run.

The program is the one of a real table: a camera (a folder of pictures, drawn before by another
process), the reader, the loop, LEDs, a journal. Some times a second something happens, and every
spectator measures how old it is when it arrives. How late the game's own loop is, is measured by a
task on it that wants to be woken all the time.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import resource
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from typing import Any

from controller.agreement import Seat
from controller.beginning import Keeping, agreed
from controller.clocks import TimeControl
from controller.config import load_board_file
from controller.loop import Loop, running, settle_memory
from controller.ports import Clock, Pressed
from controller.room import Furniture, RealRoom
from controller.session_values import Habits, Phase
from controller.tabletop import fitted
from controller.web.attending import Attending, Telling
from controller.web.doors import new_key
from controller.web.moment import Sitting
from controller.web.server import Page, PageSettings
from engine.errors import LaserboardError
from engine.game import AnyGame

BOARD = "demo-10x8"
SPECTATORS, ROUNDS, SECONDS = 100, 3, 10.0
SAY_S, PROBE_S = 0.2, 0.005
PAUSED_EACH = 5  # events
FPS = 10
ARRIVE_S = 30.0  # the most that a crowd, or the first picture, takes
SETTLE_S = 3.0  # until everybody has come or gone, and the page has served them
GOAL_MIB = 150
MIB = 1024 * 1024


@dataclass
class Window:
    """What was measured with or without spectators, in all rounds."""

    late_ms: list[float] = field(default_factory=list)  # the loop
    beat_ms: list[float] = field(default_factory=list)  # one beat of it
    work_ms: list[float] = field(default_factory=list)  # what a beat computes, whoever else runs
    cpu_s: float = 0.0
    wall_s: float = 0.0

    @property
    def share(self) -> float:
        """Of one core, in percent."""
        return 100 * self.cpu_s / self.wall_s


class Bench:
    """One game, one page, and spectators who come and go."""

    def __init__(self, clock: Clock, board: str = BOARD) -> None:
        self._clock, self._board = clock, board
        self._ages_ms: list[float] = []
        self._messages = self._letters = 0
        self._rss_mib = 0.0

    def lines(
        self,
        spectators: int = SPECTATORS,
        rounds: int = ROUNDS,
        seconds: float = SECONDS,
        settle_s: float = SETTLE_S,
    ) -> Iterator[str]:
        yield (
            f"{spectators} spectators of one game on {self._board}, {rounds} rounds of "
            f"{seconds:g} s with them, and without: they watch something made up then, so that the "
            f"computer is as busy; {1 / SAY_S:g} events a second"
        )
        without, crowded = asyncio.run(self._measured(spectators, rounds, seconds, settle_s))
        yield "| the game's loop, ms | without | with | ratio |"
        yield "|---|---|---|---|"
        for what, one, other in (
            ("late, median", median(without.late_ms), median(crowded.late_ms)),
            ("late, mean", mean(without.late_ms), mean(crowded.late_ms)),
            ("late, p99", _p99(without.late_ms), _p99(crowded.late_ms)),
            ("a beat, median", median(without.beat_ms), median(crowded.beat_ms)),
            ("a beat, p99", _p99(without.beat_ms), _p99(crowded.beat_ms)),
            ("a beat's own work, mean", mean(without.work_ms), mean(crowded.work_ms)),
            ("a beat's own work, p99", _p99(without.work_ms), _p99(crowded.work_ms)),
        ):
            yield f"| {what} | {one:.2f} | {other:.2f} | {other / one:.2f} |"
        ages, count = self._ages_ms, len(self._ages_ms)
        yield (
            f"event to client: median {median(ages):.1f} ms, p99 {_p99(ages):.1f} ms,"
            f" most {max(ages):.1f} ms ({count} arrivals)"
        )
        each = self._letters / max(1, self._messages)
        yield f"messages: {self._messages}, {each:.0f} letters each on average"
        yield (
            f"CPU of the whole program: {without.share:.1f} % of a core without,"
            f" {crowded.share:.1f} % with: {crowded.share - without.share:.1f} % for all of them"
        )
        yield f"resident memory with all of them: {self._rss_mib:.0f} MiB (goal: {GOAL_MIB})"

    async def _measured(
        self, spectators: int, rounds: int, seconds: float, settle_s: float
    ) -> tuple[Window, Window]:
        without, crowded = Window(), Window()
        with TemporaryDirectory() as folder:
            film_s = ARRIVE_S + rounds * 2 * (seconds + settle_s + ARRIVE_S)
            async with (
                self._game(Path(folder), film_s) as (loop, page),
                _crowd(page, spectators) as crowd,
            ):
                await loop.until(lambda: loop.session.phase is Phase.TURN, 1000 * ARRIVE_S)
                beats = _Beats(loop, self._clock)
                for _ in range(rounds):
                    await crowd.order("elsewhere")
                    await asyncio.sleep(settle_s)
                    await self._window(without, beats, seconds)
                    await crowd.order("out")
                    await crowd.order("in")
                    await asyncio.sleep(settle_s)
                    await self._window(crowded, beats, seconds)
                    self._rss_mib = max(self._rss_mib, _resident_mib())
                    told = await crowd.order("out")
                    self._ages_ms += told["ages_ms"]
                    self._messages += told["messages"]
                    self._letters += told["letters"]
        return without, crowded

    async def _window(self, window: Window, beats: _Beats, seconds: float) -> None:
        """Listen for so long."""
        cpu_s, begun_ms = _cpu_s(), self._clock.now_ms()
        beats.into = window
        end_ms = begun_ms + 1000 * seconds
        while (before_ms := self._clock.now_ms()) < end_ms:
            await asyncio.sleep(PROBE_S)
            window.late_ms.append(self._clock.now_ms() - before_ms - 1000 * PROBE_S)
        beats.into = None
        window.cpu_s += _cpu_s() - cpu_s
        window.wall_s += (self._clock.now_ms() - begun_ms) / 1000

    @asynccontextmanager
    async def _game(self, folder: Path, seconds: float) -> AsyncIterator[tuple[Loop, Page]]:
        """A table with all pieces as they should stand, and its page."""
        file = load_board_file(self._board)
        game = fitted(file.board).game
        plan = agreed(
            game, game.start(), None, (Seat(""), Seat("")), TimeControl.read("1h"),
            place=self._board, file=file, simulated=False, habits=Habits(), chance=1,
        )  # fmt: skip
        pictures = await filmed(folder / "pictures", self._board, game, seconds)
        room = RealRoom(
            Furniture(self._board, file, plan.top, "memory://", pictures),
            Keeping(folder / "game.journal"),
            StringIO(),
        )
        page = Page(PageSettings(new_key(), port=0), self._clock)
        page.wake = room.pace.wake
        devices, entries = room.switch_on()
        try:
            session = plan.begin(entries, devices)
            settle_memory()
            telling = Telling(lambda _: None, self._clock.now_ms)
            async with running(Loop(session, devices, room.pace, telling)) as loop:
                layout = devices.lights.layout
                sitting = Sitting(1, "bench", plan.start, file.board.name, layout)
                attending = Attending(page, sitting, loop, telling, lambda _: None)
                tasks = [
                    asyncio.create_task(attending.serve()),
                    asyncio.create_task(_talk(telling, loop, page.wake)),
                ]
                try:
                    yield loop, page
                finally:
                    for task in tasks:
                        task.cancel()
                    await asyncio.wait(tasks)
        finally:
            devices.close()
            page.close()


async def filmed(folder: Path, board: str, game: AnyGame, seconds: float) -> str:
    """The same picture again and again, for so long: a camera's address."""
    folder.mkdir()
    first = folder / "0000000.png"
    drawing = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "controller.cli.main", "scene", "--board", board, "--game",
        game.name, "--position", game.write_position(game.start()), "--out", str(first),
    )  # fmt: skip
    if await drawing.wait():
        raise LaserboardError("the table cannot be drawn")
    for number in range(1, math.ceil(seconds * FPS)):
        (folder / f"{number:07}.png").symlink_to(first)
    return f"folder://{folder}?fps={FPS}"


class _Beats:
    """Takes the time of every beat of a loop while there is somewhere to write it."""

    def __init__(self, loop: Loop, clock: Clock) -> None:
        self.into: Window | None = None
        beat = loop.beat

        def timed() -> None:
            begun_ms, worked_s = clock.now_ms(), _cpu_s(resource.RUSAGE_THREAD)
            beat()
            if self.into is not None:
                self.into.beat_ms.append(clock.now_ms() - begun_ms)
                self.into.work_ms.append(1000 * (_cpu_s(resource.RUSAGE_THREAD) - worked_s))

        loop.beat = timed  # type: ignore[method-assign]


class _Crowd:
    """The spectators' process, by its two pipes."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def order(self, word: str) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{word}\n".encode())
        told: dict[str, Any] = json.loads(await self._process.stdout.readline())
        return told


@asynccontextmanager
async def _crowd(page: Page, spectators: int) -> AsyncIterator[_Crowd]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "controller.bench.spectators", str(page.port), str(spectators),
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=64 * MIB,
    )  # fmt: skip
    try:
        yield _Crowd(process)
    finally:
        process.kill()
        await process.wait()


async def _talk(telling: Telling, loop: Loop, wake: Callable[[], None]) -> None:
    """Something happens, again and again: words, and now and then a pause or its end."""
    number = 0
    while True:
        await asyncio.sleep(SAY_S)
        number += 1
        telling(f"event {number}")
        wake()  # as whatever happens does
        if number % PAUSED_EACH == 0:
            loop.happens(Pressed("pause", loop.now_ms()))


def _p99(values: list[float]) -> float:
    return sorted(values)[min(len(values) - 1, int(0.99 * len(values)))]


def _cpu_s(whose: int = resource.RUSAGE_SELF) -> float:
    used = resource.getrusage(whose)
    return used.ru_utime + used.ru_stime


def _resident_mib() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / MIB
