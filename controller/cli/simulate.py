"""`laserboard simulate`: a game on a table that is not there, by the program of real ones."""

from __future__ import annotations

import argparse
import re

from controller.cli.command import Subcommands, add_command
from controller.cli.console import BadInput, Console, read_file
from controller.wiring import (
    DEFAULT_BOARD,
    camera_over,
    open_leds,
    simulated_table,
    simulated_world,
    system_clock,
)

DEFAULT_LEDS = "sim://"


def add(commands: Subcommands) -> None:
    simulate = add_command(
        commands,
        "simulate",
        _simulate,
        "play a script on a simulated table, through camera, reader, LED driver and firmware",
        "  laserboard simulate --script tests/games/one-turn.game\n"
        "  laserboard simulate --script tests/games/one-turn.game --leds 'sim://?drop=0.02'",
        "A script says what people do (blue moves j4 j3, blue turns e4 90, red takes e5, blue "
        "presses fire) and what is expected (expect turn, beam, lit, dark, captured, position, "
        "says). The table is rendered and read "
        "like a camera's picture; the firmware's own C core shows the light. Ends with status 1 at "
        "the first expectation that is not met.",
    )
    simulate.add_argument("--script", metavar="FILE.game", required=True, help="what happens")
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


def _simulate(args: argparse.Namespace, console: Console) -> int:
    from controller.camera_address import Simulated
    from controller.clocks import Clocks
    from controller.config import load_board_file
    from controller.layout import layout
    from controller.led_picture import led_picture
    from controller.light import Effects
    from controller.pictures import save_picture
    from controller.script import read_script
    from controller.session_values import Seat, Session
    from controller.showing import Stage
    from controller.simulation import Simulation, Surroundings, Unexpected
    from controller.tabletop import fitted
    from engine import games
    from engine.errors import excerpt

    script = read_script(read_file(args.script), args.script)
    named = script.settings
    file = load_board_file(named.get("board", DEFAULT_BOARD))
    lies = layout(file)
    if lies is None or file.leds is None:
        raise BadInput(f"{args.script}: the board {file.board.name!r} has no LEDs to show beams on")
    game = games.make(named["game"]) if "game" in named else fitted(file.board).game
    if "position" in named:
        position = game.read_position(named["position"])
    else:
        seed = named.get("seed")
        if seed is not None and not re.fullmatch("[0-9]{1,30}", seed):
            raise BadInput(f"{args.script}: seed: {excerpt(seed)} is no whole number")
        position = game.start(named.get("setup"), None if seed is None else int(seed))
    top = fitted(file.board, game, file.camera.lens, position.grid)
    address = Simulated(place=named.get("board", DEFAULT_BOARD), game=game.name)
    table = simulated_table(address)
    table.lay_out(position.pieces)
    leds = open_leds(args.leds or named.get("leds", DEFAULT_LEDS), file.leds, system_clock())
    camera = camera_over(table, console.clock, threaded=False)
    playing = lies.playing(position.grid)
    try:
        console.print(f"{game.title} on {file.board.name}, LEDs {leds.name}")
        stage = Stage(leds, file.leds.finish(), console.clock)
        world = simulated_world(table, lies, leds)
        effects = Effects(file.leds.effects)
        around = Surroundings(world, camera, stage, playing, effects, console.clock)
        seats = (Seat(game.players[0]), Seat(game.players[1]))
        session = Session(top, seats, position, Clocks())
        simulation = Simulation(script, session, around, args.picture is not None)
        for line in simulation.play():
            console.print(line)
            console.out.flush()
    except Unexpected as unmet:
        console.note(f"laserboard: {unmet}")
        return 1
    finally:
        camera.close()
        leds.close()
    if args.picture is not None:
        if simulation.seen is None:
            raise BadInput(f"{args.script}: no beam was fired, so there is no picture of one")
        save_picture(args.picture, simulation.seen)
    if simulation.brightest is not None:
        console.print_picture(
            led_picture(simulation.brightest, playing, colour=console.colour, gamma=file.leds.gamma)
        )
    return 0
