"""`laserboard simulate`: a game on a table that is not there, by the program of real ones."""

from __future__ import annotations

import argparse
import asyncio
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.agreed import AGREED, GIVEN, add_agreed, habits_from, plan_from
from controller.cli.chaos import add_chaos, dues_of, listed, play_in_chaos, wanted
from controller.cli.command import Subcommands, add_command
from controller.cli.console import BadInput, Console, read_file
from controller.cli.event import OCCASION, add_event, herald_from
from controller.cli.page import add_page, wants_page
from controller.cli.positions import count_number
from controller.wiring import DEFAULT_BOARD
from engine.errors import LaserboardError, did_you_mean, excerpt

if TYPE_CHECKING:
    from controller.beginning import Keeping, Plan
    from controller.room import Furniture, SteppedRoom
    from controller.session_values import Session
    from controller.simulated.chaos.schedule import Due
    from controller.simulated.free_play import Ask
    from controller.simulated.script import Script
    from engine.game import AnyTurn, Piece
    from engine.grid import Cell

DEFAULT_LEDS = DEFAULT_CAMERA = "sim://"
# What a script may say in the place of the command line.
SETTINGS = ("board", "game", "setup", "position", "seed", "leds", "fire", *AGREED)


def add(commands: Subcommands) -> None:
    simulate = add_command(
        commands,
        "simulate",
        _simulate,
        "play on a simulated table, through camera, reader, LED driver and firmware",
        "  laserboard simulate --blue human --red computer:4\n"
        "  laserboard simulate --blue computer:3 --red computer:3 --turns 6 --fast\n"
        "  laserboard simulate --script tests/games/one-turn.game\n"
        "  laserboard simulate --script tests/games/one-turn.game --leds 'sim://?drop=0.02'\n"
        "  laserboard simulate --red computer:2 --chaos 7\n"
        "  laserboard simulate --red computer:2 --fault unplug@12s --fault bump@30s",
        "The table is rendered and read like a camera's picture; the firmware's own C core shows "
        "the light. You choose a move with the arrow keys or type it (j4j3), and simulated hands "
        "carry it out. A script tells a story, line by line: what people do (blue moves j4 j3, red "
        "bumps c7, blue presses fire, red accepts), what happens (power cut, the camera is "
        "unplugged, the disk is full) and what is expected (expect captured g3, expect mismatch "
        "c7, expect resumed); a line that is no sentence is answered with those that are. The "
        "first expectation that is not met ends it with status 1.",
    )
    simulate.add_argument("--script", metavar="FILE.game", help="what happens")
    simulate.add_argument(
        "--resume", metavar="NAME", help="go on with a kept game: last, or one of `games list`"
    )
    simulate.add_argument("--board", metavar="NAME|FILE", help=f"default {DEFAULT_BOARD}")
    simulate.add_argument(
        "--table",
        metavar="SETUP|POSITION",
        help="what stands on the table at first, for people to put right on the page",
    )
    simulate.add_argument("--turns", metavar="N", type=count_number, help="stop after N turns")
    simulate.add_argument(
        "--fast", action="store_true", help="as fast as the machine can, one line for what happens"
    )
    simulate.add_argument(
        "--camera",
        metavar="URL",
        help="how the table is seen: sim:// with options such as ?width=1920&tilt_degrees=30"
        "&light=0.1 (dim), &barrel=0.2 (a wide lens), &prints=FOLDER (of paper)",
    )
    simulate.add_argument(
        "--leds",
        metavar="URL",
        help=f"sim:// with its faults, or memory:// (default {DEFAULT_LEDS})",
    )
    simulate.add_argument(
        "--voice", metavar="KIND", help="espeak says every turn aloud (default none)"
    )
    simulate.add_argument(
        "--speaker", metavar="URL", help="terminal:// rings the bell (default none://)"
    )
    simulate.add_argument(
        "--picture",
        metavar="FILE.png",
        help="save the table as the camera sees it when the last beam is brightest",
    )
    add_chaos(simulate)
    add_agreed(simulate)
    add_event(simulate, table=False)
    add_page(simulate)


def _simulate(args: argparse.Namespace, console: Console) -> int:
    from controller.simulated.hands import Unexpected

    if listed(args, console):
        return 0
    chaos, shown = wanted(args), wants_page(args, console)
    try:
        if args.script is not None:
            if chaos:
                raise BadInput("--script tells itself what happens: leave --chaos and --fault out")
            if args.resume is not None:
                raise BadInput("--script and --resume: a script begins its own game, give one")
            return asyncio.run(_by_script(args, console))
        if args.fast or not (console.size or shown):
            if args.table is not None:
                raise BadInput("--table: nobody could put it right; play on the page")
            return asyncio.run(_in_steps(args, console))
    except Unexpected as unmet:
        console.note(f"laserboard: {unmet}")
        return 1
    return asyncio.run(_live(args, console))


