"""`laserboard tournament`: shows the boards of an event, or sends this computer's results again."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from controller.cli.args.event import NO_BROKER, add_broker, broker_from
from controller.cli.args.web import port_number
from controller.cli.command import Subcommands, add_command
from controller.ui.console import BadInput, Console, read_file

if TYPE_CHECKING:
    from controller.config.addresses.broker import Broker
    from controller.tournament.subscriber import TournamentSubscriber

POLL_MS = 250.0
CONNECT_TIMEOUT_MS = 6_000.0  # with `--once`
LISTEN_MS = 1_600.0  # longer than the interval of the boards' heartbeats
SEND_TIMEOUT_MS = 15_000.0


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
    from controller.tournament.connect import listen, open_results_file
    from controller.tournament.pairings import read_players
    from controller.tournament.subscriber import TournamentSubscriber
    from controller.tournament.topics import event_filter, read_event_name

    if args.what == "publish":
        return _publish(args, console)
    event, broker = read_event_name(args.event), _broker(args)
    players: tuple[str, ...] = ()
    if args.players is not None:
        players = read_players(read_file(args.players), args.players)
    clock = console.clock
    subscriber = TournamentSubscriber(
        event, players, str(broker.address), clock, open_results_file(event, clock)
    )
    stop = listen(
        broker, clock, event_filter(event), subscriber.on_message, subscriber.on_connection_change
    )
    try:
        if args.once or args.json:
            return _print_once(args, console, subscriber)
        return _serve(args, console, subscriber)
    finally:
        stop()
        subscriber.close()


def _print_once(
    args: argparse.Namespace, console: Console, subscriber: TournamentSubscriber
) -> int:
    """Print the state; without a connection, the state on disk."""
    from controller.tournament.views import tournament_json, tournament_text

    clock = console.clock
    end_ms = clock.now_ms() + CONNECT_TIMEOUT_MS
    while subscriber.view().trouble != "" and clock.now_ms() < end_ms:
        if subscriber.view().trouble:  # `--once` does not wait for the next try
            break
        clock.wait_ms(POLL_MS / 5)
    if subscriber.view().trouble == "":
        clock.wait_ms(LISTEN_MS)
    view, now_ms = subscriber.view(), clock.now_ms()
    if args.json:
        console.print(json.dumps(tournament_json(view, now_ms), indent=2, ensure_ascii=False))
    else:
        console.print(tournament_text(view, now_ms))
    for remark in subscriber.remarks():
        console.note(f"laserboard: {remark}")
    if view.trouble == "":
        return 0
    console.note(f"laserboard: {view.trouble or 'the broker does not answer'}")
    return 1


def _serve(args: argparse.Namespace, console: Console, subscriber: TournamentSubscriber) -> int:
    """Serve the page until Ctrl-C."""
    from controller.devices.factory.clocks import today_ordinal
    from controller.tournament.subscriber import ChangeFeed
    from controller.tournament.web_page import TournamentPage
    from controller.ui.web.auth import new_key, new_pin
    from controller.ui.web.auth_store import auth_store_path
    from controller.ui.web.page_server import PageSettings

    pin = new_pin() if args.lan else None
    login_store = auth_store_path().parent.parent / "hall" / "entered.json"
    page = TournamentPage(
        PageSettings(new_key(), args.port, pin, today_ordinal(), login_store),
        console.clock,
        subscriber,
    )
    try:
        console.print(f"the tournament: {page.address}")
        if pin is not None:
            console.print(f"for others: {' or '.join(page.addresses)} with the PIN {pin}")
        feed = ChangeFeed()
        while True:
            for line in (
                *subscriber.remarks(),
                *feed.changes(subscriber.view(), console.clock.now_ms()),
            ):
                console.print(str(line))
            console.out.flush()
            console.clock.wait_ms(POLL_MS)
    finally:
        page.close()


def _publish(args: argparse.Namespace, console: Console) -> int:
    from controller.session.journal import pluralise
    from controller.storage.games import games_folder
    from controller.tournament.connect import send_results
    from controller.tournament.local_results import read_local_results
    from controller.tournament.topics import read_event_name

    event, broker = read_event_name(args.event), _broker(args)
    bodies = list(read_local_results(games_folder(), event))
    if not bodies:
        raise BadInput(f"no game of {event!r} that has ended is kept in {games_folder()}")
    trouble = send_results(broker, console.clock, bodies, SEND_TIMEOUT_MS)
    if trouble is not None:
        raise BadInput(trouble)
    console.print(f"{pluralise(len(bodies), 'result', 'results')} of {event} sent")
    for body in bodies:
        reason = _open_reason(body)
        if reason:
            console.print(f"round {body['round']}, table {body['table']}: {reason}")
    return 0


def _open_reason(body: Mapping[str, Any]) -> str:
    """The reason why a result does not count yet; empty if it counts."""
    from controller.tournament.messages import UNFINISHED

    if body["result"] == UNFINISHED:
        return "its result was withdrawn, and the game is not over"
    waits = " and ".join(body["waits"])
    return f"{body['result']} waits for {waits} before it counts" if waits else ""


def _broker(args: argparse.Namespace) -> Broker:
    from controller.config.board_file import load_board_file, own_board_path

    own = own_board_path()
    file = None if own is None else load_board_file(own)
    broker = broker_from(args, file)
    if broker is None:
        raise BadInput(NO_BROKER)
    return broker
