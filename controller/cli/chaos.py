"""`--chaos` and `--fault` of `laserboard simulate`: what befalls a game besides what people do."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING

from controller.cli.console import BadInput, Console
from controller.cli.positions import any_number

if TYPE_CHECKING:
    from controller.room import SteppedRoom
    from controller.simulated.chaos.disturber import Disturber
    from controller.simulated.chaos.schedule import Due
    from controller.simulated.free_play import Ask
    from controller.simulated.simulation import Simulation

LIST = "list"


def add_chaos(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what befalls the table")
    group.add_argument(
        "--chaos",
        metavar="SEED",
        type=any_number,
        help="anything: bumps, hands, lamps, cables, disks, power cuts; another number, others",
    )
    group.add_argument(
        "--fault",
        metavar="NAME@12s",
        action="append",
        help="one of them after so many seconds, may be repeated; `--fault list` tells all names",
    )


def listed(args: argparse.Namespace, console: Console) -> bool:
    """Whether somebody only wanted to see the catalogue, which is printed then."""
    from controller.simulated.chaos.catalogue import table

    if LIST not in (args.fault or ()):
        return False
    for line in table():
        console.print(line)
    return True


def wanted(args: argparse.Namespace) -> bool:
    """Whether anything is to befall the table; mistakes in it are told at once."""
    from controller.simulated.chaos.schedule import asked_for

    asked_for(args.fault or ())
    if args.chaos is not None and args.fault:
        raise BadInput("--chaos and --fault: chaos has all of them, give one")
    return args.chaos is not None or bool(args.fault)


def dues_of(args: argparse.Namespace, leds: str, computer: bool) -> Iterator[Due] | None:
    """What is to happen, and when; None: nothing."""
    from controller.led_address import Simulated, read_address
    from controller.simulated.chaos.schedule import asked_for, possible_faults, schedule

    if not wanted(args):
        return None
    possible = possible_faults(computer, isinstance(read_address(leds), Simulated))
    if not args.fault:
        return schedule(args.chaos, possible)
    asked = asked_for(args.fault)
    for due in asked:
        if due.fault not in possible:
            why = "play with --leds sim://" if due.fault.cable else "let a computer play"
            raise BadInput(f"--fault {due.fault.name} cannot happen here: {why}")
    return iter(asked)


async def play_in_chaos(
    simulation: Simulation,
    room: SteppedRoom,
    disturber: Disturber,
    ask: Ask,
    most_turns: int | None,
    console: Console,
) -> None:
    """Whoever decides, reasonable people carry it out and cope with whatever happens."""
    from controller.simulated.chaos.beside import beside
    from controller.simulated.chaos.people import People

    session = simulation.session
    made = [past.turn for past in session.history]
    first = session.history[0].position if session.history else session.position
    people = People(simulation, room, first, Random(0), made, decide=ask)
    most = None if most_turns is None else most_turns + len(made)
    await beside(people.play(most), people.watch(), disturber.disturb(simulation))
    tell_endings(disturber, console)


def tell_endings(disturber: Disturber, console: Console) -> None:
    """How each fault ended."""
    from controller.simulated.soak_tables import ending_table

    ended = disturber.endings.counted()
    if ended:
        counts = Counter({f"{name}: {end}": times for (name, end), times in ended.items()})
        for line in ending_table(counts):
            console.print(line)
