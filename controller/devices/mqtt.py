"""A connection to an MQTT broker, kept open by a thread. The only module that imports paho-mqtt.

Every reconnect makes a new client and publishes `initial_messages`, so that no old message waits in
paho's own queue.
"""

from __future__ import annotations

import contextlib
import logging
import socket
import ssl
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from controller.config.addresses.broker import BadBroker, Broker
from controller.devices import sentences
from controller.ports.devices import Clock
from controller.ports.mqtt import BrokerTrouble, OutgoingMessage, ReceivedMessage
from engine.sentences import Sentence

if TYPE_CHECKING:
    from paho.mqtt.client import Client, MQTTMessage

log = logging.getLogger(__name__)

KEEP_ALIVE_S = 5  # the broker drops a silent client after 1.5 times that
CONNECT_TIMEOUT_S = 5.0
LOOP_S = 0.05
FIRST_RETRY_MS, MAX_RETRY_MS = 500.0, 4_000.0
JOIN_S = CONNECT_TIMEOUT_S + 2.0
MAX_QUEUED = 500


def check_paho_installed() -> None:
    """Raise `BadBroker` if paho-mqtt is not installed."""
    try:
        import paho.mqtt.client  # noqa: F401
    except ImportError as error:
        raise BadBroker(sentences.NO_PAHO()) from error


