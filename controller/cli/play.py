"""`laserboard play` and `laserboard resume`: a game at a real table."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from controller.cli.args.event import add_broker, add_event, publisher_from, tournament_entry_from
from controller.cli.args.players import add_fire_mode, add_players, game_choice, plan_from
from controller.cli.args.web import add_page, page_options
from controller.cli.command import Subcommands, add_command
from controller.ui.console import Console
from controller.ui.hosting.options import DeviceOptions, PlayOptions

if TYPE_CHECKING:
    pass


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
    from controller.config.board_file import absolute_board_name, load_board_file
    from controller.config.board_names import default_board
    from controller.table.next_game import ScheduledGame
    from controller.table.plan import JournalOpener
    from controller.ui.hosting.preferences import resumed_plan
    from controller.ui.hosting.real_table import host_real_table, offer_unfinished

    board_name = absolute_board_name(args.board or default_board())
    file = load_board_file(board_name)
    choice = game_choice(args)
    entry = tournament_entry_from(choice.event, file)
    unfinished = None if args.new else offer_unfinished(board_name, file, entry, console)
    if unfinished is not None:
        path, played = unfinished
        plan, opener = resumed_plan(played, file, args.fire, args.random_seed), JournalOpener(path)
    else:
        plan, opener = plan_from(choice, board_name, file, False, console), JournalOpener()
    options = play_options(args, console)
    return host_real_table(options, console, ScheduledGame(board_name, plan), opener)


def _resume(args: argparse.Namespace, console: Console) -> int:
    from controller.cli.simulate import resume_simulated
    from controller.config.board_file import load_board_file
    from controller.config.board_names import default_board
    from controller.storage.games import find_journal, games_folder
    from controller.table.next_game import ScheduledGame
    from controller.table.plan import JournalOpener, load_resumable
    from controller.ui.hosting.preferences import resumed_plan
    from controller.ui.hosting.real_table import host_real_table

    path = find_journal(games_folder(), args.name)
    played = load_resumable(path)
    if played.setup.simulated:
        return resume_simulated(path, args, console)
    board_name = args.board or played.setup.board or default_board()
    plan = resumed_plan(played, load_board_file(board_name), args.fire, 0)
    options = play_options(args, console)
    return host_real_table(options, console, ScheduledGame(board_name, plan), JournalOpener(path))
