"""Protocols of the devices and the values they exchange; `controller.devices` implements them.

No method blocks, except `Clock.wait_ms` and the `wait` methods. `events()` returns the events
since its last call.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from controller.ports.events import DeviceEvent, JournalEvent, PlayerEvent, Pressed, Signal
from engine.errors import LaserboardError
from engine.sentences import Sentence

if TYPE_CHECKING:  # slow to load, and most commands need no images
    import numpy as np
    import numpy.typing as npt

Pixels: TypeAlias = "npt.NDArray[np.uint8]"

# The order in which LEDs expect their colours, with the numbers of the wire protocol.
COLOR_ORDERS = {"RGB": 0, "GRB": 1, "BRG": 2, "RBG": 3, "GBR": 4, "BGR": 5}


class Clock(Protocol):
    """The source of time. No other code reads the system's clock or sleeps."""

    def now_ms(self) -> float:
        """Milliseconds since a fixed moment; monotonic."""

    def wait_ms(self, duration_ms: float) -> None:
        """Block for that time."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One image. Its arrays are read-only, because threads share them."""

    grey: Pixels = field(repr=False)  # height x width
    at_ms: float  # time of capture, as exactly as the device knows it
    number: int  # counts up from 1, also across a loss of the camera
    # height x width x 3; None if the device has no colour image
    bgr: Pixels | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class CameraDetails:
    """The settings that a camera has accepted; they may differ from the requested ones."""

    width: int
    height: int
    fps: float | None  # as the camera reports it; None without a rate of its own
    exposure_locked: bool | None = None  # None: the camera has no such setting
    white_balance_locked: bool | None = None
    remarks: tuple[Sentence, ...] = ()  # settings that the camera did not accept


@dataclass(frozen=True, slots=True)
class DetectedCamera:
    """A camera found on this machine."""

    url: str
    name: str
    trouble: Sentence | None = None  # the reason if it cannot be used


class Camera(Protocol):
    """Delivers the newest frame; older ones are dropped."""

    @property
    def name(self) -> str:
        """The camera's name in sentences: its URL without options."""

    def latest(self) -> Frame | None:
        """The newest frame; None before the first."""

    def wait(self, after: int, timeout_ms: float) -> Frame | None:
        """Wait for a frame with a number above `after`, and return the newest.

        None after the timeout, when the camera is closed, and as soon as there is an event.
        """

    def events(self) -> list[DeviceEvent]: ...

    def details(self) -> CameraDetails | None:
        """The accepted settings; None if the camera was never open."""

    def close(self) -> None:
        """Stop reading; may be called again."""


@dataclass(frozen=True, slots=True)
class LedStats:
    """Counters of a matrix since it was opened."""

    shown: int = 0  # calls of `show`
    acknowledged: int = 0  # of those: confirmed, or just sent if the matrix never confirms
    skipped: int = 0  # of those: replaced by a newer picture before they were sent
    retries: int = 0  # messages sent again
    refused: int = 0  # messages that the matrix rejected
    unanswered: int = 0  # messages given up after all retries
    losses: int = 0  # of the connection
    restarts: int = 0  # of the matrix
    latency_ms: float = 0.0  # from `show` to the confirmation; average of the last few

    @property
    def pending(self) -> int:
        return self.shown - self.acknowledged - self.skipped


@dataclass(frozen=True, slots=True)
class DetectedPort:
    """A serial port found on this machine."""

    path: str
    is_laserboard: bool  # our firmware answers there
    reply: Sentence  # its answer, or why there is none


@dataclass(frozen=True, slots=True)
class MatrixDetails:
    """The description that a matrix sends of itself."""

    leds: int
    acknowledges: bool  # it confirms every picture
    description: Sentence  # "Laserboard firmware 0.1.0 on board 0102030405060708"


