"""`laserboard simulate` hosts a game at a simulated table; `demo` does so for two computers."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from controller.cli.args.event import add_event, publisher_from, table_number
from controller.cli.args.faults import (
    add_faults,
    fault_list_requested,
    fault_plan_from,
    faults_requested,
)
from controller.cli.args.players import (
    GameChoice,
    add_players,
    game_choice,
    plan_from,
)
from controller.cli.args.position import count_number
from controller.cli.args.web import add_page, page_options, page_requested
from controller.cli.command import Subcommands, add_command
from controller.config.board_names import DEFAULT_BOARD
from controller.ui.console import BadInput, Console, read_file
from controller.ui.hosting.options import DeviceOptions, PlayOptions
from controller.ui.position_choice import PositionChoice
from engine.errors import excerpt

if TYPE_CHECKING:
    from pathlib import Path

    from controller.simulation.script import Script
    from controller.table.plan import GamePlan
    from controller.ui.hosting.simulated_table import SimulatedStart

DEFAULT_LEDS = "sim://"
DEFAULT_LEVELS = "6,4"
PAGE_OPPONENT = "computer:3"  # the second player of `simulate --page`, unless players are named
SPEEDS = (0.1, 10.0)  # faster, the simulated camera cannot keep up


def add(commands: Subcommands) -> None:
    simulate = add_command(
        commands,
        "simulate",
        _simulate,
        "play on a simulated table: no camera, no LEDs, no pieces needed",
        "  laserboard simulate --page                        against the computer, in a browser\n"
        "  laserboard simulate --page --red human            two people, in a browser\n"
        "  laserboard simulate --blue human --red computer:4\n"
        "  laserboard simulate --blue computer:3 --red computer:3 --turns 6 --fast\n"
        "  laserboard simulate --script tests/scripts/one-turn.game\n"
        "  laserboard simulate --script tests/scripts/one-turn.game --leds 'sim://?drop=0.02'\n"
        "  laserboard simulate --red computer:2 --chaos 7\n"
        "  laserboard simulate --red computer:2 --fault unplug@12s --fault bump@30s",
        "The whole program runs as at a real table: images are rendered and read, and the "
        "firmware's C code drives the LEDs. Choose a move with the arrow keys or type it (j4j3); "
        "simulated hands carry it out. With --page and no player named, the computer (computer:3) "
        "plays second. A script has one sentence per line: actions (blue moves j4 j3, red bumps "
        "c7, blue presses fire, red accepts), faults (power cut, the camera is unplugged, the disk "
        "is full) and expectations (expect captured g3, expect mismatch c7, expect resumed). The "
        "first expectation that is not met ends the script with exit status 1.",
    )
    _add_arguments(simulate)
    simulate.set_defaults(speed=1.0)

    demo = add_command(
        commands,
        "demo",
        _demo,
        "watch the computer play against itself on a simulated table",
        "  laserboard demo\n"
        "  laserboard demo --setup sophie --levels 5,5 --random-seed 3\n"
        "  laserboard demo --levels 1,1 --turns 4 --fast",
        "The same as `laserboard simulate` with two computers, with the same options. Without a "
        "terminal it prints one line for each turn and the last position.",
    )
    demo.add_argument(
        "--levels",
        metavar="A,B",
        default=DEFAULT_LEVELS,
        help=f"the level of each side, 1 to 8 (default {DEFAULT_LEVELS})",
    )
    demo.add_argument(
        "--speed", metavar="X", type=_speed, default=1.0, help="2 is twice as fast (default 1)"
    )
    _add_arguments(demo)


def _add_arguments(simulate: argparse.ArgumentParser) -> None:
    simulate.add_argument("--script", metavar="FILE.game", help="play the sentences of a script")
    simulate.add_argument(
        "--resume", metavar="NAME", help="resume a stored game: last, or a name from `games list`"
    )
    simulate.add_argument("--board", metavar="NAME|FILE", help=f"default {DEFAULT_BOARD}")
    simulate.add_argument(
        "--initial-position",
        metavar="SETUP|POSITION",
        help="the pieces on the table at the start; set the table up on the page",
    )
    simulate.add_argument("--turns", metavar="N", type=count_number, help="stop after N turns")
    simulate.add_argument(
        "--fast",
        action="store_true",
        help="run in simulated time, as fast as possible; prints one line for each event",
    )
    simulate.add_argument(
        "--camera",
        metavar="URL",
        help="the simulated camera: sim:// with options such as ?width=1920&tilt_degrees=30"
        "&light=0.1 (dim), &barrel=0.2 (a wide lens), &prints=FOLDER (a paper board)",
    )
    simulate.add_argument(
        "--leds",
        metavar="URL",
        help=f"sim://, with faults such as ?drop=0.02, or memory:// (default {DEFAULT_LEDS})",
    )
    simulate.add_argument("--voice", metavar="KIND", help="espeak speaks every turn (default none)")
    simulate.add_argument(
        "--speaker", metavar="URL", help="terminal:// rings the bell (default none://)"
    )
    simulate.add_argument(
        "--picture",
        metavar="FILE.png",
        help="save the camera's image of the last beam at its brightest",
    )
    add_faults(simulate)
    add_players(simulate)
    add_event(simulate, _TableAction)
    add_page(simulate)


class _TableAction(argparse.Action):
    """`--table`: the table's number, or a setup or position, as before `--initial-position`."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        text = str(values)
        if not text.lstrip("-").isdigit():
            namespace.initial_position = text
            return
        try:
            namespace.table_number = table_number(text)
        except argparse.ArgumentTypeError as bad:
            raise argparse.ArgumentError(self, str(bad)) from None


