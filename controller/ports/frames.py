"""What was read in the newest picture, with the picture: for people who want to see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from controller.ports.devices import Frame

if TYPE_CHECKING:  # slow to load
    from vision.camera_pose import BoardLock
    from vision.observation import Observation
from typing import Protocol

from controller.ports.events import DeviceEvent
from engine.grid import Cell
from vision.observation import Observation


@dataclass(frozen=True)
class CapturedFrame:
    """One picture and its reading. Frozen, so that another thread may draw it."""

    frame: Frame
    lock: BoardLock | None
    observation: Observation


class BoardReader(Protocol):
    """Observations of the table, and what becomes of the camera."""

    def read_events(self) -> list[Observed | DeviceEvent]:
        """Everything since this was last asked."""

    def pause(self, paused: bool) -> None:
        """Whether nobody wants to see anything for now."""

    def set_context(self, lit_cells: frozenset[Cell], look_closer: bool) -> None:
        """These cells have light under them: that is no hand. And whether to look closer."""

    def last_frame(self) -> CapturedFrame | None:
        """The newest picture that was read; None before the first. From any thread."""

    def close(self) -> None: ...


@dataclass(frozen=True)
class Observed:
    """The camera's newest frame was read."""

    observation: Observation
    at_ms: float
