"""`--chaos` and `--fault` of `laserboard simulate`: faults that are injected into a game."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from controller.cli.args.position import any_number
from controller.ui.console import BadInput

if TYPE_CHECKING:
    from controller.table.plan import GamePlan
    from controller.ui.hosting.simulated_table import FaultPlan

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


def faults_requested(args: argparse.Namespace) -> bool:
    """Whether the arguments ask for faults. Raises for a fault that does not exist."""
    from controller.simulation.faults.schedule import read_schedule

    read_schedule(args.fault or ())
    if args.chaos is not None and args.fault:
        raise BadInput("--chaos and --fault: chaos includes all faults, give one of the two")
    return args.chaos is not None or bool(args.fault)


def fault_plan_from(args: argparse.Namespace, plan: GamePlan) -> FaultPlan | None:
    """The faults of a game; None without `--chaos` and `--fault`."""
    from controller.config.addresses.leds import SimulatedLedAddress, parse_led_url
    from controller.simulation.faults.schedule import draw_schedule, possible_faults, read_schedule
    from controller.ui.hosting.simulated_table import SIMULATED_DEVICE, FaultPlan

    if not faults_requested(args):
        return None
    has_computer = any(seat.is_automated for seat in plan.setup.seats)
    has_cable = isinstance(parse_led_url(args.leds or SIMULATED_DEVICE), SimulatedLedAddress)
    possible = possible_faults(has_computer, has_cable)
    if not args.fault:
        return FaultPlan(draw_schedule(args.chaos, possible), args.chaos)
    schedule = read_schedule(args.fault)
    for due in schedule:
        if due.fault not in possible:
            why = "play with --leds sim://" if due.fault.needs_led_cable else "let a computer play"
            raise BadInput(f"--fault {due.fault.name} cannot happen here: {why}")
    return FaultPlan(iter(schedule), 0)
