"""One line to a broker, in a thread of its own: it connects, and connects again, for as long as it
is open. The only module that knows paho-mqtt.

Every connection is a client of its own, which is greeted with everything that the broker should
know: nothing old waits in a queue that we do not see. Without a will and without messages it only
listens.
"""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from controller.broker_address import BadBroker, Broker
from controller.ports import Clock

if TYPE_CHECKING:
    from paho.mqtt.client import Client, MQTTMessage

KEEP_ALIVE_S = 5  # the broker gives a silent board up after one and a half of these
CONNECT_S = 5.0
STEP_S = 0.05
SHORTEST_MS, LONGEST_MS = 500.0, 4_000.0
JOIN_S = CONNECT_S + 2.0
MOST_WAITING = 500


@dataclass(frozen=True, slots=True)
class Message:
    """Something to be published; `ticket` is handed back once the broker has it."""

    topic: str
    payload: bytes
    retain: bool = False
    ticket: int | None = None  # with one, it is sent at least once (QoS 1)


@dataclass(frozen=True, slots=True)
class Heard:
    """Something that was published."""

    topic: str
    payload: bytes
    retained: bool  # the broker had kept it


def check_installed() -> None:
    """`BadBroker` if this Python has no MQTT."""
    try:
        import paho.mqtt.client  # noqa: F401
    except ImportError:
        raise BadBroker(
            "events need paho-mqtt: `pip install paho-mqtt` where Laserboard is installed, on a Pi"
            " `sudo ./install.sh`"
        ) from None


