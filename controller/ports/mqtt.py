"""MQTT: messages to and from a broker, and the connection that carries them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from engine.sentences import Sentence

# Why there is no connection; empty: connected.
BrokerTrouble: TypeAlias = Sentence | Literal[""]


@dataclass(frozen=True, slots=True)
class OutgoingMessage:
    """A message to publish. `delivery_id` is reported back once the broker has confirmed it."""

    topic: str
    payload: bytes
    retain: bool = False
    delivery_id: int | None = None  # with one, it is sent at least once (QoS 1)


@dataclass(frozen=True, slots=True)
class ReceivedMessage:
    """A message from the broker."""

    topic: str
    payload: bytes
    retained: bool  # published before the subscription, and stored by the broker


class MqttConnection(Protocol):
    """A connection that reconnects by itself until it is closed."""

    @property
    def trouble(self) -> BrokerTrouble | None:
        """Why there is no connection; empty: connected; None: not known yet."""

    def publish(self, message: OutgoingMessage) -> bool:
        """Publish soon; False without a connection, and the message is dropped."""

    def close(self) -> None:
        """Send what is queued and disconnect; may be called again."""
