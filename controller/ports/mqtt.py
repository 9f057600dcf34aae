"""MQTT: messages to and from a broker, and the connection that carries them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class OutgoingMessage:
    """Something to be published; `delivery_id` is handed back once the broker has it."""

    topic: str
    payload: bytes
    retain: bool = False
    delivery_id: int | None = None  # with one, it is sent at least once (QoS 1)


@dataclass(frozen=True, slots=True)
class ReceivedMessage:
    """Something that was published."""

    topic: str
    payload: bytes
    retained: bool  # the broker had kept it


class MqttConnection(Protocol):
    """A connection that reconnects by itself until it is closed."""

    @property
    def trouble(self) -> str | None:
        """Why there is no connection; empty: connected; None: not known yet."""

    def publish(self, message: OutgoingMessage) -> bool:
        """Publish soon; False without a connection, and the message is dropped."""

    def close(self) -> None:
        """Send what is queued and disconnect; may be called again."""
