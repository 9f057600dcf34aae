"""Commands about a position: `laserboard setups`, `show`, `legal` and `beam`."""

from __future__ import annotations

import argparse
import json
from dataclasses import fields

from controller.cli.args.position import add_position, player_from, position_from, side_to_move
from controller.cli.command import Subcommands, add_command
from controller.ui.console import BadInput, Console, write_file
from controller.ui.terminal import render_board
from engine import games
from engine.beam import Beam, BeamEvent
from engine.draw import position_svg
from engine.grid import Grid


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
    for name in games.GAMES:
        game = games.make(name)
        console.print(f"{name}  ({game.title})")
        if args.options:
            for option in fields(game):
                values = "|".join(option.metadata["choices"]) or "N"
                default = "none" if option.default is None else option.default
                key = f"{option.name}={values}"
                console.print(f"  {key:44} {option.metadata['help']} (default {default})")
            continue
        for setup in game.setups().values():
            console.print(f"  {setup.name:20} {setup.remark}".rstrip())
        if not game.setups():
            console.print("  --seed N             a map drawn from a number")
    return 0


def _show(args: argparse.Namespace, console: Console) -> int:
    game, position = position_from(args, console)
    if args.svg is not None:
        write_file(args.svg, position_svg(game, position), console)
        return 0
    ended = game.outcome(position)
    console.print_picture(render_board(game, position, colour=console.colour))
    if game.record_form == "text":
        console.print(game.write_position(position))
    console.print(str(ended) if ended else f"{side_to_move(game, position)} to move")
    return 0


def _legal(args: argparse.Namespace, console: Console) -> int:
    game, position = position_from(args, console)
    movers = game.to_move(position)
    player = player_from(game, args.side, movers[0])
    if player not in movers:
        raise BadInput(f"it is {game.players[movers[0]]}'s turn, not {game.players[player]}'s")
    square = None if args.square is None else position.grid.cell(args.square)
    moves = [
        move
        for move in game.legal(position, player)
        if square is None or game.origin(position, player, move) == square
    ]
    for move in moves:
        console.print(game.write_move(position, player, move))
    if not moves:
        ended = game.outcome(position)
        piece = None if square is None else position.pieces.get(square)
        if ended:
            console.note(f"no moves: the game is over, {ended}")
        elif piece is None:
            console.note(f"no moves: {args.square} is empty")
        else:
            owner = game.players[piece.owner]
            console.note(f"no moves: on {args.square} stands {owner}'s {piece.kind}")
    return 0


_ENDS = {
    BeamEvent.LEAVE: "exit",
    BeamEvent.FADE: "fades",
    BeamEvent.CAPTURE: "captures",
    BeamEvent.ABSORB: "absorbed",
    BeamEvent.DAMAGE: "damages",
    BeamEvent.ANNIHILATE: "annihilated",
}


def _beam(args: argparse.Namespace, console: Console) -> int:
    game, position = position_from(args, console)
    player = player_from(game, args.side, game.to_move(position)[0])
    beams = game.standing_beams(position, player)
    if not beams:
        raise BadInput(f"{game.players[player]} has no laser with a fixed direction here")
    for beam in beams:
        console.print(_as_json(beam, position.grid) if args.json else _as_text(beam, position.grid))
    return 0


def _as_text(beam: Beam, grid: Grid) -> str:
    end, place = _ENDS[beam.end.event], grid.name(beam.end.cell)
    words = {"exit": "exit", "fades": "fades", "absorbed": f"absorbed by {place}"}
    last = words.get(end, f"{end} {'at ' if end == 'annihilated' else ''}{place}")
    return " ".join([*map(grid.name, beam.path), last])


def _as_json(beam: Beam, grid: Grid) -> str:
    end = _ENDS[beam.end.event]
    return json.dumps(
        {
            "path": [grid.name(cell) for cell in beam.path],
            "end": end,
            "square": None if end in ("exit", "fades") else grid.name(beam.end.cell),
        }
    )
