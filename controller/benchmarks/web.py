"""Measures the load of many spectators of the page on the game, compared with none in one run.

The program is that of a real table: a camera (a folder of images that another process has
rendered), the reader, the loop, LEDs, a journal. Events happen several times a second, and every
spectator measures the age of each on arrival. A task on the game's loop measures how late it is
woken.
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

from controller.config.board_file import load_board_file
from controller.ports.devices import Clock
from controller.ports.events import Pressed
from controller.session.board_fit import fit_board
from controller.session.clocks import TimeControl
from controller.session.setup import Seat
from controller.session.state import Phase, TablePreferences
from controller.table.loop import Loop, freeze_garbage_collector, running_loop
from controller.table.plan import JournalOpener, plan_game
from controller.table.rig import RealRig, TableSpec
from controller.ui.web.auth import new_key
from controller.ui.web.bridge import GameBridge, MessageLog
from controller.ui.web.game_view import GameSummary
from controller.ui.web.page_server import PageServer, PageSettings
from engine.errors import LaserboardError
from engine.game import AnyGame

BOARD = "demo-10x8"
SPECTATORS, ROUNDS, SECONDS = 100, 3, 10.0
EVENT_INTERVAL_S, PROBE_INTERVAL_S = 0.2, 0.005
PAUSE_EVERY_EVENTS = 5
FPS = 10
CONNECT_TIMEOUT_S = 30.0  # limit for connecting all clients, and for the first frame
SETTLE_S = 3.0  # until all clients have connected or left
GOAL_MIB = 150
MIB = 1024 * 1024


@dataclass
class MeasurementWindow:
    """Measurements with or without spectators, over all rounds."""

    late_ms: list[float] = field(default_factory=list)  # of the loop
    tick_ms: list[float] = field(default_factory=list)  # wall time of a tick
    work_ms: list[float] = field(default_factory=list)  # CPU time of a tick
    cpu_s: float = 0.0
    wall_s: float = 0.0

    @property
    def cpu_percent(self) -> float:
        """Of one core."""
        return 100 * self.cpu_s / self.wall_s


class WebBenchmark:
    """One game, one page, and spectators who connect and leave."""

    def __init__(self, clock: Clock, board: str = BOARD) -> None:
        self._clock, self._board = clock, board
        self._ages_ms: list[float] = []
        self._messages = self._letters = 0
        self._rss_mib = 0.0

    def report_lines(
        self,
        spectators: int = SPECTATORS,
        rounds: int = ROUNDS,
        seconds: float = SECONDS,
        settle_s: float = SETTLE_S,
    ) -> Iterator[str]:
        yield (
            f"{spectators} spectators of one game on {self._board}, {rounds} rounds of "
            f"{seconds:g} s with them, and without: they watch something made up then, so that the "
            f"computer is as busy; {1 / EVENT_INTERVAL_S:g} events a second"
        )
        without, crowded = asyncio.run(self._measure(spectators, rounds, seconds, settle_s))
        yield "| the game's loop, ms | without | with | ratio |"
        yield "|---|---|---|---|"
        for what, one, other in (
            ("late, median", median(without.late_ms), median(crowded.late_ms)),
            ("late, mean", mean(without.late_ms), mean(crowded.late_ms)),
            ("late, p99", _p99(without.late_ms), _p99(crowded.late_ms)),
            ("a tick, median", median(without.tick_ms), median(crowded.tick_ms)),
            ("a tick, p99", _p99(without.tick_ms), _p99(crowded.tick_ms)),
            ("a tick's own work, mean", mean(without.work_ms), mean(crowded.work_ms)),
            ("a tick's own work, p99", _p99(without.work_ms), _p99(crowded.work_ms)),
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
            f"CPU of the whole program: {without.cpu_percent:.1f} % of a core without,"
            f" {crowded.cpu_percent:.1f} % with:"
            f" {crowded.cpu_percent - without.cpu_percent:.1f} % for all of them"
        )
        yield f"resident memory with all of them: {self._rss_mib:.0f} MiB (goal: {GOAL_MIB})"

    async def _measure(
        self, spectators: int, rounds: int, seconds: float, settle_s: float
    ) -> tuple[MeasurementWindow, MeasurementWindow]:
        without, crowded = MeasurementWindow(), MeasurementWindow()
        with TemporaryDirectory() as folder:
            camera_s = CONNECT_TIMEOUT_S + rounds * 2 * (seconds + settle_s + CONNECT_TIMEOUT_S)
            async with (
                self._game(Path(folder), camera_s) as (loop, page),
                _start_clients(page, spectators) as clients,
            ):
                await loop.wait_until(
                    lambda: loop.session.phase is Phase.TURN, 1000 * CONNECT_TIMEOUT_S
                )
                ticks = _TickTimer(loop, self._clock)
                for _ in range(rounds):
                    await clients.send_command("elsewhere")
                    await asyncio.sleep(settle_s)
                    await self._measure_window(without, ticks, seconds)
                    await clients.send_command("out")
                    await clients.send_command("in")
                    await asyncio.sleep(settle_s)
                    await self._measure_window(crowded, ticks, seconds)
                    self._rss_mib = max(self._rss_mib, _resident_mib())
                    measured = await clients.send_command("out")
                    self._ages_ms += measured["ages_ms"]
                    self._messages += measured["messages"]
                    self._letters += measured["letters"]
        return without, crowded

    async def _measure_window(
        self, window: MeasurementWindow, ticks: _TickTimer, seconds: float
    ) -> None:
        """Measure for `seconds`."""
        cpu_s, started_ms = _cpu_s(), self._clock.now_ms()
        ticks.window = window
        end_ms = started_ms + 1000 * seconds
        while (before_ms := self._clock.now_ms()) < end_ms:
            await asyncio.sleep(PROBE_INTERVAL_S)
            window.late_ms.append(self._clock.now_ms() - before_ms - 1000 * PROBE_INTERVAL_S)
        ticks.window = None
        window.cpu_s += _cpu_s() - cpu_s
        window.wall_s += (self._clock.now_ms() - started_ms) / 1000

    @asynccontextmanager
    async def _game(self, folder: Path, seconds: float) -> AsyncIterator[tuple[Loop, PageServer]]:
        """A table with all pieces in place, and its page."""
        file = load_board_file(self._board)
        game = fit_board(file.board).game
        plan = plan_game(
            game, game.start(), None, (Seat(""), Seat("")), TimeControl.parse("1h"),
            board_name=self._board, board_file=file, simulated=False,
            preferences=TablePreferences(), random_seed=1,
        )  # fmt: skip
        pictures = await write_camera_folder(folder / "pictures", self._board, game, seconds)
        rig = RealRig(
            TableSpec(self._board, file, plan.fitted_board, "memory://", pictures),
            JournalOpener(folder / "game.journal"),
            StringIO(),
        )
        page = PageServer(PageSettings(new_key(), port=0), self._clock)
        page.wake = rig.pacing.wake
        devices, entries = rig.open()
        try:
            session = plan.start_session(entries, devices)
            freeze_garbage_collector()
            messages = MessageLog(lambda _: None, self._clock.now_ms)
            async with running_loop(Loop(session, devices, rig.pacing, messages, entries)) as loop:
                layout = devices.lights.layout
                summary = GameSummary(1, "bench", plan.setup, file.board.name, layout)
                bridge = GameBridge(page, summary, loop, messages, lambda _: None)
                tasks = [
                    asyncio.create_task(bridge.serve()),
                    asyncio.create_task(_generate_events(messages, loop, page.wake)),
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


async def write_camera_folder(folder: Path, board: str, game: AnyGame, seconds: float) -> str:
    """Write a folder with `seconds` of the same image, and return its camera URL."""
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


class _TickTimer:
    """Measures every tick of a loop while `window` is set."""

    def __init__(self, loop: Loop, clock: Clock) -> None:
        self.window: MeasurementWindow | None = None
        tick = loop.tick

        def timed() -> None:
            started_ms, cpu_before_s = clock.now_ms(), _cpu_s(resource.RUSAGE_THREAD)
            tick()
            if self.window is not None:
                self.window.tick_ms.append(clock.now_ms() - started_ms)
                self.window.work_ms.append(1000 * (_cpu_s(resource.RUSAGE_THREAD) - cpu_before_s))

        loop.tick = timed  # type: ignore[method-assign]


class _ClientProcess:
    """The process of the spectators, driven through its pipes."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def send_command(self, word: str) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{word}\n".encode())
        answer: dict[str, Any] = json.loads(await self._process.stdout.readline())
        return answer


@asynccontextmanager
async def _start_clients(page: PageServer, spectators: int) -> AsyncIterator[_ClientProcess]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "controller.benchmarks.web_clients", str(page.port), str(spectators),
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=64 * MIB,
    )  # fmt: skip
    try:
        yield _ClientProcess(process)
    finally:
        process.kill()
        await process.wait()


async def _generate_events(messages: MessageLog, loop: Loop, wake: Callable[[], None]) -> None:
    """Send messages, and press the pause button after every `PAUSE_EVERY_EVENTS` of them."""
    number = 0
    while True:
        await asyncio.sleep(EVENT_INTERVAL_S)
        number += 1
        messages(f"event {number}")
        wake()  # as for every real event
        if number % PAUSE_EVERY_EVENTS == 0:
            loop.dispatch(Pressed("pause", loop.now_ms()))


def _p99(values: list[float]) -> float:
    return sorted(values)[min(len(values) - 1, int(0.99 * len(values)))]


def _cpu_s(whose: int = resource.RUSAGE_SELF) -> float:
    used = resource.getrusage(whose)
    return used.ru_utime + used.ru_stime


def _resident_mib() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / MIB
