"""`laserboard tournament`: shows the boards of an event, or sends this computer's results again."""

from __future__ import annotations

import argparse

from controller.cli.args.event import add_broker, broker_choice
from controller.cli.args.web import port_number
from controller.cli.command import Subcommands, add_command
from controller.ui.console import Console


def add(commands: Subcommands) -> None:
    _add_tournament(commands, "tournament")
    _add_tournament(commands, "hall", hidden=True)
    publish = add_command(
        commands,
        "publish",
        _publish,
        "the former name of `laserboard tournament publish`",
        '  laserboard tournament publish --event "Club night"',
        hidden=True,
    )
    _add_event(publish)


def _add_tournament(commands: Subcommands, name: str, *, hidden: bool = False) -> None:
    tournament = add_command(
        commands,
        name,
        _tournament,
        "show a tournament: boards, results, standings, pairings, all games",
        '  laserboard tournament --event "Club night" --broker mqtt://club@192.168.1.5\n'
        '  laserboard tournament --event "Club night" --players players.txt --lan\n'
        '  laserboard tournament --event "Club night" --once\n'
        '  laserboard tournament publish --event "Club night"',
        "Boards publish their games with `laserboard play --event NAME --broker URL`. This command "
        "only listens; it never controls a board. It stores what it receives, and keeps running "
        "while the broker is away. `publish` sends the results of the games on this computer "
        "again, for instance after a board was offline. Sending a result twice does no harm.",
        hidden=hidden,
    )
    tournament.add_argument(
        "what", metavar="publish", nargs="?", choices=["publish"], help="send results again"
    )
    _add_event(tournament)
    tournament.add_argument(
        "--players", metavar="FILE", help="make pairings for all rounds; one name per line"
    )
    tournament.add_argument("--once", action="store_true", help="print the state and exit")
    tournament.add_argument("--json", action="store_true", help="print the state as JSON and exit")
    tournament.add_argument(
        "--lan", action="store_true", help="serve the page to the local network, with a PIN"
    )
    tournament.add_argument(
        "--port",
        metavar="N",
        type=port_number,
        help="port of the page (default 8138, or a free one)",
    )


def _add_event(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--event", metavar="NAME", required=True, help="the event's name")
    add_broker(parser)


def _tournament(args: argparse.Namespace, console: Console) -> int:
    from controller.tournament.hosting import TournamentOptions, show_tournament

    if args.what == "publish":
        return _publish(args, console)
    broker = broker_choice(args)
    options = TournamentOptions(
        args.event, broker, args.players, args.once, args.json, args.lan, args.port
    )
    return show_tournament(options, console)


def _publish(args: argparse.Namespace, console: Console) -> int:
    from controller.tournament.hosting import publish_results

    return publish_results(args.event, broker_choice(args), console)
