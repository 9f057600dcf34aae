"""Games that programs play over HTTP, one command each: `laserboard NAME --player NICK=URL ...`."""

from __future__ import annotations

import argparse
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING

from controller.cli.args.players import add_fire_mode, add_random_seed
from controller.cli.args.position import any_number, count_number
from controller.cli.args.web import add_page, page_options
from controller.cli.command import Subcommands, add_command
from controller.cli.play import add_devices
from controller.config.addresses.program import BadProgram, parse_program_url
from controller.devices.factory.clocks import local_time_text
from controller.session.setup import Seat
from controller.ui.console import BadInput, Console
from controller.ui.hosting.options import DeviceOptions, PlayOptions
from engine import games
from engine.errors import excerpt

if TYPE_CHECKING:
    from controller.ui.hosting.http_match import HttpMatch

HUMAN_AT_BOARD, COMPUTER = "board", "computer"
DEFAULT_PACE_S = 0.6  # if the match is shown on a screen or a board
LONGEST_PACE_S = 60.0
SIMULATED = "sim:"


def add(commands: Subcommands) -> None:
    for name in games.HTTP_GAMES:
        _add(commands, name)


def _add(commands: Subcommands, name: str) -> None:
    call = f"  laserboard {name}"
    match = add_command(
        commands,
        name,
        partial(_match, name),
        "let programs play each other over HTTP, against the computer, or against people",
        f"{call} --player Ada=http://127.0.0.1:8001 --player Grace=http://127.0.0.1:8002\n"
        f"{call} --player Ada=http://127.0.0.1:8001 --player Hal=computer:5 --seed 7 --pace 1\n"
        f"{call} --player Ada=computer --player Hal=computer --json match.json\n"
        f"{call} --player Ada=http://127.0.0.1:8001 --player Me=board --board hex-r5 "
        "--camera sim://\n"
        "two example programs, each in its own terminal:\n"
        "  python3 examples/ship_ai.py 8001 Ada\n"
        "  node examples/ship_ai.js 8002 Grace",
        "Before every round the program posts the state as JSON to both players at once. Each has "
        "4 seconds for its answer. A player whose answer is late, invalid or too long does nothing "
        f"in that round, and an event gives both the reason. See docs/{name}-ai.md. "
        "Every round is stored before it is shown (`laserboard games`). Keys: P pauses and "
        "continues, R restarts, Q quits.",
    )  # fmt: skip
    match.add_argument(
        "--player",
        metavar="NICK=WHO",
        action="append",
        required=True,
        help="give it twice. WHO is an http(s) URL, `board` for a person, or computer:LEVEL "
        "(1 to 8)",
    )
    match.add_argument("--seed", metavar="N", type=any_number, help="seed of the map (default 1)")
    match.add_argument("--rounds", metavar="N", type=count_number, help="end after N rounds")
    match.add_argument(
        "--pace",
        metavar="S",
        type=_pace_argument,
        help=f"least time of a round in seconds (default {DEFAULT_PACE_S:g} if shown, else 0)",
    )
    match.add_argument("--json", metavar="FILE", help="write the record after every round")
    add_random_seed(match, default=1)
    match.set_defaults(option=[])
    match.add_argument(
        "--option",
        metavar="KEY=VALUE",
        action="append",
        help="a rule option, see `laserboard setups --options`",
    )
    add_fire_mode(add_devices(match))
    add_page(match)


def _match(name: str, args: argparse.Namespace, console: Console) -> int:
    from controller.ui.hosting.http_match import host_match

    match = _plan_match(name, args, console)
    if args.json == "-":
        raise BadInput("--json needs a file: the record is written again with every round")
    devices = DeviceOptions(args.camera, args.leds, args.buttons, args.speaker, args.voice)
    options = PlayOptions(devices, page_options(args, console))
    return host_match(match, options, args.json, console)


def _plan_match(name: str, args: argparse.Namespace, console: Console) -> HttpMatch:
    from controller.config.board_file import BoardFile, absolute_board_name, load_board_file
    from controller.session.setup import GameSetup
    from controller.table.plan import GamePlan
    from controller.ui.hosting.http_match import HttpMatch
    from controller.ui.hosting.preferences import preferences_from
    from vision.board import PhysicalBoard

    if len(args.player) != 2:
        raise BadInput(f"two players are needed, not {len(args.player)}: give --player twice")
    players = [_read_player(each) for each in args.player]
    game = games.make_http_game(name, _options(args))
    position = game.start_with(args.seed, (players[0][0].name, players[1][0].name))
    people = any(not seat.is_automated for seat, _ in players)
    if people and args.board is None:
        raise BadInput("a person plays at a board: name it (--board hex-r5 --camera sim:// is a "
                       "simulated one)")  # fmt: skip
    board_name = "" if args.board is None else absolute_board_name(args.board)
    file = (
        load_board_file(board_name)
        if board_name
        else BoardFile(PhysicalBoard("none", position.grid))
    )
    start = GameSetup(
        game,
        (players[0][0], players[1][0]),
        position=position,
        version=version("laserboard"),
        started=local_time_text(),
        board=board_name,
        simulated=people and (args.camera or "").startswith(SIMULATED),
    )
    preferences = replace(
        preferences_from(args.fire, file), min_round_ms=1000 * _pace_s(args, console)
    )
    plan = GamePlan(start, file, preferences, args.random_seed, moved_by_hand=people)
    assert plan.fitted_board is not None  # raises if the map does not fit the board
    return HttpMatch(plan, board_name, {n: url for n, (_, url) in enumerate(players) if url})


def _read_player(text: str) -> tuple[Seat, str]:
    """The seat, and the URL of its program (empty: no program)."""
    from controller.config.play import BadSeat, parse_seat

    nick, equals, who = text.partition("=")
    if not equals or not nick or not who:
        raise BadInput(f"--player {excerpt(nick)}: write NICK=URL, NICK=board or NICK=computer:3")
    if who == HUMAN_AT_BOARD:
        return Seat(nick), ""
    try:
        if who.partition(":")[0] == COMPUTER:
            return parse_seat(who, nick), ""
        parse_program_url(who)
    except (BadSeat, BadProgram) as bad:
        raise BadInput(f"--player {nick}: {bad}") from None
    return Seat(nick, is_program=True), who


def _options(args: argparse.Namespace) -> dict[str, str]:
    given = dict[str, str]()
    for text in args.option or ():
        key, equals, value = text.partition("=")
        if not equals:
            raise BadInput(f"--option {excerpt(text)}: write KEY=VALUE")
        given[key] = value
    return given if args.rounds is None else {**given, "rounds": str(args.rounds)}


def _pace_s(args: argparse.Namespace, console: Console) -> float:
    if args.pace is not None:
        return float(args.pace)
    shown = console.size is not None or args.board is not None
    return DEFAULT_PACE_S if shown else 0.0


def _pace_argument(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= LONGEST_PACE_S:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a time from 0 to {LONGEST_PACE_S:g} seconds"
        )
    return seconds
