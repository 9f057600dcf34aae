"""Arguments for tournament games: event, round, table, names and MQTT broker."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING

from controller.cli.command import add_renamed

if TYPE_CHECKING:
    from controller.tournament.connect import BrokerOptions
    from controller.ui.hosting.game_options import EventOptions
    from controller.ui.hosting.options import PublisherFor


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


def event_choice(args: argparse.Namespace) -> EventOptions:
    from controller.tournament.topics import read_event_name
    from controller.ui.hosting.game_options import EventOptions

    event = None if args.event is None else read_event_name(args.event)
    broker_flags = [
        f"--{flag}"
        for flag in ("broker", "password-file", "ca-file")
        if getattr(args, flag.replace("-", "_")) is not None
    ]
    return EventOptions(event, args.round, args.table_number, args.names, broker_flags)


def broker_choice(args: argparse.Namespace) -> BrokerOptions:
    from controller.tournament.connect import BrokerOptions

    return BrokerOptions(args.broker, args.password_file, args.ca_file)


def publisher_from(args: argparse.Namespace) -> PublisherFor:
    """A function from a game to the one that opens its publisher."""
    from controller.tournament.connect import publisher_for

    return partial(publisher_for, broker_choice(args))


def table_number(text: str) -> int:
    """argparse type: the number of a table or a round."""
    from controller.session.setup import MAX_TABLE_NUMBER

    number = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0
    if not 1 <= number <= MAX_TABLE_NUMBER:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {MAX_TABLE_NUMBER}")
    return number