# -- the three ways of playing -----------------------------------------------------------------


async def _by_script(args: argparse.Namespace, console: Console) -> int:
    """What the script says, in simulated time, and kept only while it is played."""
    from controller.beginning import Keeping
    from controller.room import SteppedRoom
    from controller.simulated.scripted import Scripted
    from controller.simulated.simulation import Simulation

    script = _script(args)
    plan = _habits_of(script, _new(args, console))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.journal"
        room = SteppedRoom(
            replace(simulated_furniture(args, plan), voice="terminal"),
            _laid_out(script, plan),
            Keeping(path),
            photographs=args.picture is not None,
        )
        scripted = Scripted(script, room, _teller(console))
        simulation = Simulation(room, plan.begin, scripted.heard)
        _headline(plan, args, console)
        async with simulation:
            await scripted.play(simulation)
    _pictures(args, room, console)
    return 0


async def _in_steps(args: argparse.Namespace, console: Console) -> int:
    """The board, one line for what happens, in simulated time, and the board again; moves are read
    from standard input."""
    from controller.cli.front import farewell
    from controller.room import SteppedRoom
    from controller.simulated.chaos.disturber import Disturber
    from controller.simulated.free_play import FreePlay
    from controller.simulated.simulation import Simulation

    keeping, plan, pieces = _begun(args, console)
    dues = _dues(args, plan)
    room = SteppedRoom(
        simulated_furniture(args, plan), pieces, keeping, photographs=args.picture is not None
    )
    tell = _teller(console)
    _headline(plan, args, console)
    async with Simulation(room, plan.begin, tell, room.make_room) as simulation:
        _board(simulation.session, console)
        ask = _asking(console)
        if dues is None:
            await FreePlay(simulation, ask).play(args.turns)
        else:
            disturber = Disturber(room, dues, args.chaos or 0, tell)
            await play_in_chaos(simulation, room, disturber, ask, args.turns, console)
        _board(simulation.session, console)
    if args.resume is None:
        farewell(keeping.path, console)
    else:
        console.note(f"kept in {keeping.path}: see `laserboard games`")
    _pictures(args, room, console)
    return 0


def simulate_live(args: argparse.Namespace, console: Console) -> int:
    """A game on a simulated table that another command has agreed on."""
    nothing = ("script", "turns", "picture", "resume", "table", "chaos", "fault")
    how = argparse.Namespace(**{**vars(args), **dict.fromkeys(nothing), "fast": False})
    return asyncio.run(_live(how, console))


def resume_simulated(name: str, how: argparse.Namespace, console: Console) -> int:
    """Go on with a game that was played on a simulated table."""
    devices = ("board", "camera", "leds", "voice", "speaker", "table")
    nothing = dict.fromkeys((*GIVEN, *AGREED, *devices, "script", "turns", "picture", *OCCASION))
    same = ("fire", "page", "lan", "port", "delay", "broker", "password_file", "ca_file")
    kept = {each: getattr(how, each) for each in same}
    befalls = {"chaos": None, "fault": None}
    args = argparse.Namespace(**nothing, **kept, **befalls, resume=name, fast=False, chance=1)
    return _simulate(args, console)


async def _live(args: argparse.Namespace, console: Console) -> int:
    """On the screen and on the page, in time as it passes."""
    from controller.cli.live import Befalls, at_simulated_table
    from controller.hosting import Hosted

    keeping, plan, pieces = _begun(args, console)
    sets_up = args.table is None
    if args.table is not None:
        pieces = _standing(args.table, plan)
    dues = _dues(args, plan)
    befalls = None if dues is None else Befalls(dues, args.chaos or 0)
    hosted, furniture = Hosted(args.board, plan), simulated_furniture(args, plan)
    await at_simulated_table(
        args, console, furniture, hosted, keeping, pieces, befalls, sets_up=sets_up
    )
    return 0


# -- what they need ----------------------------------------------------------------------------


def _begun(
    args: argparse.Namespace, console: Console
) -> tuple[Keeping, Plan, Mapping[Cell, Piece]]:
    """A game that begins, or one that goes on, with the pieces as they stand."""
    from controller.beginning import Keeping, Plan, going_on
    from controller.config import load_board_file
    from controller.game_store import find, games_folder

    if args.resume is None:
        plan = _new(args, console)
        return Keeping(), plan, plan.start.first().pieces
    flags = {name: f"--{name}" for name in GIVEN} | AGREED
    flags |= {name: f"--{name.replace('_', '-')}" for name in OCCASION}
    given = [flag for name, flag in flags.items() if getattr(args, name) is not None]
    if given:
        raise BadInput(f"--resume and {given[0]}: a game goes on as it was, give one")
    path = find(games_folder(), args.resume)
    played = going_on(path)
    args.board = args.board or played.start.board or DEFAULT_BOARD
    file = load_board_file(args.board)
    habits = habits_from(args.fire, file, played.start.laws is not None)
    plan = Plan(played.start, file, habits, args.chance)
    return Keeping(path), plan, played.position.pieces


