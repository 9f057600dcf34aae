"""Connects a game and a tournament view to the MQTT broker."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from controller.config.addresses.broker import Broker, load_broker, parse_broker_url
from controller.config.event import EventSettings
from controller.ports.devices import Clock, Journal
from controller.table.loop import OpenPublisher, Publisher

if TYPE_CHECKING:
    from controller.config.board_file import BoardFile
    from controller.session.setup import GameSetup
    from controller.table.plan import GamePlan
    from controller.tournament.outbox_file import OutboxFile
    from engine.sentences import Sentence

MAX_RESULTS = 5_000
MAX_FILE_NAME_CHARS = 200


@dataclass(frozen=True, slots=True)
class BrokerOptions:
    """The broker of the command line; None: as the board file says."""

    url: str | None = None
    password_file: str | None = None
    ca_file: str | None = None

    def load(self, file: BoardFile | None) -> Broker | None:
        """The broker with its password; None if neither this nor the board file names one."""
        event = EventSettings() if file is None else file.event
        if self.url is not None:
            event = replace(event, broker=parse_broker_url(self.url))
            if event.broker is not None and not event.broker.tls:
                event = replace(event, ca_file=None)
        if event.broker is None:
            return None
        password, ca = (_path(given) for given in (self.password_file, self.ca_file))
        return load_broker(
            event.broker, password or event.password_file, ca or event.ca_file, os.environ
        )


def _path(given: str | None) -> Path | None:
    return None if given is None else Path(given).expanduser()


def publisher_for(choice: BrokerOptions, plan: GamePlan) -> OpenPublisher | None:
    """A function that opens the game's publisher; None without an event or a broker."""
    if plan.setup.tournament_entry is None:
        return None
    broker = choice.load(plan.board_file)
    return None if broker is None else publisher_opener(broker, plan.setup)


def publisher_opener(broker: Broker, setup: GameSetup) -> OpenPublisher:
    """A function that opens the publisher of a game as soon as the game has a journal."""
    from controller.devices.factory.mqtt import check_mqtt_installed

    check_mqtt_installed()

    def open_publisher(journal: Journal, clock: Clock) -> Publisher:
        from controller.storage.games import games_folder
        from controller.tournament.publisher import MqttPublisher

        assert setup.tournament_entry is not None
        name = _file_name(setup.tournament_entry.event)
        outbox = games_folder().parent / "outbox" / f"{name}-{setup.tournament_entry.table}.queue"
        return MqttPublisher(broker, setup, journal, clock, outbox, games_folder())

    return open_publisher


def open_results_file(event: str, clock: Clock) -> OutboxFile:
    """Open the file with the results that the tournament view of an event has received."""
    from controller.storage.games import games_folder
    from controller.tournament.outbox_file import OutboxFile

    # `hall` is the name of version 0.1.
    path = games_folder().parent / "hall" / f"{_file_name(event)}.results"
    return OutboxFile(path, clock, MAX_RESULTS)


def send_results(
    broker: Broker, clock: Clock, bodies: Sequence[Mapping[str, Any]], timeout_ms: float
) -> Sentence | None:
    """Publish results and wait for the deliveries; returns what went wrong."""
    from controller.tournament.publisher import publish_results

    return publish_results(broker, clock, bodies, timeout_ms)


def _file_name(event: str) -> str:
    """A file name for an event; a long one is cut and ends with a hash."""
    from hashlib import sha256

    from controller.tournament.topics import escape

    name = escape(event)
    if len(name) <= MAX_FILE_NAME_CHARS:
        return name
    return f"{name[: MAX_FILE_NAME_CHARS - 17]}-{sha256(name.encode()).hexdigest()[:16]}"


def listen(
    broker: Broker,
    clock: Clock,
    topic: str,
    on_message: Callable[[str, bytes, bool], None],
    on_status: Callable[[str | Sentence], None],
) -> Callable[[], None]:
    """Subscribe to everything below a topic; returns the function that disconnects."""
    from secrets import token_hex

    from controller.devices.factory.mqtt import open_mqtt

    connection = open_mqtt(
        broker,
        clock,
        f"laserboard-tournament-{token_hex(6)}",
        topics=(topic,),
        on_message=lambda each: on_message(each.topic, each.payload, each.retained),
        on_status=lambda trouble: on_status(str(trouble)),
    )
    return connection.close
