"""Games that programs play over HTTP, one command each: `laserboard NAME --player NICK=URL ...`."""

from __future__ import annotations

import argparse
from functools import partial

from controller.cli.args.players import add_fire_mode, add_random_seed
from controller.cli.args.position import any_number, count_number
from controller.cli.args.web import add_page, page_options
from controller.cli.command import Subcommands, add_command
from controller.cli.play import add_devices
from controller.ui.console import BadInput, Console
from controller.ui.hosting.options import SHOWN_PACE_S, DeviceOptions, PlayOptions
from engine import games

MAX_PACE_S = 60.0


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
        "Before every round the program posts the state as JSON to both players simultaneously. "
        "Each has 4 seconds for its answer. A player whose answer is late, invalid or too long "
        f"does nothing in that round, and an event gives both the reason. See docs/{name}-ai.md. "
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
        help=f"least time of a round in seconds (default {SHOWN_PACE_S:g} if shown, else 0)",
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
    from controller.ui.hosting.http_match import HttpMatchOptions, host_match

    if args.json == "-":
        raise BadInput("--json needs a file: the record is written again with every round")
    choice = HttpMatchOptions(
        name,
        args.player,
        board=args.board,
        fire=args.fire,
        seed=args.seed,
        rounds=args.rounds,
        pace_s=args.pace,
        options=args.option,
        random_seed=args.random_seed,
    )
    devices = DeviceOptions(args.camera, args.leds, args.buttons, args.speaker, args.voice)
    return host_match(choice, PlayOptions(devices, page_options(args, console)), args.json, console)


def _pace_argument(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= MAX_PACE_S:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time from 0 to {MAX_PACE_S:g} seconds")
    return seconds
