"""Publishes one game of an event: its state, a pulse every second, and its result.

The game's loop hands over its session and goes on; a thread makes messages of it, and another one
talks to the broker. A result is on the disk before it is sent, and is sent again to every broker
that may have forgotten it. Whatever goes wrong here is a remark.
"""

from __future__ import annotations

import logging
import secrets
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from controller.config.addresses.broker import Broker
from controller.devices.factory.clocks import system_clock
from controller.devices.factory.mqtt import open_mqtt
from controller.ports.devices import Clock, Journal
from controller.ports.events import DeviceEvent, DeviceRemark
from controller.ports.mqtt import OutgoingMessage
from controller.session.clocks import Clocks
from controller.session.journal import recover
from controller.session.setup import GameSetup, TournamentEntry
from controller.session.state import Phase, Session
from controller.storage.games import read_journal
from controller.tournament import topics
from controller.tournament.local_results import read_local_results
from controller.tournament.messages import (
    MAX_PAYLOAD_BYTES,
    UNFINISHED,
    BadMessage,
    GameResult,
    Presence,
)
from controller.tournament.outbox_file import OutboxFile
from controller.tournament.payloads import (
    clocks_payload,
    presence_payload,
    pulse_payload,
    result_payload,
    state_payload,
)
from engine.errors import LaserboardError
from engine.strict_json import write

log = logging.getLogger(__name__)

POLL_S = 0.05
STATE_INTERVAL_MS, PULSE_INTERVAL_MS = 200.0, 1_000.0
SYNC_TIMEOUT_MS = 2_000.0  # a slow disk does not keep a result from the broker for longer
LEAVE_TIMEOUT_MS = 3_000.0  # for what is still to be told
SWITCH_INTERVAL_S = 0.001
JOIN_TIMEOUT_S = 15.0


