"""Publishes one game of an event: its state, a pulse every second, and its result.

The game's loop hands over its session and goes on; a thread makes messages of it, and another one
talks to the broker. A result is on the disk before it is sent, and is sent again to every broker
that may have forgotten it. Whatever goes wrong here is a remark.
"""

from __future__ import annotations

import secrets
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from controller.agreement import Occasion, Start
from controller.broker_address import Broker
from controller.clocks import Clocks
from controller.devices.clock import SystemClock
from controller.devices.mqtt import Line, Message
from controller.devices.result_file import ResultFile
from controller.game_store import read
from controller.hall import topics
from controller.hall.messages import LARGEST, UNFINISHED, BadMessage, Presence, Result
from controller.hall.past import finished
from controller.hall.told import (
    clocks_body,
    presence_body,
    pulse_body,
    result_body,
    state_body,
)
from controller.journal import recover
from controller.ports import Clock, DeviceEvent, DeviceRemark, Journal
from controller.session_values import Phase, Session
from engine.errors import LaserboardError
from engine.strict_json import write

LOOK_S = 0.05
STATE_MS, PULSE_MS = 200.0, 1_000.0
SYNC_MS = 2_000.0  # a slow disk does not keep a result from the broker for longer
LEAVE_MS = 3_000.0  # for what is still to be told
SWITCH_S = 0.001
JOIN_S = 15.0


