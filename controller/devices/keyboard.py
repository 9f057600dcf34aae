"""Keys of a terminal, or lines of a pipe, as a `controller.ports.keyboard.Keys`.

Restores the terminal at the end of the program, also by a signal, and while Ctrl-Z suspends it.
Signal handlers need the main thread.
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

from controller.devices.cbreak import CbreakMode, NonBlockingInput
from controller.ports.devices import Clock

ESCAPE_TIMEOUT_MS = 30.0  # characters that follow an escape sooner belong to its sequence
MAX_LINE_CHARS = 4096
_ESCAPE = "\x1b"
_PARTIAL_SEQUENCE = re.compile(r"\x1b(\[[0-?]*[ -/]*|O)?")
_SEQUENCE = re.compile(r"\x1b(?:\[([0-?]*)[ -/]*([@-~])|O(.)|.)", re.DOTALL)
_KEYS_BY_FINAL = {
    "A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end", "M": "enter",
}  # fmt: skip
_KEYS_BY_NUMBER = {"1": "home", "3": "delete", "4": "end", "7": "home", "8": "end"}
_KEYS_BY_CONTROL = {
    "\r": "enter", "\n": "enter", "\t": "tab", " ": "space", "\x7f": "backspace",
    "\b": "backspace", "\x03": "ctrl-c", "\x04": "eof", "\x0c": "redraw",
}  # fmt: skip
# A function, SIG_DFL or SIG_IGN, or None for a handler that Python did not install.
_SignalHandler = Callable[[int, FrameType | None], Any] | int | None


class TerminalKeys:
    """Reads keys from a file. Calls `on_suspend` before a stop and at the end."""

    def __init__(
        self,
        file: int,
        clock: Clock,
        on_suspend: Callable[[], None] = lambda: None,
        on_resume: Callable[[], None] = lambda: None,
    ) -> None:
        self.name = "keyboard://"
        self._clock, self._on_suspend, self._on_resume = clock, on_suspend, on_resume
        self._input, self._cbreak = NonBlockingInput(file), CbreakMode(file)
        self._is_terminal = self._cbreak.is_active
        self._partial = ""  # an incomplete escape sequence or line
        self._partial_since_ms = 0.0
        self._ended = self._closed = False
        self._redraw = False
        self._previous_handlers: dict[int, _SignalHandler] = {}
        if self._is_terminal:
            atexit.register(self.close)
            self._install_signal_handlers()

    @property
    def escape_pending(self) -> bool:
        """Whether a lone escape is undecided: call `pressed` again even without new input."""
        return self._is_terminal and bool(self._partial)

    def pressed(self) -> list[str]:
        if self._ended:
            return []
        redraw, self._redraw = self._redraw, False
        text, end = self._input.read()
        keys = ["redraw"] if redraw else []
        keys += (
            self._decode_input(text)
            if self._is_terminal
            else self._keys_of_lines(text, last=end is not None)
        )
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
        if self._is_terminal:
            atexit.unregister(self.close)
            self._restore_signal_handlers()
            self._suspend()

    # -- keys ----------------------------------------------------------------------------------

    def _decode_input(self, text: str) -> list[str]:
        now_ms = self._clock.now_ms()
        begun, self._partial = self._partial, ""
        keys: list[str] = []
        if (
            begun
            and now_ms - self._partial_since_ms >= ESCAPE_TIMEOUT_MS
            and not _continues_sequence(begun, text)
        ):
            # It was the escape key, followed by other keys.
            keys, begun = ["esc", *decode_keys(begun[1:])], ""
        waiting = begun + text
        cut = _find_partial_sequence(waiting)
        if cut < len(waiting):
            self._partial = waiting[cut:]
            self._partial_since_ms = now_ms if text else self._partial_since_ms
        return [*keys, *decode_keys(waiting[:cut])]

    def _keys_of_lines(self, text: str, last: bool) -> list[str]:
        """Lines as typed keys. The leading `/` opens the command line, so no key acts by itself."""
        *lines, self._partial = (self._partial + text).split("\n")
        if last or len(self._partial) > MAX_LINE_CHARS:
            lines.append(self._partial)
            self._partial = ""
        keys: list[str] = []
        for line in lines:
            if line.strip():
                keys += ["/", *decode_keys(line.strip()), "enter"]
        return keys

    # -- signals -------------------------------------------------------------------------------

    def _install_signal_handlers(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        for number, handler in (
            (signal.SIGTERM, self._on_terminate),
            (signal.SIGHUP, self._on_terminate),
            (signal.SIGTSTP, self._on_stop),
            (signal.SIGCONT, self._on_continue),
        ):
            before = signal.getsignal(number)
            if before is not signal.SIG_IGN:  # such as under `nohup`
                self._previous_handlers[number] = before
                signal.signal(number, handler)

    def _restore_signal_handlers(self) -> None:
        for number, before in self._previous_handlers.items():
            ours = getattr(signal.getsignal(number), "__self__", None) is self
            if ours:  # else another handler was installed later, and stays
                signal.signal(number, signal.SIG_DFL if before is None else before)
        self._previous_handlers = {}

    def _on_terminate(self, number: int, _frame: FrameType | None) -> None:
        """Restore the terminal, then let the previous handler run."""
        self.close()
        os.kill(os.getpid(), number)

    def _on_stop(self, number: int, _frame: FrameType | None) -> None:
        self._suspend()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        # The program is stopped here until SIGCONT.
        signal.signal(number, self._on_stop)
        self._resume()

    def _on_continue(self, _number: int, _frame: FrameType | None) -> None:
        """Set the terminal up again: the shell may have changed it and the screen."""
        self._resume()

    def _suspend(self) -> None:
        self._cbreak.leave()
        self._on_suspend()

    def _resume(self) -> None:
        if not self._closed:
            self._cbreak.leave()
            self._cbreak.enter()
            self._on_resume()
            self._redraw = True


def decode_keys(text: str) -> Iterator[str]:
    """The names of the keys; unknown sequences are skipped."""
    at = 0
    while at < len(text):
        sequence = _SEQUENCE.match(text, at)
        if sequence is None:
            key = _KEYS_BY_CONTROL.get(text[at], text[at])
            at += 1
        else:
            numbers, final, single = sequence.groups()
            key = _KEYS_BY_FINAL.get(final or single or "", "")
            if final == "~":
                key = _KEYS_BY_NUMBER.get((numbers or "").partition(";")[0], "")
            at = sequence.end()
        if key == _ESCAPE:
            yield "esc"
        elif len(key) > 1 or (key and key.isprintable()):
            yield key


def _continues_sequence(begun: str, text: str) -> bool:
    """Whether late text still belongs to the sequence, as over a slow line."""
    return bool(text) and (begun != _ESCAPE or text[0] in "[O")


def _find_partial_sequence(text: str) -> int:
    """Index of an incomplete escape sequence at the end; the length if there is none."""
    at = text.rfind(_ESCAPE)
    if at >= 0 and _PARTIAL_SEQUENCE.fullmatch(text, at):
        return at
    return len(text)
