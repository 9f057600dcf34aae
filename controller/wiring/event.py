"""Brokers: who tells of a game, and who listens to all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from controller.broker_address import Broker
from controller.ports import Clock, Journal
from controller.ports_event import Herald, OpenHerald

if TYPE_CHECKING:
    from controller.agreement import Start
    from controller.devices.result_file import ResultFile

MOST_RESULTS = 5_000
LONGEST_FILE = 200


def herald_of(broker: Broker, start: Start) -> OpenHerald:
    """Somebody who tells of that game, once it has a journal."""
    from controller.devices.mqtt import check_installed

    check_installed()

    def opened(journal: Journal, clock: Clock) -> Herald:
        from controller.devices.herald import MqttHerald
        from controller.game_store import games_folder

        assert start.occasion is not None
        name = _file_name(start.occasion.event)
        outbox = games_folder().parent / "outbox" / f"{name}-{start.occasion.table}.queue"
        return MqttHerald(broker, start, journal, clock, outbox, games_folder())

    return opened


def listen(
    broker: Broker,
    clock: Clock,
    topic: str,
    heard: Callable[[str, bytes, bool], None],
    changed: Callable[[str], None],
) -> Callable[[], None]:
    """Hear everything below a topic, and never say anything; how to stop is given back."""
    from secrets import token_hex

    from controller.devices.mqtt import Line

    line = Line(
        broker,
        clock,
        f"laserboard-hall-{token_hex(6)}",
        topics=(topic,),
        heard=lambda each: heard(each.topic, each.payload, each.retained),
        changed=changed,
    )
    return line.close


def hall_memory(event: str, clock: Clock) -> ResultFile:
    """What the hall of an event has learned, on the disk."""
    from controller.devices.result_file import ResultFile
    from controller.game_store import games_folder

    path = games_folder().parent / "hall" / f"{_file_name(event)}.results"
    return ResultFile(path, clock, MOST_RESULTS)


def send_results(
    broker: Broker, clock: Clock, bodies: Sequence[Mapping[str, Any]], patience_ms: float
) -> str:
    """Tell these results, and wait until the broker has them; why it has not."""
    from controller.devices.herald import send

    return send(broker, clock, bodies, patience_ms)


def _file_name(event: str) -> str:
    """A name for a file; long ones end with what tells them apart."""
    from hashlib import sha256

    from controller.hall.topics import escaped

    name = escaped(event)
    if len(name) <= LONGEST_FILE:
        return name
    return f"{name[: LONGEST_FILE - 17]}-{sha256(name.encode()).hexdigest()[:16]}"
