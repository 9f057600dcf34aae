"""`--chaos` and `--fault` of `laserboard simulate`: faults that are injected into a game."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from controller.cli.args.position import any_number
from controller.ui.console import BadInput

if TYPE_CHECKING:
    from controller.ui.hosting.simulated_games import FaultOptions

LIST_ARGUMENT = "list"


def add_faults(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("faults")
    group.add_argument(
        "--chaos",
        metavar="SEED",
        type=any_number,
        help="inject random faults: bumps, hands, lamps, cables, disks, power cuts",
    )
    group.add_argument(
        "--fault",
        metavar="NAME@12s",
        action="append",
        help="inject one fault after 12 seconds, may be repeated; `--fault list` lists all",
    )


def fault_list_requested(args: argparse.Namespace) -> bool:
    return LIST_ARGUMENT in (args.fault or ())


def fault_choice(args: argparse.Namespace) -> FaultOptions:
    """The faults that are asked for. Raises for a fault that does not exist."""
    from controller.simulation.faults.schedule import read_schedule
    from controller.ui.hosting.simulated_games import FaultOptions

    choice = FaultOptions(args.chaos, read_schedule(args.fault or ()))
    if args.chaos is not None and args.fault:
        raise BadInput("--chaos and --fault: chaos includes all faults, give one of the two")
    return choice
