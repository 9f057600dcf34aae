"""`laserboard soak`: plays simulated games and compares each journal with the hands' actions."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from controller.cli.args.position import any_number, count_number, seconds_number
from controller.cli.command import Subcommands, add_command, add_renamed
from controller.ui.console import BadInput, Console
from engine import games

if TYPE_CHECKING:
    pass

DEFAULT_GAMES, DEFAULT_TURNS = 100, 40


def add(commands: Subcommands) -> None:
    soak = add_command(
        commands,
        "soak",
        _soak,
        "play games on a simulated table, and compare each journal with the hands' actions",
        "  laserboard soak --games 6\n"
        "  laserboard soak --games 100 --folder soak      run it again to continue\n"
        "  laserboard soak --turns 200 --leds 'sim://?drop=0.02'\n"
        "  laserboard soak --turns 500 --chaos",
        "Runs the real reader, session, journal, LED driver and firmware; table, camera, hands and "
        "time are simulated. The hands record their actions independently of the journal. The exit "
        "status is 1 if a turn is wrong or lost, or a game hangs.",
    )
    long = soak.add_mutually_exclusive_group()
    long.add_argument(
        "--games", metavar="N", type=count_number, help=f"number of games (default {DEFAULT_GAMES})"
    )
    long.add_argument(
        "--turns", metavar="N", type=count_number, help="least number of turns in all games"
    )
    soak.add_argument(
        "--chaos",
        action="store_true",
        help="inject random faults of `simulate --fault list`",
    )
    soak.add_argument(
        "--jobs", metavar="N", type=count_number, default=2, help="games in parallel (default 2)"
    )
    soak.add_argument(
        "--seed",
        metavar="S",
        type=any_number,
        default=1,
        help="seed of moves and faults (default 1)",
    )
    soak.add_argument(
        "--game",
        metavar="NAME",
        action="append",
        help=f"game to play, may be repeated (default {', '.join(games.GAMES)})",
    )
    soak.add_argument(
        "--resign-after",
        metavar="N",
        type=count_number,
        default=DEFAULT_TURNS,
        help=f"turns after which a player resigns (default {DEFAULT_TURNS})",
    )
    soak.add_argument(
        "--leds",
        metavar="URL",
        default="sim://",
        help="sim:// with its faults, or memory:// (default sim://)",
    )
    soak.add_argument(
        "--folder",
        metavar="DIR",
        help="folder for journals and results (default: a temporary one, deleted after success)",
    )
    add_renamed(
        soak,
        "--timeout",
        "--patience",
        metavar="S",
        type=seconds_number,
        default=120.0,
        help="seconds without a turn after which a game counts as hanging (default 120)",
    )
    soak.add_argument("--json", metavar="FILE", help="write all results to FILE")


def _check_leds(url: str) -> None:
    from controller.config.addresses.leds import (
        MemoryLedAddress,
        SimulatedLedAddress,
        parse_led_url,
    )

    if not isinstance(parse_led_url(url), SimulatedLedAddress | MemoryLedAddress):
        raise BadInput(f"--leds {url}: a simulated table has sim:// or memory://")


def _soak(args: argparse.Namespace, console: Console) -> int:
    from controller.simulation.soak.runner import SoakGoal, SoakPlan
    from controller.ui.commands.soak import SoakOptions, run_soak

    names = tuple(games.make(name).name for name in args.game or games.GAMES)
    plan = SoakPlan(args.seed, names, args.leds, args.resign_after, args.chaos)
    _check_leds(args.leds)
    games_wanted = None if args.turns is not None else args.games or DEFAULT_GAMES
    goal = SoakGoal(games_wanted, args.turns)
    return run_soak(
        SoakOptions(plan, goal, args.jobs, args.timeout, args.folder, args.json), console
    )
