"""A program that plays, in a process of its own, as a `controller.ports.Player`.

It speaks the protocol of docs/engine.md. One thread owns the process: it starts it, writes
questions, reads answers, starts it again when it has died, and kills it when it is late. `go` is
said when the lines before it are answered by `readyok`: so it is clear what an error is about.
`DirectPlayer` thinks inside `events`, with no process: for headless games without real time.
"""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from controller.engine_lines import SETTINGS, Listener, think
from controller.engine_protocol import (
    HELLO,
    IS_READY,
    OK,
    STOP,
    BestMove,
    Info,
    Offer,
    Refusal,
    Said,
    going,
    read_reply,
    setting_out,
)
from controller.ports import Chosen, Clock, PlayerEvent, PlayerFailed, Question
from engine.errors import LaserboardError

OWN_ENGINE = (sys.executable, "-P", "-m", "controller.player_process")
COMMAND = (*OWN_ENGINE, "--gently")
FOLDER = Path(__file__).parents[2]
CHUNK = 65536
LONGEST_ANSWER = 1_000_000
JOIN_S = 5.0
KEPT_COMPLAINT = 2000
NOTHING = Info(0, 0)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long the process may take, beyond what it was given to think."""

    start_ms: float = 60_000.0
    answer_ms: float = 20_000.0
    thought_ms: float = 300_000.0  # where a question names no time
    tries: int = 2  # a question on which the process dies is asked again


@dataclass(slots=True)
class _Task:
    number: int
    question: Question
    died: int = 0  # processes that it was the end of


@dataclass(slots=True)
class _Process:
    """A running one, and what is under way to and from it."""

    program: subprocess.Popen[bytes]
    until_ms: float | None  # when it is late with what it owes; None: it owes nothing
    ready: bool = False
    options: set[str] = field(default_factory=set)  # the settings that it has
    asked: int = 0  # the question that it was told; 0: none
    gone_ms: float | None = None  # when it was to think it over; None: not yet
    refused: str = ""  # what it did not understand of it
    found: Info = NOTHING  # what it thinks of it by now
    stopping: bool = False  # that one is not wanted any more
    unsent: bytes = b""
    begun: bytes = b""  # a line without its end
    complaint: bytes = b""
    open_files: list[int] = field(default_factory=list)


class ProcessPlayer:
    """Thinks in another process."""

    name = "the computer player"

    def __init__(
        self,
        clock: Clock,
        command: Sequence[str] = COMMAND,
        patience: Patience | None = None,
    ) -> None:
        self._clock, self._command = clock, list(command)
        own = tuple(command[: len(OWN_ENGINE)]) == OWN_ENGINE
        self._who = self.name if own else "the program"
        self._patience = patience or Patience()
        self._lock = threading.Lock()
        # Guarded by `_lock`:
        self._count = 0
        self._task: _Task | None = None
        self._events: list[PlayerEvent] = []
        self._closed = False
        self._wake_read, self._wake_write = os.pipe()
        for end in (self._wake_read, self._wake_write):
            os.set_blocking(end, False)
        self._awake = True  # the pipe is open
        # Only for the thread:
        self._process: _Process | None = None
        self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)
        self._thread.start()

    def think(self, question: Question) -> int:
        with self._lock:
            self._count += 1
            self._task = _Task(self._count, question)
            self._events.clear()
            self._wake()
            return self._count

    def stop(self) -> None:
        with self._lock:
            self._task = None
            self._events.clear()
            self._wake()

    def events(self) -> list[PlayerEvent]:
        with self._lock:
            events, self._events = self._events, []
            return events

    def close(self) -> None:
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._task, self._events = None, []
            self._wake()
        self._thread.join(JOIN_S)

    @property
    def pid(self) -> int | None:
        """Of the process, while there is one."""
        process = self._process
        return None if process is None else process.program.pid

    def _wake(self) -> None:
        if self._awake:
            with contextlib.suppress(BlockingIOError):  # it is full of calls already
                os.write(self._wake_write, b"!")

    # -- the thread --------------------------------------------------------------------------

    def _run(self) -> None:
        self._begin()
        while not self._closed:
            try:
                self._ask()
                self._wait()
                self._look_at_the_clock()
            except Exception as defect:  # nobody must wait for an answer that never comes
                self._end()
                self._fail(f"{type(defect).__name__}: {defect}")
        self._end()
        with self._lock:
            self._awake = False
            os.close(self._wake_read)
            os.close(self._wake_write)

    def _begin(self) -> None:
        """Start a process; a failure to is one of the question, if there is one."""
        environment = dict(os.environ)
        known = environment.get("PYTHONPATH")
        environment["PYTHONPATH"] = os.pathsep.join([str(FOLDER), *([known] if known else [])])
        try:
            program = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment,
                bufsize=0,
                start_new_session=True,  # Ctrl-C in a terminal is not meant for it
            )
        except OSError as trouble:
            self._fail(f"cannot start {self._command[0]}: {trouble.strerror}")
            return
        files = [each.fileno() for each in (program.stdin, program.stdout, program.stderr) if each]
        for each in files:
            os.set_blocking(each, False)
        until_ms = self._clock.now_ms() + self._patience.start_ms
        self._process = _Process(program, until_ms, open_files=files, unsent=_lines(HELLO))

    def _end(self) -> None:
        """No process, and nothing left of it."""
        process, self._process = self._process, None
        if process is None:
            return
        process.program.kill()
        process.program.wait()
        if len(process.open_files) > 2:  # its last words may not be read yet
            with contextlib.suppress(OSError):
                process.complaint += os.read(process.open_files[2], CHUNK)
        for each in (process.program.stdin, process.program.stdout, process.program.stderr):
            if each is not None:
                with contextlib.suppress(OSError):
                    each.close()

    def _ask(self) -> None:
        """Write what the process does not know yet."""
        with self._lock:
            task = self._task
        if self._process is None and task is not None:
            self._begin()
        process, now_ms = self._process, self._clock.now_ms()
        if process is None or not process.ready:
            return
        wanted = task is not None and task.number == process.asked
        if not process.asked and task is not None:
            process.asked, process.gone_ms, process.stopping = task.number, None, False
            process.refused, process.found = "", NOTHING
            process.unsent += _lines(*setting_out(task.question, process.options), IS_READY)
            process.until_ms = now_ms + self._patience.answer_ms
        elif process.gone_ms is not None and not process.stopping and not wanted:
            process.stopping = True
            process.unsent += _lines(STOP)
            process.until_ms = now_ms + self._patience.answer_ms

    def _go(self, process: _Process) -> None:
        """What it was told is understood: it may think now, if that is still wanted."""
        with self._lock:
            task = self._task
        if task is None or task.number != process.asked:
            process.asked, process.until_ms = 0, None
        elif process.refused:
            self._answered(process, PlayerFailed(task.number, process.refused, self._now_ms()))
        else:
            asked = task.question
            # With an end, so that it answers with what it has, rather than be killed.
            thought_ms = (
                self._patience.thought_ms if asked.seconds is None else 1000 * asked.seconds
            )
            process.unsent += _lines(going(asked, thought_ms / 1000))
            process.gone_ms = self._now_ms()
            process.until_ms = process.gone_ms + thought_ms + self._patience.answer_ms

    def _now_ms(self) -> float:
        return self._clock.now_ms()

    def _wait(self) -> None:
        """Until something comes, can be written, or is late."""
        process = self._process
        reading, writing, timeout_s = [self._wake_read], [], None
        if process is not None:
            reading += process.open_files[1:]
            if process.unsent:
                writing = process.open_files[:1]
            if process.until_ms is not None:
                timeout_s = max(0.0, process.until_ms - self._clock.now_ms()) / 1000
        readable, writable, _ = select.select(reading, writing, [], timeout_s)
        if self._wake_read in readable:
            with contextlib.suppress(BlockingIOError):
                os.read(self._wake_read, CHUNK)
        if process is None:
            return
        for file in process.open_files[1:]:
            if file in readable and not self._read(process, file):
                self._died(process)
                return
        if writable:
            try:
                sent = os.write(process.open_files[0], process.unsent)
                process.unsent = process.unsent[sent:]
            except BlockingIOError:
                return
            except OSError:
                self._died(process)

    def _read(self, process: _Process, file: int) -> bool:
        """Whether the process goes on."""
        try:
            content = os.read(file, CHUNK)
        except BlockingIOError:
            return True
        if file != process.open_files[1]:
            process.complaint = (process.complaint + content)[-KEPT_COMPLAINT:]
            if not content:
                process.open_files.remove(file)
            return True
        *lines, process.begun = (process.begun + content).split(b"\n")
        for line in lines:
            self._heard(process, line)
        return bool(content) and len(process.begun) <= LONGEST_ANSWER

    def _heard(self, process: _Process, line: bytes) -> None:
        match read_reply(line.decode("utf-8", "replace")):
            case Said(word) if word == OK:
                process.ready, process.until_ms = True, None
            case Offer(name):
                process.options.add(name)
            case Said() if process.asked and process.gone_ms is None:
                self._go(process)
            case Refusal(reason) if process.asked and process.gone_ms is None:
                process.refused = process.refused or reason
            case Info() as found:
                process.found = found
            case BestMove() as best if process.gone_ms is not None:
                number, found = process.asked, process.found
                thought_ms = self._now_ms() - process.gone_ms
                self._answered(process, _chosen(number, best, found, self._now_ms(), thought_ms))
            case Refusal(reason) if process.gone_ms is not None:
                self._answered(process, PlayerFailed(process.asked, reason, self._now_ms()))
            case _:
                return  # a stray line; a process that says nothing else will be late

    def _answered(self, process: _Process, event: PlayerEvent) -> None:
        process.asked, process.gone_ms, process.until_ms = 0, None, None
        with self._lock:
            if self._task is not None and self._task.number == event.number:
                self._task = None
                self._events.append(event)

    def _died(self, process: _Process) -> None:
        """It may have been no fault of the question: that is asked again, but not for ever."""
        self._end()
        with self._lock:
            task = self._task
            if task is None or (process.ready and process.asked != task.number):
                return
            task.died += 1
            if task.died < self._patience.tries:
                return
        code = process.program.returncode
        how = f"was ended by signal {-code}" if code < 0 else f"ended with {code}"
        said = process.complaint.decode("utf-8", "replace").strip().splitlines()
        self._fail(f"{self._who} {how}" + (f": {said[-1]}" if said else ""))

    def _look_at_the_clock(self) -> None:
        process = self._process
        if process is None or process.until_ms is None:
            return
        if self._clock.now_ms() < process.until_ms:
            return
        self._end()
        if not process.ready:
            self._fail(f"{self._who} did not start in time, and was ended")
        else:
            self._fail(f"{self._who} did not answer in time, and was ended", process.asked)

    def _fail(self, reason: str, number: int | None = None) -> None:
        """The question gets no move; with a number, only if it is still that one."""
        with self._lock:
            if self._task is not None and number in (None, self._task.number):
                failed = PlayerFailed(self._task.number, reason, self._clock.now_ms())
                self._task = None
                self._events.append(failed)


class DirectPlayer:
    """Thinks when it is asked for events: no process, and blocking. Give it a level or a depth."""

    name = "the computer player, here"

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._count = 0
        self._question: Question | None = None
        self._said: list[object] = []
        self._listener = Listener(self._said.append, clock)

    def think(self, question: Question) -> int:
        self._count += 1
        self._question = question
        return self._count

    def stop(self) -> None:
        self._question = None

    def events(self) -> list[PlayerEvent]:
        question, self._question = self._question, None
        if question is None:
            return []
        try:
            for line in setting_out(question, SETTINGS):
                self._listener.hear(line)
            thought = self._listener.hear(going(question, question.seconds))
            assert thought is not None, "go is to think"
            best = think(thought, lambda: False, self._clock, self._said.append)
        except LaserboardError as wrong:
            return [PlayerFailed(self._count, str(wrong), self._clock.now_ms())]
        finally:
            said = [each for each in self._said if isinstance(each, Info)]
            self._said.clear()
        return [_chosen(self._count, best, said[-1], self._clock.now_ms(), said[-1].time_ms)]

    def close(self) -> None:
        self._question = None


def _chosen(number: int, best: BestMove, found: Info, at_ms: float, thought_ms: float) -> Chosen:
    return Chosen(
        number,
        best.move,
        found.score,
        at_ms,
        found.line,
        found.depth,
        best.claim,
        found.turns_to_end,
        found.nodes,
        thought_ms,
    )


def _lines(*lines: str) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()
