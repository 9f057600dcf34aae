"""Engines as a `controller.ports.devices.MoveChooser`.

`ProcessPlayer` runs one in a process (protocol in docs/engine.md). `InProcessPlayer` searches
inside `events`, for games in simulated time.

One thread owns the process: starts it, writes questions, reads answers, restarts it after a crash
and kills it after a timeout. It sends `go` only after `readyok`, so that an error before that
belongs to the position.
"""

from __future__ import annotations

import contextlib
import logging
import os
import select
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from controller.computer.protocol import (
    HELLO,
    IS_READY,
    OK,
    STOP,
    BestMove,
    ErrorReply,
    OptionReply,
    SearchProgress,
    StatusReply,
    go_line,
    read_reply,
    setup_lines,
)
from controller.computer.server import OPTIONS, EngineServer, run_search
from controller.devices import sentences
from controller.devices.worker import defect_sentence
from controller.ports.devices import Clock, MoveQuestion
from controller.ports.events import PlayerAnswered, PlayerEvent, PlayerFailed
from controller.session.sentences import with_reasons
from engine.errors import LaserboardError
from engine.sentences import Sentence, plain

log = logging.getLogger(__name__)

OWN_ENGINE = (sys.executable, "-P", "-m", "controller.devices.players.engine_main")
DEFAULT_COMMAND = (*OWN_ENGINE, "--nice")
PROJECT_ROOT = Path(__file__).parents[3]
READ_BYTES = 65536
MAX_LINE_BYTES = 1_000_000
JOIN_S = 5.0
STDERR_TAIL_BYTES = 2000
NO_PROGRESS = SearchProgress(0, 0)


@dataclass(frozen=True, slots=True)
class PlayerTimeouts:
    """How long the process may take, in addition to the thinking time."""

    start_ms: float = 60_000.0
    answer_ms: float = 20_000.0
    max_think_ms: float = 300_000.0  # for a question without a time limit
    attempts: int = 2  # if the process dies on a question


@dataclass(slots=True)
class _Task:
    number: int
    question: MoveQuestion
    process_deaths: int = 0  # processes that died on it


@dataclass(slots=True)
class _Process:
    """A running process and the state of its conversation."""

    program: subprocess.Popen[bytes]
    deadline_ms: float | None  # of the next reply; None: none is due
    ready: bool = False
    options: set[str] = field(default_factory=set)  # names of the options that it supports
    question_number: int = 0  # the question in progress; 0: none
    go_sent_ms: float | None = None  # None: not yet
    refusal: str = ""  # its error before `go`
    last_progress: SearchProgress = NO_PROGRESS
    stopping: bool = False  # `stop` was sent
    unsent: bytes = b""
    partial_line: bytes = b""  # up to the next newline
    stderr_tail: bytes = b""
    open_files: list[int] = field(default_factory=list)


