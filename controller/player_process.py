"""The computer player as a program of its own: `python -m controller.player_process`.

It speaks the protocol of docs/engine.md, like `laserboard engine`: a line in, lines out. One
position is thought over at a time, in a thread; a new `go` or a `stop` stops the one before, and
the end of the input ends the program.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from typing import BinaryIO

from controller import engine_lines
from controller.engine_lines import Listener, Say, Thought
from controller.engine_protocol import QUIT, STOP, WAIT, BadLine, Refusal
from controller.wiring import system_clock
from engine import strict_json
from engine.errors import LaserboardError

LONGEST_LINE = strict_json.LONGEST
NICER = 5
GENTLY = "--gently"  # thinking must not keep the camera and the lights waiting
LAST_WORDS_S = 2.0


def main() -> int:
    """What the controller starts."""
    if GENTLY in sys.argv[1:]:
        os.nice(NICER)
    return run(sys.stdin.buffer, sys.stdout.fileno())


def run(inbox: BinaryIO, outbox: int) -> int:
    """Serve `inbox` until it ends."""
    lock = threading.Lock()

    def say(reply: object) -> None:
        # Not through `sys.stdout`: a thread that is left behind would hold its lock at the end.
        line = f"{reply}\n".encode("utf-8", "replace")
        with lock:
            while line:
                line = line[os.write(outbox, line) :]

    try:
        serve(inbox, say)
    except BrokenPipeError:
        return 1  # nobody listens any more
    return 0


def serve(inbox: BinaryIO, say: Say) -> None:
    """Do what every line asks; what cannot be done is told in one line, and the next one heard."""
    thinker = _Thinker(say)
    listener = Listener(say, thinker.clock)
    outer: dict[str, Callable[[], None]] = {STOP: thinker.stop, WAIT: thinker.wait}
    while line := inbox.readline(LONGEST_LINE + 1):
        try:
            text = _whole(line, inbox)
            command = text.strip()
            if command == QUIT:
                break
            if command in outer:
                outer[command]()
            elif thought := listener.hear(text):
                thinker.think(thought)
        except LaserboardError as wrong:
            say(Refusal(str(wrong)))
        except BrokenPipeError:
            raise
        except Exception as defect:  # the next line is heard all the same
            say(_defect(defect))
    thinker.close()


def _whole(line: bytes, inbox: BinaryIO) -> str:
    """A line as text; one that is too long is read to its end, and forgotten."""
    if len(line) > LONGEST_LINE:
        while line and not line.endswith(b"\n"):
            line = inbox.readline(LONGEST_LINE)
        raise BadLine(f"a line of more than {LONGEST_LINE} bytes: no position is as long")
    return line.decode("utf-8", "replace")


def _defect(found: Exception) -> Refusal:
    return Refusal(f"{type(found).__name__}: {found}")


class _Thinker:
    """One thought at a time, in a thread; the newest stops the one before."""

    def __init__(self, say: Say) -> None:
        self.clock = system_clock()
        self._say = say
        self._stopped = threading.Event()
        self._endless = False
        self._thread: threading.Thread | None = None

    def think(self, thought: Thought) -> None:
        self.stop()
        if self._thread is not None:
            self._thread.join()
        self._stopped, self._endless = threading.Event(), thought.endless
        self._thread = threading.Thread(
            target=self._run, args=(thought, self._stopped), name="thinking", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Nothing happens if all is answered already."""
        self._stopped.set()

    def wait(self) -> None:
        """Hear nothing more until the move is there: for scripts."""
        if self._thread is None:
            return
        if self._endless and self._thread.is_alive() and not self._stopped.is_set():
            raise BadLine("wait would be for ever: this go ends with a stop only")
        self._thread.join()

    def close(self) -> None:
        """What cannot be stopped is left behind."""
        self.stop()
        if self._thread is not None:
            self._thread.join(LAST_WORDS_S)

    def _run(self, thought: Thought, stopped: threading.Event) -> None:
        reply: object
        try:
            try:
                reply = engine_lines.think(thought, stopped.is_set, self.clock, self._say)
            except LaserboardError as wrong:
                reply = Refusal(str(wrong))
            except BrokenPipeError:
                raise
            except Exception as defect:  # whoever asked must not wait for ever
                reply = _defect(defect)
            self._say(reply)
        except BrokenPipeError:
            stopped.set()  # nobody listens any more; the end of the input follows


if __name__ == "__main__":
    sys.exit(main())
