"""`laserboard print rules`: a page for each game that says how it is played."""

from __future__ import annotations

import argparse

from controller.cli.command import Subcommands, add_command
from controller.cli.console import BadInput, Console
from controller.cli.paper import add_paper, paper_of, write_pages
from controller.cli.positions import any_number, position_from
from engine import games

_OF_ONE_GAME = ("option", "setup", "seed")


def add(sheets: Subcommands) -> None:
    rules = add_command(
        sheets,
        "rules",
        _rules,
        "how to play, a page for each game: set-up, pieces, and what a beam does to them",
        "  laserboard print rules\n"
        f"  laserboard print rules --game {games.DEFAULT} --paper letter --out rules.svg",
        "Every picture of a beam is of a turn that the game has played, under the options that "
        "are given.",
    )
    names = ", ".join(games.GAMES)
    rules.add_argument("--game", metavar="NAME", help=f"one of {names} (default: all of them)")
    rules.add_argument(
        "--option",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="a rule option of the --game, may be repeated; `laserboard setups --options`",
    )
    rules.add_argument("--setup", metavar="NAME", help="the --game's set-up to show")
    rules.add_argument(
        "--seed", metavar="N", type=any_number, help="the same where a map is drawn from a seed"
    )
    rules.set_defaults(position=None)
    add_paper(rules, "rules.pdf")


def _rules(args: argparse.Namespace, console: Console) -> int:
    from controller.sheets.rules.page import rules_page

    paper = paper_of(args)
    if args.game is None:
        for name in _OF_ONE_GAME:
            if getattr(args, name) not in (None, []):
                raise BadInput(f"--{name} is for one game: say --game NAME too")
        pages = [rules_page(kind(), paper) for kind in games.GAMES.values()]
    else:
        game, start = position_from(args, console)
        pages = [rules_page(game, paper, start)]
    write_pages(pages, args, "How to play", console)
    return 0
