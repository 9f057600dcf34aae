"""Protocol of a keyboard; `controller.devices.keyboard` implements it."""

from __future__ import annotations

from typing import Protocol


class Keys(Protocol):
    """A keyboard that reports every key as soon as it is pressed."""

    @property
    def name(self) -> str: ...

    def pressed(self) -> list[str]:
        """All keys since the last call, in order. Does not block.

        A printable character is itself. Others are `up`, `down`, `left`, `right`, `home`,
        `end`, `delete`, `enter`, `space`, `tab`, `backspace`, `esc`, `ctrl-c`; `redraw` asks to
        redraw the whole screen, and `eof` comes once, after the last key.
        """

    def close(self) -> None:
        """Restore the terminal's settings; may be called again."""
