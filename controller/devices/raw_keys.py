"""The keys of a terminal one by one, or lines from anything else: a `controller.ports_keys.Keys`.

Whatever ends the program, the terminal is left as it was; Ctrl-Z puts it back until the program
goes on. Signals can be had in the main thread only.
"""

from __future__ import annotations

import atexit
import os
import re
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from controller.devices.character_mode import CharacterMode, Waiting
from controller.ports import Clock

ESCAPE_MS = 30.0  # what follows an escape sooner than that was sent by one key
LONGEST_LINE = 4096
_ESCAPE = "\x1b"
_BEGUN = re.compile(r"\x1b(\[[0-?]*[ -/]*|O)?")
_SEQUENCE = re.compile(r"\x1b(?:\[([0-?]*)[ -/]*([@-~])|O(.)|.)", re.DOTALL)
_FINALS = {
    "A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end", "M": "enter",
}  # fmt: skip
_NUMBERED = {"1": "home", "3": "delete", "4": "end", "7": "home", "8": "end"}
_CONTROLS = {
    "\r": "enter", "\n": "enter", "\t": "tab", " ": "space", "\x7f": "backspace",
    "\b": "backspace", "\x03": "ctrl-c", "\x04": "eof", "\x0c": "redraw",
}  # fmt: skip
# What a signal has for a handler: a function, one of the two numbers, or something not Python's.
_Before = Callable[[int, FrameType | None], Any] | int | None


class RawKeys:
    """Reads a file; `away` and `back` are called around a stop, `away` also at the end."""

    def __init__(
        self,
        file: int,
        clock: Clock,
        away: Callable[[], None] = lambda: None,
        back: Callable[[], None] = lambda: None,
    ) -> None:
        self.name = "keyboard://"
        self._clock, self._away, self._back = clock, away, back
        self._waiting, self._mode = Waiting(file), CharacterMode(file)
        self._terminal = self._mode.entered
        self._begun = ""  # an escape sequence or a line that has not ended
        self._begun_ms = 0.0
        self._ended = self._closed = False
        self._redraw = False
        self._before: dict[int, _Before] = {}
        if self._terminal:
            atexit.register(self.close)
            self._heed()

    @property
    def undecided(self) -> bool:
        """Whether an escape waits for what may follow: ask again, even if nothing comes."""
        return self._terminal and bool(self._begun)

    def pressed(self) -> list[str]:
        if self._ended:
            return []
        redraw, self._redraw = self._redraw, False
        text, end = self._waiting.read()
        keys = ["redraw"] if redraw else []
        keys += self._keys(text) if self._terminal else self._lines(text, last=end is not None)
        if end is not None and "eof" not in keys:
            keys.append("eof")
        if "eof" in keys:
            self._ended = True
            keys = keys[: keys.index("eof") + 1]
        return keys

    def close(self) -> None:
        if self._closed:
            return
        self._ended = self._closed = True
        if self._terminal:
            atexit.unregister(self.close)
            self._unheed()
            self._leave()

    # -- keys ----------------------------------------------------------------------------------

    def _keys(self, text: str) -> list[str]:
        now_ms = self._clock.now_ms()
        begun, self._begun = self._begun, ""
        keys: list[str] = []
        if begun and now_ms - self._begun_ms >= ESCAPE_MS and not _continues(begun, text):
            # It was the key itself, and then signs of their own.
            keys, begun = ["esc", *decoded(begun[1:])], ""
        waiting = begun + text
        cut = _unfinished(waiting)
        if cut < len(waiting):
            self._begun = waiting[cut:]
            self._begun_ms = now_ms if text else self._begun_ms
        return [*keys, *decoded(waiting[:cut])]

    def _lines(self, text: str, last: bool) -> list[str]:
        """Every line as if it were typed: with the slash, no sign of it acts before its end."""
        *lines, self._begun = (self._begun + text).split("\n")
        if last or len(self._begun) > LONGEST_LINE:
            lines.append(self._begun)
            self._begun = ""
        keys: list[str] = []
        for line in lines:
            if line.strip():
                keys += ["/", *decoded(line.strip()), "enter"]
        return keys

    # -- signals -------------------------------------------------------------------------------

    def _heed(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        for number, heeded in (
            (signal.SIGTERM, self._terminated),
            (signal.SIGHUP, self._terminated),
            (signal.SIGTSTP, self._stopped),
            (signal.SIGCONT, self._continued),
        ):
            before = signal.getsignal(number)
            if before is not signal.SIG_IGN:  # `nohup`, or a shell that stops nobody
                self._before[number] = before
                signal.signal(number, heeded)

    def _unheed(self) -> None:
        for number, before in self._before.items():
            ours = getattr(signal.getsignal(number), "__self__", None) is self
            if ours:  # else somebody else has come after us, and stays
                signal.signal(number, signal.SIG_DFL if before is None else before)
        self._before = {}

    def _terminated(self, number: int, _frame: FrameType | None) -> None:
        """The terminal first; then whatever would have happened without us."""
        self.close()
        os.kill(os.getpid(), number)

    def _stopped(self, number: int, _frame: FrameType | None) -> None:
        self._leave()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        # Here the program stands still until somebody lets it go on.
        signal.signal(number, self._stopped)
        self._return()

    def _continued(self, _number: int, _frame: FrameType | None) -> None:
        """Whoever stopped it may have changed the terminal, and the screen shows something else."""
        self._return()

    def _leave(self) -> None:
        self._mode.leave()
        self._away()

    def _return(self) -> None:
        if not self._closed:
            self._mode.leave()
            self._mode.enter()
            self._back()
            self._redraw = True


def decoded(text: str) -> Iterator[str]:
    """The names of keys; what is none of ours is left out."""
    at = 0
    while at < len(text):
        found = _SEQUENCE.match(text, at)
        if found is None:
            key = _CONTROLS.get(text[at], text[at])
            at += 1
        else:
            numbers, final, single = found.groups()
            key = _FINALS.get(final or single or "", "")
            if final == "~":
                key = _NUMBERED.get((numbers or "").partition(";")[0], "")
            at = found.end()
        if key == _ESCAPE:
            yield "esc"
        elif len(key) > 1 or (key and key.isprintable()):
            yield key


def _continues(begun: str, text: str) -> bool:
    """Whether text that comes late, over a slow line maybe, still belongs to a sequence."""
    return bool(text) and (begun != _ESCAPE or text[0] in "[O")


def _unfinished(text: str) -> int:
    """Where an escape sequence begins that has not ended; the length if there is none."""
    at = text.rfind(_ESCAPE)
    if at >= 0 and _BEGUN.fullmatch(text, at):
        return at
    return len(text)
