"""What the controller needs of a keyboard, as a protocol; `controller.devices` implements it."""

from __future__ import annotations

from typing import Protocol


class Keys(Protocol):
    """Keys that somebody types, one by one, as soon as they are pressed."""

    @property
    def name(self) -> str: ...

    def pressed(self) -> list[str]:
        """Every key since this was last asked, in order, without waiting.

        A sign that can be printed is itself. Others are `up`, `down`, `left`, `right`, `home`,
        `end`, `delete`, `enter`, `space`, `tab`, `backspace`, `esc`, `ctrl-c`; `redraw` asks for
        the whole screen again, and `eof` comes once, when nothing else will.
        """

    def close(self) -> None:
        """Leave the terminal as it was; may be called again."""


class Supervisor(Protocol):
    """Starts the program with the machine, and starts it again when it hangs. Never blocks."""

    @property
    def is_heartbeat_due(self) -> bool:
        """Whether it is time for another sign of life."""

    def send_heartbeat(self, sentence: str) -> None:
        """A sign of life, with what people read now. The first says that all is ready."""

    def announce_stop(self, why: str) -> None:
        """The program ends."""
