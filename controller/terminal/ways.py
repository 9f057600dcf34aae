"""What hands can do with one piece: each legal move by where it is carried to, how it is turned,
or what it then fires at. Pure, and the same for every game.

Whoever plays without knowing a game's notation points at squares; this finds the move.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from controller.session_values import Phase, Session
from controller.simulated.deeds import Carry, Deed, Swap, Twist, deeds
from engine.arena import Arena
from engine.errors import LaserboardError, excerpt
from engine.game import AnyGame, AnyTurn, Player
from engine.grid import Cell, Grid
from vision.infer import Exact

# A piece, and where to, what to fire at, or how often round: `c4d5`, `c4 to d5`, `c4!f7`, `c4--`.
_SQUARE = "([a-z][0-9]{1,2})"
_TYPED = re.compile(rf"{_SQUARE} ?(?:(to|-|!)? ?{_SQUARE}|(\++|-+))", re.ASCII)


@dataclass(frozen=True)
class Way:
    """A legal move as something done with a piece."""

    player: Player
    move: Any
    origin: Cell
    target: Cell | None = None  # where it is put down, be it free or another piece's
    steps: int = 0  # how often it is turned, to the right; left is below zero
    aims: frozenset[Cell] = frozenset()  # what it then fires at, straight ahead
    words: str = ""  # what to call it among others: `turn right`

    def reaches(self, cell: Cell) -> bool:
        return cell == self.target or cell in self.aims


def seen_facing(game: AnyGame, position: Any, facing: Mapping[Cell, int]) -> dict[Cell, int]:
    """How every piece stands before the turn: as it was seen, where that means nothing else."""
    pieces = position.pieces.items()
    return {
        cell: seen if (seen := facing.get(cell, -1)) in game.alike(piece) else piece.orientation
        for cell, piece in pieces
    }


def ways(
    game: AnyGame, position: Any, player: Player, origin: Cell, facing: Mapping[Cell, int]
) -> tuple[Way, ...]:
    """All that a player may do with the piece on a cell; nothing that no table can show."""
    stands = seen_facing(game, position, facing)
    return _ways(game, position, player, origin, tuple(stands.items()))


@lru_cache(maxsize=64)  # a screen asks for the same again and again
def _ways(
    game: AnyGame, position: Any, player: Player, origin: Cell, seen: tuple[tuple[Cell, int], ...]
) -> tuple[Way, ...]:
    stands = dict(seen)
    possible = (
        _way(game, position, player, move, origin, stands)
        for move in game.legal(position, player)
        if game.origin(position, player, move) == origin
    )
    found = tuple(way for way in possible if way is not None)
    if all(abs(way.steps) == 1 for way in found if way.target is None):
        # A turn to the left or the right needs no pointing at what is fired at then.
        return tuple(replace(way, aims=frozenset()) for way in found)
    return tuple(_aimed(way, position.grid, stands[origin]) for way in found)


def _aimed(way: Way, grid: Grid, faced: int) -> Way:
    """A way that fires, called by where."""
    ahead = grid.ahead(way.origin, (faced + way.steps) % grid.headings)
    if not way.aims or ahead is None:
        return way
    return replace(way, words=f"fire toward {grid.name(ahead)}")


def deeds_for(
    game: AnyGame,
    position: Any,
    facing: Mapping[Cell, int],
    player: Player,
    move: Any | None,
    instead_of: Any | None = None,
) -> tuple[Deed, ...]:
    """What hands do for a move, having put back first what they did for another of the turn;
    without a move, only that."""
    stands = seen_facing(game, position, facing)

    def done(each: Any | None) -> tuple[Deed, ...]:
        if each is None:
            return ()
        return deeds(game, _alone(game, position, player, each), stands, (player,)) or ()

    return (*map(_undone, reversed(done(instead_of))), *done(move))


def _undone(deed: Deed) -> Deed:
    match deed:
        case Carry(source, target):
            return Carry(target, source)
        case Twist(cell, degrees):
            return Twist(cell, -degrees)
        case Swap():
            return deed


def can_be_shown(game: AnyGame, position: Any, player: Player, move: Any) -> bool:
    """Whether hands can make that move on a table at all."""
    turn = _alone(game, position, player, move)
    return game.carried_out(turn, seen_facing(game, position, {}), (player,)) is not None


def _alone(game: AnyGame, position: Any, player: Player, move: Any) -> AnyTurn:
    """A turn with that move; of others who act at once, any move will do."""
    moves = {
        each: move if each == player else game.legal(position, each)[0]
        for each in game.to_move(position)
    }
    return game.resolve(position, moves)


def _way(
    game: AnyGame, position: Any, player: Player, move: Any, origin: Cell, stands: dict[Cell, int]
) -> Way | None:
    turn, grid = _alone(game, position, player, move), position.grid
    done = deeds(game, turn, stands, (player,))
    if done is None:
        return None
    target: Cell | None = None
    steps, words = 0, "stay"
    for deed in done:
        match deed:
            case Carry(_, free):
                target, words = free, f"to {grid.name(free)}"
            case Swap(first, second):
                target = second if first == origin else first
                words = f"swap with {grid.name(target)}"
            case Twist(_, degrees):
                steps = round(degrees * grid.headings / 360)
                words = _turning(steps)
    aims = _straight(turn, player, origin) if target is None else frozenset[Cell]()
    return Way(player, move, origin, target, steps, aims, words)


def _turning(steps: int) -> str:
    side = "right" if steps > 0 else "left"
    return f"turn {side}" if abs(steps) == 1 else f"turn {side} {abs(steps)} times"


def _straight(turn: AnyTurn, player: Player, origin: Cell) -> frozenset[Cell]:
    """The cells that a beam from there runs through before anything turns it."""
    lit = set[Cell]()
    for beam in turn.beams:
        if beam.owner == player and beam.steps[0].cell == origin:
            for step in beam.steps[1:]:
                lit.add(step.cell)
                if step.left != beam.steps[0].left:
                    break
    return frozenset(lit - {origin})


def origin_of(session: Session, cell: Cell) -> Cell:
    """Where the piece that the table shows on a cell stood before the turn that lies there."""
    turn = lying(session)
    if turn is None:
        return cell
    game, position, turn = session.table.game, session.position, by_hands(session, turn)
    for deed in deeds(game, turn, seen_facing(game, position, session.facing)) or ():
        match deed:
            case Carry(source, target) if target == cell:
                return source
            case Swap(first, second) if cell in (first, second):
                return first if cell == second else second
            case _:
                continue
    return cell


def lying(session: Session) -> AnyTurn | None:
    """The turn that hands have made and nobody has fired yet."""
    if session.phase not in (Phase.TURN, Phase.WAITING_FOR_OTHER):
        return None
    found = session.inference
    if isinstance(found, Exact) and found.turn.before is session.position:
        return found.turn
    return None


def by_hands(session: Session, turn: AnyTurn) -> AnyTurn:
    """What hands have made of a turn: what others do at the same time is nobody's to see yet."""
    game, hidden = session.table.game, [p for p, _ in turn.moves if session.seats[p].computer]
    if len(turn.moves) == 1 or not hidden or not isinstance(game, Arena):
        return turn
    moves = {p: game.no_answer("not yet") if p in hidden else move for p, move in turn.moves}
    return game.resolve(turn.before, moves)


