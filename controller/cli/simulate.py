"""`laserboard simulate`: a game on a table that is not there, by the program of real ones."""

from __future__ import annotations

import argparse
import re
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from controller.cli.command import Subcommands, add_command
from controller.cli.computer import deadline
from controller.cli.console import BadInput, Console, read_file
from controller.cli.positions import add_position, any_number, count_number, position_from
from controller.wiring import (
    DEFAULT_BOARD,
    camera_over,
    memory_journal,
    new_journal,
    open_journal,
    open_leds,
    simulated_table,
    simulated_world,
    system_clock,
    wall_clock,
)
from engine.errors import LaserboardError, excerpt

if TYPE_CHECKING:
    from controller.config import BoardFile
    from controller.played import Seat
    from controller.ports import Journal
    from controller.script import Script
    from controller.session_values import Session, Think
    from controller.simulation import Lines, Simulation
    from engine.game import Player

DEFAULT_LEDS = "sim://"
THINK_SECONDS = 10.0
SETTINGS = ("board", "game", "setup", "position", "seed", "leds")


def add(commands: Subcommands) -> None:
    simulate = add_command(
        commands,
        "simulate",
        _simulate,
        "play on a simulated table, through camera, reader, LED driver and firmware",
        "  laserboard simulate --blue human --red computer:4\n"
        "  laserboard simulate --blue computer:3 --red computer:3 --turns 6\n"
        "  laserboard simulate --script tests/games/one-turn.game\n"
        "  laserboard simulate --script tests/games/one-turn.game --leds 'sim://?drop=0.02'",
        "The table is rendered and read like a camera's picture; the firmware's own C core shows "
        "the light. A person types moves (j4j3; an empty line ends the game), and simulated hands "
        "carry them out. A script says what people do (blue moves j4 j3, blue turns e4 90, red "
        "takes e5, blue presses fire) and what is expected (expect turn, beam, lit, dark, captured,"
        " position, phase, wrong, guide, says); the first expectation that is not met ends it with "
        "status 1.",
    )
    simulate.add_argument("--script", metavar="FILE.game", help="what happens")
    simulate.add_argument(
        "--resume", metavar="NAME", help="go on with a kept game: last, or one of `games list`"
    )
    simulate.add_argument("--board", metavar="NAME|FILE", help=f"default {DEFAULT_BOARD}")
    for seat, flags in enumerate((("--blue", "--first"), ("--red", "--second"))):
        simulate.add_argument(
            *flags,
            dest=f"seat_{seat}",
            metavar="WHO",
            default="human",
            help="human (the default), or computer:LEVEL with a level of 1 to 8",
        )
    simulate.add_argument("--turns", metavar="N", type=count_number, help="stop after N turns")
    simulate.add_argument(
        "--chance", metavar="N", type=any_number, default=1, help="another number, another game"
    )
    simulate.add_argument(
        "--leds",
        metavar="URL",
        help=f"sim:// with its faults, or memory:// (default {DEFAULT_LEDS})",
    )
    simulate.add_argument(
        "--picture",
        metavar="FILE.png",
        help="save the table as the camera sees it when the last beam is brightest",
    )
    add_position(simulate)
    simulate.set_defaults(game=None)


def _simulate(args: argparse.Namespace, console: Console) -> int:
    from controller.camera_address import Simulated
    from controller.config import load_board_file
    from controller.layout import layout
    from controller.led_picture import led_picture
    from controller.light import Effects
    from controller.pictures import save_picture
    from controller.showing import Stage
    from controller.simulation import Simulation, Surroundings, Unexpected

    script = None if args.script is None else _scripted(args)
    name = args.board or DEFAULT_BOARD
    file = load_board_file(name)
    lies = layout(file)
    if lies is None or file.leds is None:
        raise BadInput(f"the board {file.board.name!r} has no LEDs to show beams on")
    session, journal = _begun(args, file, script is not None, console)
    game, position = session.table.game, session.position
    table = simulated_table(Simulated(place=name, game=game.name))
    table.lay_out(position.pieces)
    leds = open_leds(args.leds or DEFAULT_LEDS, file.leds, system_clock())
    camera = camera_over(table, console.clock, threaded=False)
    playing = lies.playing(position.grid)
    around = Surroundings(
        simulated_world(table, lies, leds),
        camera,
        Stage(leds, file.leds.finish(), console.clock),
        playing,
        Effects(file.leds.effects),
        console.clock,
        journal,
        _Computer(game, console, args.chance),
    )
    simulation = Simulation(session, around, args.picture is not None)
    try:
        console.print(f"{game.title} on {file.board.name}, LEDs {leds.name}")
        for line in _lines(args, script, simulation, console):
            console.print(line)
            console.out.flush()
    except Unexpected as unmet:
        console.note(f"laserboard: {unmet}")
        return 1
    finally:
        camera.close()
        leds.close()
        journal.close()
    if script is None:
        console.note(f"kept in {journal.name}: see `laserboard games`")
    if args.picture is not None:
        if simulation.seen is None:
            raise BadInput("no beam was fired, so there is no picture of one")
        save_picture(args.picture, simulation.seen)
    if simulation.brightest is not None:
        console.print_picture(
            led_picture(simulation.brightest, playing, colour=console.colour, gamma=file.leds.gamma)
        )
    return 0


