"""The board reader's protocol: camera frames go in, observations of the board come out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from controller.ports.devices import Frame
from controller.ports.events import DeviceEvent
from engine.grid import Cell
from vision.observation import Observation

if TYPE_CHECKING:  # slow to load
    from vision.camera_pose import BoardLock


@dataclass(frozen=True)
class CapturedFrame:
    """One image and its reading. Frozen, so that another thread may draw it."""

    frame: Frame
    lock: BoardLock | None
    observation: Observation


class BoardReader(Protocol):
    """Reads the board from camera frames."""

    def read_events(self) -> list[Observed | DeviceEvent]:
        """Observations, and events of the camera, since the last call."""

    def pause(self, paused: bool) -> None:
        """Stop or resume reading; beams disturb it."""

    def set_context(self, lit_cells: frozenset[Cell], look_closer: bool) -> None:
        """Name the cells with lit LEDs, so that their light is not taken for a hand, and choose
        whether to read more thoroughly."""

    def last_frame(self) -> CapturedFrame | None:
        """The newest frame that was read; None before the first. Thread-safe."""

    def close(self) -> None: ...


@dataclass(frozen=True)
class Observed:
    """The camera's newest frame was read."""

    observation: Observation
    at_ms: float
