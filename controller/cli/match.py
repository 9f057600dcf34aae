"""`laserboard match`: plays many games of two computer players and estimates the Elo difference."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from controller.cli.args.position import (
    add_game,
    any_number,
    count_number,
    milliseconds_number,
    seconds_number,
)
from controller.cli.command import Subcommands, add_command, add_renamed
from controller.ui.console import BadInput, Console
from controller.ui.position_options import PositionOptions

if TYPE_CHECKING:
    from controller.computer.match.players import MoveLimits

DEFAULT_GAMES, DEFAULT_SECONDS, DEFAULT_RANDOM_TURNS = 40, 1.0, 4


def add(commands: Subcommands) -> None:
    match = add_command(
        commands,
        "match",
        _match,
        "play many games of two computer players, and measure which is stronger",
        "  laserboard match 4 3 --games 20\n"
        "  laserboard match native python --games 40 --seconds 1 --record match.pgn\n"
        "  laserboard match native:level=7 'cmd:./other-engine --fast' --movetime 100\n"
        "  laserboard match level:2 level:1 --depth 2 --jobs 2 --seed 7",
        "A player is a level (3 or level:3), native, python, native:level=7,movetime=50, or "
        "cmd:PROGRAM for any program that speaks the protocol of docs/engine.md. Every opening is "
        "played twice, with colours exchanged. Openings use all setups in turn, then random turns. "
        "A player that crashes, hangs or plays an illegal move loses that game, and the exit "
        "status is 1. The same command with the same --record continues an interrupted match.",
    )
    match.add_argument("players", metavar="PLAYER", nargs=2, help="the two players, A and B")
    match.add_argument(
        "--games", metavar="N", type=count_number, default=DEFAULT_GAMES,
        help=f"number of games, even (default {DEFAULT_GAMES})",
    )  # fmt: skip
    spend = match.add_argument_group("limits for a move (default 1 second)")
    timed = spend.add_mutually_exclusive_group()
    timed.add_argument("--seconds", metavar="S", type=seconds_number, help="time in seconds")
    timed.add_argument("--movetime", metavar="MS", type=milliseconds_number, help="time in ms")
    spend.add_argument("--depth", metavar="N", type=count_number, help="turns to search ahead")
    spend.add_argument("--nodes", metavar="N", type=count_number, help="positions to search")
    match.add_argument(
        "--random-turns", metavar="N", type=_turns, default=DEFAULT_RANDOM_TURNS,
        help=f"random first turns (default {DEFAULT_RANDOM_TURNS})",
    )  # fmt: skip
    match.add_argument(
        "--seed",
        metavar="N",
        type=any_number,
        default=1,
        help="seed of the random turns (default 1)",
    )
    match.add_argument(
        "--jobs", metavar="N", type=count_number, default=1, help="games in parallel (default 1)"
    )
    add_renamed(
        match,
        "--timeout",
        "--patience",
        metavar="S",
        type=seconds_number,
        default=10.0,
        help="seconds that a player may be late before it loses (default 10)",
    )
    match.add_argument(
        "--record",
        metavar="FILE|FOLDER",
        help="store all games in FILE, or one file per game in FOLDER/",
    )
    add_game(match)


def _match(args: argparse.Namespace, console: Console) -> int:
    from controller.computer.match.game import MatchTerms
    from controller.computer.match.players import parse_contestant
    from controller.ui.commands.computer_match import MatchOptions, run_computer_match

    first, second = map(parse_contestant, args.players)
    if args.games % 2:
        raise BadInput(f"--games {args.games}: every opening is played twice, give an even number")
    game = PositionOptions(args.game, args.option).make_game().for_computers()
    terms = MatchTerms(game, (first, second), _move_limits(args), args.random_turns, args.seed)
    options = MatchOptions(args.games, args.jobs, args.timeout, args.record)
    return run_computer_match(terms, options, console)


def _turns(text: str) -> int:
    """argparse type: a number of turns from 0 to 100."""
    if text not in map(str, range(101)):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to 100")
    return int(text)


def _move_limits(args: argparse.Namespace) -> MoveLimits:
    from controller.computer.match.players import MoveLimits

    seconds = args.seconds
    if seconds is None and args.movetime is None and args.depth is None and args.nodes is None:
        seconds = DEFAULT_SECONDS
    movetime = args.movetime if seconds is None else round(1000 * seconds)
    return MoveLimits(movetime, args.depth, args.nodes)
