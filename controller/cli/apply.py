"""`laserboard apply` plays moves from a position; `laserboard perft` counts sequences of turns."""

from __future__ import annotations

import argparse

from controller.cli.args.position import add_position, count_number, position_from
from controller.cli.command import Subcommands, add_command
from controller.ui.console import Console


def add(commands: Subcommands) -> None:
    apply = add_command(
        commands,
        "apply",
        _apply,
        "play moves and print the position, the side to move and the outcome",
        "  laserboard apply --setup ace j4j3 a5a6",
        "The text of a move may include its capture; a wrong capture is refused. In games with "
        "simultaneous moves, give the moves of both players for each turn.",
    )
    add_position(apply)
    apply.add_argument("moves", metavar="MOVE", nargs="*", help="in the game's own notation")
    apply.add_argument("--json", action="store_true", help="print the turns with beams as JSON")

    perft = add_command(
        commands,
        "perft",
        _perft,
        "count all sequences of 1, 2, ... legal turns",
        "  laserboard perft --setup ace --depth 3\n  laserboard perft --depth 2 --divide",
        "A game that ends earlier is not counted. Draw rules are off.",
    )
    add_position(perft)
    perft.add_argument("--depth", metavar="N", type=count_number, default=3, help="default 3")
    perft.add_argument(
        "--divide", action="store_true", help="also print the count of each first move"
    )


def _position_flags(args: argparse.Namespace) -> str:
    """The position of the arguments as options for another command."""
    if args.setup is not None:
        return f" --setup {args.setup}"
    return f" --position '{args.position}'" if args.position else ""


def _apply(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.positions import apply_moves

    game, position = position_from(args, console)
    where = _position_flags(args)
    return apply_moves(game, position, args.moves, where, as_json=args.json, console=console)


def _perft(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.positions import count_turns

    game, position = position_from(args, console)
    return count_turns(game, position, args.depth, by_first_move=args.divide, console=console)
