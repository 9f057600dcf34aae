"""Options of a table: devices, page and publisher. `cli/` builds them from parsed arguments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from controller.table.loop import OpenPublisher
    from controller.table.plan import GamePlan

SHOWN_PACE_S = 0.6  # least time of a round of programs, if a screen or a board shows the match
PublisherFor: TypeAlias = "Callable[[GamePlan], OpenPublisher | None]"


@dataclass(frozen=True, slots=True)
class PageOptions:
    """Options of the page: its address, and the delay for spectators."""

    lan: bool = False
    port: int | None = None  # None: the usual port, or any free one
    delay_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class DeviceOptions:
    """Devices by URL; None: as the board file says."""

    camera: str | None = None
    leds: str | None = None
    buttons: str | None = None
    speaker: str | None = None
    voice: str | None = None


def _no_publisher(_: GamePlan) -> OpenPublisher | None:
    return None


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """The options of a table: its devices, its page (None: no page), and its publisher."""

    devices: DeviceOptions = field(default_factory=DeviceOptions)
    page: PageOptions | None = None
    publisher_for: PublisherFor = _no_publisher