class MqttPublisher:
    """Tells of the game in one journal."""

    def __init__(
        self,
        broker: Broker,
        start: GameSetup,
        journal: Journal,
        clock: Clock,
        outbox: Path,
        games_folder: Path | None,
    ) -> None:
        assert start.tournament_entry is not None, "only games of an event are told of"
        self._tournament_entry: TournamentEntry = start.tournament_entry
        self._start, self._journal, self._clock, self._games_folder = (
            start,
            journal,
            clock,
            games_folder,
        )
        self._system_clock = system_clock()  # the game's own may stand still
        self._instance = secrets.token_hex(8)
        self._broker = broker
        self.page_url = ""
        self._session: Session | None = None
        self._last_tick_ms = self._system_clock.now_ms()
        self._closed = threading.Event()
        self._lock = threading.Lock()
        # Guarded by `_lock`:
        self._remarks: list[str] = []
        self._delivered: list[int] = []
        self._results_by_delivery_id: dict[int, GameResult] = {}
        self._state_payload: bytes | None = None  # the newest, for whoever connects
        self._result_messages: tuple[OutgoingMessage, ...] = ()
        # Only for the thread:
        self._pulse_number = 0
        self._state_due_ms = self._pulse_due_ms = 0.0
        self._last_state_key: tuple[Session | None, str, str] | None = None
        self._last_state_body: Mapping[str, Any] = {}
        self._published_hash = ""  # the head with which a result was told
        self._was_over = False
        self._delivery_ids: dict[tuple[str, int], int] = {}  # of tickets
        self._outbox = OutboxFile(outbox, self._system_clock)
        self._rebuild_results()  # before anybody is greeted: what waits is not told by itself
        gone = self._presence_message(Presence.LOST)
        self._connection = open_mqtt(
            broker,
            self._system_clock,
            f"laserboard-{self._instance}",
            will=gone,
            initial_messages=self._initial_messages,
            on_delivered=self._on_delivered,
            on_status=self._on_status,
        )
        self._thread = threading.Thread(target=self._run, name="herald", daemon=True)
        self._thread.start()

    @property
    def name(self) -> str:
        return str(self._broker.address)

    # -- for the game's loop -------------------------------------------------------------------

    def publish(self, session: Session) -> None:
        self._session = session
        self._last_tick_ms = self._system_clock.now_ms()

    def events(self) -> list[DeviceEvent]:
        with self._lock:
            remarks, self._remarks = self._remarks, []
        return [DeviceRemark(self.name, each, self._clock.now_ms()) for each in remarks]

    def close(self) -> None:
        self._closed.set()
        if self._thread is not threading.current_thread():
            self._thread.join(JOIN_TIMEOUT_S)

    # -- for the line's thread -----------------------------------------------------------------

    def _initial_messages(self) -> Sequence[OutgoingMessage]:
        """All that a broker should know which may know nothing."""
        with self._lock:
            state, results = self._state_payload, self._result_messages
        here = self._presence_message(Presence.HERE)
        now = (
            ()
            if state is None
            else (OutgoingMessage(topics.state_topic(self._tournament_entry), state, True),)
        )
        return (here, *now, *results)

    def _on_delivered(self, ticket: int) -> None:
        with self._lock:
            self._delivered.append(ticket)

    def _on_status(self, trouble: str) -> None:
        self._add_remark(trouble or "connected")

    # -- the herald's thread -------------------------------------------------------------------

    def _run(self) -> None:
        sys.setswitchinterval(min(sys.getswitchinterval(), SWITCH_INTERVAL_S))
        try:
            self._queue_missed_results()
            while not self._closed.wait(POLL_S):
                self._poll()
            self._publish_last()
        except Exception as defect:
            log.exception("the publisher thread stops")
            self._add_remark(f"nothing more is published: {type(defect).__name__}: {defect}")
        finally:
            self._connection.close()
            self._outbox.close()

    def _poll(self) -> None:
        now_ms = self._system_clock.now_ms()
        self._outbox.poll()
        for remark in self._outbox.remarks:
            self._add_remark(remark)
        self._outbox.remarks.clear()
        self._take_delivered()
        session = self._session
        if session is not None and now_ms >= self._state_due_ms:
            self._state_due_ms = now_ms + STATE_INTERVAL_MS
            self._publish_state(session)
            self._publish_result(session)
        if now_ms >= self._pulse_due_ms:
            self._pulse_due_ms = max(
                self._pulse_due_ms + PULSE_INTERVAL_MS, now_ms + PULSE_INTERVAL_MS / 2
            )
            self._publish_pulse(session, now_ms)

    def _publish_state(self, session: Session) -> None:
        now = (session, self._journal.last_hash, self._public_page())
        shown = self._last_state_key
        if shown is not None and shown[0] is session and shown[1:] == now[1:]:
            return
        self._last_state_key = now
        body = state_payload(self._instance, self._tournament_entry, self._start, *now)
        if body == self._last_state_body:
            return
        self._last_state_body = body
        payload = _encode_body({**body, "clocks": self._clocks_body(session.clocks)})
        if len(payload) > MAX_PAYLOAD_BYTES[topics.STATE]:
            payload = _encode_body({**body, "position": "", "reasons": [], "clocks": None})
        with self._lock:
            self._state_payload = payload
        self._connection.publish(
            OutgoingMessage(topics.state_topic(self._tournament_entry), payload, True)
        )

    def _public_page(self) -> str:
        """The address of the page, for those who can get there."""
        here = self.page_url.startswith("http://127.")
        return "" if here and not self._broker.address.is_local else self.page_url

    def _publish_pulse(self, session: Session | None, now_ms: float) -> None:
        """Before the first beat, too: who sets up a table takes some seconds."""
        self._pulse_number += 1
        faces = None if session is None else self._clocks_body(session.clocks)
        quiet_ms = 0.0 if session is None else now_ms - self._last_tick_ms
        body = pulse_payload(self._instance, self._pulse_number, quiet_ms, faces)
        self._connection.publish(
            OutgoingMessage(topics.pulse_topic(self._tournament_entry), _encode_body(body))
        )

    def _clocks_body(self, clocks: Clocks) -> dict[str, Any] | None:
        return clocks_payload(clocks, self._clock.now_ms())

    def _publish_result(self, session: Session) -> None:
        """Once it is over, and again whenever its journal then goes on."""
        head = self._journal.last_hash
        over = session.phase is Phase.OVER
        written = (
            not session.writing.unwritten or self._closed.is_set()
        )  # then the journal is closed too
        if not written or head == self._published_hash or not (over or self._was_over):
            return
        self._published_hash = head
        body = self._read_result()
        if body is None or (body["result"] == UNFINISHED and not self._was_over):
            return
        self._was_over = True
        self._queue_result(body)

    def _read_result(self) -> dict[str, Any] | None:
        try:
            return result_payload(recover(read_journal(Path(self._journal.name))).entries)
        except LaserboardError as bad:
            self._add_remark(f"the result cannot be told: {bad}")
            return None

    def _queue_result(self, body: Mapping[str, Any]) -> None:
        if len(_encode_body(body)) > MAX_PAYLOAD_BYTES[topics.RESULT]:
            body = {**body, "record": "", "text": ""}  # its journal has it
        try:
            if not self._outbox.add(body):
                return
        except BadMessage as bad:
            self._add_remark(f"the result cannot be told: {bad}")
            return
        self._outbox.wait_until_synced(SYNC_TIMEOUT_MS)
        for message in self._rebuild_results()[-1:]:
            self._connection.publish(message)

    def _rebuild_results(self) -> tuple[OutgoingMessage, ...]:
        """What is to be sent with every greeting, the newest last."""
        messages = []
        for each in self._outbox.queued():
            result = each.result
            occasion = TournamentEntry(self._tournament_entry.event, result.round, result.table)
            ticket = self._delivery_ids.setdefault(
                (result.game_id, result.entries), len(self._delivery_ids)
            )
            with self._lock:
                self._results_by_delivery_id[ticket] = result
            messages.append(
                OutgoingMessage(
                    topics.result_topic(occasion), _encode_body(each.body), True, ticket
                )
            )
        with self._lock:
            self._result_messages = tuple(messages)
        return tuple(messages)

    def _take_delivered(self) -> None:
        with self._lock:
            delivered, self._delivered = self._delivered, []
            results = [
                self._results_by_delivery_id[each]
                for each in delivered
                if each in self._results_by_delivery_id
            ]
        for result in results:
            waiting = self._outbox.outbox.results.get((result.round, result.table, result.game_id))
            if waiting is not None and not waiting.sent:
                self._outbox.mark_delivered(result)

    def _queue_missed_results(self) -> None:
        """Results that were written down, and never came into the queue: a kill in between."""
        if self._games_folder is None:
            return
        own = Path(self._journal.name).name
        for body in read_local_results(self._games_folder, self._tournament_entry, exclude=own):
            if self._closed.is_set():
                return
            self._queue_result(body)

    def _publish_last(self) -> None:
        """The newest state, the result, and goodbye; for so long as a broker answers."""
        self._state_due_ms = 0.0
        end_ms = self._system_clock.now_ms() + LEAVE_TIMEOUT_MS
        self._poll()
        while self._system_clock.now_ms() < end_ms and self._outbox.outbox.unsent_count:
            if self._connection.trouble:
                break  # it is in the queue, and goes out with the next game
            self._system_clock.wait_ms(1000 * POLL_S)
            self._outbox.poll()
            self._take_delivered()
        self._connection.publish(self._presence_message(Presence.LEFT))

    # -- messages ------------------------------------------------------------------------------

    def _presence_message(self, presence: Presence) -> OutgoingMessage:
        body = presence_payload(self._instance, presence)
        return OutgoingMessage(
            topics.presence_topic(self._tournament_entry), _encode_body(body), True
        )

    def _add_remark(self, sentence: str) -> None:
        with self._lock:
            self._remarks.append(sentence)
            del self._remarks[:-20]


def _encode_body(body: Mapping[str, Any]) -> bytes:
    return write(body).encode("utf-8")


def publish_results(
    broker: Broker, clock: Clock, bodies: Sequence[Mapping[str, Any]], timeout_ms: float
) -> str:
    """Tell results that are kept anyway, and wait until the broker has them; why it has not."""
    messages = [
        OutgoingMessage(
            topics.result_topic(TournamentEntry(body["event"], body["round"], body["table"])),
            _encode_body(body),
            True,
            ticket,
        )
        for ticket, body in enumerate(bodies)
    ]
    left = set(range(len(messages)))
    name = f"laserboard-{secrets.token_hex(8)}"
    line = open_mqtt(
        broker, clock, name, initial_messages=lambda: messages, on_delivered=left.discard
    )
    try:
        end_ms = clock.now_ms() + timeout_ms
        while left and clock.now_ms() < end_ms:
            if line.trouble:
                return line.trouble
            clock.wait_ms(1000 * POLL_S)
        return f"{broker.address} has not taken {len(left)} of them" if left else ""
    finally:
        line.close()
