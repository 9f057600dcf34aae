"""`laserboard referee`: play with a person in charge, at a real table or a simulated one."""

from __future__ import annotations

import argparse

from controller.cli.agreed import add_agreed
from controller.cli.command import Subcommands, add_command
from controller.cli.console import Console
from controller.cli.event import add_event
from controller.cli.page import add_page
from controller.cli.simulate import simulate_live
from controller.cli.table import add_devices, play_at_table


def add(commands: Subcommands) -> None:
    referee = add_command(
        commands,
        "referee",
        _referee,
        "play with a referee: rulings, penalties, evidence, results that both confirm",
        '  laserboard referee --event "Club night" --round 3 --table 4 --board ./laserboard.yaml\n'
        '  laserboard referee --event "Club night" --simulate --clock 10m --names Ada Grace',
        "The referee's console is on the page: open it with the address that is shown here. "
        "What the table judges by itself, what it asks about, and what an illegal move costs, is "
        "in the section `referee` of the board file (docs/laws.md tells what each law does). "
        "Before and after every turn a picture of the board is kept.",
    )
    add_devices(referee)
    referee.add_argument(
        "--simulate", action="store_true", help="on a simulated table: nothing is needed"
    )
    referee.add_argument("--new", action="store_true", help="leave an unfinished game as it is")
    add_agreed(referee)
    add_event(referee)
    add_page(referee)
    referee.set_defaults(referee=True, page=True)


def _referee(args: argparse.Namespace, console: Console) -> int:
    return simulate_live(args, console) if args.simulate else play_at_table(args, console)
