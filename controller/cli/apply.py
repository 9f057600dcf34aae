"""`laserboard apply` plays moves from a position; `laserboard perft` counts sequences of turns."""

from __future__ import annotations

import argparse
import json
from typing import Any

from controller.cli.args.position import add_position, count_number, position_from, side_to_move
from controller.cli.command import Subcommands, add_command
from controller.ui.console import BadInput, Console
from engine.errors import IllegalMove
from engine.game import AnyGame, AnyTurn
from engine.perft import divide
from engine.turn_json import position_value, turn_json


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


def _apply(args: argparse.Namespace, console: Console) -> int:
    game, position = position_from(args, console)
    turns = _play(game, position, args.moves, _position_flags(args))
    if turns:
        position = turns[-1].after
    ended = game.outcome(position)
    verdict = "ongoing" if ended is None else str(ended)
    if args.json:
        document = {
            "turns": [turn_json(game, turn) for turn in turns],
            "position": position_value(game, position),
            "side": side_to_move(game, position),
            "outcome": verdict,
        }
        console.print(json.dumps(document, indent=2, ensure_ascii=False))
        return 0
    console.print(game.write_arrangement(position))
    console.print(side_to_move(game, position))
    console.print(verdict)
    return 0


def _position_flags(args: argparse.Namespace) -> str:
    """The position of the arguments as options for another command."""
    if args.setup is not None:
        return f" --setup {args.setup}"
    return f" --position '{args.position}'" if args.position else ""


def _play(game: AnyGame, position: Any, texts: list[str], where: str) -> list[AnyTurn]:
    """Resolve moves given as text: one per turn, or two if both players move.

    `where` has the options of the first position, for `laserboard legal` in an error.
    """
    turns: list[AnyTurn] = []
    rest = list(texts)
    while rest:
        ended = game.outcome(position)
        if ended is not None:
            raise BadInput(f"no move {rest[0]!r}: the game is over, {ended}")
        movers = game.to_move(position)
        if len(rest) < len(movers):
            raise BadInput(f"{rest[0]!r} is half a turn: both players move, give two moves")
        try:
            moves = {p: game.read_move(position, p, rest.pop(0)) for p in movers}
        except IllegalMove as error:
            if game.record_form != "text":
                raise
            if turns:
                where = f" --position '{game.write_position(position)}'"
            raise BadInput(f"{error}; see `laserboard legal{where}`") from None
        turns.append(game.resolve(position, moves))
        position = turns[-1].after
    return turns


def _perft(args: argparse.Namespace, console: Console) -> int:
    game, position = position_from(args, console)
    totals = []
    for depth in range(1, args.depth + 1):
        counts = divide(game, position, depth)
        totals.append(f"{depth} {sum(count for _, count in counts)}")
        if not args.divide:
            console.print(totals[-1])
            console.out.flush()
    if args.divide:
        movers = game.to_move(position)
        for moves, count in counts:
            texts = [
                game.write_move(position, player, move)
                for player, move in zip(movers, moves, strict=True)
            ]
            console.print(" ".join([*texts, str(count)]))
        console.print("\n".join(totals))
    return 0
