"""What was read in the newest picture, with the picture: for people who want to see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from controller.ports import Frame

if TYPE_CHECKING:  # slow to load
    from vision.observation import Observation
    from vision.solving import Lock


@dataclass(frozen=True)
class Glimpse:
    """One picture and its reading. Frozen, so that another thread may draw it."""

    frame: Frame
    lock: Lock | None
    seen: Observation
