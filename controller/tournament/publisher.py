"""Publishes one game of an event: its state, a pulse every second, and its result.

The game's loop only hands over its session. The publisher's thread builds the messages, and the
MQTT connection's thread sends them. A result is synced to disk before it is sent, and sent again
on every connect. Errors become remarks; they never stop the game.
"""

from __future__ import annotations

import logging
import secrets
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from controller.config.addresses.broker import Broker
from controller.devices.factory.clocks import system_clock
from controller.devices.factory.mqtt import open_mqtt
from controller.ports.devices import Clock, Journal
from controller.ports.events import DeviceEvent, DeviceRemark
from controller.ports.mqtt import BrokerTrouble, OutgoingMessage
from controller.session.clocks import Clocks
from controller.session.journal import recover
from controller.session.setup import GameSetup, TournamentEntry
from controller.session.state import Phase, Session
from controller.storage.games import read_journal
from controller.tournament import sentences, topics
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
from engine.sentences import Sentence
from engine.strict_json import write

log = logging.getLogger(__name__)

POLL_S = 0.05
STATE_INTERVAL_MS, PULSE_INTERVAL_MS = 200.0, 1_000.0
SYNC_TIMEOUT_MS = 2_000.0  # after this, a result is sent although the disk has not synced it
LEAVE_TIMEOUT_MS = 3_000.0  # for unsent results at the end of a game
SWITCH_INTERVAL_S = 0.001  # of Python threads: this one must not delay the loop of the game
JOIN_TIMEOUT_S = 15.0