# -- as text -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pointed:
    """Squares that somebody typed: a piece, and where to, what to fire at or how often round."""

    origin: Cell
    target: Cell | None = None
    aim: Cell | None = None
    steps: int = 0

    def among(self, found: tuple[Way, ...]) -> tuple[Way, ...]:
        """Those that were meant."""
        if self.target is not None:
            return tuple(way for way in found if way.target == self.target)
        if self.aim is not None:
            return tuple(way for way in found if self.aim in way.aims)
        return tuple(way for way in found if way.target is None and way.steps == self.steps)


def pointed(position: Any, text: str) -> Pointed | None:
    """Squares from what was typed; None if it is something else, or not on this board."""
    found = _TYPED.fullmatch(text)
    if found is None:
        return None
    source, between, target, turned = found.groups()
    try:
        origin = position.grid.cell(source)
        if target is not None:
            cell = position.grid.cell(target)
            return Pointed(origin, aim=cell) if between == "!" else Pointed(origin, cell)
    except LaserboardError:
        return None
    return Pointed(origin, steps=len(turned) if turned[0] == "+" else -len(turned))


def example(game: AnyGame, position: Any, player: Player) -> tuple[str, str]:
    """A piece that may move here, and where to: typed together, a move."""
    name = position.grid.name
    for move in game.legal(position, player):
        cell = game.origin(position, player, move)
        if cell is None:
            continue
        way = _way(game, position, player, move, cell, seen_facing(game, position, {}))
        if way is not None and way.target is not None:
            return name(cell), name(way.target)
    return "c4", "d5"


def no_way(game: AnyGame, position: Any, player: Player, origin: Cell, target: Cell) -> str:
    """Why the piece on `origin` cannot go to `target`, in a sentence."""
    name, piece = position.grid.name, position.pieces.get(origin)
    if piece is None:
        return f"{name(origin)} is empty"
    if piece.owner != player:
        return f"{name(origin)} is {game.players[piece.owner]}'s"
    reason = game.why_not_carried(position, origin, target)
    told = f"{name(origin)} cannot go to {name(target)}"
    return f"{told}: {reason}" if reason else told


def not_a_move(game: AnyGame, position: Any, player: Player, text: str) -> str:
    """What to say to words that are no move."""
    source, target = example(game, position, player)
    fires = any(way.aims for way in ways(game, position, player, position.grid.cell(source), {}))
    shot = f", {source}!{target} to fire that way" if fires else ""
    turn = f"{source}+ or {source}- to turn"
    return f"{excerpt(text)} is no move: type {source}{target}, {turn}{shot}"
