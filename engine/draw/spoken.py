"""Turns as spoken sentences, for every game: `blue e4 to e5, takes g3`.

The sentences can be followed without a look at the board. `engine.draw.words` describes the
actions before the beams.
"""

from __future__ import annotations

from engine.catalogue import BOTH_SHIPS_MORE_SCORE, KING_CAPTURED, SHIP_DESTROYED, list_of
from engine.draw import catalogue
from engine.draw.words import describe_action
from engine.game import AnyGame, AnyTurn, Loss, Outcome, Player
from engine.sentences import Sentence, joined

# The kind of the piece that is lost, by the reason of the outcome.
_DECISIVE_KINDS = {
    KING_CAPTURED.key: "king",
    SHIP_DESTROYED.key: "ship",
    BOTH_SHIPS_MORE_SCORE.key: "ship",
}
# Rotations sound better with other words than they read.
_SPOKEN_ROTATIONS = {
    catalogue.TURNS_RIGHT.key: catalogue.TURNS_CLOCKWISE,
    catalogue.TURNS_LEFT.key: catalogue.TURNS_COUNTERCLOCKWISE,
}


def turn_speech(game: AnyGame, turn: AnyTurn) -> Sentence:
    """The actions, the losses, and the end of the game, in this order."""
    decisive = _decisive(turn)
    parts = [
        catalogue.PLAYER_ACTS(
            player=game.players[player], action=_action_speech(game, turn, player)
        )
        for player, _ in turn.moves
    ]
    parts += _losses(game, turn, [loss for loss in turn.losses if loss is not decisive])
    sentence = joined(parts, ", ")
    if turn.outcome is None:
        return sentence
    reason = None
    if decisive is not None:
        hit = any(decisive.cell == beam.end.cell for beam in turn.beams)
        template = catalogue.PIECE_IS_HIT if hit else catalogue.PIECE_IS_LOST
        reason = template(
            player=game.players[decisive.piece.owner],
            kind=decisive.piece.kind,
            cell=turn.aimed.grid.name(decisive.cell),
        )
    outcome = outcome_speech(game, turn.outcome, reason)
    return catalogue.TURN_ENDS_GAME(turn=sentence, outcome=outcome)


def outcome_speech(game: AnyGame, outcome: Outcome, reason: Sentence | None = None) -> Sentence:
    """`resignation: blue wins`, by default with the reason of the outcome."""
    reason = reason or outcome.reason
    if outcome.winner is None:
        return catalogue.DRAWN_BY(reason=reason)
    return catalogue.WINS_BY(reason=reason, player=game.players[outcome.winner])


def _action_speech(game: AnyGame, turn: AnyTurn, player: Player) -> Sentence:
    action = describe_action(game, turn, player)
    spoken = _SPOKEN_ROTATIONS.get(action.key)
    return action if spoken is None else spoken(**action.slots)


def _losses(game: AnyGame, turn: AnyTurn, losses: list[Loss]) -> list[Sentence]:
    name = turn.aimed.grid.name
    removed = [loss for loss in losses if loss.removed]
    movers = [player for player, _ in turn.moves]
    parts: list[Sentence] = []
    for owner, player in enumerate(game.players):
        names = [name(loss.cell) for loss in removed if loss.piece.owner == owner]
        if not names:
            continue
        cells = list_of(names)
        if len(movers) > 1:
            parts.append(catalogue.PLAYER_LOSES(player=player, cells=cells))
        elif owner in movers:
            parts.append(catalogue.LOSES_OWN(cells=cells))
        else:
            parts.insert(0, catalogue.TAKES(cells=cells))
    for loss in losses:
        if not loss.removed:
            cell, left = name(loss.cell), loss.piece.hit_points - loss.hits
            if loss.hits == 1:
                parts.append(catalogue.LOSES_ONE_HIT_POINT(cell=cell, left=left))
            else:
                parts.append(catalogue.LOSES_HIT_POINTS(cell=cell, hits=loss.hits, left=left))
    return parts


def _decisive(turn: AnyTurn) -> Loss | None:
    """The single piece whose loss decided the game, of the kind that the reason names."""
    if turn.outcome is None or turn.outcome.winner is None:
        return None
    kind = _DECISIVE_KINDS.get(turn.outcome.reason.key)
    lost = [
        loss
        for loss in turn.removed
        if loss.piece.owner != turn.outcome.winner and loss.piece.kind == kind
    ]
    return lost[0] if len(lost) == 1 else None
