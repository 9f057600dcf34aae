"""What a game of an event needs besides its devices: somebody who tells the hall of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from controller.ports import Clock, DeviceEvent, Journal

if TYPE_CHECKING:  # slow to load
    from controller.session_values import Session


class Herald(Protocol):
    """Tells of one game, elsewhere. Never blocks, and never stops a game."""

    page: str  # where others find the page of this game; empty: nowhere

    @property
    def name(self) -> str:
        """What to call it in a sentence: the broker, without secrets."""

    def show(self, session: Session) -> None:
        """The game as it is now; only the newest counts."""

    def events(self) -> list[DeviceEvent]:
        """What happened since this was last asked: remarks, never a loss."""

    def close(self) -> None:
        """Say goodbye, after what is still to be told; may be called again."""


OpenHerald = Callable[[Journal, Clock], Herald]  # for one game
