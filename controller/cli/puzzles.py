"""`laserboard puzzles`: lists, shows, hosts and finds puzzles (positions with one winning move)."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from controller.cli.args.players import add_fire_mode
from controller.cli.args.position import count_number
from controller.cli.args.web import add_page, page_options
from controller.cli.command import Subcommands, add_command
from controller.cli.play import add_devices
from controller.ui.console import BadInput, Console
from controller.ui.hosting.options import DeviceOptions, PlayOptions
from engine import games

if TYPE_CHECKING:
    pass

DEFAULT_COUNT = 100
NO_SCREEN = "a puzzle is played at a terminal or on the page: there is neither (--page opens one)"


def add(commands: Subcommands) -> None:
    puzzles = add_command(
        commands,
        "puzzles",
        _list,
        "solve puzzles on the board: find the one winning move",
        "  laserboard puzzles list\n"
        "  laserboard puzzles show 17\n"
        "  laserboard puzzles play --simulate\n"
        "  laserboard puzzles play 101 --board ./laserboard.yaml\n"
        "  laserboard puzzles play --from my-puzzles.json --simulate",
        "A puzzle is a position in which exactly one move leads to a win in 1, 2 or 3 of your "
        "turns against any defence. All puzzles are proven.",
    )
    puzzles.set_defaults(turns=None, source=None)
    actions = puzzles.add_subparsers(title="commands", metavar="list|show|play|make")

    listing = add_command(
        actions,
        "list",
        _list,
        "list the puzzles, the easy ones first, and mark those you have solved",
        "  laserboard puzzles list --turns 2",
        "The number at the end of a line is the estimated difficulty.",
    )
    listing.add_argument(
        "--turns", metavar="N", type=count_number, help="only puzzles that are won in N turns"
    )
    _add_source(listing)

    show = add_command(
        actions,
        "show",
        _show,
        "show a puzzle in the terminal or as SVG",
        "  laserboard puzzles show 17 --svg puzzle.svg\n  laserboard puzzles show 17 --solution",
    )
    show.add_argument("number", metavar="N", type=count_number, help="number of the puzzle")
    show.add_argument("--svg", metavar="FILE", help="write a drawing to FILE (- prints it)")
    show.add_argument("--solution", action="store_true", help="also print the solution")
    _add_source(show)

    play = add_command(
        actions,
        "play",
        _play,
        "play a puzzle on the board, and then the next",
        "  laserboard puzzles play --simulate\n"
        "  laserboard puzzles play 17 --board ./laserboard.yaml",
        "The lights show how to set the board up. You play the side to move, and the computer "
        "defends as long as it can. After a wrong move you put the board back and try again. The "
        "first hint names the piece, the second the move.",
    )
    play.add_argument(
        "number",
        metavar="N",
        nargs="?",
        type=count_number,
        help="number of the puzzle (default: the first unsolved one)",
    )
    _add_source(play)
    play.add_argument(
        "--simulate", action="store_true", help="on a simulated table, without any device"
    )
    add_fire_mode(add_devices(play))
    add_page(play)

    _add_make(actions)


def _add_source(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--from", metavar="FILE", dest="source",
        help="a file of `laserboard puzzles make` instead of the built-in puzzles",
    )  # fmt: skip


def _list(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.puzzles import list_puzzles

    return list_puzzles(args.turns, args.source, console)


def _show(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.puzzles import show_puzzle

    return show_puzzle(args.number, args.source, args.svg, console, with_solution=args.solution)


def _play(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.puzzle_files import own_puzzles
    from controller.ui.hosting.puzzles import (
        PuzzleOptions,
        host_real_puzzles,
        host_simulated_puzzles,
    )

    devices = DeviceOptions(args.camera, args.leds, args.buttons, args.speaker, args.voice)
    options = PlayOptions(devices, page_options(args, console))
    if console.size is None and options.page is None:
        raise BadInput(NO_SCREEN)
    puzzles = PuzzleOptions(
        args.number,
        own_puzzles(args.source),
        args.board,
        args.fire,
    )
    host = host_simulated_puzzles if args.simulate else host_real_puzzles
    return host(puzzles, options, console)


def _add_make(actions: Subcommands) -> None:
    make = add_command(
        actions,
        "make",
        _make,
        "find puzzles in games that the computer plays against itself",
        "  laserboard puzzles make --seed 7 --count 20 --turns 2 --to puzzles.json",
        "Searches the positions of self-play games, and positions after random alternative turns, "
        "at full width for exactly one winning move. Takes long. You may interrupt it: with the "
        "same file it continues.",
    )
    make.add_argument(
        "--seed", metavar="N", type=count_number, default=1, help="seed of the games (default 1)"
    )
    make.add_argument(
        "--count",
        metavar="N",
        type=count_number,
        default=DEFAULT_COUNT,
        help=f"puzzles of each length (default {DEFAULT_COUNT})",
    )
    make.add_argument(
        "--turns",
        metavar="N",
        type=count_number,
        default=3,
        help="longest puzzles, in turns (default 3, the maximum)",
    )
    make.add_argument(
        "--game", metavar="NAME", default=games.DEFAULT, help=f"default {games.DEFAULT}"
    )
    make.add_argument("--to", metavar="FILE", required=True, help="file to write")


def _make(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.puzzles import PuzzleSearch, make_puzzles

    search = PuzzleSearch(args.game, args.seed, args.count, args.turns, args.to)
    return make_puzzles(search, console)
