"""`sim://`: the firmware's own C core behind a pty, with an unreliable cable.

The real serial driver opens the pty. A seeded generator damages, drops or delays frames in both
directions. `SimulatedMatrix` is the outside view: the LEDs, the plug and the chip.
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

from controller.devices.leds.live import LiveLeds, MatrixSettings
from controller.devices.leds.native_firmware import build_native_firmware
from controller.devices.leds.serial_link import ANSWER_TIMEOUT_MS, SerialLink
from controller.ports.devices import Clock, Pixels

READ_BYTES = 65536
UNPLUGGED_S = 0.5  # until a loose plug is back
RESET_POWER, RESET_WATCHDOG = 1, 3  # reset causes
COMMAND_TIMEOUT_S = 10.0
HEALTHY_TIMEOUT_MS = 2_000.0  # without faults only a busy machine delays an answer


@dataclass(frozen=True, slots=True)
class CableFaults:
    """Probability of each fault for a frame, and how often the plug comes loose."""

    drop: float = 0.0
    flip: float = 0.0  # flips one bit
    insert: float = 0.0  # inserts one byte
    delay: float = 1.0  # delays by `lag_ms`
    lag_ms: float = 0.0
    unplug_every_s: float = 0.0  # 0: never


def timeout_for_cable_ms(faults: CableFaults) -> float:
    """The answer timeout of the driver for such a cable."""
    return HEALTHY_TIMEOUT_MS if faults == CableFaults() else ANSWER_TIMEOUT_MS


@dataclass(frozen=True, slots=True)
class InjectedFaults:
    """Counts of frames and faults."""

    frames: int = 0
    dropped: int = 0
    flipped: int = 0
    inserted: int = 0
    delayed: int = 0
    unplugged: int = 0


@dataclass(slots=True)
class _CableDirection:
    """One direction of the cable."""

    rng: random.Random
    partial_frame: bytes = b""  # up to the next zero
    in_flight: deque[tuple[float, bytes]] = field(default_factory=deque)  # due time, frame

    def clear(self) -> None:
        self.partial_frame = b""
        self.in_flight.clear()

    def take_due(self, now_s: float) -> bytes:
        """Remove and return the frames that are due."""
        arrived = []
        while self.in_flight and self.in_flight[0][0] <= now_s:
            arrived.append(self.in_flight.popleft()[1])
        return b"".join(arrived)


class SimulatedMatrix:
    """Simulated LEDs, driven by the firmware in a process."""

    def __init__(self, faults: CableFaults | None = None, seed: int = 0) -> None:
        self._faults = faults or CableFaults()
        self.injected = InjectedFaults()
        self._program = build_native_firmware()
        self._folder = tempfile.TemporaryDirectory(prefix="laserboard-")
        self.path = str(Path(self._folder.name) / "board")
        self._lock = threading.Lock()
        self._latched: Pixels | None = None
        self._commands: deque[tuple[Callable[[], None], threading.Event]] = deque()
        self._wake_read, self._wake_write = os.pipe()
        # Used by the thread only:
        self._to_board, self._to_host = (
            _CableDirection(random.Random(f"{seed} {way}")) for way in (1, 2)
        )
        self._plugged_since_s = 0.0
        self._plug_in_due_s = float("inf")
        self._master = self._slave = -1
        self._boots = 0
        self._board: subprocess.Popen[bytes] | None = None
        self._pixel_fd, self._pixel_buffer = -1, b""
        self._closed = False
        self._plug_in()
        self._thread = threading.Thread(target=self._run, name="simulated LEDs", daemon=True)
        self._thread.start()

    @property
    def faults(self) -> CableFaults:
        return self._faults

    @faults.setter
    def faults(self, faults: CableFaults) -> None:
        def change() -> None:
            self._faults = faults

        self._run_on_thread(change)

    @property
    def plugged_in(self) -> bool:
        return self._master >= 0

    def latched(self) -> Pixels | None:
        """The last picture that the firmware latched; None before the first."""
        with self._lock:
            return self._latched

    def kill(self) -> None:
        """Stop the firmware; the cable stays plugged in."""
        self._run_on_thread(self._stop_firmware)

    def restart(self) -> None:
        """Restart the firmware, as the chip's watchdog does."""

        def again() -> None:
            self._stop_firmware()
            self._start_firmware(RESET_WATCHDOG)

        self._run_on_thread(again)

    def unplug(self) -> None:
        """Pull the cable: the firmware loses its power."""
        self._run_on_thread(self._unplug)

    def plug_in(self) -> None:
        """Plug the cable in again, under the same path."""
        self._run_on_thread(self._plug_in)

    def close(self) -> None:
        if self._closed:
            return
        self._run_on_thread(self._shut_down)
        self._thread.join(COMMAND_TIMEOUT_S)
        os.close(self._wake_write)
        os.close(self._wake_read)
        self._folder.cleanup()

    def _run_on_thread(self, action: Callable[[], None]) -> None:
        """Run an action in the thread, which owns the file descriptors."""
        if self._closed:
            return
        done = threading.Event()
        self._commands.append((action, done))
        os.write(self._wake_write, b"!")
        done.wait(COMMAND_TIMEOUT_S)

    # --- the thread ---------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._closed:
            ready = self._wait()
            if self._wake_read in ready:
                os.read(self._wake_read, READ_BYTES)
                while self._commands:
                    action, done = self._commands.popleft()
                    action()
                    done.set()
                continue
            self._apply_cable_schedule()
            if self._master in ready:
                self._transmit(self._to_board, _read_available(self._master))
            if self._board is not None and self._board.stdout is not None:
                received = b""
                if self._board.stdout.fileno() in ready:
                    received = _read_available(self._board.stdout.fileno())
                    if not received:
                        self._stop_firmware()
                # Read the LEDs before the ACK goes out: its receiver may look at them.
                self._read_pixels()
                self._transmit(self._to_host, received)
            self._deliver()

    def _wait(self) -> list[int]:
        """Wait for input or the next due time; returns the readable descriptors."""
        watched = [self._wake_read]
        if self._master >= 0:
            watched.append(self._master)
        if self._board is not None and self._board.stdout is not None:
            watched += [self._board.stdout.fileno(), self._pixel_fd]
        due_s = min(
            self._unplug_due_s(),
            self._plug_in_due_s,
            *(way.in_flight[0][0] for way in (self._to_board, self._to_host) if way.in_flight),
        )
        left_s = max(0.0, due_s - time.monotonic())
        poll = select.poll()
        for fd in watched:
            poll.register(fd, select.POLLIN)
        return [fd for fd, _ in poll.poll(None if left_s == float("inf") else left_s * 1000)]

    def _transmit(self, way: _CableDirection, received: bytes) -> None:
        *frames, way.partial_frame = (way.partial_frame + received).split(b"\0")
        faults, rng = self._faults, way.rng
        for body in frames:
            frame = bytearray(body + b"\0")
            dropped, flipped, inserted, delayed = (
                rng.random() < likely
                for likely in (faults.drop, faults.flip, faults.insert, faults.delay)
            )
            delayed = delayed and faults.lag_ms > 0
            if flipped:
                frame[rng.randrange(len(frame))] ^= 1 << rng.randrange(8)
            if inserted:
                frame.insert(rng.randrange(len(frame) + 1), rng.randrange(256))
            due_s = time.monotonic() + (faults.lag_ms / 1000 if delayed else 0)
            if way.in_flight:  # frames keep their order
                due_s = max(due_s, way.in_flight[-1][0])
            if not dropped:
                way.in_flight.append((due_s, bytes(frame)))
            self._count(
                frames=1, dropped=dropped, flipped=flipped, inserted=inserted, delayed=delayed
            )

    def _deliver(self) -> None:
        now_s = time.monotonic()
        for_board, for_host = self._to_board.take_due(now_s), self._to_host.take_due(now_s)
        if for_board and self._board is not None and self._board.stdin is not None:
            with contextlib.suppress(OSError):  # the firmware has died: the bytes are lost
                os.write(self._board.stdin.fileno(), for_board)
        if for_host and self._master >= 0:
            with contextlib.suppress(OSError):  # no reader: the bytes are lost, as on a wire
                os.write(self._master, for_host)

    def _read_pixels(self) -> None:
        """Read latched pictures: records of a count and r, g, b for each LED."""
        while received := _read_available(self._pixel_fd):
            self._pixel_buffer += received
        while len(self._pixel_buffer) >= 2:
            size = 2 + 3 * int.from_bytes(self._pixel_buffer[:2], "little")
            if len(self._pixel_buffer) < size:
                break
            pixels = np.frombuffer(self._pixel_buffer[2:size], np.uint8).reshape(-1, 3)
            self._pixel_buffer = self._pixel_buffer[size:]
            with self._lock:
                self._latched = pixels  # read-only, because `bytes` are

    def _unplug_due_s(self) -> float:
        """When the plug comes loose by itself."""
        every_s = self._faults.unplug_every_s
        return self._plugged_since_s + every_s if every_s and self._master >= 0 else float("inf")

    def _apply_cable_schedule(self) -> None:
        now_s = time.monotonic()
        if now_s >= self._unplug_due_s():
            self._unplug()
            self._plug_in_due_s = now_s + UNPLUGGED_S
        elif now_s >= self._plug_in_due_s:
            self._plug_in()

    def _plug_in(self) -> None:
        if self._master >= 0:
            return
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        Path(self.path).symlink_to(os.ttyname(self._slave))
        self._plugged_since_s, self._plug_in_due_s = time.monotonic(), float("inf")
        self._start_firmware(RESET_POWER)

    def _unplug(self) -> None:
        if self._master < 0:
            return
        self._stop_firmware()
        Path(self.path).unlink()
        os.close(self._master)
        os.close(self._slave)
        self._master = self._slave = -1
        self._count(unplugged=1)

    def _start_firmware(self, cause: int) -> None:
        self._boots += 1
        self._pixel_fd, pixels = os.pipe()
        os.set_blocking(self._pixel_fd, False)
        self._pixel_buffer = b""
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

    def _stop_firmware(self) -> None:
        board, self._board = self._board, None
        self._to_board.clear()
        self._to_host.clear()
        if board is None:
            return
        board.kill()
        board.wait()
        self._read_pixels()
        for end in (board.stdin, board.stdout):
            if end is not None:
                end.close()
        os.close(self._pixel_fd)

    def _shut_down(self) -> None:
        self._unplug()
        self._closed = True

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
        answer_timeout_ms: float = ANSWER_TIMEOUT_MS,
    ) -> None:
        self.matrix = matrix
        link = SerialLink(matrix.path, settings, name="sim://", answer_timeout_ms=answer_timeout_ms)
        super().__init__(link, clock)

    def set_cable_faults(self, faults: CableFaults) -> None:
        """Replace the cable by one with these faults."""
        self.link.set_answer_timeout(timeout_for_cable_ms(faults))
        self.matrix.faults = faults

    def close(self) -> None:
        super().close()
        self.matrix.close()


def _read_available(fd: int) -> bytes:
    """The bytes available now; b"" at the end or if there are none."""
    try:
        return os.read(fd, READ_BYTES)
    except OSError:
        return b""
