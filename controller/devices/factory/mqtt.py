"""Opens connections to an MQTT broker."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from controller.config.addresses.broker import Broker
from controller.ports.devices import Clock
from controller.ports.mqtt import (
    BrokerTrouble,
    MqttConnection,
    OutgoingMessage,
    ReceivedMessage,
)


def check_mqtt_installed() -> None:
    """Raise `BadBroker` if this Python has no MQTT library."""
    from controller.devices.mqtt import check_paho_installed

    check_paho_installed()


def open_mqtt(
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
) -> MqttConnection:
    """Connect in a background thread, and reconnect whenever the connection is lost.

    The callbacks run in that thread and must not block. `initial_messages` is published after every
    connect; `on_delivered` gets the `delivery_id` of each message that the broker has acknowledged.
    """
    from controller.devices.mqtt import PahoConnection

    return PahoConnection(
        broker,
        clock,
        name,
        will=will,
        initial_messages=initial_messages,
        topics=topics,
        on_message=on_message,
        on_delivered=on_delivered,
        on_status=on_status,
    )
