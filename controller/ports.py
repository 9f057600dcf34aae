"""What the controller needs of the world outside, as protocols; devices implement them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:  # slow to load, and most commands see no picture
    import numpy as np
    import numpy.typing as npt

Pixels: TypeAlias = "npt.NDArray[np.uint8]"


class Clock(Protocol):
    """Time as a value: nothing else in the program may look at a clock or wait."""

    def now_ms(self) -> float:
        """Milliseconds since some fixed moment; never goes back."""

    def wait_ms(self, duration_ms: float) -> None:
        """Let that much time pass."""


@dataclass(frozen=True, slots=True)
class DeviceLost:
    """A device does not answer any more. It is tried again, unless it is gone for good."""

    device: str
    reason: str
    at_ms: float
    for_good: bool = False  # a film that has ended, say: nothing more will come


@dataclass(frozen=True, slots=True)
class DeviceBack:
    """A device that was lost works again."""

    device: str
    at_ms: float


@dataclass(frozen=True, slots=True)
class DeviceRemark:
    """Something a person should know, but that stops nothing."""

    device: str
    sentence: str
    at_ms: float


DeviceEvent = DeviceLost | DeviceBack | DeviceRemark


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
class CameraFound:
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
