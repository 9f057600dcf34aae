"""What the controller needs of the world outside, as protocols; devices implement them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from controller.ports.events import DeviceEvent, JournalEvent, PlayerEvent, Pressed, Signal
from engine.errors import LaserboardError

if TYPE_CHECKING:  # slow to load, and most commands see no picture
    import numpy as np
    import numpy.typing as npt

Pixels: TypeAlias = "npt.NDArray[np.uint8]"

# What LEDs want first, second and third, with the numbers of the wire protocol.
COLOR_ORDERS = {"RGB": 0, "GRB": 1, "BRG": 2, "RBG": 3, "GBR": 4, "BGR": 5}


class Clock(Protocol):
    """Time as a value: nothing else in the program may look at a clock or wait."""

    def now_ms(self) -> float:
        """Milliseconds since some fixed moment; never goes back."""

    def wait_ms(self, duration_ms: float) -> None:
        """Let that much time pass."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture. Its arrays are shared between threads, so nobody can write to them."""

    grey: Pixels = field(repr=False)  # height x width
    at_ms: float  # when it was taken, or as near as the device can tell
    number: int  # counts up from 1 and goes on counting after a loss
    bgr: Pixels | None = field(
        default=None, repr=False
    )  # height x width x 3, where the device has it anyway


@dataclass(frozen=True, slots=True)
class CameraDetails:
    """What a camera really does, which need not be what it was asked for."""

    width: int
    height: int
    fps: float | None  # as it claims; None where the pace is not its own
    exposure_locked: bool | None = None  # None: there is nothing to lock
    white_balance_locked: bool | None = None
    remarks: tuple[str, ...] = ()  # what it did not accept


@dataclass(frozen=True, slots=True)
class DetectedCamera:
    """A camera that this machine has."""

    url: str
    name: str
    trouble: str = ""  # why it cannot be used as it is


class Camera(Protocol):
    """Gives the newest picture; older ones that nobody fetched are gone."""

    @property
    def name(self) -> str:
        """What to call it in a sentence: its URL without the options."""

    def latest(self) -> Frame | None:
        """The newest frame, at once; None before the first."""

    def wait(self, after: int, timeout_ms: float) -> Frame | None:
        """The newest frame with a number above `after`, once there is one.

        None when the time is up, when the camera is closed, and early when something happened
        that `events` tells.
        """

    def events(self) -> list[DeviceEvent]:
        """What happened since this was last asked."""

    def details(self) -> CameraDetails | None:
        """What the camera accepted; None while it was never open."""

    def close(self) -> None:
        """Stop reading, at once; may be called again."""


@dataclass(frozen=True, slots=True)
class LedStats:
    """What became of the pictures that were sent to a matrix since it was opened."""

    shown: int = 0  # pictures asked for
    acknowledged: int = 0  # of those: confirmed by the matrix, or sent where it never confirms
    skipped: int = 0  # overtaken by a newer one before they were sent
    retries: int = 0  # messages sent again
    refused: int = 0  # messages that the matrix said it could not use
    unanswered: int = 0  # messages given up
    losses: int = 0  # times the matrix was gone
    restarts: int = 0  # times it had started anew, whatever the reason
    latency_ms: float = 0.0  # from `show` to the answer, on average over the last few

    @property
    def pending(self) -> int:
        return self.shown - self.acknowledged - self.skipped


@dataclass(frozen=True, slots=True)
class DetectedPort:
    """A serial port that this machine has."""

    path: str
    is_laserboard: bool  # one of ours answers there
    reply: str  # what it said, or why it said nothing


@dataclass(frozen=True, slots=True)
class MatrixDetails:
    """What a matrix says of itself."""

    leds: int
    acknowledges: bool  # whether it confirms what it shows
    description: str  # "Laserboard firmware 0.1.0 on board 0102030405060708"