class MqttPublisher:
    """Publishes the game of one journal."""

    def __init__(
        self,
        broker: Broker,
        setup: GameSetup,
        journal: Journal,
        clock: Clock,
        outbox: Path,
        games_folder: Path | None,
    ) -> None:
        assert setup.tournament_entry is not None, "only games of an event are published"
        self._tournament_entry: TournamentEntry = setup.tournament_entry
        self._setup, self._journal = setup, journal
        self._clock, self._games_folder = clock, games_folder
        self._system_clock = system_clock()  # the game's clock may be simulated, and stand still
        self._instance = secrets.token_hex(8)
        self._broker = broker
        self.page_url = ""
        self._session: Session | None = None
        self._last_tick_ms = self._system_clock.now_ms()
        self._closed = threading.Event()
        self._lock = threading.Lock()
        # Guarded by `_lock`:
        self._remarks: list[Sentence] = []
        self._delivered: list[int] = []
        self._results_by_delivery_id: dict[int, GameResult] = {}
        self._state_payload: bytes | None = None  # the newest, sent on every connect
        self._result_messages: tuple[OutgoingMessage, ...] = ()
        # Used only by the publisher's thread:
        self._pulse_number = 0
        self._state_due_ms = self._pulse_due_ms = 0.0
        self._last_state_key: tuple[Session | None, str, str] | None = None
        self._last_state_body: Mapping[str, Any] = {}
        self._published_hash = ""  # the journal's last hash when a result was published
        self._was_over = False
        self._defects: set[Sentence] = set()
        self._delivery_ids: dict[tuple[str, int], int] = {}  # by game id and number of entries
        self._outbox = OutboxFile(outbox, self._system_clock)
        self._rebuild_results()  # before connecting: `_initial_messages` sends queued results
        self._connection = open_mqtt(
            broker,
            self._system_clock,
            f"laserboard-{self._instance}",
            will=self._presence_message(Presence.LOST),
            initial_messages=self._initial_messages,
            on_delivered=self._on_delivered,
            on_status=self._on_status,
        )
        self._thread = threading.Thread(target=self._run, name="publisher", daemon=True)
        self._thread.start()

    @property
    def name(self) -> str:
        return str(self._broker.address)

    # -- called by the game's loop -------------------------------------------------------------

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

    # -- called by the MQTT connection's thread ------------------------------------------------

    def _initial_messages(self) -> Sequence[OutgoingMessage]:
        """The messages for every connect: the broker may have been restarted and know nothing."""
        with self._lock:
            payload, results = self._state_payload, self._result_messages
        presence = self._presence_message(Presence.HERE)
        if payload is None:
            return (presence, *results)
        state = OutgoingMessage(topics.state_topic(self._tournament_entry), payload, True)
        return (presence, state, *results)

    def _on_delivered(self, delivery_id: int) -> None:
        with self._lock:
            self._delivered.append(delivery_id)

    def _on_status(self, trouble: BrokerTrouble) -> None:
        self._add_remark(trouble or sentences.CONNECTED())

    # -- the publisher's thread ----------------------------------------------------------------

    def _run(self) -> None:
        sys.setswitchinterval(min(sys.getswitchinterval(), SWITCH_INTERVAL_S))
        try:
            with self._log_defects_once():
                self._queue_missed_results()
            while not self._closed.wait(POLL_S):
                self._poll()
            self._publish_last()
        finally:
            self._connection.close()
            self._outbox.close()

    @contextmanager
    def _log_defects_once(self) -> Iterator[None]:
        """Log a defect with its traceback and remark on it; the thread continues with the next
        message. The same defect again, such as in every pulse, is not reported again."""
        try:
            yield
        except Exception as defect:
            sentence = sentences.MESSAGE_NOT_PUBLISHED(
                error=type(defect).__name__, reason=str(defect)
            )
            if sentence in self._defects:
                return
            self._defects.add(sentence)
            log.exception("a message is not published")
            self._add_remark(sentence)

    def _poll(self) -> None:
        now_ms = self._system_clock.now_ms()
        with self._log_defects_once():
            self._poll_outbox()
        session = self._session
        if session is not None and now_ms >= self._state_due_ms:
            self._state_due_ms = now_ms + STATE_INTERVAL_MS
            with self._log_defects_once():
                self._publish_state(session)
            with self._log_defects_once():
                self._publish_result(session)
        if now_ms >= self._pulse_due_ms:
            self._pulse_due_ms = max(
                self._pulse_due_ms + PULSE_INTERVAL_MS, now_ms + PULSE_INTERVAL_MS / 2
            )
            with self._log_defects_once():
                self._publish_pulse(session, now_ms)

    def _poll_outbox(self) -> None:
        self._outbox.poll()
        for remark in self._outbox.remarks:
            self._add_remark(remark)
        self._outbox.remarks.clear()
        self._take_delivered()

    def _publish_state(self, session: Session) -> None:
        key = (session, self._journal.last_hash, self._public_page())
        last = self._last_state_key
        if last is not None and last[0] is session and last[1:] == key[1:]:
            return
        self._last_state_key = key
        body = state_payload(self._instance, self._tournament_entry, self._setup, *key)
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
        """The URL of the page; empty if it is on localhost and the broker is not."""
        is_localhost = self.page_url.startswith("http://127.")
        return "" if is_localhost and not self._broker.address.is_local else self.page_url

    def _publish_pulse(self, session: Session | None, now_ms: float) -> None:
        """Publish a pulse; without a session, too, because setting up a table takes seconds."""
        self._pulse_number += 1
        clocks = None if session is None else self._clocks_body(session.clocks)
        quiet_ms = 0.0 if session is None else now_ms - self._last_tick_ms
        body = pulse_payload(self._instance, self._pulse_number, quiet_ms, clocks)
        self._connection.publish(
            OutgoingMessage(topics.pulse_topic(self._tournament_entry), _encode_body(body))
        )

    def _clocks_body(self, clocks: Clocks) -> dict[str, Any] | None:
        return clocks_payload(clocks, self._clock.now_ms())

    def _publish_result(self, session: Session) -> None:
        """Publish the result when the game is over, and again after every later journal entry."""
        last_hash = self._journal.last_hash
        over = session.phase is Phase.OVER
        # A closed publisher has a closed journal: nothing more will be written.
        written = not session.writing.unwritten or self._closed.is_set()
        if not written or last_hash == self._published_hash or not (over or self._was_over):
            return
        self._published_hash = last_hash
        body = self._read_result()
        if body is None or (body["result"] == UNFINISHED and not self._was_over):
            return
        self._was_over = True
        self._queue_result(body)

    def _read_result(self) -> dict[str, Any] | None:
        try:
            return result_payload(recover(read_journal(Path(self._journal.name))).entries)
        except LaserboardError as error:
            self._add_remark(sentences.RESULT_NOT_PUBLISHED(reason=error.sentence))
            return None

    def _queue_result(self, body: Mapping[str, Any]) -> None:
        if len(_encode_body(body)) > MAX_PAYLOAD_BYTES[topics.RESULT]:
            body = {**body, "record": "", "text": ""}  # the journal still has the record
        try:
            if not self._outbox.add(body):
                return
        except BadMessage as error:
            self._add_remark(sentences.RESULT_NOT_PUBLISHED(reason=error.sentence))
            return
        self._outbox.wait_until_synced(SYNC_TIMEOUT_MS)
        for message in self._rebuild_results()[-1:]:
            self._connection.publish(message)

    def _rebuild_results(self) -> tuple[OutgoingMessage, ...]:
        """Build the messages for all queued results, the newest last."""
        messages = []
        for each in self._outbox.queued():
            result = each.result
            entry = TournamentEntry(self._tournament_entry.event, result.round, result.table)
            delivery_id = self._delivery_ids.setdefault(
                (result.game_id, result.entries), len(self._delivery_ids)
            )
            with self._lock:
                self._results_by_delivery_id[delivery_id] = result
            payload = _encode_body(each.body)
            messages.append(OutgoingMessage(topics.result_topic(entry), payload, True, delivery_id))
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
            queued = self._outbox.outbox.results.get((result.round, result.table, result.game_id))
            if queued is not None and not queued.sent:
                self._outbox.mark_delivered(result)

    def _queue_missed_results(self) -> None:
        """Queue results of stored journals: the program may have been killed before it did so."""
        if self._games_folder is None:
            return
        own = Path(self._journal.name).name
        for body in read_local_results(self._games_folder, self._tournament_entry, exclude=own):
            if self._closed.is_set():
                return
            self._queue_result(body)

    def _publish_last(self) -> None:
        """Publish the newest state and the result, wait for the deliveries, and then leave."""
        self._state_due_ms = 0.0
        end_ms = self._system_clock.now_ms() + LEAVE_TIMEOUT_MS
        self._poll()
        while self._system_clock.now_ms() < end_ms and self._outbox.outbox.unsent_count:
            if self._connection.trouble:
                break  # the outbox keeps the result for the next game
            self._system_clock.wait_ms(1000 * POLL_S)
            with self._log_defects_once():
                self._poll_outbox()
        self._connection.publish(self._presence_message(Presence.LEFT))

    # -- messages ------------------------------------------------------------------------------

    def _presence_message(self, presence: Presence) -> OutgoingMessage:
        body = presence_payload(self._instance, presence)
        return OutgoingMessage(
            topics.presence_topic(self._tournament_entry), _encode_body(body), True
        )

    def _add_remark(self, sentence: Sentence) -> None:
        with self._lock:
            self._remarks.append(sentence)
            del self._remarks[:-20]


def _encode_body(body: Mapping[str, Any]) -> bytes:
    return write(body).encode("utf-8")


def publish_results(
    broker: Broker, clock: Clock, bodies: Sequence[Mapping[str, Any]], timeout_ms: float
) -> Sentence | None:
    """Publish stored results and wait for the deliveries; returns what went wrong."""
    messages = [
        OutgoingMessage(
            topics.result_topic(TournamentEntry(body["event"], body["round"], body["table"])),
            _encode_body(body),
            True,
            delivery_id,
        )
        for delivery_id, body in enumerate(bodies)
    ]
    pending = set(range(len(messages)))
    client_id = f"laserboard-{secrets.token_hex(8)}"
    connection = open_mqtt(
        broker, clock, client_id, initial_messages=lambda: messages, on_delivered=pending.discard
    )
    try:
        end_ms = clock.now_ms() + timeout_ms
        while pending and clock.now_ms() < end_ms:
            if connection.trouble:
                return connection.trouble
            clock.wait_ms(1000 * POLL_S)
        if not pending:
            return None
        return sentences.RESULTS_NOT_TAKEN(broker=str(broker.address), count=len(pending))
    finally:
        connection.close()