def _demo(args: argparse.Namespace, console: Console) -> int:
    levels = args.levels.split(",")
    if len(levels) != 2 or not all(re.fullmatch("[1-8]", level) for level in levels):
        raise BadInput(f"--levels {args.levels!r}: write two levels 1 to 8, such as 6,4")
    choice = game_choice(args)
    first, second = (f"computer:{level}" for level in levels)
    seats = {**choice.seats, "first": first, "second": second}
    return _host(args, replace(choice, seats=seats), console)


def _simulate(args: argparse.Namespace, console: Console) -> int:
    return _host(args, game_choice(args), console)


def _host(args: argparse.Namespace, choice: GameChoice, console: Console) -> int:
    from controller.simulation.hands import SimulationFailed
    from controller.ui.hosting.simulated_runs import SteppedOptions, host_stepped

    if fault_list_requested(args):
        from controller.simulation.faults.catalogue import catalogue_table

        console.print("\n".join(catalogue_table()))
        return 0
    has_faults = faults_requested(args)
    options = simulation_options(args, console)
    try:
        if args.script is not None:
            if has_faults:
                raise BadInput("--script has its own faults: leave --chaos and --fault out")
            if args.resume is not None:
                raise BadInput("--script and --resume: a script begins its own game, give one")
            return _run_script(args, choice, options, console)
        if args.fast or not (console.size or options.page):
            if args.initial_position is not None:
                raise BadInput("--initial-position: play on the page, where you can set it up")
            start = _start_from(args, choice, console, on_page=False)
            return host_stepped(start, options, SteppedOptions(args.turns, args.picture), console)
    except SimulationFailed as unmet:
        console.note(f"laserboard: {unmet}")
        return 1
    from controller.ui.hosting.simulated_table import host_simulated_table

    start = _start_from(args, choice, console, on_page=page_requested(args))
    return host_simulated_table(options, console, start, turns=args.turns, speed=args.speed)


def simulation_options(args: argparse.Namespace, console: Console) -> PlayOptions:
    """The options of a simulated table: devices, page and publisher."""
    devices = DeviceOptions(args.camera, args.leds, None, args.speaker, args.voice)
    return PlayOptions(devices, page_options(args, console), publisher_from(args))


def simulate_live(args: argparse.Namespace, console: Console) -> int:
    """Host a new game at a simulated table in real time, for commands with `--simulate`."""
    from controller.ui.hosting.simulated_table import SimulatedStart, host_simulated_table

    board_name, plan = _new_plan(game_choice(args), args.board, console)
    options = simulation_options(args, console)
    return host_simulated_table(options, console, SimulatedStart.new_game(board_name, plan))


