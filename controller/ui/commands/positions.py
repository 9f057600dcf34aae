"""Prints positions, legal moves and beams; plays and counts turns."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from controller.session.sentences import TO_MOVE
from controller.ui.commands import sentences
from controller.ui.console import BadInput, Console, write_file
from controller.ui.terminal import render_board
from engine import games
from engine.beam import Beam, BeamEvent
from engine.draw import position_svg
from engine.errors import IllegalMove
from engine.game import AnyGame, AnyTurn, Player
from engine.grid import Grid
from engine.perft import divide
from engine.sentences import Sentence
from engine.turn_json import position_value, turn_json

_ENDS = {
    BeamEvent.LEAVE: "exit",
    BeamEvent.FADE: "fades",
    BeamEvent.CAPTURE: "captures",
    BeamEvent.ABSORB: "absorbed",
    BeamEvent.DAMAGE: "damages",
    BeamEvent.ANNIHILATE: "annihilated",
}


def side_to_move(game: AnyGame, position: Any) -> str:
    movers = game.to_move(position)
    return game.players[movers[0]] if len(movers) == 1 else "both"


def to_move_sentence(game: AnyGame, position: Any) -> Sentence:
    movers = game.to_move(position)
    if len(movers) == 1:
        return TO_MOVE(players=game.players[movers[0]])
    return sentences.BOTH_TO_MOVE()


def apply_moves(
    game: AnyGame,
    position: Any,
    moves: Sequence[str],
    where: str,
    *,
    as_json: bool,
    console: Console,
) -> int:
    """Play moves and print the position, the side to move and the outcome.

    `where` has the options of the position, for `laserboard legal` in an error.
    """
    turns = _play(game, position, moves, where)
    if turns:
        position = turns[-1].after
    ended = game.outcome(position)
    verdict = "ongoing" if ended is None else str(ended)
    if as_json:
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


def _play(game: AnyGame, position: Any, texts: Sequence[str], where: str) -> list[AnyTurn]:
    """Resolve moves given as text: one per turn, or two if both players move."""
    turns: list[AnyTurn] = []
    rest = list(texts)
    while rest:
        ended = game.outcome(position)
        if ended is not None:
            raise BadInput(sentences.GAME_IS_OVER(move=rest[0], outcome=ended.sentence))
        movers = game.to_move(position)
        if len(rest) < len(movers):
            raise BadInput(sentences.HALF_A_TURN(move=rest[0]))
        try:
            moves = {p: game.read_move(position, p, rest.pop(0)) for p in movers}
        except IllegalMove as error:
            if game.record_form != "text":
                raise
            if turns:
                where = f" --position '{game.write_position(position)}'"
            reason = sentences.SEE_LEGAL_MOVES(reason=error.sentence, options=where)
            raise BadInput(reason) from error
        turns.append(game.resolve(position, moves))
        position = turns[-1].after
    return turns


def count_turns(
    game: AnyGame, position: Any, depth: int, *, by_first_move: bool, console: Console
) -> int:
    """Print the number of sequences of 1 to `depth` legal turns."""
    totals = []
    for length in range(1, depth + 1):
        counts = divide(game, position, length)
        totals.append(f"{length} {sum(count for _, count in counts)}")
        if not by_first_move:
            console.print(totals[-1])
            console.out.flush()
    if by_first_move:
        movers = game.to_move(position)
        for moves, count in counts:
            texts = [
                game.write_move(position, player, move)
                for player, move in zip(movers, moves, strict=True)
            ]
            console.print(" ".join([*texts, str(count)]))
        console.print("\n".join(totals))
    return 0


def list_setups(console: Console, *, show_options: bool) -> int:
    """Print all games, each with its setups or its rule options."""
    for name in games.GAMES:
        game = games.make(name)
        console.print(f"{name}  ({game.title})")
        if show_options:
            for option in fields(game):
                values = "|".join(option.metadata["choices"]) or "N"
                default = "none" if option.default is None else option.default
                key = f"{option.name}={values}"
                console.print(f"  {key:44} {option.metadata['help']} (default {default})")
            continue
        for setup in game.setups().values():
            console.print(f"  {setup.name:20} {setup.remark or ''}".rstrip())
        if not game.setups():
            console.print(f"  {'--seed N':20} {sentences.MAP_FROM_SEED()}")
    return 0


def show_position(game: AnyGame, position: Any, svg: str | None, console: Console) -> int:
    """Draw a position in the terminal, or into an SVG file."""
    if svg is not None:
        write_file(svg, position_svg(game, position), console)
        return 0
    ended = game.outcome(position)
    console.print_picture(render_board(game, position, colour=console.colour))
    if game.record_form == "text":
        console.print(game.write_position(position))
    console.print(ended.sentence if ended else to_move_sentence(game, position))
    return 0


def list_legal_moves(
    game: AnyGame, position: Any, player: Player, square_name: str | None, console: Console
) -> int:
    """Print the legal moves of a player, or only those of the piece on a square."""
    movers = game.to_move(position)
    if player not in movers:
        mover = game.players[movers[0]]
        raise BadInput(sentences.OTHER_PLAYERS_TURN(mover=mover, player=game.players[player]))
    square = None if square_name is None else position.grid.cell(square_name)
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
            console.note(sentences.NO_MOVES_GAME_OVER(outcome=ended.sentence))
        elif piece is None:
            console.note(sentences.NO_MOVES_EMPTY_CELL(cell=square_name or ""))
        else:
            owner = game.players[piece.owner]
            console.note(
                sentences.NO_MOVES_OTHER_PIECE(
                    cell=square_name or "", owner=owner, piece=piece.kind
                )
            )
    return 0


def trace_beams(
    game: AnyGame, position: Any, player: Player, *, as_json: bool, console: Console
) -> int:
    """Print the beams of a player's lasers as they stand."""
    beams = game.standing_beams(position, player)
    if not beams:
        raise BadInput(sentences.NO_FIXED_LASER(player=game.players[player]))
    for beam in beams:
        console.print(_as_json(beam, position.grid) if as_json else _as_text(beam, position.grid))
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
