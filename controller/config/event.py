"""Reads and writes the section `event` of a board file: the MQTT broker of tournament games.

The section has no event name: the command line gives it (`--event NAME`). Other games are not
published.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from controller.config import sentences
from controller.config.addresses.broker import BadBroker, BrokerAddress, parse_broker_url
from controller.config.yaml_tree import ConfigNode
from controller.session.setup import MAX_TABLE_NUMBER

EVENT_KEYS = ("broker", "password_file", "ca_file", "table")


@dataclass(frozen=True, slots=True)
class EventSettings:
    """The section `event`."""

    broker: BrokerAddress | None = None
    password_file: Path | None = None  # relative to the board file
    ca_file: Path | None = None  # relative to the board file
    table: int | None = None  # table number


def read_event(node: ConfigNode | None) -> EventSettings:
    """Read the section `event`."""
    if node is None:
        return EventSettings()
    keys = node.section(*EVENT_KEYS, "password")
    keys.refuse("password", sentences.PASSWORD_IN_FILE())
    broker, table = keys.get("broker"), keys.get("table")
    address = None
    if broker is not None:
        try:
            address = parse_broker_url(broker.text(sentences.BROKER_URL()))
        except BadBroker as error:
            raise broker.error(error.sentence) from error
    if address is None or not address.tls:
        keys.refuse("ca_file", sentences.CA_FILE_WITHOUT_TLS())
    if address is None:
        keys.refuse("password_file", sentences.PASSWORD_WITHOUT_BROKER())
    return EventSettings(
        address,
        _read_path(keys.get("password_file")),
        _read_path(keys.get("ca_file")),
        None if table is None else table.integer(1, MAX_TABLE_NUMBER),
    )


def write_event(event: EventSettings) -> list[str]:
    """The lines of the section; empty for the defaults."""
    lines = []
    for key in ("broker", "password_file", "ca_file"):
        value = getattr(event, key)
        if value is not None:
            lines.append(f"  {key}: {json.dumps(str(value), ensure_ascii=False)}")
    if event.table is not None:
        lines.append(f"  table: {event.table}")
    return ["event:", *lines] if lines else []


def _read_path(node: ConfigNode | None) -> Path | None:
    if node is None:
        return None
    return Path(node.file).parent / Path(node.text(sentences.FILE_NAME())).expanduser()