class Line:
    """A connection that is looked after. Callbacks come from its thread and must not wait."""

    def __init__(
        self,
        broker: Broker,
        clock: Clock,
        name: str,
        *,
        will: Message | None = None,
        greeting: Callable[[], Sequence[Message]] = tuple,
        topics: Sequence[str] = (),
        heard: Callable[[Heard], None] = lambda _: None,
        delivered: Callable[[int], None] = lambda _: None,
        changed: Callable[[str], None] = lambda _: None,
    ) -> None:
        check_installed()
        self._broker, self._clock, self._name = broker, clock, name
        self._will, self._greeting, self._topics = will, greeting, topics
        self._heard, self._delivered, self._changed = heard, delivered, changed
        self._waiting: deque[Message] = deque(maxlen=MOST_WAITING)
        self._tickets: dict[int, int] = {}
        self._connected = False
        self._refusal = ""
        self._trouble: str | None = None
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="mqtt", daemon=True)
        self._thread.start()

    @property
    def trouble(self) -> str | None:
        """Why there is no connection; empty: there is one; None: that is not known yet."""
        return self._trouble

    def put(self, message: Message) -> bool:
        """Publish something soon; False without a connection, where it is for nothing."""
        if not self._connected:
            return False
        self._waiting.append(message)
        return True

    def close(self) -> None:
        """Send what waits and leave; may be called again."""
        self._closed.set()
        if self._thread is not threading.current_thread():
            self._thread.join(JOIN_S)

    # -- in its thread ---------------------------------------------------------------------------

    def _run(self) -> None:
        pause_ms = SHORTEST_MS
        while not self._closed.is_set():
            was_connected, trouble = self._connection()
            self._connected = False
            self._waiting.clear()
            self._tickets.clear()
            pause_ms = SHORTEST_MS if was_connected else min(2 * pause_ms, LONGEST_MS)
            if not self._closed.is_set():
                self._tell(trouble)
                self._closed.wait(pause_ms / 1000)

    def _connection(self) -> tuple[bool, str]:
        """One connection from its beginning to its end: whether there was any, and why it ended."""
        address = self._broker.address
        self._refusal = ""
        try:
            client = self._client()
            client.connect(address.host, address.port, KEEP_ALIVE_S)
        except (OSError, ValueError) as bad:
            return False, self._sentence(bad)
        end_ms = self._clock.now_ms() + 1000 * CONNECT_S
        greeted = False
        while not self._closed.is_set():
            if client.loop(STEP_S) != 0:
                break
            if self._connected:
                greeted = True
                self._flush(client)
            elif self._refusal or self._clock.now_ms() > end_ms:
                break
        if self._closed.is_set() and self._connected:
            self._farewell(client)
        with contextlib.suppress(OSError, ValueError):
            client.disconnect()
        # Where nothing answers, paho would keep the socket until somebody collects the garbage.
        _shut(client)
        if greeted:
            return True, f"the connection to {address} was lost: trying again"
        return False, self._refusal or f"{address} does not answer as a broker does"

    def _client(self) -> Client:
        import paho.mqtt.client as mqtt
        from paho.mqtt.enums import CallbackAPIVersion

        has = self._broker
        client = mqtt.Client(
            CallbackAPIVersion.VERSION2,
            client_id=self._name,
            clean_session=True,
            reconnect_on_failure=False,
        )
        client.connect_timeout = CONNECT_S
        if has.address.user:
            client.username_pw_set(has.address.user, has.password or None)
        if has.address.tls:
            client.tls_set(None if has.ca_file is None else str(has.ca_file))
        if self._will is not None:
            client.will_set(self._will.topic, self._will.payload, 1, self._will.retain)
        client.on_connect = self._on_connect
        client.on_message = self._on_message
        client.on_publish = self._on_publish
        return client

    def _on_connect(self, client: Client, _: Any, __: Any, reason: Any, ___: Any) -> None:
        if reason.is_failure:
            self._refusal = self._refused(str(reason))
            return
        if self._topics:
            client.subscribe([(topic, 1) for topic in self._topics])
        self._connected = True
        for message in self._greeting():
            self._publish(client, message)
        self._tell("")

    def _on_message(self, _: Client, __: Any, message: MQTTMessage) -> None:
        self._heard(Heard(message.topic, bytes(message.payload), bool(message.retain)))

    def _on_publish(self, _: Client, __: Any, number: int, ___: Any, ____: Any) -> None:
        ticket = self._tickets.pop(number, None)
        if ticket is not None:
            self._delivered(ticket)

    def _flush(self, client: Client) -> None:
        while self._waiting:
            self._publish(client, self._waiting.popleft())

    def _publish(self, client: Client, message: Message) -> None:
        qos = 0 if message.ticket is None else 1
        # The answer cannot come before the next `loop`, which is in this thread too.
        sent = client.publish(message.topic, message.payload, qos, message.retain)
        if message.ticket is not None:
            self._tickets[sent.mid] = message.ticket

    def _farewell(self, client: Client) -> None:
        """What still waits goes out, for a moment."""
        self._flush(client)
        end_ms = self._clock.now_ms() + 1000.0
        while self._clock.now_ms() < end_ms and (client.want_write() or self._tickets):
            if client.loop(STEP_S) != 0:
                return

    # -- in words --------------------------------------------------------------------------------

    def _tell(self, trouble: str) -> None:
        if trouble != self._trouble:
            self._trouble = trouble
            self._changed(trouble)

    def _refused(self, reason: str) -> str:
        address, user = self._broker.address, self._broker.address.user
        if reason in ("Not authorized", "Bad user name or password"):
            if not user:
                return f"{address} lets nobody in without a name: write mqtt://USER@HOST"
            if not self._broker.password:
                return f"{address} does not let {user} in without a password"
            return f"{address} does not let {user} in: is the password right?"
        return f"{address} does not let us in: {reason}"

    def _sentence(self, bad: Exception) -> str:
        address = self._broker.address
        match bad:
            case ssl.SSLCertVerificationError():
                why = bad.verify_message
                return f"{address}: its certificate is not trusted ({why}): name its CA file"
            case ssl.SSLError():
                return f"{address}: no TLS there ({bad.reason}): is it mqtt:// or another port?"
            case socket.gaierror():
                return f"{address}: there is no host of that name"
            case ConnectionRefusedError():
                return f"no broker answers at {address}: is it running?"
            case TimeoutError():
                return f"{address} does not answer"
            case OSError():
                return f"{address} cannot be reached: {bad.strerror or bad}"
        return f"{address} cannot be reached: {bad}"


def _shut(client: Client) -> None:
    line = client.socket()
    if line is not None:
        line.close()
