"""Brokers: who tells of a game, and who listens to all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from controller.broker_address import Broker
from controller.ports import Clock, Journal
from controller.ports_event import Herald, OpenHerald

if TYPE_CHECKING:
    from controller.agreement import Start


def herald_of(broker: Broker, start: Start) -> OpenHerald:
    """Somebody who tells of that game, once it has a journal."""
    from controller.devices.mqtt import check_installed

    check_installed()

    def opened(journal: Journal, clock: Clock) -> Herald:
        from controller.devices.herald import MqttHerald
        from controller.game_store import games_folder
        from controller.hall.topics import escaped

        assert start.occasion is not None
        name = f"{escaped(start.occasion.event)}-{start.occasion.table}.queue"
        outbox = games_folder().parent / "outbox" / name[-200:]
        return MqttHerald(broker, start, journal, clock, outbox, games_folder())

    return opened


def listen(
    broker: Broker,
    clock: Clock,
    name: str,
    topic: str,
    heard: Callable[[str, bytes, bool], None],
    changed: Callable[[str], None],
) -> Callable[[], None]:
    """Hear everything below a topic, and never say anything; how to stop is given back."""
    from controller.devices.mqtt import Line

    line = Line(
        broker,
        clock,
        name,
        topics=(topic,),
        heard=lambda each: heard(each.topic, each.payload, each.retained),
        changed=changed,
    )
    return line.close
