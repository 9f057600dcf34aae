"""Commands about a position: `laserboard setups`, `show`, `legal` and `beam`."""

from __future__ import annotations

import argparse

from controller.cli.args.position import add_position, position_from
from controller.cli.command import Subcommands, add_command
from controller.ui.console import Console
from controller.ui.position_options import find_player


def add(commands: Subcommands) -> None:
    setups = add_command(
        commands,
        "setups",
        _setups,
        "list the games and their setups",
        "  laserboard setups\n  laserboard setups --options",
    )
    setups.add_argument("--options", action="store_true", help="list the rule options instead")

    show = add_command(
        commands,
        "show",
        _show,
        "draw a position, in the terminal or as SVG",
        "  laserboard show --setup sophie --svg sophie.svg",
    )
    add_position(show)
    show.add_argument("--svg", metavar="FILE", help="write a drawing to FILE (- prints it)")

    legal = add_command(
        commands,
        "legal",
        _legal,
        "list the legal moves with their captures, one per line",
        "  laserboard legal --setup ace --square j4",
    )
    add_position(legal)
    legal.add_argument(
        "--square", metavar="NAME", help="only the moves of the piece on this square"
    )
    legal.add_argument("--side", metavar="NAME", help="the side, in games with simultaneous moves")

    beam = add_command(
        commands,
        "beam",
        _beam,
        "trace the beam of a side's laser as it stands",
        "  laserboard beam --setup ace --side blue",
        "Prints all squares of the path, and how the beam ends.",
    )
    add_position(beam)
    beam.add_argument("--side", metavar="NAME", help="the side (default: the side to move)")
    beam.add_argument("--json", action="store_true", help="print JSON: path, end, square")


def _setups(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.positions import list_setups

    return list_setups(console, show_options=args.options)


def _show(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.positions import show_position

    game, position = position_from(args, console)
    return show_position(game, position, args.svg, console)


def _legal(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.positions import list_legal_moves

    game, position = position_from(args, console)
    player = find_player(game, args.side, game.to_move(position)[0])
    return list_legal_moves(game, position, player, args.square, console)


def _beam(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.positions import trace_beams

    game, position = position_from(args, console)
    player = find_player(game, args.side, game.to_move(position)[0])
    return trace_beams(game, position, player, as_json=args.json, console=console)
