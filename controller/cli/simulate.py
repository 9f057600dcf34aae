"""`laserboard simulate` hosts a game at a simulated table; `demo` does so for two computers."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from controller.cli.args.event import EVENT_ARGS, add_event, publisher_from, table_number
from controller.cli.args.faults import (
    add_faults,
    fault_plan_from,
    faults_requested,
    print_fault_list,
)
from controller.cli.args.players import (
    PLAYER_FLAGS,
    POSITION_ARGS,
    SIDE_FLAGS,
    add_players,
    plan_from,
    preferences_from,
)
from controller.cli.args.position import count_number
from controller.cli.args.web import add_page, page_options, page_requested
from controller.cli.command import Subcommands, add_command
from controller.config.board_names import DEFAULT_BOARD
from controller.ui.console import BadInput, Console, read_file
from controller.ui.hosting.options import DeviceOptions, PlayOptions
from engine.errors import excerpt

if TYPE_CHECKING:
    from pathlib import Path

    from controller.simulation.script import Script
    from controller.table.plan import GamePlan
    from controller.ui.hosting.simulated_table import SimulatedStart
    from engine.game import Piece
    from engine.grid import Cell

DEFAULT_LEDS = "sim://"
DEFAULT_LEVELS = "6,4"
PAGE_OPPONENT = "computer:3"  # the second player of `simulate --page`, unless players are named
SPEEDS = (0.1, 10.0)  # faster, the simulated camera cannot keep up
# Settings of a script; the command line overrides them.
SCRIPT_SETTINGS = ("board", "game", "setup", "position", "seed", "leds", "fire", *PLAYER_FLAGS)


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
        "The whole program runs as at a real table: pictures are rendered and read, and the "
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
        help="save the camera's picture of the last beam at its brightest",
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
    args.first, args.second = (f"computer:{level}" for level in levels)
    return _simulate(args, console)


def _simulate(args: argparse.Namespace, console: Console) -> int:
    from controller.simulation.hands import SimulationFailed

    if print_fault_list(args, console):
        return 0
    has_faults = faults_requested(args)
    options = simulation_options(args, console)
    try:
        if args.script is not None:
            if has_faults:
                raise BadInput("--script has its own faults: leave --chaos and --fault out")
            if args.resume is not None:
                raise BadInput("--script and --resume: a script begins its own game, give one")
            return _run_script(args, options, console)
        if args.fast or not (console.size or options.page):
            if args.initial_position is not None:
                raise BadInput("--initial-position: play on the page, where you can set it up")
            start = _start_from(args, console, on_page=False)
            return run_stepped(start, options, console, args.turns, args.picture)
    except SimulationFailed as unmet:
        console.note(f"laserboard: {unmet}")
        return 1
    from controller.ui.hosting.simulated_table import host_simulated_table

    start = _start_from(args, console, on_page=page_requested(args))
    return host_simulated_table(options, console, start, turns=args.turns, speed=args.speed)


def simulation_options(args: argparse.Namespace, console: Console) -> PlayOptions:
    """The options of a simulated table: devices, page and publisher."""
    devices = DeviceOptions(args.camera, args.leds, None, args.speaker, args.voice)
    return PlayOptions(
        devices, page_options(args, console), lambda plan: publisher_from(args, plan)
    )


def simulate_live(args: argparse.Namespace, console: Console) -> int:
    """Host a new game at a simulated table in real time, for commands with `--simulate`."""
    from controller.ui.hosting.simulated_table import SimulatedStart, host_simulated_table

    board_name, plan = _new_plan(args, console)
    options = simulation_options(args, console)
    return host_simulated_table(options, console, SimulatedStart.new_game(board_name, plan))


def resume_simulated(path: Path, args: argparse.Namespace, console: Console) -> int:
    """Resume a game of a simulated table, for `laserboard resume`."""
    from controller.ui.hosting.simulated_table import host_simulated_table

    options = PlayOptions(
        page=page_options(args, console), publisher_for=lambda plan: publisher_from(args, plan)
    )
    start = _resumed_start(path, None, args.fire, 1)
    if not (console.size or options.page):
        return run_stepped(start, options, console)
    return host_simulated_table(options, console, start)


def _run_script(args: argparse.Namespace, options: PlayOptions, console: Console) -> int:
    from controller.ui.hosting.simulated_runs import play_script

    script = _script(args)
    board_name, plan = _new_plan(args, console)
    options = simulation_options(args, console)  # the script may name its LEDs
    import asyncio

    asyncio.run(play_script(script, board_name, plan, options, args.picture, console))
    return 0


def run_stepped(
    start: SimulatedStart,
    options: PlayOptions,
    console: Console,
    turns: int | None = None,
    picture: str | None = None,
) -> int:
    import asyncio

    from controller.ui.hosting.simulated_runs import SteppedOptions, play_stepped

    asyncio.run(play_stepped(start, options, SteppedOptions(turns, picture), console))
    return 0


def _start_from(args: argparse.Namespace, console: Console, *, on_page: bool) -> SimulatedStart:
    """The start of a new or resumed game, with its pieces and faults."""
    from dataclasses import replace

    from controller.storage.games import find_journal, games_folder
    from controller.ui.hosting.simulated_table import SimulatedStart

    if args.resume is not None:
        flags = {name: f"--{name}" for name in POSITION_ARGS} | PLAYER_FLAGS
        flags |= {name: f"--{name.removesuffix('_number')}" for name in EVENT_ARGS}
        given = [flag for name, flag in flags.items() if getattr(args, name) is not None]
        if given:
            raise BadInput(f"--resume and {given[0]}: a resumed game keeps its settings, give one")
        path = find_journal(games_folder(), args.resume)
        start = _resumed_start(path, args.board, args.fire, args.random_seed)
    else:
        board_name, plan = _new_plan(args, console)
        if on_page and _wants_opponent(args, plan):
            args.second = PAGE_OPPONENT
            board_name, plan = _new_plan(args, console)
        start = SimulatedStart.new_game(board_name, plan)
    if args.initial_position is not None:
        pieces = _pieces_from_text(args.initial_position, start.plan)
        start = replace(start, pieces=pieces, hands_set_up=False)
    return replace(start, fault_plan=fault_plan_from(args, start.plan))


def _wants_opponent(args: argparse.Namespace, plan: GamePlan) -> bool:
    """Whether the computer plays second: no player is named, and it can play the game."""
    named = any(getattr(args, side) is not None for side in SIDE_FLAGS)
    automated = any(seat.is_automated for seat in plan.setup.seats)
    return not (named or automated) and plan.setup.game.computer_plays(plan.setup.first_position())


def _resumed_start(
    path: Path, board: str | None, fire: str | None, random_seed: int
) -> SimulatedStart:
    from controller.config.board_file import load_board_file
    from controller.table.plan import GamePlan, JournalOpener, load_resumable
    from controller.ui.hosting.simulated_table import SimulatedStart

    played = load_resumable(path)
    board_name = board or played.setup.board or DEFAULT_BOARD
    file = load_board_file(board_name)
    preferences = preferences_from(fire, file, played.setup.policies is not None)
    plan = GamePlan(played.setup, file, preferences, random_seed)
    return SimulatedStart(board_name, plan, played.position.pieces, JournalOpener(path))


def _new_plan(args: argparse.Namespace, console: Console) -> tuple[str, GamePlan]:
    from controller.config.board_file import absolute_board_name, load_board_file

    board_name = absolute_board_name(args.board or _default_board(args.game))
    return board_name, plan_from(args, board_name, load_board_file(board_name), True, console)


def _default_board(game_name: str | None) -> str:
    """The demo board, or the shipped board for a game that does not fit there."""
    from controller.config.board_file import load_board_file
    from controller.session.board_fit import fit_board
    from controller.table.next_game import shipped_board_for
    from engine import games
    from vision.board import BoardDoesNotFit

    if game_name is None:
        return DEFAULT_BOARD
    game = games.make(game_name)
    try:
        fit_board(load_board_file(DEFAULT_BOARD).board, game)
    except BoardDoesNotFit:
        return shipped_board_for(game)[0]
    return DEFAULT_BOARD


def _script(args: argparse.Namespace) -> Script:
    """Read the script, and fill in arguments that the command line does not set."""
    from controller.simulation.script import read_script

    script = read_script(read_file(args.script), args.script)
    for key in SCRIPT_SETTINGS:
        if key in script.settings and getattr(args, key) is None:
            setattr(args, key, script.settings[key])
    args.option = args.option or list(script.options)
    if isinstance(args.seed, str):
        if not re.fullmatch("[0-9]{1,30}", args.seed):
            raise BadInput(f"{args.script}: seed: {excerpt(args.seed)} is no whole number")
        args.seed = int(args.seed)
    return script


def _pieces_from_text(text: str, plan: GamePlan) -> Mapping[Cell, Piece]:
    """The pieces of a named setup, or of a position."""
    game = plan.setup.game
    position = game.start(text) if text in game.setups() else game.read_position(text)
    pieces: Mapping[Cell, Piece] = position.pieces
    return pieces


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
