"""Move options: each legal move of a piece by where it is carried, how it is turned, or what it
fires at. The same for every game, so that people can point at squares instead of learning a
game's notation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from controller.session import sentences
from controller.session.hand_actions import Carry, HandAction, Rotate, Swap, plan_hand_actions
from controller.session.state import Phase, Session
from engine.errors import LaserboardError, excerpt
from engine.game import AnyGame, AnyTurn, Player
from engine.grid import Cell, Grid
from engine.http_game import HttpGame
from engine.sentences import Sentence
from vision.infer import Exact

# A piece, and its target, what it fires at, or turns: `c4d5`, `c4 to d5`, `c4!f7`, `c4--`.
_SQUARE = "([a-z][0-9]{1,2})"
_SQUARES_TYPED = re.compile(rf"{_SQUARE} ?(?:(to|-|!)? ?{_SQUARE}|(\++|-+))", re.ASCII)


@dataclass(frozen=True)
class MoveOption:
    """A legal move as an action with one piece."""

    player: Player
    move: Any
    origin: Cell
    target: Cell | None = None  # where it is put down: free, or a piece to swap with
    rotation_steps: int = 0  # to the right; negative: to the left
    aim_cells: frozenset[Cell] = frozenset()  # the cells that it then fires at, straight ahead
    label: Sentence = field(default_factory=sentences.STAY)  # such as `turn right`

    def reaches(self, cell: Cell) -> bool:
        return cell == self.target or cell in self.aim_cells


def orientations_before_turn(
    game: AnyGame, position: Any, seen_orientations: Mapping[Cell, int]
) -> dict[Cell, int]:
    """Orientations of all pieces before the turn: as seen, if the game treats that as equal."""
    pieces = position.pieces.items()
    return {
        cell: seen
        if (seen := seen_orientations.get(cell, -1)) in game.equivalent_orientations(piece)
        else piece.orientation
        for cell, piece in pieces
    }


def move_options(
    game: AnyGame,
    position: Any,
    player: Player,
    origin: Cell,
    seen_orientations: Mapping[Cell, int],
) -> tuple[MoveOption, ...]:
    """The moves of the piece on a cell, without those that a table cannot show."""
    stands = orientations_before_turn(game, position, seen_orientations)
    return _cached_move_options(game, position, player, origin, tuple(stands.items()))


@lru_cache(maxsize=64)  # screens ask for the same ones on every tick
def _cached_move_options(
    game: AnyGame, position: Any, player: Player, origin: Cell, seen: tuple[tuple[Cell, int], ...]
) -> tuple[MoveOption, ...]:
    stands = dict(seen)
    possible = (
        _move_option(game, position, player, move, origin, stands)
        for move in game.legal(position, player)
        if game.origin(position, player, move) == origin
    )
    found = tuple(option for option in possible if option is not None)
    if all(abs(option.rotation_steps) == 1 for option in found if option.target is None):
        # A single turn to the left or right is chosen without pointing at a target.
        return tuple(replace(option, aim_cells=frozenset()) for option in found)
    return tuple(_with_aim_label(option, position.grid, stands[origin]) for option in found)


def _with_aim_label(option: MoveOption, grid: Grid, faced: int) -> MoveOption:
    """Label an option that fires by the cell ahead."""
    ahead = grid.ahead(option.origin, (faced + option.rotation_steps) % grid.headings)
    if not option.aim_cells or ahead is None:
        return option
    return replace(option, label=sentences.FIRE_TOWARD(cell=grid.name(ahead)))


def hand_actions_for_move(
    game: AnyGame,
    position: Any,
    seen_orientations: Mapping[Cell, int],
    player: Player,
    move: Any | None,
    instead_of: Any | None = None,
) -> tuple[HandAction, ...]:
    """The hand actions for a move. `instead_of`, a move already made on the table, is undone
    first; without a move, it is only undone."""
    stands = orientations_before_turn(game, position, seen_orientations)

    def done(each: Any | None) -> tuple[HandAction, ...]:
        if each is None:
            return ()
        return (
            plan_hand_actions(
                game, _turn_with_move(game, position, player, each), stands, (player,)
            )
            or ()
        )

    return (*map(_inverse_action, reversed(done(instead_of))), *done(move))


def _inverse_action(action: HandAction) -> HandAction:
    match action:
        case Carry(source, target):
            return Carry(target, source)
        case Rotate(cell, degrees):
            return Rotate(cell, -degrees)
        case Swap():
            return action


def can_be_shown(game: AnyGame, position: Any, player: Player, move: Any) -> bool:
    """Whether a table can show that move."""
    turn = _turn_with_move(game, position, player, move)
    return (
        game.expected_after_moves(turn, orientations_before_turn(game, position, {}), (player,))
        is not None
    )


def _turn_with_move(game: AnyGame, position: Any, player: Player, move: Any) -> AnyTurn:
    """A turn with that move, and any legal move of a simultaneous opponent."""
    moves = {
        each: move if each == player else game.legal(position, each)[0]
        for each in game.to_move(position)
    }
    return game.resolve(position, moves)


def _move_option(
    game: AnyGame, position: Any, player: Player, move: Any, origin: Cell, stands: dict[Cell, int]
) -> MoveOption | None:
    turn, grid = _turn_with_move(game, position, player, move), position.grid
    done = plan_hand_actions(game, turn, stands, (player,))
    if done is None:
        return None
    target: Cell | None = None
    steps, label = 0, sentences.STAY()
    for action in done:
        match action:
            case Carry(_, free):
                target, label = free, sentences.GO_TO(cell=grid.name(free))
            case Swap(first, second):
                target = second if first == origin else first
                label = sentences.SWAP_WITH(cell=grid.name(target))
            case Rotate(_, degrees):
                steps = round(degrees * grid.headings / 360)
                label = _rotation_label(steps)
    aims = _cells_straight_ahead(turn, player, origin) if target is None else frozenset[Cell]()
    return MoveOption(player, move, origin, target, steps, aims, label)


def _rotation_label(steps: int) -> Sentence:
    if abs(steps) == 1:
        return sentences.TURN_RIGHT() if steps > 0 else sentences.TURN_LEFT()
    several = sentences.TURN_RIGHT_TIMES if steps > 0 else sentences.TURN_LEFT_TIMES
    return several(times=abs(steps))


def _cells_straight_ahead(turn: AnyTurn, player: Player, origin: Cell) -> frozenset[Cell]:
    """The cells that the beam from `origin` crosses before its first deflection."""
    lit = set[Cell]()
    for beam in turn.beams:
        if beam.owner == player and beam.steps[0].cell == origin:
            for step in beam.steps[1:]:
                lit.add(step.cell)
                if step.left != beam.steps[0].left:
                    break
    return frozenset(lit - {origin})


def cell_before_turn(session: Session, cell: Cell) -> Cell:
    """Where the piece on a cell of the table stood before the unfired turn."""
    turn = unfired_turn(session)
    if turn is None:
        return cell
    game, position, turn = (
        session.game,
        session.position,
        without_computer_moves(session, turn),
    )
    for action in (
        plan_hand_actions(
            game,
            turn,
            orientations_before_turn(game, position, session.table.last_seen_orientations),
        )
        or ()
    ):
        match action:
            case Carry(source, target) if target == cell:
                return source
            case Swap(first, second) if cell in (first, second):
                return first if cell == second else second
            case _:
                continue
    return cell


def unfired_turn(session: Session) -> AnyTurn | None:
    """The turn that stands on the table and is not fired yet."""
    if session.phase not in (Phase.TURN, Phase.WAITING_FOR_OTHER):
        return None
    found = session.table.inference
    if isinstance(found, Exact) and found.turn.before is session.position:
        return found.turn
    return None


def without_computer_moves(session: Session, turn: AnyTurn) -> AnyTurn:
    """The turn without the hidden moves of a computer or program that moves at the same time."""
    game, hidden = session.game, [p for p, _ in turn.moves if session.seats[p].is_automated]
    if len(turn.moves) == 1 or not hidden or not isinstance(game, HttpGame):
        return turn
    moves = {p: game.no_answer("not yet") if p in hidden else move for p, move in turn.moves}
    return game.resolve(turn.before, moves)


# -- as text -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SquareInput:
    """Typed squares: a piece, and its target, what it fires at, or its turns."""

    origin: Cell
    target: Cell | None = None
    aim: Cell | None = None
    rotation_steps: int = 0

    def matching_options(self, options: tuple[MoveOption, ...]) -> tuple[MoveOption, ...]:
        if self.target is not None:
            return tuple(each for each in options if each.target == self.target)
        if self.aim is not None:
            return tuple(each for each in options if self.aim in each.aim_cells)
        steps = self.rotation_steps
        return tuple(
            each for each in options if each.target is None and each.rotation_steps == steps
        )


def parse_squares(position: Any, text: str) -> SquareInput | None:
    """Parse typed squares; None if the text is something else, or not on this board."""
    found = _SQUARES_TYPED.fullmatch(text)
    if found is None:
        return None
    source, between, target, turned = found.groups()
    try:
        origin = position.grid.cell(source)
        if target is not None:
            cell = position.grid.cell(target)
            return SquareInput(origin, aim=cell) if between == "!" else SquareInput(origin, cell)
    except LaserboardError:
        return None
    return SquareInput(origin, rotation_steps=len(turned) if turned[0] == "+" else -len(turned))


def example_move(game: AnyGame, position: Any, player: Player) -> tuple[str, str]:
    """Source and target of a legal move, as an example to type."""
    name = position.grid.name
    for move in game.legal(position, player):
        cell = game.origin(position, player, move)
        if cell is None:
            continue
        option = _move_option(
            game, position, player, move, cell, orientations_before_turn(game, position, {})
        )
        if option is not None and option.target is not None:
            return name(cell), name(option.target)
    return "c4", "d5"


def explain_unreachable(
    game: AnyGame, position: Any, player: Player, origin: Cell, target: Cell
) -> Sentence:
    """Why the piece on `origin` cannot go to `target`."""
    name, piece = position.grid.name, position.pieces.get(origin)
    if piece is None:
        return sentences.CELL_EMPTY(cell=name(origin))
    if piece.owner != player:
        return sentences.CELL_OF_OTHER(cell=name(origin), player=game.players[piece.owner])
    reason = game.illegal_step_reason(position, origin, target)
    if not reason:
        return sentences.CANNOT_GO(source=name(origin), target=name(target))
    return sentences.CANNOT_GO_BECAUSE(source=name(origin), target=name(target), reason=reason)


def explain_not_a_move(game: AnyGame, position: Any, player: Player, text: str) -> Sentence:
    """The answer to typed text that is no move: what to type instead."""
    source, target = example_move(game, position, player)
    fires = any(
        option.aim_cells
        for option in move_options(game, position, player, position.grid.cell(source), {})
    )
    not_a_move = sentences.NOT_A_MOVE_FIRE if fires else sentences.NOT_A_MOVE
    return not_a_move(value=excerpt(text), source=source, target=target)


def legal_targets(session: Session, source: Cell) -> set[Cell]:
    """Where the piece on a cell may be carried; empty in games with simultaneous moves."""
    game, position = session.game, session.position
    if len(session.to_move) != 1:
        return set()
    (player,) = session.to_move
    return {
        cell
        for move in game.legal(position, player)
        if game.origin(position, player, move) == source
        for cell in game.resolve(position, {player: move}).aimed.pieces.keys()
        - position.pieces.keys()
    }
