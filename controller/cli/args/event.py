"""Arguments for tournament games: event, round, table, names and MQTT broker."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.command import add_renamed
from controller.ui.console import BadInput
from engine.errors import excerpt

if TYPE_CHECKING:
    from controller.config.addresses.broker import Broker
    from controller.config.board_file import BoardFile
    from controller.session.setup import Seat, TournamentEntry
    from controller.table.loop import OpenPublisher
    from controller.table.plan import GamePlan

LONGEST_NAME = 40  # characters, as in a board file
NO_BROKER = (
    "no broker is named: give --broker mqtt://USER@HOST, or `event: broker:` in the board file"
    " (see docs/tournament.md)"
)
EVENT_ARGS = ("event", "round", "table_number", "names")


def add_event(
    parser: argparse.ArgumentParser, table_action: type[argparse.Action] | None = None
) -> None:
    """Event, round, table number, names and broker.

    `table_action` parses `--table` for a command whose former `--table` had another meaning.
    """
    group = parser.add_argument_group("the tournament of the game (see docs/tournament.md)")
    group.add_argument("--event", metavar="NAME", help="publish the game as part of that event")
    group.add_argument(
        "--round", metavar="N", type=table_number, help="round of the event (default 1)"
    )
    how = {"type": table_number} if table_action is None else {"action": table_action}
    add_renamed(
        group,
        "--table",
        "--table-number",
        dest="table_number",
        metavar="N",
        help="the table's number (default: as the board file says, else 1)",
        **how,
    )
    group.add_argument(
        "--names",
        metavar=("FIRST", "SECOND"),
        nargs=2,
        help="the players' names, as in the tournament's list",
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
        help="file with the broker's password, mode 0600 (or LASERBOARD_BROKER_PASSWORD)",
    )
    group.add_argument(
        "--ca-file", metavar="FILE", help="certificate authority of a broker with mqtts://"
    )


def tournament_entry_from(args: argparse.Namespace, file: BoardFile) -> TournamentEntry | None:
    """Event, round and table of the game; None without `--event`."""
    from controller.session.setup import TournamentEntry
    from controller.tournament.topics import read_event_name

    if args.event is None:
        for name in ("round", "table_number", "broker", "password_file", "ca_file"):
            if getattr(args, name) is not None:
                flag = name.removesuffix("_number").replace("_", "-")
                raise BadInput(f"--{flag}: of which event? name it with --event")
        return None
    table = args.table_number or file.event.table or 1
    return TournamentEntry(read_event_name(args.event), args.round or 1, table)


def name_seats(args: argparse.Namespace, seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """The same seats, with the names of `--names`."""
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
    """The broker of the command line, else of the board file, else None."""
    from controller.config.addresses.broker import load_broker, parse_broker_url
    from controller.config.event import EventSettings

    event = EventSettings() if file is None else file.event
    if args.broker is not None:
        event = replace(event, broker=parse_broker_url(args.broker))
        if event.broker is not None and not event.broker.tls:
            event = replace(event, ca_file=None)
    if event.broker is None:
        return None
    password, ca = (_path(given) for given in (args.password_file, args.ca_file))
    return load_broker(
        event.broker, password or event.password_file, ca or event.ca_file, os.environ
    )


def publisher_from(args: argparse.Namespace, plan: GamePlan) -> OpenPublisher | None:
    """A function that opens the game's publisher; None without an event or a broker."""
    from controller.tournament.connect import publisher_opener

    if plan.setup.tournament_entry is None:
        return None
    broker = broker_from(args, plan.board_file)
    return None if broker is None else publisher_opener(broker, plan.setup)


def _path(given: str | None) -> Path | None:
    return None if given is None else Path(given).expanduser()


def table_number(text: str) -> int:
    """argparse type: the number of a table or a round."""
    from controller.session.setup import MAX_TABLE_NUMBER

    number = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0
    if not 1 <= number <= MAX_TABLE_NUMBER:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 to {MAX_TABLE_NUMBER}")
    return number