class MqttHerald:
    """Tells of the game in one journal."""

    def __init__(
        self,
        broker: Broker,
        start: Start,
        journal: Journal,
        clock: Clock,
        outbox: Path,
        games: Path | None,
    ) -> None:
        assert start.occasion is not None, "only games of an event are told of"
        self._occasion: Occasion = start.occasion
        self._start, self._journal, self._clock, self._games = start, journal, clock, games
        self._time = SystemClock()  # the game's own may stand still
        self._instance = secrets.token_hex(8)
        self._broker = broker
        self.page = ""
        self._session: Session | None = None
        self._beaten_ms = self._time.now_ms()
        self._closed = threading.Event()
        self._lock = threading.Lock()
        # Guarded by `_lock`:
        self._remarks: list[str] = []
        self._delivered: list[int] = []
        self._tickets: dict[int, Result] = {}
        self._state: bytes | None = None  # the newest, for whoever connects
        self._results: tuple[Message, ...] = ()
        # Only for the thread:
        self._number = 0
        self._due_ms = self._pulse_ms = 0.0
        self._shown: tuple[Session | None, str, str] | None = None
        self._body: Mapping[str, Any] = {}
        self._told = ""  # the head with which a result was told
        self._ever_over = False
        self._numbers: dict[tuple[str, int], int] = {}  # of tickets
        self._outbox = ResultFile(outbox, self._time)
        self._set_results()  # before anybody is greeted: what waits is not told by itself
        gone = self._presence(Presence.LOST)
        self._line = Line(
            broker,
            self._time,
            f"laserboard-{self._instance}",
            will=gone,
            greeting=self._greeting,
            delivered=self._is_delivered,
            changed=self._is_changed,
        )
        self._thread = threading.Thread(target=self._run, name="herald", daemon=True)
        self._thread.start()

    @property
    def name(self) -> str:
        return str(self._broker.address)

    # -- for the game's loop -------------------------------------------------------------------

    def show(self, session: Session) -> None:
        self._session = session
        self._beaten_ms = self._time.now_ms()

    def events(self) -> list[DeviceEvent]:
        with self._lock:
            remarks, self._remarks = self._remarks, []
        return [DeviceRemark(self.name, each, self._clock.now_ms()) for each in remarks]

    def close(self) -> None:
        self._closed.set()
        if self._thread is not threading.current_thread():
            self._thread.join(JOIN_S)

    # -- for the line's thread -----------------------------------------------------------------

    def _greeting(self) -> Sequence[Message]:
        """All that a broker should know which may know nothing."""
        with self._lock:
            state, results = self._state, self._results
        here = self._presence(Presence.HERE)
        now = () if state is None else (Message(topics.state(self._occasion), state, True),)
        return (here, *now, *results)

    def _is_delivered(self, ticket: int) -> None:
        with self._lock:
            self._delivered.append(ticket)

    def _is_changed(self, trouble: str) -> None:
        self._remark(trouble or "connected")

    # -- the herald's thread -------------------------------------------------------------------

    def _run(self) -> None:
        sys.setswitchinterval(min(sys.getswitchinterval(), SWITCH_S))
        try:
            self._look_back()
            while not self._closed.wait(LOOK_S):
                self._look()
            self._leave()
        except Exception as defect:  # the thread must not die in silence
            self._remark(f"nothing more is published: {type(defect).__name__}: {defect}")
        finally:
            self._line.close()
            self._outbox.close()

    def _look(self) -> None:
        now_ms = self._time.now_ms()
        self._outbox.look()
        for remark in self._outbox.remarks:
            self._remark(remark)
        self._outbox.remarks.clear()
        self._take_delivered()
        session = self._session
        if session is not None and now_ms >= self._due_ms:
            self._due_ms = now_ms + STATE_MS
            self._tell_state(session)
            self._tell_result(session)
        if now_ms >= self._pulse_ms:
            self._pulse_ms = max(self._pulse_ms + PULSE_MS, now_ms + PULSE_MS / 2)
            self._tell_pulse(session, now_ms)

    def _tell_state(self, session: Session) -> None:
        now = (session, self._journal.head, self._reachable())
        shown = self._shown
        if shown is not None and shown[0] is session and shown[1:] == now[1:]:
            return
        self._shown = now
        body = state_body(self._instance, self._occasion, self._start, *now)
        if body == self._body:
            return
        self._body = body
        told = _written({**body, "clocks": self._faces(session.clocks)})
        if len(told) > LARGEST[topics.STATE]:
            told = _written({**body, "position": "", "reasons": [], "clocks": None})
        with self._lock:
            self._state = told
        self._line.put(Message(topics.state(self._occasion), told, True))

    def _reachable(self) -> str:
        """The address of the page, for those who can get there."""
        here = self.page.startswith("http://127.")
        return "" if here and not self._broker.address.local else self.page

    def _tell_pulse(self, session: Session | None, now_ms: float) -> None:
        """Before the first beat, too: who sets up a table takes some seconds."""
        self._number += 1
        faces = None if session is None else self._faces(session.clocks)
        quiet_ms = 0.0 if session is None else now_ms - self._beaten_ms
        body = pulse_body(self._instance, self._number, quiet_ms, faces)
        self._line.put(Message(topics.pulse(self._occasion), _written(body)))

    def _faces(self, clocks: Clocks) -> dict[str, Any] | None:
        return clocks_body(clocks, self._clock.now_ms())

    def _tell_result(self, session: Session) -> None:
        """Once it is over, and again whenever its journal then goes on."""
        head = self._journal.head
        over = session.phase is Phase.OVER
        written = not session.unwritten or self._closed.is_set()  # then the journal is closed too
        if not written or head == self._told or not (over or self._ever_over):
            return
        self._told = head
        body = self._result()
        if body is None or (body["result"] == UNFINISHED and not self._ever_over):
            return
        self._ever_over = True
        self._keep(body)

    def _result(self) -> dict[str, Any] | None:
        try:
            return result_body(recover(read(Path(self._journal.name))).entries)
        except LaserboardError as bad:
            self._remark(f"the result cannot be told: {bad}")
            return None

    def _keep(self, body: Mapping[str, Any]) -> None:
        if len(_written(body)) > LARGEST[topics.RESULT]:
            body = {**body, "record": "", "text": ""}  # its journal has it
        try:
            if not self._outbox.tell(body):
                return
        except BadMessage as bad:
            self._remark(f"the result cannot be told: {bad}")
            return
        self._outbox.synced(SYNC_MS)
        for message in self._set_results()[-1:]:
            self._line.put(message)

    def _set_results(self) -> tuple[Message, ...]:
        """What is to be sent with every greeting, the newest last."""
        messages = []
        for each in self._outbox.waiting():
            told = each.result
            occasion = Occasion(self._occasion.event, told.round, told.table)
            ticket = self._numbers.setdefault((told.game_id, told.entries), len(self._numbers))
            with self._lock:
                self._tickets[ticket] = told
            messages.append(Message(topics.result(occasion), _written(each.body), True, ticket))
        with self._lock:
            self._results = tuple(messages)
        return tuple(messages)

    def _take_delivered(self) -> None:
        with self._lock:
            delivered, self._delivered = self._delivered, []
            results = [self._tickets[each] for each in delivered if each in self._tickets]
        for result in results:
            waiting = self._outbox.queue.results.get((result.round, result.table, result.game_id))
            if waiting is not None and not waiting.sent:
                self._outbox.delivered(result)

    def _look_back(self) -> None:
        """Results that were written down, and never came into the queue: a kill in between."""
        if self._games is None:
            return
        own = Path(self._journal.name).name
        for body in finished(self._games, self._occasion, leave_out=own):
            if self._closed.is_set():
                return
            self._keep(body)

    def _leave(self) -> None:
        """The newest state, the result, and goodbye; for so long as a broker answers."""
        self._due_ms = 0.0
        end_ms = self._time.now_ms() + LEAVE_MS
        self._look()
        while self._time.now_ms() < end_ms and self._outbox.queue.unsent:
            if self._line.trouble:
                break  # it is in the queue, and goes out with the next game
            self._time.wait_ms(1000 * LOOK_S)
            self._outbox.look()
            self._take_delivered()
        self._line.put(self._presence(Presence.LEFT))

    # -- messages ------------------------------------------------------------------------------

    def _presence(self, presence: Presence) -> Message:
        body = presence_body(self._instance, presence)
        return Message(topics.presence(self._occasion), _written(body), True)

    def _remark(self, sentence: str) -> None:
        with self._lock:
            self._remarks.append(sentence)
            del self._remarks[:-20]


def _written(body: Mapping[str, Any]) -> bytes:
    return write(body).encode("utf-8")


def send(
    broker: Broker, clock: Clock, bodies: Sequence[Mapping[str, Any]], patience_ms: float
) -> str:
    """Tell results that are kept anyway, and wait until the broker has them; why it has not."""
    messages = [
        Message(
            topics.result(Occasion(body["event"], body["round"], body["table"])),
            _written(body),
            True,
            ticket,
        )
        for ticket, body in enumerate(bodies)
    ]
    left = set(range(len(messages)))
    name = f"laserboard-{secrets.token_hex(8)}"
    line = Line(broker, clock, name, greeting=lambda: messages, delivered=left.discard)
    try:
        end_ms = clock.now_ms() + patience_ms
        while left and clock.now_ms() < end_ms:
            if line.trouble:
                return line.trouble
            clock.wait_ms(1000 * LOOK_S)
        return f"{broker.address} has not taken {len(left)} of them" if left else ""
    finally:
        line.close()
