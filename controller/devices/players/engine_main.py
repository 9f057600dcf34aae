"""The computer player as a program: `python -m controller.devices.players.engine_main`.

Speaks the protocol of docs/engine.md on standard input and output, like `laserboard engine`. A
thread searches one position at a time; `stop` or another `go` stops it. The end of the input ends
the program.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Callable
from typing import BinaryIO

from controller.computer import server
from controller.computer.protocol import QUIT, STOP, WAIT, BadLine, ErrorReply
from controller.computer.server import EngineServer, SearchRequest, SendReply
from controller.devices import sentences
from controller.devices.factory.clocks import system_clock
from engine import strict_json
from engine.errors import LaserboardError

log = logging.getLogger(__name__)

MAX_LINE_BYTES = strict_json.MAX_LENGTH
NICE_INCREMENT = 5
NICE_FLAG = "--nice"  # run at a lower priority than the camera and the LEDs
CLOSE_TIMEOUT_S = 2.0


def main() -> int:
    """Entry point of the process that `ProcessPlayer` starts."""
    if NICE_FLAG in sys.argv[1:]:
        os.nice(NICE_INCREMENT)
    return run(sys.stdin.buffer, sys.stdout.fileno())


def run(inbox: BinaryIO, outbox: int) -> int:
    """Serve `inbox` until it ends; returns the exit status."""
    lock = threading.Lock()

    def say(reply: object) -> None:
        # Not `sys.stdout`: an abandoned thread could hold its lock at exit.
        line = f"{reply}\n".encode("utf-8", "replace")
        with lock:
            while line:
                line = line[os.write(outbox, line) :]

    try:
        serve(inbox, say)
    except BrokenPipeError:
        return 1  # the reader is gone
    return 0


def serve(inbox: BinaryIO, send_reply: SendReply) -> None:
    """Execute every line. A failure is answered with an error line and does not end the loop."""
    search = _SearchThread(send_reply)
    engine = EngineServer(send_reply, search.clock)
    thread_commands: dict[str, Callable[[], None]] = {STOP: search.stop, WAIT: search.wait}
    while line := inbox.readline(MAX_LINE_BYTES + 1):
        try:
            text = _read_whole_line(line, inbox)
            command = text.strip()
            if command == QUIT:
                break
            if command in thread_commands:
                thread_commands[command]()
            elif request := engine.execute_line(text):
                search.start(request)
        except LaserboardError as wrong:
            send_reply(ErrorReply(str(wrong)))
        except BrokenPipeError:
            raise
        except Exception as defect:
            log.exception("cannot execute %r", line[:200])
            send_reply(_defect_reply(defect))
    search.close()


def _read_whole_line(line: bytes, inbox: BinaryIO) -> str:
    """Decode a line; skips a line that is too long and raises `BadLine`."""
    if len(line) > MAX_LINE_BYTES:
        while line and not line.endswith(b"\n"):
            line = inbox.readline(MAX_LINE_BYTES)
        raise BadLine(sentences.LINE_TOO_LONG(bytes=MAX_LINE_BYTES))
    return line.decode("utf-8", "replace")


def _defect_reply(defect: Exception) -> ErrorReply:
    return ErrorReply(f"{type(defect).__name__}: {defect}")


class _SearchThread:
    """Runs one search at a time; a new one stops the previous one."""

    def __init__(self, send_reply: SendReply) -> None:
        self.clock = system_clock()
        self._send_reply = send_reply
        self._stopped = threading.Event()
        self._endless = False
        self._thread: threading.Thread | None = None

    def start(self, request: SearchRequest) -> None:
        self.stop()
        if self._thread is not None:
            self._thread.join()
        self._stopped, self._endless = threading.Event(), request.endless
        self._thread = threading.Thread(
            target=self._run, args=(request, self._stopped), name="search", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Stop the search; does nothing if it has ended."""
        self._stopped.set()

    def wait(self) -> None:
        """Block until the search has answered: for scripts."""
        if self._thread is None:
            return
        if self._endless and self._thread.is_alive() and not self._stopped.is_set():
            raise BadLine(sentences.ENDLESS_WAIT())
        self._thread.join()

    def close(self) -> None:
        """Stop the search; one that does not stop is abandoned."""
        self.stop()
        if self._thread is not None:
            self._thread.join(CLOSE_TIMEOUT_S)

    def _run(self, request: SearchRequest, stopped: threading.Event) -> None:
        reply: object
        try:
            try:
                reply = server.run_search(request, stopped.is_set, self.clock, self._send_reply)
            except LaserboardError as wrong:
                reply = ErrorReply(str(wrong))
            except BrokenPipeError:
                raise
            except Exception as defect:
                log.exception("the search failed")
                reply = _defect_reply(defect)
            self._send_reply(reply)
        except BrokenPipeError:
            stopped.set()  # the reader is gone; the end of the input follows


if __name__ == "__main__":
    sys.exit(main())
