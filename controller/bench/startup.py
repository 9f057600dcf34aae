"""How long a table takes from its start to its readiness, and how much memory it needs, with its
page: measured from outside, as systemd sees it, against the mere import of OpenCV and numpy.

The program is `laserboard play` with a camera (a folder of pictures, drawn before by another
process). It says itself when it is ready, by the first beat of its loop; then a browser's first
question is asked, and the memory is looked at while pictures are read.
"""

from __future__ import annotations

import asyncio
import http.client
import os
import re
import resource
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from controller.bench.web import filmed
from controller.config import load_board_file
from controller.ports import Clock
from controller.tabletop import fitted
from engine.errors import LaserboardError

BOARD = "demo-10x8"
ROUNDS, SETTLE_S = 5, 5.0
GOAL_S, GOAL_MIB = 6.0, 150
PATIENCE_S = 120.0
IMPORTS = "import cv2, numpy"
UNCOMPILED = "PYTHONDONTWRITEBYTECODE"
TICKS = os.sysconf("SC_CLK_TCK")


class NotReady(LaserboardError, RuntimeError):
    """The program did not come up."""


@dataclass(frozen=True)
class Start:
    """One start: wall and CPU time until it was ready, and memory some seconds later."""

    wall_s: float
    cpu_s: float
    own_mib: float = 0.0
    children_mib: float = 0.0
    children: int = 0


class Bench:
    """The same program again and again, with the import in between."""

    def __init__(self, clock: Clock, board: str = BOARD) -> None:
        self._clock, self._board = clock, board
        self._compiled: Path

    @property
    def _environment(self) -> dict[str, str]:
        """Modules are compiled once, as pip does when it installs them; that is not measured."""
        usual = {name: value for name, value in os.environ.items() if name != UNCOMPILED}
        return {**usual, "PYTHONPYCACHEPREFIX": str(self._compiled)}

    def lines(self, rounds: int = ROUNDS, settle_s: float = SETTLE_S) -> Iterator[str]:
        yield (
            f"`laserboard play` on {self._board} with its page, from its start to READY=1, {rounds}"
            f" times, by turns with `python -c '{IMPORTS}'`; memory {settle_s:g} s later"
        )
        starts, imports = [], []
        with TemporaryDirectory() as folder:
            self._compiled = Path(folder) / "compiled"
            game = fitted(load_board_file(self._board).board).game
            film_s = PATIENCE_S + settle_s
            camera = asyncio.run(filmed(Path(folder) / "pictures", self._board, game, film_s))
            self._import()
            self._start(Path(folder) / "compiling", camera, 0.0)
            for number in range(rounds):
                imports.append(self._import())
                starts.append(self._start(Path(folder) / str(number), camera, settle_s))
        yield from report(starts, imports)

    def _import(self) -> Start:
        begun_ms, before_s = self._clock.now_ms(), _children_cpu_s()
        subprocess.run([sys.executable, "-c", IMPORTS], check=True, env=self._environment)
        return Start((self._clock.now_ms() - begun_ms) / 1000, _children_cpu_s() - before_s)

    def _start(self, folder: Path, camera: str, settle_s: float) -> Start:
        folder.mkdir()
        with _listening(folder / "notify") as line:
            begun_ms = self._clock.now_ms()
            with self._program(folder, camera) as program:
                self._ready(line, program)
                wall_s = (self._clock.now_ms() - begun_ms) / 1000
                cpu_s = _cpu_s(program.pid)
                self._ask(folder / "said")
                self._clock.wait_ms(1000 * settle_s)
                children = _children(program.pid)
                return Start(
                    wall_s,
                    cpu_s,
                    _resident_mib(program.pid),
                    sum(map(_resident_mib, children)),
                    len(children),
                )

    @contextmanager
    def _program(self, folder: Path, camera: str) -> Iterator[subprocess.Popen[bytes]]:
        given = ("play", "--board", self._board, "--camera", camera, "--leds", "memory://")
        with (folder / "said").open("wb") as said:
            program = subprocess.Popen(
                [sys.executable, "-m", "controller.cli.main", *given, "--page", "--port", "0"],
                env={
                    **self._environment,
                    "NOTIFY_SOCKET": str(folder / "notify"),
                    "XDG_DATA_HOME": str(folder),
                    "PYTHONUNBUFFERED": "1",
                },
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
            )
        try:
            yield program
        finally:
            program.terminate()
            try:
                program.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                program.kill()
                program.wait()

    def _ready(self, line: socket.socket, program: subprocess.Popen[bytes]) -> None:
        end_ms = self._clock.now_ms() + 1000 * PATIENCE_S
        while program.poll() is None and self._clock.now_ms() < end_ms:
            with suppress(TimeoutError):
                if b"READY=1" in line.recv(4096).split(b"\n"):
                    return
        raise NotReady(f"the program is not ready; it ended with {program.poll()}")

    def _ask(self, said: Path) -> None:
        """What a browser asks first."""
        found = re.search(r"http://127\.0\.0\.1:([0-9]+)/", said.read_text())
        if found is None:
            raise NotReady("the program names no page")
        line = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=PATIENCE_S)
        line.request("GET", "/")
        answer = line.getresponse()
        answer.read()
        line.close()
        if answer.status != http.client.OK:
            raise NotReady(f"the page answers {answer.status}")


def report(starts: Sequence[Start], imports: Sequence[Start]) -> Iterator[str]:
    """The numbers, with their ratios and the goals."""
    yield "| until ready, s | laserboard | the import alone | ratio |"
    yield "|---|---|---|---|"
    for what, own, other in (
        ("median", _median(starts, "wall_s"), _median(imports, "wall_s")),
        ("most", max(each.wall_s for each in starts), max(each.wall_s for each in imports)),
        ("CPU, median", _median(starts, "cpu_s"), _median(imports, "cpu_s")),
    ):
        yield f"| {what} | {own:.2f} | {other:.2f} | {own / other:.2f} |"
    wall_s, mib = max(each.wall_s for each in starts), max(each.own_mib for each in starts)
    yield f"longest start: {wall_s:.2f} s (goal: {GOAL_S:g}): {_verdict(wall_s <= GOAL_S)}"
    yield f"resident memory: {mib:.0f} MiB (goal: {GOAL_MIB}): {_verdict(mib <= GOAL_MIB)}"
    most = max(starts, key=lambda each: each.children_mib)
    yield f"its children, {most.children} of them: {most.children_mib:.0f} MiB"


def _verdict(met: bool) -> str:
    return "met" if met else "NOT met"


def _median(starts: Sequence[Start], name: str) -> float:
    return float(median(getattr(each, name) for each in starts))


@contextmanager
def _listening(place: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(place))
        line.settimeout(0.5)
        yield line


def _children_cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _cpu_s(pid: int) -> float:
    """Of a process that runs; fields 14 and 15 of proc(5)'s stat, after its name in brackets."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def _children(pid: int) -> list[int]:
    """Of all generations."""
    found: list[int] = []
    for thread in Path(f"/proc/{pid}/task").iterdir():
        for child in map(int, (thread / "children").read_text().split()):
            found += [child, *_children(child)]
    return found


def _resident_mib(pid: int) -> float:
    told = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(told[1]) / 1024 if told else 0.0
