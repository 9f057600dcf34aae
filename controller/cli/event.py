"""The arguments by which a command is told of which event its game is part, and of its broker."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.console import BadInput
from engine.errors import excerpt

if TYPE_CHECKING:
    from controller.agreement import Occasion, Seat
    from controller.beginning import Plan
    from controller.broker_address import Broker
    from controller.config import BoardFile
    from controller.ports_event import OpenHerald

LONGEST_NAME = 40  # as in a board file
NO_BROKER = (
    "no broker is named: give --broker mqtt://USER@HOST, or `event: broker:` in the board file"
    " (docs/hall.md tells how to run one)"
)
OCCASION = ("event", "round", "table_number", "names")


def add_event(parser: argparse.ArgumentParser, *, table: bool = True) -> None:
    """Event, round and table; `--table` is short for `--table-number` unless it means something
    else there. The broker too."""
    group = parser.add_argument_group("the event that the game is part of (see docs/hall.md)")
    group.add_argument("--event", metavar="NAME", help="publish the game, as part of that event")
    group.add_argument("--round", metavar="N", type=_number, help="of the event (default 1)")
    group.add_argument(
        *(("--table", "--table-number") if table else ("--table-number",)),
        metavar="N",
        type=_number,
        dest="table_number",
        help="where it is played (default: as the board file says, else 1)",
    )
    group.add_argument(
        "--names",
        metavar=("FIRST", "SECOND"),
        nargs=2,
        help="what the players are called, as in the hall's list",
    )
    add_broker(group)


def add_broker(group: argparse._ActionsContainer) -> None:
    group.add_argument(
        "--broker",
        metavar="URL",
        help="mqtt://USER@HOST:PORT or mqtts:// (default: as the board file says)",
    )
    group.add_argument(
        "--password-file",
        metavar="FILE",
        help="with the broker's password, mode 0600 (or LASERBOARD_BROKER_PASSWORD)",
    )
    group.add_argument("--ca-file", metavar="FILE", help="who vouches for a broker with mqtts://")


def occasion_from(args: argparse.Namespace, file: BoardFile) -> Occasion | None:
    """What the game is part of; None: people just play."""
    from controller.agreement import Occasion
    from controller.hall.topics import event_name

    if args.event is None:
        for name in ("round", "table_number", "broker", "password_file", "ca_file"):
            if getattr(args, name) is not None:
                flag = name.replace("_", "-")
                raise BadInput(f"--{flag}: of which event? name it with --event")
        return None
    table = args.table_number or file.event.table or 1
    return Occasion(event_name(args.event), args.round or 1, table)


def with_names(args: argparse.Namespace, seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """The same seats, with the names that were given."""
    if args.names is None:
        return tuple(seats)
    for name in args.names:
        if not 0 < len(name.strip()) <= LONGEST_NAME or not name.isprintable():
            raise BadInput(f"--names: {excerpt(name)} is no name of up to {LONGEST_NAME} letters")
    return tuple(
        replace(seat, name=" ".join(name.split()))
        for seat, name in zip(seats, args.names, strict=True)
    )


def broker_from(args: argparse.Namespace, file: BoardFile | None) -> Broker | None:
    """The broker that the command line names, or else the board file."""
    from controller.broker_address import broker_of, read_broker_url
    from controller.event_settings import EventSettings

    event = EventSettings() if file is None else file.event
    if args.broker is not None:
        event = replace(event, broker=read_broker_url(args.broker))
        if event.broker is not None and not event.broker.tls:
            event = replace(event, ca_file=None)
    if event.broker is None:
        return None
    password, ca = (_path(given) for given in (args.password_file, args.ca_file))
    return broker_of(event.broker, password or event.password_file, ca or event.ca_file, os.environ)


def herald_from(args: argparse.Namespace, plan: Plan) -> OpenHerald | None:
    """Who tells of a game; nobody, if it is part of no event. One board needs no broker."""
    from controller.wiring import herald_of

    if plan.start.occasion is None:
        return None
    broker = broker_from(args, plan.file)
    return None if broker is None else herald_of(broker, plan.start)


def _path(given: str | None) -> Path | None:
    return None if given is None else Path(given).expanduser()


def _number(text: str) -> int:
    from controller.agreement import MOST_TABLES

    found = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0
    if not 1 <= found <= MOST_TABLES:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 to {MOST_TABLES}")
    return found