class PahoConnection:
    """Reconnects by itself. Callbacks run in its thread and must not block."""

    def __init__(
        self,
        broker: Broker,
        clock: Clock,
        name: str,
        *,
        will: OutgoingMessage | None = None,
        initial_messages: Callable[[], Sequence[OutgoingMessage]] = tuple,
        topics: Sequence[str] = (),
        on_message: Callable[[ReceivedMessage], None] = lambda _: None,
        on_delivered: Callable[[int], None] = lambda _: None,
        on_status: Callable[[BrokerTrouble], None] = lambda _: None,
    ) -> None:
        check_paho_installed()
        self._broker, self._clock, self._name = broker, clock, name
        self._will, self._initial_messages, self._topics = will, initial_messages, topics
        self._message_callback, self._delivery_callback, self._status_callback = (
            on_message,
            on_delivered,
            on_status,
        )
        self._queue: deque[OutgoingMessage] = deque(maxlen=MAX_QUEUED)
        self._delivery_ids: dict[int, int] = {}
        self._connected = False
        self._refusal: Sentence | None = None
        self._trouble: BrokerTrouble | None = None
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="mqtt", daemon=True)
        self._thread.start()

    @property
    def trouble(self) -> BrokerTrouble | None:
        """Why there is no connection; "": connected; None: not known yet."""
        return self._trouble

    def publish(self, message: OutgoingMessage) -> bool:
        """Queue a message; False without a connection: the message is dropped."""
        if not self._connected:
            return False
        self._queue.append(message)
        return True

    def close(self) -> None:
        """Send the queued messages and disconnect."""
        self._closed.set()
        if self._thread is not threading.current_thread():
            self._thread.join(JOIN_S)

    # -- the thread ------------------------------------------------------------------------------

    def _run(self) -> None:
        pause_ms = FIRST_RETRY_MS
        while not self._closed.is_set():
            was_connected, trouble = self._run_connection()
            self._connected = False
            self._queue.clear()
            self._delivery_ids.clear()
            pause_ms = FIRST_RETRY_MS if was_connected else min(2 * pause_ms, MAX_RETRY_MS)
            if not self._closed.is_set():
                self._set_trouble(trouble)
                self._closed.wait(pause_ms / 1000)

    def _run_connection(self) -> tuple[bool, Sentence]:
        """Run one connection to its end; whether it was established, and why it ended."""
        address = self._broker.address
        self._refusal = None
        try:
            client = self._create_client()
            client.connect(address.host, address.port, KEEP_ALIVE_S)
        except (OSError, ValueError) as error:
            trouble = self._error_sentence(error)
            if trouble != self._trouble:  # not for each attempt
                log.debug("cannot connect to %s", address, exc_info=True)
            return False, trouble
        end_ms = self._clock.now_ms() + 1000 * CONNECT_TIMEOUT_S
        was_connected = False
        while not self._closed.is_set():
            if client.loop(LOOP_S) != 0:
                break
            if self._connected:
                was_connected = True
                self._flush(client)
            elif self._refusal is not None or self._clock.now_ms() > end_ms:
                break
        if self._closed.is_set() and self._connected:
            self._drain(client)
        with contextlib.suppress(OSError, ValueError):
            client.disconnect()
        # Without an answer paho keeps the socket open until garbage collection.
        _close_socket(client)
        if was_connected:
            return True, sentences.BROKER_LOST(broker=str(address))
        return False, self._refusal or sentences.NOT_A_BROKER(broker=str(address))

    def _create_client(self) -> Client:
        import paho.mqtt.client as mqtt
        from paho.mqtt.enums import CallbackAPIVersion

        broker = self._broker
        client = mqtt.Client(
            CallbackAPIVersion.VERSION2,
            client_id=self._name,
            clean_session=True,
            reconnect_on_failure=False,
        )
        client.connect_timeout = CONNECT_TIMEOUT_S
        if broker.address.user:
            client.username_pw_set(broker.address.user, broker.password or None)
        if broker.address.tls:
            client.tls_set(None if broker.ca_file is None else str(broker.ca_file))
        if self._will is not None:
            client.will_set(self._will.topic, self._will.payload, 1, self._will.retain)
        client.on_connect = self._on_connect
        client.on_message = self._on_message
        client.on_publish = self._on_publish
        return client

    def _on_connect(self, client: Client, _: Any, __: Any, reason: Any, ___: Any) -> None:
        if reason.is_failure:
            self._refusal = self._refusal_sentence(str(reason))
            return
        if self._topics:
            client.subscribe([(topic, 1) for topic in self._topics])
        self._connected = True
        for message in self._initial_messages():
            self._publish(client, message)
        self._set_trouble("")

    def _on_message(self, _: Client, __: Any, message: MQTTMessage) -> None:
        self._message_callback(
            ReceivedMessage(message.topic, bytes(message.payload), bool(message.retain))
        )

    def _on_publish(self, _: Client, __: Any, number: int, ___: Any, ____: Any) -> None:
        delivery_id = self._delivery_ids.pop(number, None)
        if delivery_id is not None:
            self._delivery_callback(delivery_id)

    def _flush(self, client: Client) -> None:
        while self._queue:
            self._publish(client, self._queue.popleft())

    def _publish(self, client: Client, message: OutgoingMessage) -> None:
        qos = 0 if message.delivery_id is None else 1
        # The PUBACK arrives in the next `loop`, which runs in this thread too.
        sent = client.publish(message.topic, message.payload, qos, message.retain)
        if message.delivery_id is not None:
            self._delivery_ids[sent.mid] = message.delivery_id

    def _drain(self, client: Client) -> None:
        """Send the remaining messages, for at most a second."""
        self._flush(client)
        end_ms = self._clock.now_ms() + 1000.0
        while self._clock.now_ms() < end_ms and (client.want_write() or self._delivery_ids):
            if client.loop(LOOP_S) != 0:
                return

    # -- reasons ---------------------------------------------------------------------------------

    def _set_trouble(self, trouble: BrokerTrouble) -> None:
        if trouble != self._trouble:
            if trouble:
                log.warning("MQTT: %s", trouble)
            self._trouble = trouble
            self._status_callback(trouble)

    def _refusal_sentence(self, reason: str) -> Sentence:
        broker, user = str(self._broker.address), self._broker.address.user
        if reason in ("Not authorized", "Bad user name or password"):
            if not user:
                return sentences.BROKER_NEEDS_USER(broker=broker)
            if not self._broker.password:
                return sentences.BROKER_NEEDS_PASSWORD(broker=broker, user=user)
            return sentences.BROKER_REJECTS_USER(broker=broker, user=user)
        return sentences.BROKER_REJECTS(broker=broker, reason=reason)

    def _error_sentence(self, bad: Exception) -> Sentence:
        broker = str(self._broker.address)
        match bad:
            case ssl.SSLCertVerificationError():
                return sentences.BROKER_UNTRUSTED(broker=broker, reason=bad.verify_message)
            case ssl.SSLError():
                return sentences.BROKER_NO_TLS(broker=broker, reason=str(bad.reason))
            case socket.gaierror():
                return sentences.BROKER_UNKNOWN(broker=broker)
            case ConnectionRefusedError():
                return sentences.NO_BROKER(broker=broker)
            case TimeoutError():
                return sentences.BROKER_SILENT(broker=broker)
            case OSError() if bad.strerror:
                return sentences.HOST_UNREACHABLE(host=broker, reason=bad.strerror)
        return sentences.HOST_UNREACHABLE(host=broker, reason=str(bad))


def _close_socket(client: Client) -> None:
    connection = client.socket()
    if connection is not None:
        connection.close()