def _begun(
    args: argparse.Namespace, file: BoardFile, scripted: bool, console: Console
) -> tuple[Session, Journal]:
    """A game that begins, or goes on where its journal ends."""
    from controller.clocks import Clocks
    from controller.game_store import find, games_folder
    from controller.played import GAME, Start, game_body
    from controller.resume import resumed
    from controller.session_values import Session
    from controller.tabletop import fitted

    if args.resume is not None:
        given = [key for key in ("script", "setup", "position", "seed") if getattr(args, key)]
        if given:
            raise BadInput(f"--resume and --{given[0]}: a game goes on where it was, give one")
        journal, entries = open_journal(find(games_folder(), args.resume), console.clock)
        try:
            return resumed(entries, file.board, file.camera.lens), journal
        except LaserboardError:
            journal.close()
            raise
    args.game = args.game or fitted(file.board).game.name
    game, position = position_from(args, console)
    top = fitted(file.board, game, file.camera.lens, position.grid)
    seats = (_seat(args.seat_0, game.players[0]), _seat(args.seat_1, game.players[1]))
    journal = memory_journal(console.clock) if scripted else new_journal(console.clock)
    start = Start(
        game, seats, position=position, version=version("laserboard"), started=wall_clock()
    )
    journal.write(GAME, game_body(start), console.clock.now_ms())
    return Session(top, seats, position, Clocks(), entries=1), journal


def _scripted(args: argparse.Namespace) -> Script:
    """The script, whose settings hold where the command line names none."""
    from controller.script import read_script

    script = read_script(read_file(args.script), args.script)
    for key in SETTINGS:
        if key in script.settings and getattr(args, key) is None:
            setattr(args, key, script.settings[key])
    if isinstance(args.seed, str):
        if not re.fullmatch("[0-9]{1,30}", args.seed):
            raise BadInput(f"{args.script}: seed: {excerpt(args.seed)} is no whole number")
        args.seed = int(args.seed)
    return script


def _lines(
    args: argparse.Namespace, script: Script | None, simulation: Simulation, console: Console
) -> Lines:
    from controller.free_play import FreePlay
    from controller.scripted import Scripted

    if script is not None:
        return Scripted(script, simulation).play()

    def ask(player: Player) -> str | None:
        console.out.write(f"{simulation.session.table.game.players[player]}: ")
        console.out.flush()
        try:
            return input().strip() or None
        except EOFError:
            console.print()
            return None

    return FreePlay(simulation, ask).play(args.turns)


def _seat(text: str, name: str) -> Seat:
    from controller.played import Seat

    if text == "human":
        return Seat(name)
    found = re.fullmatch("computer(:([1-8]))?", text)
    if found is None:
        raise BadInput(f"{excerpt(text)} is nobody who plays: write human, or computer:1 to 8")
    return Seat(f"computer {found[2] or 3}", int(found[2] or 3))


class _Computer:
    """Chooses moves, each with a chance of its own."""

    def __init__(self, game: Any, console: Console, chance: int) -> None:
        self._game, self._console, self._seed = game, console, 1000 * chance

    def __call__(self, question: Think) -> str:
        from engine.search import Limit, choose

        self._seed += 1
        stop = deadline(self._console.clock, THINK_SECONDS)
        limit = Limit(level=question.level, seed=self._seed)
        chosen = choose(self._game, question.position, limit, stop)
        text: str = self._game.write_move(question.position, question.player, chosen.move)
        return text
