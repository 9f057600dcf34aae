"""Arguments for tournament games: event, round, table, names and MQTT broker."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from controller.cli.command import add_renamed
from controller.ui.console import BadInput
from engine.errors import excerpt

if TYPE_CHECKING:
    from controller.config.board_file import BoardFile
    from controller.session.setup import Seat, TournamentEntry
    from controller.table.loop import OpenPublisher
    from controller.table.plan import GamePlan
    from controller.tournament.connect import BrokerChoice

LONGEST_NAME = 40  # characters, as in a board file


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


@dataclass(frozen=True, slots=True)
class EventChoice:
    """The arguments of a tournament game; None: not given."""

    event: str | None
    round: int | None
    table_number: int | None
    names: Sequence[str] | None
    broker: BrokerChoice

    def given_flags(self) -> list[str]:
        """The flags that were given, apart from those of the broker."""
        values = {
            "event": self.event,
            "round": self.round,
            "table": self.table_number,
            "names": self.names,
        }
        return [f"--{flag}" for flag, value in values.items() if value is not None]


def event_from(args: argparse.Namespace) -> EventChoice:
    return EventChoice(args.event, args.round, args.table_number, args.names, broker_choice(args))


def broker_choice(args: argparse.Namespace) -> BrokerChoice:
    from controller.tournament.connect import BrokerChoice

    return BrokerChoice(args.broker, args.password_file, args.ca_file)


def publisher_from(args: argparse.Namespace) -> Callable[[GamePlan], OpenPublisher | None]:
    """A function from a game to the one that opens its publisher."""
    from controller.tournament.connect import publisher_for

    return partial(publisher_for, broker_choice(args))


def tournament_entry_from(choice: EventChoice, file: BoardFile) -> TournamentEntry | None:
    """Event, round and table of the game; None without `--event`."""
    from controller.session.setup import TournamentEntry
    from controller.tournament.topics import read_event_name

    if choice.event is None:
        broker = choice.broker
        given = {
            "round": choice.round,
            "table": choice.table_number,
            "broker": broker.url,
            "password-file": broker.password_file,
            "ca-file": broker.ca_file,
        }
        for flag, value in given.items():
            if value is not None:
                raise BadInput(f"--{flag}: of which event? name it with --event")
        return None
    table = choice.table_number or file.event.table or 1
    return TournamentEntry(read_event_name(choice.event), choice.round or 1, table)


def name_seats(names: Sequence[str] | None, seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """The same seats, with the names of `--names`."""
    if names is None:
        return tuple(seats)
    for name in names:
        if not 0 < len(name.strip()) <= LONGEST_NAME or not name.isprintable():
            raise BadInput(f"--names: {excerpt(name)} is no name of up to {LONGEST_NAME} letters")
    return tuple(
        replace(seat, name=" ".join(name.split())) for seat, name in zip(seats, names, strict=True)
    )


def table_number(text: str) -> int:
    """argparse type: the number of a table or a round."""
    from controller.session.setup import MAX_TABLE_NUMBER

    number = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0
    if not 1 <= number <= MAX_TABLE_NUMBER:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 to {MAX_TABLE_NUMBER}")
    return number
