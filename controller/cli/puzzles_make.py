"""`laserboard puzzles make`: find new puzzles in games that the computer plays against itself."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.command import Subcommands, add_command
from controller.cli.console import BadInput, Console, check_writable, write_file
from controller.cli.positions import count_number
from controller.journal import count
from engine import games

if TYPE_CHECKING:
    from engine.puzzles import Book

DEFAULT_COUNT = 100
SAVED_EVERY = 5  # games


def add(whats: Subcommands) -> None:
    make = add_command(
        whats,
        "make",
        _make,
        "find puzzles in games that the computer plays against itself",
        "  laserboard puzzles make --seed 7 --count 20 --turns 2 --to puzzles.json",
        "Every position of every game, and those that a careless turn would have led to, is "
        "searched full width for exactly one winning move. It takes a while, may be ended at any "
        "time, and goes on where it was when the file is there already.",
    )
    make.add_argument("--seed", metavar="N", type=count_number, default=1, help="default 1")
    make.add_argument(
        "--count",
        metavar="N",
        type=count_number,
        default=DEFAULT_COUNT,
        help=f"how many of each length (default {DEFAULT_COUNT})",
    )
    make.add_argument(
        "--turns",
        metavar="N",
        type=count_number,
        default=3,
        help="won in 1, 2, ... up to N turns (default 3, the most)",
    )
    make.add_argument(
        "--game", metavar="NAME", default=games.DEFAULT, help=f"default {games.DEFAULT}"
    )
    make.add_argument("--to", metavar="FILE", required=True, help="where they are written")


def _make(args: argparse.Namespace, console: Console) -> int:
    from controller.cli.puzzle_book import read_book
    from engine.mining import mine
    from engine.puzzles import LONGEST, Book, write

    if args.turns > LONGEST:
        raise BadInput(f"--turns {args.turns}: puzzles are won in at most {LONGEST} turns")
    game = games.make(args.game)
    if game.board(game.start()) is None:
        raise BadInput(f"--game {args.game}: there are puzzles only where players take turns")
    check_writable(args.to)
    book = Book(game.name, args.seed)
    if Path(args.to).is_file():
        book = read_book(args.to)
        if (book.game, book.seed) != (game.name, args.seed):
            raise BadInput(
                f"{args.to} holds puzzles of {book.game} with seed {book.seed}: give --game and"
                " --seed as they were, or name another file"
            )

    def looked(now: Book) -> None:
        if now.games % SAVED_EVERY == 0:
            write_file(args.to, write(now), console)
        console.note(_told(now, args.turns))

    book = mine(book, args.count, args.turns, looked)
    write_file(args.to, write(book), console)
    console.print(_told(book, args.turns))
    return 0


def _told(book: Book, longest: int) -> str:
    found = Counter(each.turns for each in book.puzzles)
    told = ", ".join(
        f"{found[n]} won in {count(n, 'turn', 'turns')}" for n in range(1, longest + 1)
    )
    return f"puzzles found in {count(book.games, 'game', 'games')}: {told}"
