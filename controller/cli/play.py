"""`laserboard play` and `laserboard resume`: a game at a real table."""

from __future__ import annotations

import argparse

from controller.cli.args.event import add_broker, add_event, publisher_from
from controller.cli.args.players import add_fire_mode, add_players, game_options
from controller.cli.args.web import add_page, page_options
from controller.cli.command import Subcommands, add_command
from controller.ui.console import Console
from controller.ui.hosting.options import DeviceOptions, PlayOptions


def add(commands: Subcommands) -> None:
    play = add_command(
        commands,
        "play",
        play_at_table,
        "play at a real table",
        "  laserboard play --board ./laserboard.yaml\n"
        "  laserboard play --board ./laserboard.yaml --red computer:4 --clock 10m+5s\n"
        "  laserboard play --board paper-10x8 --camera usb://0 --fire auto:3",
        "The program checks every device first. Lights and sentences then guide you: set up the "
        "board, move a piece by hand, press fire, take off captured pieces. Every turn is stored "
        "before its beam runs, so `laserboard resume` can continue after a power cut. The default "
        "board is ./laserboard.yaml if it exists (`laserboard init` writes it).",
    )
    add_devices(play)
    play.add_argument(
        "--new", action="store_true", help="begin a new game, even if one is unfinished"
    )
    add_players(play)
    add_event(play)
    add_page(play)

    resume = add_command(
        commands,
        "resume",
        _resume,
        "resume an unfinished game, for instance after a power cut",
        "  laserboard resume\n  laserboard resume 2026-11-16-3",
        "Restores position, clocks and the player to move. The lights show where the table "
        "differs. A game of a simulated table is resumed at a simulated table.",
    )
    resume.add_argument(
        "name",
        metavar="NAME",
        nargs="?",
        default="last",
        help="a name from `games list` (default: the last game)",
    )
    add_fire_mode(add_devices(resume))
    add_broker(
        resume.add_argument_group("the broker of the game's tournament (see docs/tournament.md)")
    )
    add_page(resume)


def add_devices(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    group = parser.add_argument_group("devices (default: as the board file says)")
    group.add_argument("--board", metavar="NAME|FILE", help="the board: a shipped one or a file")
    group.add_argument(
        "--camera", metavar="URL", help="usb://0 or pi://; `laserboard camera list` finds them"
    )
    group.add_argument("--leds", metavar="URL", help="serial://auto, or none:// for no LEDs")
    group.add_argument("--buttons", metavar="URL", help="gpio:// or none://")
    group.add_argument("--speaker", metavar="URL", help="gpio://, terminal:// or none://")
    group.add_argument("--voice", metavar="KIND", help="auto, espeak, terminal or none")
    return group


def play_options(args: argparse.Namespace, console: Console) -> PlayOptions:
    """The options of a real table: devices, page and publisher."""
    devices = DeviceOptions(args.camera, args.leds, args.buttons, args.speaker, args.voice)
    return PlayOptions(devices, page_options(args, console), publisher_from(args))


def play_at_table(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.hosting.real_games import host_real_game

    options = play_options(args, console)
    return host_real_game(
        game_options(args), args.board, options, console, offers_unfinished=not args.new
    )


def _resume(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.hosting.real_games import resume_game

    return resume_game(args.name, args.board, args.fire, play_options(args, console), console)
