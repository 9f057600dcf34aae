"""Measures start-up time and memory of a table with its page, from outside, as systemd sees it.

Runs `laserboard play` with a folder of images as its camera, which another process has rendered.
The program reports readiness at its first tick; then a first page request is made, and memory is
read while frames are processed. The baseline is importing OpenCV and numpy.
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

from controller.benchmarks.web import write_camera_folder
from controller.config.board_file import load_board_file
from controller.ports.devices import Clock
from controller.session.board_fit import fit_board
from engine.errors import LaserboardError

BOARD = "demo-10x8"
ROUNDS, SETTLE_S = 5, 5.0
GOAL_S, GOAL_MIB = 6.0, 150
TIMEOUT_S = 120.0
IMPORTS = "import cv2, numpy"
NO_BYTECODE_VARIABLE = "PYTHONDONTWRITEBYTECODE"
CLOCK_TICKS_HZ = os.sysconf("SC_CLK_TCK")


class NotReady(LaserboardError, RuntimeError):
    """The program did not start."""


@dataclass(frozen=True)
class StartupSample:
    """Wall and CPU time until ready, and memory some seconds later."""

    wall_s: float
    cpu_s: float
    own_mib: float = 0.0
    children_mib: float = 0.0
    children: int = 0


class StartupBenchmark:
    """Starts the program repeatedly, alternating with the baseline."""

    def __init__(self, clock: Clock, board: str = BOARD) -> None:
        self._clock, self._board = clock, board
        self._bytecode_folder: Path

    @property
    def _environment(self) -> dict[str, str]:
        """Modules are compiled in a first run, as pip does on installation, and not measured."""
        usual = {name: value for name, value in os.environ.items() if name != NO_BYTECODE_VARIABLE}
        return {**usual, "PYTHONPYCACHEPREFIX": str(self._bytecode_folder)}

    def report_lines(self, rounds: int = ROUNDS, settle_s: float = SETTLE_S) -> Iterator[str]:
        yield (
            f"`laserboard play` on {self._board} with its page, from its start to READY=1, {rounds}"
            f" times, by turns with `python -c '{IMPORTS}'`; memory {settle_s:g} s later"
        )
        starts, imports = [], []
        with TemporaryDirectory() as folder:
            self._bytecode_folder = Path(folder) / "compiled"
            game = fit_board(load_board_file(self._board).board).game
            camera_s = TIMEOUT_S + settle_s
            camera = asyncio.run(
                write_camera_folder(Path(folder) / "pictures", self._board, game, camera_s)
            )
            self._measure_import()
            self._measure_start(Path(folder) / "compiling", camera, 0.0)
            for number in range(rounds):
                imports.append(self._measure_import())
                starts.append(self._measure_start(Path(folder) / str(number), camera, settle_s))
        yield from report(starts, imports)

    def _measure_import(self) -> StartupSample:
        started_ms, before_s = self._clock.now_ms(), _children_cpu_s()
        subprocess.run([sys.executable, "-c", IMPORTS], check=True, env=self._environment)
        return StartupSample(
            (self._clock.now_ms() - started_ms) / 1000, _children_cpu_s() - before_s
        )

    def _measure_start(self, folder: Path, camera: str, settle_s: float) -> StartupSample:
        folder.mkdir()
        with _notify_socket(folder / "notify") as line:
            started_ms = self._clock.now_ms()
            with self._program(folder, camera) as program:
                self._wait_ready(line, program)
                wall_s = (self._clock.now_ms() - started_ms) / 1000
                cpu_s = _cpu_s(program.pid)
                self._request_page(folder / "output")
                self._clock.wait_ms(1000 * settle_s)
                children = _children(program.pid)
                return StartupSample(
                    wall_s,
                    cpu_s,
                    _resident_mib(program.pid),
                    sum(map(_resident_mib, children)),
                    len(children),
                )

    @contextmanager
    def _program(self, folder: Path, camera: str) -> Iterator[subprocess.Popen[bytes]]:
        arguments = ("play", "--board", self._board, "--camera", camera, "--leds", "memory://")
        with (folder / "output").open("wb") as output:
            program = subprocess.Popen(
                [sys.executable, "-m", "controller.cli.main", *arguments, "--page", "--port", "0"],
                env={
                    **self._environment,
                    "NOTIFY_SOCKET": str(folder / "notify"),
                    "XDG_DATA_HOME": str(folder),
                    "PYTHONUNBUFFERED": "1",
                },
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
        try:
            yield program
        finally:
            program.terminate()
            try:
                program.wait(TIMEOUT_S)
            except subprocess.TimeoutExpired:
                program.kill()
                program.wait()

    def _wait_ready(self, line: socket.socket, program: subprocess.Popen[bytes]) -> None:
        end_ms = self._clock.now_ms() + 1000 * TIMEOUT_S
        while program.poll() is None and self._clock.now_ms() < end_ms:
            with suppress(TimeoutError):
                if b"READY=1" in line.recv(4096).split(b"\n"):
                    return
        raise NotReady(f"the program is not ready; it ended with {program.poll()}")

    def _request_page(self, output: Path) -> None:
        """Request the page, as a browser does."""
        found = re.search(r"http://127\.0\.0\.1:([0-9]+)/", output.read_text())
        if found is None:
            raise NotReady("the program names no page")
        line = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=TIMEOUT_S)
        line.request("GET", "/")
        answer = line.getresponse()
        answer.read()
        line.close()
        if answer.status != http.client.OK:
            raise NotReady(f"the page answers {answer.status}")


def report(starts: Sequence[StartupSample], imports: Sequence[StartupSample]) -> Iterator[str]:
    """The measurements, with their ratios and goals."""
    yield "| until ready, s | laserboard | the import alone | ratio |"
    yield "|---|---|---|---|"
    for what, own, other in (
        ("median", _median(starts, "wall_s"), _median(imports, "wall_s")),
        ("most", max(each.wall_s for each in starts), max(each.wall_s for each in imports)),
        ("CPU, median", _median(starts, "cpu_s"), _median(imports, "cpu_s")),
    ):
        yield f"| {what} | {own:.2f} | {other:.2f} | {own / other:.2f} |"
    wall_s, mib = max(each.wall_s for each in starts), max(each.own_mib for each in starts)
    yield f"longest start: {wall_s:.2f} s (goal: {GOAL_S:g}): {_goal_word(wall_s <= GOAL_S)}"
    yield f"resident memory: {mib:.0f} MiB (goal: {GOAL_MIB}): {_goal_word(mib <= GOAL_MIB)}"
    most = max(starts, key=lambda each: each.children_mib)
    yield f"its children, {most.children} of them: {most.children_mib:.0f} MiB"


def _goal_word(met: bool) -> str:
    return "met" if met else "NOT met"


def _median(starts: Sequence[StartupSample], name: str) -> float:
    return float(median(getattr(each, name) for each in starts))


@contextmanager
def _notify_socket(place: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(place))
        line.settimeout(0.5)
        yield line


def _children_cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _cpu_s(pid: int) -> float:
    """CPU time of a running process: fields 14 and 15 of stat in proc(5), after the name in
    brackets."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / CLOCK_TICKS_HZ


def _children(pid: int) -> list[int]:
    """Child processes of all generations."""
    found: list[int] = []
    for thread in Path(f"/proc/{pid}/task").iterdir():
        for child in map(int, (thread / "children").read_text().split()):
            found += [child, *_children(child)]
    return found


def _resident_mib(pid: int) -> float:
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0
