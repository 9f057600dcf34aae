"""`laserboard hall`: the overview of an event, and `laserboard publish`: results told once more."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from controller.cli.command import Subcommands, add_command
from controller.cli.console import BadInput, Console, read_file
from controller.cli.event import NO_BROKER, add_broker, broker_from
from controller.cli.page import port_number

if TYPE_CHECKING:
    from controller.broker_address import Broker
    from controller.hall.hearing import Hearing

LOOK_MS = 250.0
CONNECT_MS = 6_000.0  # for whoever only wants to look once
HEAR_MS = 1_600.0  # more than from one pulse to the next
SEND_MS = 15_000.0


def add(commands: Subcommands) -> None:
    hall = add_command(
        commands,
        "hall",
        _hall,
        "the overview of an event: boards, results, standings, pairings, all games",
        '  laserboard hall --event "Club night" --broker mqtt://club@192.168.1.5\n'
        '  laserboard hall --event "Club night" --players players.txt --lan\n'
        '  laserboard hall --event "Club night" --once',
        "Boards publish their games with `laserboard play --event NAME --broker URL`. The hall "
        "only listens: it never commands a board. What it has learned is kept on the disk. It "
        "goes on when the broker goes away, and says so.",
    )
    _add_event(hall)
    hall.add_argument(
        "--players", metavar="FILE", help="a name on every line: pairings for all rounds"
    )
    hall.add_argument("--once", action="store_true", help="print how it stands, and end")
    hall.add_argument("--json", action="store_true", help="the same for programs")
    hall.add_argument("--lan", action="store_true", help="for all in the local network, with a PIN")
    hall.add_argument(
        "--port", metavar="N", type=port_number, help="where (default 8138, or any that is free)"
    )

    publish = add_command(
        commands,
        "publish",
        _publish,
        "tell the hall once more how the games of an event ended that are kept here",
        '  laserboard publish --event "Club night" --broker mqtt://club@192.168.1.5',
        "For results that wait when a computer is put away. Telling a result twice does no harm.",
    )
    _add_event(publish)


def _add_event(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--event", metavar="NAME", required=True, help="which event")
    add_broker(parser)


def _hall(args: argparse.Namespace, console: Console) -> int:
    from controller.hall.hearing import Hearing
    from controller.hall.pairings import read_players
    from controller.hall.topics import all_of, event_name
    from controller.wiring import hall_memory, listen

    event, broker = event_name(args.event), _broker(args)
    players: tuple[str, ...] = ()
    if args.players is not None:
        players = read_players(read_file(args.players), args.players)
    clock = console.clock
    hearing = Hearing(event, players, str(broker.address), clock, hall_memory(event, clock))
    stop = listen(broker, clock, all_of(event), hearing.heard, hearing.changed)
    try:
        if args.once or args.json:
            return _look_once(args, console, hearing)
        return _serve(args, console, hearing)
    finally:
        stop()
        hearing.close()


def _look_once(args: argparse.Namespace, console: Console, hearing: Hearing) -> int:
    """How it stands, from the disk if there is no broker."""
    from controller.hall.shown import hall_json, hall_text

    clock = console.clock
    end_ms = clock.now_ms() + CONNECT_MS
    while hearing.hall().trouble != "" and clock.now_ms() < end_ms:
        if hearing.hall().trouble:  # it is tried again, but nobody waits here
            break
        clock.wait_ms(LOOK_MS / 5)
    if hearing.hall().trouble == "":
        clock.wait_ms(HEAR_MS)
    hall, now_ms = hearing.hall(), clock.now_ms()
    if args.json:
        console.print(json.dumps(hall_json(hall, now_ms), indent=2, ensure_ascii=False))
    else:
        console.print(hall_text(hall, now_ms))
    for remark in hearing.remarks():
        console.note(f"laserboard: {remark}")
    if hall.trouble == "":
        return 0
    console.note(f"laserboard: {hall.trouble or 'the broker does not answer'}")
    return 1


def _serve(args: argparse.Namespace, console: Console, hearing: Hearing) -> int:
    """Until somebody ends it."""
    from controller.hall.hearing import News
    from controller.hall.site import Site
    from controller.web.doors import new_key, new_pin
    from controller.web.secrets_file import secrets_path
    from controller.web.server import PageSettings
    from controller.wiring import today

    pin = new_pin() if args.lan else None
    entered = secrets_path().parent.parent / "hall" / "entered.json"
    site = Site(PageSettings(new_key(), args.port, pin, today(), entered), console.clock, hearing)
    try:
        console.print(f"the hall: {site.address}")
        if pin is not None:
            console.print(f"for others: {' or '.join(site.addresses)} with the PIN {pin}")
        news = News()
        while True:
            for line in (*hearing.remarks(), *news.told(hearing.hall(), console.clock.now_ms())):
                console.print(line)
            console.out.flush()
            console.clock.wait_ms(LOOK_MS)
    finally:
        site.close()


def _publish(args: argparse.Namespace, console: Console) -> int:
    from controller.game_store import games_folder
    from controller.hall.past import finished
    from controller.hall.topics import event_name
    from controller.journal import count
    from controller.wiring import send_results

    event, broker = event_name(args.event), _broker(args)
    bodies = list(finished(games_folder(), event))
    if not bodies:
        raise BadInput(f"no game of {event!r} that has ended is kept in {games_folder()}")
    trouble = send_results(broker, console.clock, bodies, SEND_MS)
    if trouble:
        raise BadInput(trouble)
    console.print(f"{count(len(bodies), 'result', 'results')} of {event} told")
    for body in bodies:
        open_ = _still_open(body)
        if open_:
            console.print(f"round {body['round']}, table {body['table']}: {open_}")
    return 0


def _still_open(body: Mapping[str, Any]) -> str:
    """Why a result does not count, or does not any more."""
    from controller.hall.messages import UNFINISHED

    if body["result"] == UNFINISHED:
        return "its result was withdrawn, and the game is not over"
    waits = " and ".join(body["waits"])
    return f"{body['result']} waits for {waits} before it counts" if waits else ""


def _broker(args: argparse.Namespace) -> Broker:
    from controller.config import load_board_file, own_board

    own = own_board()
    file = None if own is None else load_board_file(own)
    broker = broker_from(args, file)
    if broker is None:
        raise BadInput(NO_BROKER)
    return broker
