"""A terminal that gives each key at once and shows none of them, and its way back."""

from __future__ import annotations

import codecs
import contextlib
import os
import select
from typing import Any

READ_BYTES = 4096
MOST_AT_ONCE = 4096  # whoever pipes without end is read bit by bit


class CharacterMode:
    """The mode of the terminal behind a file; nothing at all where there is none."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._before: list[Any] | None = None
        self.enter()

    @property
    def entered(self) -> bool:
        return self._before is not None

    def enter(self) -> None:
        if self._before is not None or not os.isatty(self._file):
            return
        import termios
        import tty

        self._before = termios.tcgetattr(self._file)
        # Ctrl-C goes on to work; nothing is waited for, and nothing typed is thrown away.
        tty.setcbreak(self._file, termios.TCSANOW)

    def leave(self) -> None:
        before, self._before = self._before, None
        if before is not None:
            import termios

            with contextlib.suppress(termios.error):  # the terminal is gone: nothing to restore
                termios.tcsetattr(self._file, termios.TCSANOW, before)


class Waiting:
    """The text that waits to be read from a file."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def read(self) -> tuple[str, str | None]:
        """What was typed since the last time, without waiting, and why nothing more will come."""
        text = ""
        try:
            while len(text) < MOST_AT_ONCE and select.select([self._file], [], [], 0)[0]:
                got = os.read(self._file, READ_BYTES)
                text += self._decoder.decode(got, final=not got)
                if not got:
                    return text, "the input has ended"
        except (OSError, ValueError) as bad:
            return text, f"cannot read the input: {bad}"
        return text, None
