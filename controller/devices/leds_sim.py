"""`sim://`: the firmware's own C core behind a pty, with a bad cable and somebody to pull it.

The real serial driver opens the pty. Between the two, every frame in either direction may be
damaged, lost or late, drawn from a seeded generator. `SimulatedMatrix` is the world's side of it:
what the LEDs show, and hands to pull the plug or stop the chip.
"""

from __future__ import annotations

import contextlib
import os
import random
import select
import subprocess
import tempfile
import threading
import time
import tty
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from controller.devices.leds import LiveLeds, MatrixSettings
from controller.devices.leds_serial import PATIENCE_MS, SerialLink
from controller.devices.native_firmware import native_firmware
from controller.ports import Clock, Pixels

CHUNK = 65536
UNPLUGGED_S = 0.5  # how long somebody looks for the plug
POWER, WATCHDOG = 1, 3  # reset causes
CONTROL_S = 10.0
SOUND_MS = 2_000.0  # for an answer over a sound cable: only this machine may be slow


@dataclass(frozen=True, slots=True)
class Faults:
    """What a cable does to frames: how likely each of it is, and how long it stays plugged in."""

    drop: float = 0.0
    flip: float = 0.0  # one bit
    insert: float = 0.0  # one byte
    delay: float = 1.0  # by `lag_ms`
    lag_ms: float = 0.0
    unplug_every_s: float = 0.0  # 0: never


def patience_ms(faults: Faults) -> float:
    """How long an answer is waited for over such a cable, before its question is sent again."""
    return SOUND_MS if faults == Faults() else PATIENCE_MS


@dataclass(frozen=True, slots=True)
class Injected:
    """How often it did."""

    frames: int = 0
    dropped: int = 0
    flipped: int = 0
    inserted: int = 0
    delayed: int = 0
    unplugged: int = 0


@dataclass(slots=True)
class _Way:
    """One direction of the cable."""

    chance: random.Random
    begun: bytes = b""  # a frame without its end
    under_way: deque[tuple[float, bytes]] = field(default_factory=deque)  # due at, frame

    def clear(self) -> None:
        self.begun = b""
        self.under_way.clear()

    def due(self, now_s: float) -> bytes:
        """What arrives by now."""
        arrived = []
        while self.under_way and self.under_way[0][0] <= now_s:
            arrived.append(self.under_way.popleft()[1])
        return b"".join(arrived)