class LedMatrix(Protocol):
    """Shows the newest picture; drops older ones that are not sent yet.

    A picture is an array of LEDs x 3 bytes (r, g, b), ready to be sent: gamma, brightness and
    the current limit are done (`controller.lighting.output`).
    """

    @property
    def name(self) -> str:
        """The matrix's name in sentences: its URL without options."""

    def show(self, picture: Pixels) -> int:
        """Queue a picture; returns its number, counting up from 1."""

    def wait(self, number: int, timeout_ms: float) -> bool:
        """Wait until the picture of that number, or a newer one, is shown; False if not."""

    def shown(self) -> Pixels | None:
        """The last picture that the matrix confirmed; None before the first, or when dark."""

    def events(self) -> list[DeviceEvent]: ...

    def details(self) -> MatrixDetails | None:
        """The matrix's description; None if it was never reached."""

    def stats(self) -> LedStats: ...

    def close(self) -> None:
        """Switch the LEDs off if they can be reached, and close; may be called again."""


class Buttons(Protocol):
    """A set of buttons: switches, keys or a network connection."""

    @property
    def name(self) -> str: ...

    @property
    def names(self) -> tuple[str, ...]:
        """The buttons of this set."""

    @property
    def hint(self) -> str | Sentence:
        """How to press them, for people; empty if that is obvious."""

    def pressed(self) -> list[Pressed]:
        """All presses since the last call, in order. A long press comes once, when it is long."""

    def events(self) -> list[DeviceEvent]: ...

    def close(self) -> None: ...


class Speaker(Protocol):
    """A status lamp and a buzzer."""

    @property
    def name(self) -> str: ...

    def play_signal(self, signal: Signal) -> None: ...

    def events(self) -> list[DeviceEvent]: ...

    def close(self) -> None: ...


class BadJournal(LaserboardError, OSError):
    """A journal cannot be opened; the message says what to do."""


class JournalExists(BadJournal):
    """A new journal cannot be created: the file exists."""


class Journal(Protocol):
    """Stores entries in order. `write` only queues; `Written` reports that an entry is on disk."""

    @property
    def name(self) -> str:
        """The path of its file."""

    @property
    def last_requested(self) -> int:
        """The number of the newest entry passed to `write`."""

    @property
    def last_hash(self) -> str:
        """The hash of the newest entry on disk; empty without one. Entries are chained, so it
        covers all earlier ones."""

    def write(self, kind: str, body: Mapping[str, Any], at_ms: float) -> int:
        """Queue an entry; returns its number, counting up from 1. The body is JSON."""

    def events(self) -> list[JournalEvent]: ...

    def wait(self, number: int, timeout_ms: float) -> bool:
        """Wait until the entry is on disk; False after the timeout or when writing fails."""

    def retry(self) -> None:
        """Write the failed entry and those behind it again; does nothing if none has failed."""

    def close(self) -> None:
        """Write the queued entries, if possible, and close the file; may be called again."""


@dataclass(frozen=True, slots=True)
class MoveQuestion:
    """A position, in the game's notation, for which a computer player is to choose a move."""

    game: str
    position: str
    moves: tuple[str, ...] = ()  # played from `position`; needed to detect repetitions
    options: Mapping[str, Any] = field(default_factory=dict)
    level: int | None = None  # None: as strong as the limits below allow
    depth: int | None = None
    time_limit_s: float | None = None
    seed: int = 0
    player: int | None = None  # the player to answer for, if several move simultaneously
    nodes: int | None = None
    soft_limit_s: float | None = None  # no new iteration after it; None: use all `time_limit_s`
    search_core: str | None = None  # one of `engine.search.CORES`; None: the best available


class MoveChooser(Protocol):
    """Chooses moves in another thread or process, for one question at a time.

    Every question gets one event, unless it is stopped or replaced by the next.
    """

    @property
    def name(self) -> str: ...

    def think(self, question: MoveQuestion) -> int:
        """Start thinking and drop the question before; returns a number, counting up from 1."""

    def stop(self) -> None:
        """Drop the question; it gets no event."""

    def events(self) -> list[PlayerEvent]: ...

    def close(self) -> None:
        """Stop thinking; may be called again."""


class Voice(Protocol):
    """Speaks sentences. A new one replaces those that are still queued."""

    @property
    def name(self) -> str: ...

    def say(self, sentence: Sentence) -> None: ...

    def events(self) -> list[DeviceEvent]: ...

    def close(self) -> None:
        """Stop speaking; may be called again."""
