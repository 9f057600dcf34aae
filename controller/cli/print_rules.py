"""`laserboard print rules`: a page that says how a game is played."""

from __future__ import annotations

import argparse

from controller.cli.command import Subcommands, add_command
from controller.cli.console import BadInput, Console
from controller.cli.positions import add_position, position_from
from controller.cli.printing import add_paper, paper_of, write_pages
from engine import games


def add(sheets: Subcommands) -> None:
    rules = add_command(
        sheets,
        "rules",
        _rules,
        "how a game is played, on one page: set-up, pieces, and what a beam does to them",
        f"  laserboard print rules --game {games.DEFAULT} --paper letter\n"
        "  laserboard print rules --all --out rules.pdf",
        "Every picture of a beam is of a turn that the game has played, under the options that "
        "are given.",
    )
    rules.add_argument("--all", action="store_true", help="a page for every game")
    add_position(rules)
    add_paper(rules, "rules.pdf")


def _rules(args: argparse.Namespace, console: Console) -> int:
    from controller.sheets.rules.page import rules_page

    paper = paper_of(args)
    if args.all:
        chosen = [
            name
            for name in ("option", "setup", "position", "seed")
            if getattr(args, name) not in (None, [])
        ]
        if chosen:
            raise BadInput(f"--all prints every game as usually played: leave out --{chosen[0]}")
        pages = [rules_page(kind(), paper) for kind in games.GAMES.values()]
    else:
        game, start = position_from(args, console)
        pages = [rules_page(game, paper, start)]
    write_pages(pages, args, "How to play", console)
    return 0