class LedMatrix(Protocol):
    """Shows the newest picture; older ones that were not sent yet are gone. Never blocks.

    A picture is an array of LEDs x 3 bytes (r, g, b), ready to be sent: gamma, brightness and
    the current limit are done (`controller.lighting.output`).
    """

    @property
    def name(self) -> str:
        """What to call it in a sentence: its URL without the options."""

    def show(self, picture: Pixels) -> int:
        """Ask for this picture, at once; its number, counting up from 1."""

    def wait(self, number: int, timeout_ms: float) -> bool:
        """Whether the picture of that number, or a newer one, is shown; waits for it so long."""

    def shown(self) -> Pixels | None:
        """The last picture that the matrix confirmed; None before the first, or when dark."""

    def events(self) -> list[DeviceEvent]:
        """What happened since this was last asked."""

    def details(self) -> MatrixDetails | None:
        """What it says of itself; None while it was never reached."""

    def stats(self) -> LedStats: ...

    def close(self) -> None:
        """Make it dark if it can be reached, and let it go; may be called again."""


class Buttons(Protocol):
    """What people press, whatever it is made of."""

    @property
    def name(self) -> str: ...

    @property
    def names(self) -> tuple[str, ...]:
        """Every button that can be pressed here."""

    @property
    def hint(self) -> str:
        """What a person must know to press them all; empty: nothing."""

    def pressed(self) -> list[Pressed]:
        """Every press since this was last asked, in order; a long press once, when it is long."""

    def events(self) -> list[DeviceEvent]: ...

    def close(self) -> None: ...


class Speaker(Protocol):
    """A status lamp and a buzzer; tells a signal and never blocks."""

    @property
    def name(self) -> str: ...

    def play_signal(self, signal: Signal) -> None: ...

    def events(self) -> list[DeviceEvent]: ...

    def close(self) -> None: ...


class BadJournal(LaserboardError, OSError):
    """A journal that cannot be opened, and what to do about it."""


class JournalExists(BadJournal):
    """There is a file already where a new journal was to be."""


class Journal(Protocol):
    """Keeps what happens, in order. Never blocks; what is asked for is done when events say so."""

    @property
    def name(self) -> str:
        """What to call it in a sentence: its file."""

    @property
    def last_requested(self) -> int:
        """The number of the newest entry that was asked for."""

    @property
    def last_hash(self) -> str:
        """The hash of the newest entry that is on the disk, which stands for all before it too;
        empty: there is none."""

    def write(self, kind: str, body: Mapping[str, Any], at_ms: float) -> int:
        """Ask for an entry, at once; its number, counting up from 1. The body is JSON."""

    def events(self) -> list[JournalEvent]:
        """What happened since this was last asked."""

    def wait(self, number: int, timeout_ms: float) -> bool:
        """Whether the entry of that number is on the disk; waits for it so long.

        False early when it cannot be written.
        """

    def retry(self) -> None:
        """Try the failed entry again, and then those behind it; nothing if none has failed."""

    def close(self) -> None:
        """Write what can be written and let the file go; may be called again."""


@dataclass(frozen=True, slots=True)
class MoveQuestion:
    """A position for the computer player to choose a move in, as its game writes them."""

    game: str
    position: str
    moves: tuple[str, ...] = ()  # played since, so that repetitions are known
    options: Mapping[str, Any] = field(default_factory=dict)
    level: int | None = None  # None: as strong as the limits below allow
    depth: int | None = None
    time_limit_s: float | None = None
    seed: int = 0
    player: int | None = None  # for whom, where several are to move
    nodes: int | None = None
    soft_limit_s: float | None = (
        None  # about when to begin nothing new; None: use all `time_limit_s`
    )
    search_core: str | None = None  # one of `engine.search.CORES`; None: the best there is


class Player(Protocol):
    """Thinks over one question at a time, elsewhere. Never blocks.

    Every question gets one event, except where it was stopped or replaced by the next.
    """

    @property
    def name(self) -> str: ...

    def think(self, question: MoveQuestion) -> int:
        """Ask, at once; the question's number, counting up from 1. The one before is dropped."""

    def stop(self) -> None:
        """Forget the question; nothing more is heard of it."""

    def events(self) -> list[PlayerEvent]:
        """What happened since this was last asked."""

    def close(self) -> None:
        """Stop thinking, at once; may be called again."""


class Voice(Protocol):
    """Says sentences aloud. Never blocks; the newest replaces what is not begun yet."""

    @property
    def name(self) -> str: ...

    def say(self, sentence: str) -> None: ...

    def events(self) -> list[DeviceEvent]: ...

    def close(self) -> None:
        """Be silent, at once; may be called again."""
