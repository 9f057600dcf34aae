"""What a picture shows, in words: a headline for a turn, a description for those who listen.

A turn is read off its pieces and beams, not off the notation of its game: people who do not know
that notation look at these pictures.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.beam import Beam, What
from engine.game import AnyGame, AnyTurn, Piece, Player, Position
from engine.grid import Cell, Grid

_ENDINGS = {
    What.ABSORB: "is stopped on {}",
    What.DAMAGE: "damages {}",
    What.CAPTURE: "captures {}",
    What.ANNIHILATE: "meets another beam on {}",
    What.LEAVE: "leaves the board at {}",
    What.FADE: "fades at {}",
}


def headline(game: AnyGame, turn: AnyTurn) -> str:
    """`blue i5 to j4 · d5 captured`"""
    name = turn.aimed.grid.name
    parts = [actions(game, turn)]
    hurt = [f"{name(loss.cell)} loses {loss.hits}" for loss in turn.losses if not loss.removed]
    if turn.removed:
        parts.append(" and ".join(name(loss.cell) for loss in turn.removed) + " captured")
    if turn.outcome:
        hurt.append(str(turn.outcome))
    return " · ".join(parts + hurt)


def actions(game: AnyGame, turn: AnyTurn) -> str:
    """`blue i5 to j4`: what was done before the beams, whatever comes of it."""
    return " · ".join(
        f"{game.players[player]} {action(game, turn, player)}" for player, _ in turn.moves
    )


def action(game: AnyGame, turn: AnyTurn, player: Player) -> str:
    """What the player did before the beams."""
    before, aimed, grid = turn.before.pieces, turn.aimed.pieces, turn.aimed.grid
    was = {cell: piece for cell, piece in before.items() if piece.owner == player}
    now = {cell: piece for cell, piece in aimed.items() if piece.owner == player}
    for source, target in zip(sorted(was.keys() - now), sorted(now.keys() - was), strict=False):
        way = f"{grid.name(source)} to {grid.name(target)}"
        return f"swaps {way.replace(' to ', ' and ')}" if target in before else way
    other = [cell for cell in sorted(was.keys() & now) if was[cell] != now[cell]]
    if len(other) == 2:
        return f"swaps {grid.name(other[0])} and {grid.name(other[1])}"
    for cell in other:
        turned = (now[cell].orientation - was[cell].orientation) % grid.headings
        return f"{grid.name(cell)} turns {'right' if 2 * turned <= grid.headings else 'left'}"
    fired = [beam.path for beam in turn.beams if beam.owner == player]
    if len(turn.moves) > 1 and fired:
        ahead = [grid.name(path[1]) for path in fired if len(path) > 1]
        return f"fires toward {' and '.join(ahead)}" if ahead else "fires off the board"
    # Whoever acted, and neither went anywhere nor fired, has run into something.
    acted = game.origin(turn.before, player, dict(turn.moves)[player]) is not None
    return "collides" if acted else "passes"


def changed(before: Position, after: Position) -> tuple[Cell, ...]:
    """The cells where something else stands, or stands differently."""
    was, now = before.pieces, after.pieces
    return tuple(sorted(cell for cell in {*was, *now} if was.get(cell) != now.get(cell)))


def describe(game: AnyGame, position: Position, beams: Sequence[Beam] = ()) -> str:
    """Every piece and what becomes of every beam."""
    grid, pieces = position.grid, sorted(position.pieces.items())
    sentences = []
    for owner, name in enumerate(game.players):
        own = [_called(grid, cell, piece) for cell, piece in pieces if piece.owner == owner]
        sentences.append(f"{name}: {', '.join(own) or 'no pieces'}.")
    for beam in beams:
        start, end = (grid.name(step.cell) for step in (beam.steps[0], beam.end))
        ending = _ENDINGS.get(beam.end.what, "goes as far as {}").format(end)
        sentences.append(f"The beam of {game.players[beam.owner]} from {start} {ending}.")
    return " ".join(sentences)


def _called(grid: Grid, cell: Cell, piece: Piece) -> str:
    turned = f" at {grid.degrees(piece.orientation):g} degrees"
    health = f" with {piece.hit_points} hit points" if piece.hit_points != 1 else ""
    return f"{piece.kind} {grid.name(cell)}{turned}{health}"
