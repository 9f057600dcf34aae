"""Cbreak mode of a terminal: keys are readable immediately and not echoed. Restores the mode."""

from __future__ import annotations

import codecs
import contextlib
import logging
import os
import select
from typing import Any

from controller.devices import sentences
from engine.sentences import Sentence

log = logging.getLogger(__name__)

READ_BYTES = 4096
MAX_CHARS_PER_READ = 4096  # limits the time of one call for an endless pipe


class CbreakMode:
    """Cbreak mode for a file, if it is a terminal; otherwise does nothing."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._saved_attributes: list[Any] | None = None
        self.enter()

    @property
    def is_active(self) -> bool:
        return self._saved_attributes is not None

    def enter(self) -> None:
        if self._saved_attributes is not None or not os.isatty(self._file):
            return
        import termios
        import tty

        self._saved_attributes = termios.tcgetattr(self._file)
        # TCSANOW keeps what is typed already. Ctrl-C still works in cbreak mode.
        tty.setcbreak(self._file, termios.TCSANOW)

    def leave(self) -> None:
        before, self._saved_attributes = self._saved_attributes, None
        if before is not None:
            import termios

            with contextlib.suppress(termios.error):  # the terminal is gone
                termios.tcsetattr(self._file, termios.TCSANOW, before)


class NonBlockingInput:
    """Reads text from a file without blocking."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def read(self) -> tuple[str, Sentence | None]:
        """The text available now, and the reason if the input has ended."""
        text = ""
        try:
            while len(text) < MAX_CHARS_PER_READ and select.select([self._file], [], [], 0)[0]:
                got = os.read(self._file, READ_BYTES)
                text += self._decoder.decode(got, final=not got)
                if not got:
                    return text, sentences.INPUT_ENDED()
        except (OSError, ValueError) as error:
            log.debug("cannot read the input", exc_info=True)
            return text, sentences.INPUT_UNREADABLE(reason=str(error))
        return text, None