def resume_simulated(path: Path, args: argparse.Namespace, console: Console) -> int:
    """Resume a game of a simulated table, for `laserboard resume`."""
    from controller.ui.hosting.simulated_runs import SteppedOptions, host_stepped
    from controller.ui.hosting.simulated_start import resumed_start
    from controller.ui.hosting.simulated_table import host_simulated_table

    options = PlayOptions(page=page_options(args, console), publisher_for=publisher_from(args))
    start = resumed_start(path, None, args.fire, 1)
    if not (console.size or options.page):
        return host_stepped(start, options, SteppedOptions(), console)
    return host_simulated_table(options, console, start)


def _run_script(
    args: argparse.Namespace, choice: GameChoice, options: PlayOptions, console: Console
) -> int:
    from controller.simulation.script import read_script
    from controller.ui.hosting.simulated_runs import host_script

    script = read_script(read_file(args.script), args.script)
    board = args.board if args.board is not None else script.settings.get("board")
    board_name, plan = _new_plan(_with_script(choice, script), board, console)
    if args.leds is None:  # the script may name its LEDs
        devices = replace(options.devices, leds=script.settings.get("leds"))
        options = replace(options, devices=devices)
    return host_script(script, board_name, plan, options, args.picture, console)


def _start_from(
    args: argparse.Namespace, choice: GameChoice, console: Console, *, on_page: bool
) -> SimulatedStart:
    """The start of a new or resumed game, with its pieces and faults."""
    from controller.storage.games import find_journal, games_folder
    from controller.ui.hosting.simulated_start import pieces_from_text, resumed_start
    from controller.ui.hosting.simulated_table import SimulatedStart

    if args.resume is not None:
        given = choice.given_flags()
        if given:
            raise BadInput(f"--resume and {given[0]}: a resumed game keeps its settings, give one")
        path = find_journal(games_folder(), args.resume)
        start = resumed_start(path, args.board, args.fire, args.random_seed)
    else:
        board_name, plan = _new_plan(choice, args.board, console)
        if on_page and _wants_opponent(choice, plan):
            choice = replace(choice, seats={**choice.seats, "second": PAGE_OPPONENT})
            board_name, plan = _new_plan(choice, args.board, console)
        start = SimulatedStart.new_game(board_name, plan)
    if args.initial_position is not None:
        pieces = pieces_from_text(args.initial_position, start.plan)
        start = replace(start, pieces=pieces, hands_set_up=False)
    return replace(start, fault_plan=fault_plan_from(args, start.plan))


def _wants_opponent(choice: GameChoice, plan: GamePlan) -> bool:
    """Whether the computer plays second: no player is named, and it can play the game."""
    named = any(who is not None for who in choice.seats.values())
    automated = any(seat.is_automated for seat in plan.setup.seats)
    return not (named or automated) and plan.setup.game.computer_plays(plan.setup.first_position())


def _new_plan(choice: GameChoice, board: str | None, console: Console) -> tuple[str, GamePlan]:
    from controller.config.board_file import absolute_board_name, load_board_file
    from controller.ui.hosting.simulated_start import default_board_for

    board_name = absolute_board_name(board or default_board_for(choice.position.game))
    return board_name, plan_from(choice, board_name, load_board_file(board_name), True, console)


def _with_script(choice: GameChoice, script: Script) -> GameChoice:
    """The arguments, and the script's settings for those that the command line does not set."""
    settings = script.settings

    def merged(given: str | None, key: str) -> str | None:
        return settings.get(key) if given is None else given

    start = choice.position
    seed = start.seed
    if seed is None and "seed" in settings:
        if not re.fullmatch("[0-9]{1,30}", settings["seed"]):
            raise BadInput(f"{script.file}: seed: {excerpt(settings['seed'])} is no whole number")
        seed = int(settings["seed"])
    position = PositionChoice(
        merged(start.game, "game"),
        start.options or script.options,
        merged(start.setup, "setup"),
        merged(start.position, "position"),
        seed,
    )
    seats = {side: merged(who, side) for side, who in choice.seats.items()}
    clock, fire = merged(choice.clock, "clock"), merged(choice.fire, "fire")
    return replace(choice, position=position, seats=seats, clock=clock, fire=fire)


def _speed(text: str) -> float:
    """argparse type: a speed relative to real time."""
    least, most = SPEEDS
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not least <= speed <= most:
        raise argparse.ArgumentTypeError(f"{text!r} is not a speed from {least:g} to {most:g}")
    return speed
