"""`laserboard referee`: hosts a game with a referee, at a real table or a simulated one."""

from __future__ import annotations

import argparse

from controller.cli.args.event import add_event
from controller.cli.args.players import add_players, game_options
from controller.cli.args.web import add_page
from controller.cli.command import Subcommands, add_command
from controller.cli.play import add_devices, play_at_table
from controller.cli.simulate import simulation_options
from controller.ui.console import Console


def add(commands: Subcommands) -> None:
    referee = add_command(
        commands,
        "referee",
        _referee,
        "play with a referee: rulings, penalties, evidence, confirmed results",
        '  laserboard referee --event "Club night" --round 3 --table 4 --board ./laserboard.yaml\n'
        '  laserboard referee --event "Club night" --simulate --clock 10m --names Ada Grace',
        "The referee's console is a page; the command prints its address. "
        "The section `referee` of the board file sets which incidents the table decides, which it "
        "proposes to the referee, and the penalties for illegal moves (see "
        "docs/referee-policy.md). An image of the board is stored before and after every turn.",
    )
    add_devices(referee)
    referee.add_argument(
        "--simulate", action="store_true", help="on a simulated table, without any device"
    )
    referee.add_argument(
        "--new", action="store_true", help="begin a new game, even if one is unfinished"
    )
    add_players(referee)
    add_event(referee)
    add_page(referee)
    referee.set_defaults(referee=True, page=True)


def _referee(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.hosting.simulated_games import host_live_simulation

    if not args.simulate:
        return play_at_table(args, console)
    options = simulation_options(args, console)
    return host_live_simulation(game_options(args), args.board, options, console)