class ProcessPlayer:
    """An engine in another process."""

    name = "the computer player"

    def __init__(
        self,
        clock: Clock,
        command: Sequence[str] = DEFAULT_COMMAND,
        timeouts: PlayerTimeouts | None = None,
    ) -> None:
        self._clock, self._command = clock, list(command)
        own = tuple(command[: len(OWN_ENGINE)]) == OWN_ENGINE
        self._label = sentences.COMPUTER_PLAYER() if own else sentences.THE_PROGRAM()
        self._timeouts = timeouts or PlayerTimeouts()
        self._lock = threading.Lock()
        # Guarded by `_lock`:
        self._count = 0
        self._task: _Task | None = None
        self._events: list[PlayerEvent] = []
        self._closed = False
        self._wake_read, self._wake_write = os.pipe()
        for end in (self._wake_read, self._wake_write):
            os.set_blocking(end, False)
        self._wake_pipe_open = True
        self._process: _Process | None = None  # used by the thread only
        self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)
        self._thread.start()

    def think(self, question: MoveQuestion) -> int:
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
        """The process id, while there is a process."""
        process = self._process
        return None if process is None else process.program.pid

    def _wake(self) -> None:
        if self._wake_pipe_open:
            with contextlib.suppress(BlockingIOError):  # full: it wakes up anyway
                os.write(self._wake_write, b"!")

    # -- the thread --------------------------------------------------------------------------

    def _run(self) -> None:
        self._start_process()
        while not self._closed:
            try:
                self._send_question()
                self._poll()
                self._check_deadline()
            except Exception as defect:
                log.exception("%s: the conversation failed", self._label)
                self._kill_process()
                self._fail(defect_sentence(defect))
        self._kill_process()
        with self._lock:
            self._wake_pipe_open = False
            os.close(self._wake_read)
            os.close(self._wake_write)

    def _start_process(self) -> None:
        """Start a process. A failure is reported as the failure of the current question."""
        environment = dict(os.environ)
        python_path = environment.get("PYTHONPATH")
        environment["PYTHONPATH"] = os.pathsep.join(
            [str(PROJECT_ROOT), *([python_path] if python_path else [])]
        )
        try:
            program = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment,
                bufsize=0,
                start_new_session=True,  # so that Ctrl-C in the terminal does not reach it
            )
        except OSError as error:
            log.debug("cannot start %s", self._command[0], exc_info=True)
            reason = error.strerror or str(error)
            self._fail(sentences.CANNOT_START(program=self._command[0], reason=reason))
            return
        files = [each.fileno() for each in (program.stdin, program.stdout, program.stderr) if each]
        for each in files:
            os.set_blocking(each, False)
        until_ms = self._clock.now_ms() + self._timeouts.start_ms
        self._process = _Process(program, until_ms, open_files=files, unsent=_encode_lines(HELLO))

    def _kill_process(self) -> None:
        """Kill the process and close its files."""
        process, self._process = self._process, None
        if process is None:
            return
        process.program.kill()
        process.program.wait()
        if len(process.open_files) > 2:  # read the rest of its stderr
            with contextlib.suppress(OSError):
                process.stderr_tail += os.read(process.open_files[2], READ_BYTES)
        for each in (process.program.stdin, process.program.stdout, process.program.stderr):
            if each is not None:
                with contextlib.suppress(OSError):
                    each.close()

    def _send_question(self) -> None:
        """Send the position of a new question, or `stop` for an outdated one."""
        with self._lock:
            task = self._task
        if self._process is None and task is not None:
            self._start_process()
        process, now_ms = self._process, self._clock.now_ms()
        if process is None or not process.ready:
            return
        is_current = task is not None and task.number == process.question_number
        if not process.question_number and task is not None:
            process.question_number, process.go_sent_ms, process.stopping = task.number, None, False
            process.refusal, process.last_progress = "", NO_PROGRESS
            process.unsent += _encode_lines(*setup_lines(task.question, process.options), IS_READY)
            process.deadline_ms = now_ms + self._timeouts.answer_ms
        elif process.go_sent_ms is not None and not process.stopping and not is_current:
            process.stopping = True
            process.unsent += _encode_lines(STOP)
            process.deadline_ms = now_ms + self._timeouts.answer_ms

    def _send_go(self, process: _Process) -> None:
        """The process is ready: send `go` if the question is still current."""
        with self._lock:
            task = self._task
        if task is None or task.number != process.question_number:
            process.question_number, process.deadline_ms = 0, None
        elif process.refusal:
            refused = PlayerFailed(task.number, plain(process.refusal), self._now_ms())
            self._finish_question(process, refused)
        else:
            asked = task.question
            # Always with a time limit: then it answers with its best move before the timeout.
            thought_ms = (
                self._timeouts.max_think_ms
                if asked.time_limit_s is None
                else 1000 * asked.time_limit_s
            )
            process.unsent += _encode_lines(go_line(asked, thought_ms / 1000))
            process.go_sent_ms = self._now_ms()
            process.deadline_ms = process.go_sent_ms + thought_ms + self._timeouts.answer_ms

    def _now_ms(self) -> float:
        return self._clock.now_ms()

    def _poll(self) -> None:
        """Wait for input, output or the deadline, then read and write."""
        process = self._process
        reading, writing, timeout_s = [self._wake_read], [], None
        if process is not None:
            reading += process.open_files[1:]
            if process.unsent:
                writing = process.open_files[:1]
            if process.deadline_ms is not None:
                timeout_s = max(0.0, process.deadline_ms - self._clock.now_ms()) / 1000
        readable, writable, _ = select.select(reading, writing, [], timeout_s)
        if self._wake_read in readable:
            with contextlib.suppress(BlockingIOError):
                os.read(self._wake_read, READ_BYTES)
        if process is None:
            return
        for file in process.open_files[1:]:
            if file in readable and not self._read_output(process, file):
                self._on_process_died(process)
                return
        if writable:
            try:
                sent = os.write(process.open_files[0], process.unsent)
                process.unsent = process.unsent[sent:]
            except BlockingIOError:
                return
            except OSError:
                self._on_process_died(process)

    def _read_output(self, process: _Process, file: int) -> bool:
        """Read from stdout or stderr; False when the process has ended."""
        try:
            content = os.read(file, READ_BYTES)
        except BlockingIOError:
            return True
        if file != process.open_files[1]:
            process.stderr_tail = (process.stderr_tail + content)[-STDERR_TAIL_BYTES:]
            if not content:
                process.open_files.remove(file)
            return True
        *lines, process.partial_line = (process.partial_line + content).split(b"\n")
        for line in lines:
            self._process_line(process, line)
        return bool(content) and len(process.partial_line) <= MAX_LINE_BYTES

    def _process_line(self, process: _Process, line: bytes) -> None:
        match read_reply(line.decode("utf-8", "replace")):
            case StatusReply(word) if word == OK:
                process.ready, process.deadline_ms = True, None
            case OptionReply(name):
                process.options.add(name)
            case StatusReply() if process.question_number and process.go_sent_ms is None:
                self._send_go(process)
            case ErrorReply(reason) if process.question_number and process.go_sent_ms is None:
                process.refusal = process.refusal or reason
            case SearchProgress() as progress:
                process.last_progress = progress
            case BestMove() as best if process.go_sent_ms is not None:
                number, progress = process.question_number, process.last_progress
                thought_ms = self._now_ms() - process.go_sent_ms
                self._finish_question(
                    process, _answer_event(number, best, progress, self._now_ms(), thought_ms)
                )
            case ErrorReply(reason) if process.go_sent_ms is not None:
                failed = PlayerFailed(process.question_number, plain(reason), self._now_ms())
                self._finish_question(process, failed)
            case _:
                return  # an unexpected line: the deadline decides

    def _finish_question(self, process: _Process, event: PlayerEvent) -> None:
        process.question_number, process.go_sent_ms, process.deadline_ms = 0, None, None
        with self._lock:
            if self._task is not None and self._task.number == event.number:
                self._task = None
                self._events.append(event)

    def _on_process_died(self, process: _Process) -> None:
        """Ask the question again in a new process, up to `attempts` times."""
        self._kill_process()
        with self._lock:
            task = self._task
            if task is None or (process.ready and process.question_number != task.number):
                return
            task.process_deaths += 1
            if task.process_deaths < self._timeouts.attempts:
                return
        code = process.program.returncode
        ended = (
            sentences.PLAYER_KILLED(player=self._label, signal=-code)
            if code < 0
            else sentences.PLAYER_ENDED(player=self._label, code=code)
        )
        errors = process.stderr_tail.decode("utf-8", "replace").strip().splitlines()
        self._fail(with_reasons(ended, [plain(errors[-1])]) if errors else ended)

    def _check_deadline(self) -> None:
        process = self._process
        if process is None or process.deadline_ms is None:
            return
        if self._clock.now_ms() < process.deadline_ms:
            return
        self._kill_process()
        if not process.ready:
            self._fail(sentences.PLAYER_NOT_STARTED(player=self._label))
        else:
            late = sentences.PLAYER_TOO_LATE(player=self._label)
            self._fail(late, process.question_number)

    def _fail(self, reason: Sentence, number: int | None = None) -> None:
        """Report the current question as failed; with a number, only if it is that question."""
        with self._lock:
            if self._task is not None and number in (None, self._task.number):
                log.warning("question %d failed: %s", self._task.number, reason)
                failed = PlayerFailed(self._task.number, reason, self._clock.now_ms())
                self._task = None
                self._events.append(failed)