class SimulatedMatrix:
    """LEDs on a table that is not there."""

    def __init__(self, faults: Faults | None = None, seed: int = 0) -> None:
        self._faults = faults or Faults()
        self.injected = Injected()
        self._program = native_firmware()
        self._folder = tempfile.TemporaryDirectory(prefix="laserboard-")
        self.path = str(Path(self._folder.name) / "board")
        self._lock = threading.Lock()
        self._latched: Pixels | None = None
        self._latches = 0
        self._orders: deque[tuple[Callable[[], None], threading.Event]] = deque()
        self._wake_read, self._wake_write = os.pipe()
        # Only for the thread:
        self._to_board, self._to_host = (_Way(random.Random(f"{seed} {way}")) for way in (1, 2))
        self._plugged_s = 0.0  # since when
        self._plug_in_s = float("inf")  # when somebody will have found the plug
        self._master = self._slave = -1
        self._boots = 0
        self._board: subprocess.Popen[bytes] | None = None
        self._pixels, self._record = -1, b""
        self._over = False
        self._plug_in()
        self._thread = threading.Thread(target=self._run, name="simulated LEDs", daemon=True)
        self._thread.start()

    @property
    def faults(self) -> Faults:
        return self._faults

    @faults.setter
    def faults(self, faults: Faults) -> None:
        def change() -> None:
            self._faults = faults

        self._order(change)

    @property
    def plugged_in(self) -> bool:
        return self._master >= 0

    def latched(self) -> Pixels | None:
        """What the firmware last put into its LEDs; None: it never did."""
        with self._lock:
            return self._latched

    @property
    def latches(self) -> int:
        """How often it did."""
        with self._lock:
            return self._latches

    def kill(self) -> None:
        """The chip stops; the cable stays."""
        self._order(self._stop)

    def restart(self) -> None:
        """The chip starts anew, as its watchdog does it."""

        def again() -> None:
            self._stop()
            self._start(WATCHDOG)

        self._order(again)

    def unplug(self) -> None:
        """The cable is pulled, and with it goes the chip's power."""
        self._order(self._unplug)

    def plug_in(self) -> None:
        """At the same name as before."""
        self._order(self._plug_in)

    def close(self) -> None:
        if self._over:
            return
        self._order(self._end)
        self._thread.join(CONTROL_S)
        os.close(self._wake_write)
        os.close(self._wake_read)
        self._folder.cleanup()

    def _order(self, action: Callable[[], None]) -> None:
        """Have the thread do it: it alone touches the descriptors."""
        if self._over:
            return
        done = threading.Event()
        self._orders.append((action, done))
        os.write(self._wake_write, b"!")
        done.wait(CONTROL_S)

    # --- the thread ---------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._over:
            ready = self._wait()
            if self._wake_read in ready:
                os.read(self._wake_read, CHUNK)
                while self._orders:
                    action, done = self._orders.popleft()
                    action()
                    done.set()
                continue
            self._pull_and_plug()
            if self._master in ready:
                self._damage(self._to_board, _read(self._master))
            if self._board is not None and self._board.stdout is not None:
                told = b""
                if self._board.stdout.fileno() in ready:
                    told = _read(self._board.stdout.fileno())
                    if not told:
                        self._stop()
                # First the LEDs, then the answer: who hears it may look at them.
                self._look()
                self._damage(self._to_host, told)
            self._deliver()

    def _wait(self) -> list[int]:
        """The descriptors that have something to read, once there are any or time is up."""
        watched = [self._wake_read]
        if self._master >= 0:
            watched.append(self._master)
        if self._board is not None and self._board.stdout is not None:
            watched += [self._board.stdout.fileno(), self._pixels]
        due_s = min(
            self._unplug_s(),
            self._plug_in_s,
            *(way.under_way[0][0] for way in (self._to_board, self._to_host) if way.under_way),
        )
        left_s = max(0.0, due_s - time.monotonic())
        poll = select.poll()
        for fd in watched:
            poll.register(fd, select.POLLIN)
        return [fd for fd, _ in poll.poll(None if left_s == float("inf") else left_s * 1000)]

    def _damage(self, way: _Way, came: bytes) -> None:
        *frames, way.begun = (way.begun + came).split(b"\0")
        faults, chance = self._faults, way.chance
        for body in frames:
            frame = bytearray(body + b"\0")
            dropped, flipped, inserted, delayed = (
                chance.random() < likely
                for likely in (faults.drop, faults.flip, faults.insert, faults.delay)
            )
            delayed = delayed and faults.lag_ms > 0
            if flipped:
                frame[chance.randrange(len(frame))] ^= 1 << chance.randrange(8)
            if inserted:
                frame.insert(chance.randrange(len(frame) + 1), chance.randrange(256))
            due_s = time.monotonic() + (faults.lag_ms / 1000 if delayed else 0)
            if way.under_way:  # nothing overtakes on a cable
                due_s = max(due_s, way.under_way[-1][0])
            if not dropped:
                way.under_way.append((due_s, bytes(frame)))
            self._count(
                frames=1, dropped=dropped, flipped=flipped, inserted=inserted, delayed=delayed
            )

    def _deliver(self) -> None:
        now_s = time.monotonic()
        for_board, for_host = self._to_board.due(now_s), self._to_host.due(now_s)
        if for_board and self._board is not None and self._board.stdin is not None:
            with contextlib.suppress(OSError):  # it has died: the bytes go nowhere
                os.write(self._board.stdin.fileno(), for_board)
        if for_host and self._master >= 0:
            with contextlib.suppress(OSError):  # nobody reads: as on a wire, they are lost
                os.write(self._master, for_host)

    def _look(self) -> None:
        """What is in the LEDs: records of a count and r, g, b for each."""
        while came := _read(self._pixels):
            self._record += came
        while len(self._record) >= 2:
            size = 2 + 3 * int.from_bytes(self._record[:2], "little")
            if len(self._record) < size:
                break
            pixels = np.frombuffer(self._record[2:size], np.uint8).reshape(-1, 3)
            self._record = self._record[size:]
            with self._lock:
                self._latched = pixels  # read-only, since bytes are
                self._latches += 1

    def _unplug_s(self) -> float:
        """When the cable comes loose by itself."""
        every_s = self._faults.unplug_every_s
        return self._plugged_s + every_s if every_s and self._master >= 0 else float("inf")

    def _pull_and_plug(self) -> None:
        now_s = time.monotonic()
        if now_s >= self._unplug_s():
            self._unplug()
            self._plug_in_s = now_s + UNPLUGGED_S
        elif now_s >= self._plug_in_s:
            self._plug_in()

    def _plug_in(self) -> None:
        if self._master >= 0:
            return
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        Path(self.path).symlink_to(os.ttyname(self._slave))
        self._plugged_s, self._plug_in_s = time.monotonic(), float("inf")
        self._start(POWER)

    def _unplug(self) -> None:
        if self._master < 0:
            return
        self._stop()
        Path(self.path).unlink()
        os.close(self._master)
        os.close(self._slave)
        self._master = self._slave = -1
        self._count(unplugged=1)

    def _start(self, cause: int) -> None:
        self._boots += 1
        self._pixels, pixels = os.pipe()
        os.set_blocking(self._pixels, False)
        self._record = b""
        numbers = {"pixels": pixels, "boots": self._boots, "cause": cause}
        options = [f"--{name}={value}" for name, value in numbers.items()]
        self._board = subprocess.Popen(
            [str(self._program), *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            pass_fds=(pixels,),
        )
        os.close(pixels)

    def _stop(self) -> None:
        board, self._board = self._board, None
        self._to_board.clear()
        self._to_host.clear()
        if board is None:
            return
        board.kill()
        board.wait()
        self._look()
        for end in (board.stdin, board.stdout):
            if end is not None:
                end.close()
        os.close(self._pixels)

    def _end(self) -> None:
        self._unplug()
        self._over = True

    def _count(self, **more: int) -> None:
        counted = {key: getattr(self.injected, key) + by for key, by in more.items()}
        self.injected = replace(self.injected, **counted)


class SimulatedLeds(LiveLeds):
    """The real driver on a simulated matrix."""

    link: SerialLink

    def __init__(
        self,
        matrix: SimulatedMatrix,
        settings: MatrixSettings,
        clock: Clock,
        patience_ms: float = PATIENCE_MS,
    ) -> None:
        self.matrix = matrix
        link = SerialLink(matrix.path, settings, name="sim://", patience_ms=patience_ms)
        super().__init__(link, clock)

    def change_cable(self, faults: Faults) -> None:
        """For one that does this to frames."""
        self.link.be_patient(patience_ms(faults))
        self.matrix.faults = faults

    def close(self) -> None:
        super().close()
        self.matrix.close()


def _read(fd: int) -> bytes:
    """What is there; nothing at the end, or if nothing is there."""
    try:
        return os.read(fd, CHUNK)
    except OSError:
        return b""
