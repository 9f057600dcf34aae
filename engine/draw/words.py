"""Turns and positions in words: a headline for a turn, a description for screen readers.

The words come from pieces and beams, not from the notation of the game, which not all people
know.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.beam import Beam, BeamEvent
from engine.catalogue import list_of
from engine.draw import catalogue
from engine.game import AnyGame, AnyTurn, Piece, Player, Position
from engine.grid import Cell, Grid
from engine.sentences import Sentence, joined

_ENDINGS = {
    BeamEvent.ABSORB: catalogue.BEAM_STOPPED,
    BeamEvent.DAMAGE: catalogue.BEAM_DAMAGES,
    BeamEvent.CAPTURE: catalogue.BEAM_CAPTURES,
    BeamEvent.ANNIHILATE: catalogue.BEAM_MEETS,
    BeamEvent.LEAVE: catalogue.BEAM_LEAVES,
    BeamEvent.FADE: catalogue.BEAM_FADES,
}


def headline(game: AnyGame, turn: AnyTurn) -> Sentence:
    """`blue i5 to j4 · d5 captured`"""
    name = turn.aimed.grid.name
    parts = [describe_actions(game, turn)]
    if turn.removed:
        cells = list_of([name(loss.cell) for loss in turn.removed])
        parts.append(catalogue.CAPTURED(cells=cells))
    parts += [
        catalogue.LOSES_POINTS(cell=name(loss.cell), hits=loss.hits)
        for loss in turn.losses
        if not loss.removed
    ]
    if turn.outcome:
        parts.append(turn.outcome.sentence)
    return joined(parts, " · ")


def describe_actions(game: AnyGame, turn: AnyTurn) -> Sentence:
    """`blue i5 to j4`: the actions of all players before the beams."""
    return joined(
        (
            catalogue.PLAYER_ACTS(
                player=game.players[player], action=describe_action(game, turn, player)
            )
            for player, _ in turn.moves
        ),
        " · ",
    )


def describe_action(game: AnyGame, turn: AnyTurn, player: Player) -> Sentence:
    """The action of one player before the beams."""
    before, aimed, grid = turn.before.pieces, turn.aimed.pieces, turn.aimed.grid
    was = {cell: piece for cell, piece in before.items() if piece.owner == player}
    now = {cell: piece for cell, piece in aimed.items() if piece.owner == player}
    for source, target in zip(sorted(was.keys() - now), sorted(now.keys() - was), strict=False):
        start, end = grid.name(source), grid.name(target)
        if target in before:
            return catalogue.SWAPS(one=start, other=end)
        return catalogue.GOES(start=start, end=end)
    changed = [cell for cell in sorted(was.keys() & now) if was[cell] != now[cell]]
    if len(changed) == 2:
        return catalogue.SWAPS(one=grid.name(changed[0]), other=grid.name(changed[1]))
    for cell in changed:
        turned = (now[cell].orientation - was[cell].orientation) % grid.headings
        right = 2 * turned <= grid.headings
        template = catalogue.TURNS_RIGHT if right else catalogue.TURNS_LEFT
        return template(cell=grid.name(cell))
    paths = [beam.path for beam in turn.beams if beam.owner == player]
    if len(turn.moves) > 1 and paths:
        ahead = [grid.name(path[1]) for path in paths if len(path) > 1]
        if ahead:
            return catalogue.FIRES_TOWARD(cells=list_of(ahead))
        return catalogue.FIRES_OFF_BOARD()
    # A player who acted without moving or firing has collided.
    acted = game.origin(turn.before, player, dict(turn.moves)[player]) is not None
    return catalogue.COLLIDES() if acted else catalogue.PASSES()


def changed_cells(before: Position, after: Position) -> tuple[Cell, ...]:
    """The cells with different contents."""
    was, now = before.pieces, after.pieces
    return tuple(sorted(cell for cell in {*was, *now} if was.get(cell) != now.get(cell)))


def describe_picture(game: AnyGame, position: Position, beams: Sequence[Beam] = ()) -> Sentence:
    """All pieces, and the end of every beam."""
    grid, pieces = position.grid, sorted(position.pieces.items())
    sentences = []
    for owner, name in enumerate(game.players):
        own = [_describe_piece(grid, cell, piece) for cell, piece in pieces if piece.owner == owner]
        if own:
            sentences.append(catalogue.PLAYER_HAS(player=name, pieces=tuple(own)))
        else:
            sentences.append(catalogue.PLAYER_HAS_NONE(player=name))
    for beam in beams:
        start, end = (grid.name(step.cell) for step in (beam.steps[0], beam.end))
        ending = _ENDINGS.get(beam.end.event, catalogue.BEAM_GOES)
        sentences.append(ending(player=game.players[beam.owner], start=start, end=end))
    return joined(sentences, " ")


def _describe_piece(grid: Grid, cell: Cell, piece: Piece) -> Sentence:
    degrees = grid.degrees(piece.orientation)
    if piece.hit_points == 1:
        return catalogue.PIECE_TURNED(kind=piece.kind, cell=grid.name(cell), degrees=degrees)
    return catalogue.PIECE_TURNED_HEALTH(
        kind=piece.kind, cell=grid.name(cell), degrees=degrees, hit_points=piece.hit_points
    )
