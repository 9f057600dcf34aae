"""`laserboard puzzles`: lists, shows, hosts and finds puzzles (positions with one winning move)."""

from __future__ import annotations

import argparse
import shlex
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.args.players import add_fire_mode, preferences_from
from controller.cli.args.position import count_number
from controller.cli.args.web import add_page, page_options
from controller.cli.command import Subcommands, add_command
from controller.cli.play import add_devices
from controller.session.journal import pluralise
from controller.ui.console import BadInput, Console, check_writable, write_file
from controller.ui.hosting.options import DeviceOptions, PlayOptions
from engine import games

if TYPE_CHECKING:
    from controller.table.puzzle_series import OwnPuzzles
    from engine.puzzles import PuzzleBook

DEFAULT_COUNT = 100
SAVE_EVERY_GAMES = 5
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
    actions = puzzles.add_subparsers(title="what to do", metavar="list|show|play|make")

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


def _puzzles_from_file(args: argparse.Namespace) -> OwnPuzzles:
    """The puzzles of `--from`; empty without it: the built-in puzzles."""
    if args.source is None:
        return ()
    from controller.cli.args.puzzle_file import read_playable_puzzles

    return read_playable_puzzles(args.source)


def _list(args: argparse.Namespace, console: Console) -> int:
    from controller.table.puzzle_series import load_progress, numbered_puzzles, progress_file

    own, progress, solved, count = _puzzles_from_file(args), load_progress(progress_file()), 0, 0
    for number, puzzle in numbered_puzzles(args.turns, own):
        tried = progress.tries_of(puzzle)
        mark = "x" if tried.solved_at else " "
        tries = f"  ({tried})" if tried.tries else ""
        task = f"{puzzle.rules.title}, {puzzle.task}"
        console.print(f"[{mark}] {number:>3}  {task}  {puzzle.rating}{tries}")
        count, solved = count + 1, solved + bool(tried.solved_at)
    if not count:
        others = sorted({each.turns for _, each in numbered_puzzles(own=own)})
        raise BadInput(f"no puzzle is won in {args.turns} turns: there are {_and(others)}")
    play = "laserboard puzzles play" + (f" --from {shlex.quote(args.source)}" if own else "")
    console.note(f"{solved} of {count} solved; `{play} --simulate` plays the next")
    return 0


def _and(numbers: list[int]) -> str:
    """`1, 2 and 3`"""
    *some, last = map(str, numbers)
    return f"{', '.join(some)} and {last}" if some else last


def _show(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.terminal import render_board
    from engine.draw import position_svg
    from engine.draw.words import headline
    from engine.puzzles import puzzle_by_number

    puzzle = puzzle_by_number(args.number, _puzzles_from_file(args))
    game = puzzle.rules
    if args.svg is not None:
        write_file(args.svg, position_svg(game, puzzle.start_position), console)
        if not args.solution:
            return 0
    else:
        console.print_picture(render_board(game, puzzle.start_position, colour=console.colour))
    print_line = (
        console.note if args.svg == "-" else console.print
    )  # standard output has only the SVG
    print_line(f"puzzle {args.number}: {puzzle.task}")
    for turn in puzzle.solution_turns() if args.solution else ():
        print_line(f"  {headline(game, turn)}")
    return 0


def _play(args: argparse.Namespace, console: Console) -> int:
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
        _puzzles_from_file(args),
        args.board,
        lambda file: preferences_from(args.fire, file),
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
    from controller.cli.args.puzzle_file import read_puzzle_file
    from engine.puzzle_finder import find_puzzles
    from engine.puzzles import MAX_TURNS, PuzzleBook, write_puzzle_book

    if args.turns > MAX_TURNS:
        raise BadInput(f"--turns {args.turns}: puzzles are won in at most {MAX_TURNS} turns")
    game = games.make(args.game)
    if game.board(game.start()) is None:
        raise BadInput(f"--game {args.game}: there are puzzles only where players take turns")
    check_writable(args.to)
    book = PuzzleBook(game.name, args.seed)
    if Path(args.to).is_file():
        book = read_puzzle_file(args.to)
        if (book.game, book.seed) != (game.name, args.seed):
            raise BadInput(
                f"{args.to} holds puzzles of {book.game} with seed {book.seed}: give --game and"
                " --seed as they were, or name another file"
            )

    def save_progress(now: PuzzleBook) -> None:
        if now.games_played % SAVE_EVERY_GAMES == 0:
            write_file(args.to, write_puzzle_book(now), console)
        console.note(_summary_text(now, args.turns))

    book = find_puzzles(book, args.count, args.turns, save_progress)
    write_file(args.to, write_puzzle_book(book), console)
    console.print(_summary_text(book, args.turns))
    return 0


def _summary_text(book: PuzzleBook, longest: int) -> str:
    found = Counter(each.turns for each in book.puzzles)
    counts = ", ".join(
        f"{found[n]} won in {pluralise(n, 'turn', 'turns')}" for n in range(1, longest + 1)
    )
    return f"puzzles found in {pluralise(book.games_played, 'game', 'games')}: {counts}"