def _new(args: argparse.Namespace, console: Console) -> Plan:
    from controller.config import board_place, load_board_file

    args.board = board_place(args.board or DEFAULT_BOARD)
    return plan_from(args, args.board, load_board_file(args.board), True, console)


def simulated_furniture(args: argparse.Namespace, plan: Plan) -> Furniture:
    from controller.room import Furniture

    return Furniture(
        args.board,
        plan.file,
        plan.top,
        args.leds or DEFAULT_LEDS,
        args.camera or DEFAULT_CAMERA,
        speaker=args.speaker or "none://",
        voice=args.voice or "none",
        herald=herald_from(args, plan),
        refereed=plan.start.laws is not None,
    )


def _dues(args: argparse.Namespace, plan: Plan) -> Iterator[Due] | None:
    """What is to befall this game."""
    return dues_of(args, args.leds or DEFAULT_LEDS, any(each.computer for each in plan.start.seats))


def _script(args: argparse.Namespace) -> Script:
    """The script, whose settings hold where the command line names none."""
    from controller.simulated.script import read_script

    script = read_script(read_file(args.script), args.script)
    for key in SETTINGS:
        if key in script.settings and getattr(args, key) is None:
            setattr(args, key, script.settings[key])
    args.option = args.option or list(script.options)
    if isinstance(args.seed, str):
        if not re.fullmatch("[0-9]{1,30}", args.seed):
            raise BadInput(f"{args.script}: seed: {excerpt(args.seed)} is no whole number")
        args.seed = int(args.seed)
    return script


def _habits_of(script: Script, plan: Plan) -> Plan:
    from controller.play_settings import TAKE_BACK
    from controller.session_values import TakeBack

    how = script.settings.get("take_back", plan.habits.take_back)
    if how not in TAKE_BACK:
        hint = did_you_mean(how, TAKE_BACK)
        raise BadInput(f"{script.file}: take_back: there is no {excerpt(how)}{hint}")
    return replace(plan, habits=replace(plan.habits, take_back=TakeBack(how)))


def _laid_out(script: Script, plan: Plan) -> Mapping[Cell, Piece]:
    """What stands on the table at first: the position, unless the script says otherwise."""
    first, game = plan.start.first(), plan.start.game
    if "table" not in script.settings:
        pieces: Mapping[Cell, Piece] = first.pieces
    elif script.settings["table"] == "empty":
        pieces = {}
    else:
        pieces = game.read_position(script.settings["table"]).pieces
    return pieces


def _standing(text: str, plan: Plan) -> Mapping[Cell, Piece]:
    """Pieces as a setup or a position has them."""
    game = plan.start.game
    known = text in game.setups()
    pieces: Mapping[Cell, Piece] = (game.start(text) if known else game.read_position(text)).pieces
    return pieces


def _headline(plan: Plan, args: argparse.Namespace, console: Console) -> None:
    leds = (args.leds or DEFAULT_LEDS).partition("?")[0]
    console.print(f"{plan.start.game.title} on {plan.file.board.name}, LEDs {leds}")


def _board(session: Session, console: Console) -> None:
    """As the game has it."""
    from controller.terminal import picture

    console.print_picture(picture(session.table.game, session.position, colour=console.colour))
    console.out.flush()


def _teller(console: Console) -> Callable[[str], None]:
    def tell(line: str) -> None:
        console.print(line)
        console.out.flush()

    return tell


def _asking(console: Console) -> Ask:
    """People who type a move for each who is to move; an empty line, or the end, ends it."""

    async def ask(session: Session) -> AnyTurn | None:
        game, position = session.table.game, session.position
        moves = {}
        for player in session.movers:
            if player not in session.people:  # it makes up its own mind
                moves[player] = game.legal(position, player)[0]
            while player not in moves:
                text = console.ask(f"{game.players[player]}: ")
                if not text:
                    console.print()
                    return None
                try:
                    moves[player] = game.read_move(position, player, text)
                except LaserboardError as bad:
                    console.print(str(bad))
        return game.resolve(position, moves)

    return ask


def _pictures(args: argparse.Namespace, room: SteppedRoom, console: Console) -> None:
    """The last beam: as the camera saw it, and as its LEDs."""
    from controller.led_picture import led_picture
    from controller.pictures import save_picture
    from controller.room import led_settings

    seen = room.pace
    if args.picture is not None:
        if seen.photograph is None:
            raise BadInput("no beam was fired, so there is no picture of one")
        save_picture(args.picture, seen.photograph)
    if seen.brightest is not None:
        gamma = led_settings(room.furniture.file).gamma
        console.print_picture(
            led_picture(seen.brightest, room.layout, colour=console.colour, gamma=gamma)
        )