class InProcessPlayer:
    """Searches inside `events`, which blocks. Give questions a level or a depth."""

    name = "the computer player, here"

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._count = 0
        self._question: MoveQuestion | None = None
        self._replies: list[object] = []
        self._server = EngineServer(self._replies.append, clock)

    def think(self, question: MoveQuestion) -> int:
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
            for line in setup_lines(question, OPTIONS):
                self._server.execute_line(line)
            thought = self._server.execute_line(go_line(question, question.time_limit_s))
            assert thought is not None, "go is to think"
            best = run_search(thought, lambda: False, self._clock, self._replies.append)
        except LaserboardError as wrong:
            return [PlayerFailed(self._count, wrong.sentence, self._clock.now_ms())]
        finally:
            progress = [each for each in self._replies if isinstance(each, SearchProgress)]
            self._replies.clear()
        return [
            _answer_event(
                self._count, best, progress[-1], self._clock.now_ms(), progress[-1].time_ms
            )
        ]

    def close(self) -> None:
        self._question = None


def _answer_event(
    number: int, best: BestMove, progress: SearchProgress, at_ms: float, thought_ms: float
) -> PlayerAnswered:
    return PlayerAnswered(
        number,
        best.move,
        progress.score,
        at_ms,
        progress.line,
        progress.depth,
        best.claim,
        progress.turns_to_end,
        progress.nodes,
        thought_ms,
    )


def _encode_lines(*lines: str) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()
