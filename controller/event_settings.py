"""The section `event` of a board file: the broker to which games of an event are published.

Only games that are part of an event (`--event NAME`) are; which event it is says the command line,
since that is another one every evening.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from controller.agreement import MOST_TABLES
from controller.broker_address import BadBroker, BrokerAddress, read_broker_url
from controller.yaml_tree import Place

EVENT_KEYS = ("broker", "password_file", "ca_file", "table")
NEVER_HERE = (
    "a password does not belong in this file: put it in one of its own, mode 0600, and name that"
    " one with password_file"
)


@dataclass(frozen=True, slots=True)
class EventSettings:
    """What a board file says about events."""

    broker: BrokerAddress | None = None
    password_file: Path | None = None  # a relative one lies beside the board file
    ca_file: Path | None = None  # likewise
    table: int | None = None  # the number of this table


def read_event(place: Place | None) -> EventSettings:
    """The section `event` of a board file."""
    if place is None:
        return EventSettings()
    keys = place.section(*EVENT_KEYS, "password")
    keys.refuse("password", NEVER_HERE)
    broker, table = keys.get("broker"), keys.get("table")
    address = None
    if broker is not None:
        try:
            address = read_broker_url(broker.text('a broker, such as "mqtt://club@192.168.1.5"'))
        except BadBroker as bad:
            raise broker.error(str(bad)) from None
    if address is None or not address.tls:
        keys.refuse("ca_file", "only a broker with TLS has this: write mqtts://")
    if address is None:
        keys.refuse("password_file", "there is no broker that it would be for")
    return EventSettings(
        address,
        _file(keys.get("password_file")),
        _file(keys.get("ca_file")),
        None if table is None else table.whole(1, MOST_TABLES),
    )


def write_event(event: EventSettings) -> list[str]:
    """The lines of a board file that read back as these settings; none for the usual ones."""
    lines = []
    for key in ("broker", "password_file", "ca_file"):
        value = getattr(event, key)
        if value is not None:
            lines.append(f"  {key}: {json.dumps(str(value), ensure_ascii=False)}")
    if event.table is not None:
        lines.append(f"  table: {event.table}")
    return ["event:", *lines] if lines else []


def _file(place: Place | None) -> Path | None:
    if place is None:
        return None
    return Path(place.file).parent / Path(place.text("the name of a file")).expanduser()
