"""The rules of Laser Chess on frozen positions, and the reasons why moves are illegal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from engine import catalogue
from engine.beam import Beam, BeamEvent, Emitter, Reaction, trace
from engine.errors import BadPosition, IllegalMove
from engine.game import Loss, Mark, Outcome, Piece, Player, Setup, Turn
from engine.grid import Cell, Grid, Heading
from engine.laser_chess import notation
from engine.laser_chess.board import Board
from engine.laser_chess.pieces import (
    ABSORBED,
    BLUE,
    CAPTURED,
    DEFENDER,
    DEFLECTOR,
    GRID,
    HITS,
    KINDS,
    KING,
    LASER,
    LASER_SQUARE,
    LETTERS,
    MARKS,
    MAY_STAND,
    RED,
    SWITCH,
)
from engine.laser_chess.position import PIECES, SIDES, Move, Position, apply_move, check_arrangement
from engine.piece_codes import KIND, ORIENTATION, OWNER, encode_piece
from engine.sentences import Sentence
from engine.setups import load_setups
from engine.turn_based import TurnBased

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.laser_chess.tutorial import LaserChessTutorial
    from engine.native import NativeRules


@dataclass(frozen=True)
class LaserChess(TurnBased[Position, Move]):
    """Two sides, one action per turn, then the mover's laser fires once."""

    name: ClassVar[str] = "laser-chess"
    title: ClassVar[str] = "Laser Chess"
    goal: ClassVar[Sentence] = catalogue.GOAL_LASER_CHESS()
    players: ClassVar[tuple[str, str]] = SIDES
    letters: ClassVar[Mapping[str, str]] = dict(zip(KINDS, LETTERS, strict=True))
    record_form: ClassVar[Literal["text", "json"]] = "text"
    tags: ClassVar[Mapping[int, Piece]] = {
        first + number: Piece(kind, owner)
        for owner, first in ((RED, 0), (BLUE, 13))
        for number, kind in enumerate(
            ["king", *2 * ["switch"], *2 * ["defender"], *7 * ["deflector"], "laser"]
        )
    }

    def setups(self) -> Mapping[str, Setup]:
        return load_setups(self.name)

    def board_outcome(self, position: Position) -> Outcome | None:
        loser = position.king_missing()
        return None if loser is None else Outcome.win(1 - loser, catalogue.KING_CAPTURED())

    def play(self, position: Position, move: Move) -> Turn[Position, Move]:
        side = position.side
        aimed = Position(apply_move(position.squares, move), side, position.keys_since_capture)
        (beam,) = self.standing_beams(aimed, side)
        losses: tuple[Loss, ...] = ()
        squares, keys = aimed.squares, (*position.keys_since_capture, position.key)
        if beam.end.event is BeamEvent.CAPTURE:
            hit = beam.end.cell
            victim = PIECES[squares[hit]]
            assert victim is not None, "a beam captures a piece"
            losses = (Loss(hit, victim, 1),)
            squares, keys = squares[:hit] + b"\0" + squares[hit + 1 :], ()
        after = Position(squares, 1 - side, keys)
        return Turn(position, ((side, move),), aimed, (beam,), losses, after, self.outcome(after))

    def origin(self, position: Position, player: Player, move: Move) -> Cell | None:
        return move.src

    def standing_beams(self, position: Position, player: Player) -> tuple[Beam, ...]:
        squares = position.squares
        laser = LASER_SQUARE[player]

        def surface(cell: Cell, heading: Heading) -> Reaction | None:
            return _REACTIONS[HITS[heading][squares[cell]]] if squares[cell] else None

        return trace(GRID, [Emitter(laser, ORIENTATION[squares[laser]], player)], surface)

    def marks(self, position: Position) -> Mapping[Cell, Mark]:
        return MARKS

    def equivalent_orientations(self, piece: Piece) -> frozenset[int]:
        """A king has no front, a switch looks the same after half a turn."""
        if piece.kind == KINDS[KING]:
            return frozenset(range(4))
        if piece.kind == KINDS[SWITCH]:
            return frozenset({piece.orientation, (piece.orientation + 2) % 4})
        return frozenset({piece.orientation})

    def board(self, position: Position) -> Board:
        return Board(position)

    def native_rules(self, position: Position) -> NativeRules | None:
        from engine.laser_chess.native_tables import native_rules  # lazy, for a quick start

        return native_rules()

    def evaluation(self) -> Evaluation:
        from engine.laser_chess.native_tables import LaserEvaluation  # as above

        return LaserEvaluation()

    def tutorial(self) -> LaserChessTutorial:
        from engine.laser_chess.tutorial import LaserChessTutorial  # lazy, for a quick start

        return LaserChessTutorial(self)

    def read_position(self, text: str) -> Position:
        return notation.read_position(text)

    def write_position(self, position: Position) -> str:
        return notation.write_position(position)

    def write_arrangement(self, position: Position) -> str:
        return notation.write_sn(position.squares)

    def write_pieces(self, grid: Grid, pieces: Mapping[Cell, Piece]) -> str:
        """SN of any arrangement, even if `read_position` would refuse it."""
        return notation.write_sn(_encode_squares(pieces))

    def with_pieces(
        self, position: Position, pieces: Mapping[Cell, Piece], mover: Player
    ) -> Position:
        squares = _encode_squares(pieces)
        check_arrangement(squares)
        return Position(squares, mover)

    def read_move(self, position: Position, player: Player, text: str) -> Move:
        """LAN with or without its capture. Refuses a capture that does not happen."""
        move, claimed = notation.read_lan(text)
        self.check_legal(position, player, move)
        if claimed is not None and claimed != (captured := self._captured(position, move)):
            cell = GRID.name(claimed)
            if captured is None:
                raise IllegalMove(catalogue.NO_CAPTURE(move=text, claimed=cell))
            raise IllegalMove(
                catalogue.WRONG_CAPTURE(move=text, claimed=cell, captured=GRID.name(captured))
            )
        return move

    def write_move(self, position: Position, player: Player, move: Move) -> str:
        return notation.write_lan(move, self._captured(position, move))

    def step_move(self, source: Cell, target: Cell) -> Move:
        return Move(source, target)

    def illegal_reason(self, position: Position, move: Move) -> Sentence:
        return _broken_rule(position, move)

    def move_label(self, move: Move) -> str:
        return repr(notation.write_lan(move, None))

    def _captured(self, position: Position, move: Move) -> Cell | None:
        aimed = Position(apply_move(position.squares, move), position.side)
        end = self.standing_beams(aimed, position.side)[0].end
        return end.cell if end.event is BeamEvent.CAPTURE else None


_REACTIONS = tuple(
    Reaction(BeamEvent.CAPTURE) if hit == CAPTURED
    else Reaction(BeamEvent.ABSORB) if hit == ABSORBED
    else Reaction(BeamEvent.TURN, hit)
    for hit in range(6)
)  # fmt: skip


def _broken_rule(position: Position, move: Move) -> Sentence:
    squares, side = position.squares, position.side
    piece, other = squares[move.src], squares[move.dst]
    src, dst = GRID.name(move.src), GRID.name(move.dst)
    if not piece:
        return catalogue.SQUARE_EMPTY(cell=src)
    if OWNER[piece] != side:
        kind = _kind_name(piece)
        return catalogue.NOT_YOUR_PIECE(kind=kind, cell=src, player=SIDES[side])
    if move.turn:
        return catalogue.LASER_TURNS_OFF(move=f"{src}{'-+'[move.turn < 0]}")
    if KIND[piece] == LASER:
        return catalogue.LASER_NEVER_MOVES()
    (x, y), (to_x, to_y) = GRID.xy(move.src), GRID.xy(move.dst)
    if max(abs(x - to_x), abs(y - to_y)) != 1:
        return catalogue.ONE_SQUARE()
    if move.dst in LASER_SQUARE:
        return catalogue.LASER_SQUARE_CLOSED(cell=dst)
    if not MAY_STAND[side][move.dst]:
        return catalogue.SQUARE_RESERVED(cell=dst, player=SIDES[1 - side])
    if not move.swap:
        swaps = (
            KIND[piece] == SWITCH
            and KIND[other] in (DEFLECTOR, DEFENDER)
            and MAY_STAND[OWNER[other]][move.src]
        )
        if swaps:
            return catalogue.SQUARE_OCCUPIED_SWAP(cell=dst, move=f"{src}u{dst}")
        return catalogue.SQUARE_OCCUPIED(cell=dst)
    if KIND[piece] != SWITCH:
        return catalogue.ONLY_SWITCH_SWAPS()
    if not other:
        return catalogue.NOTHING_TO_SWAP(cell=dst, move=f"{src}{dst}")
    if KIND[other] not in (DEFLECTOR, DEFENDER):
        return catalogue.SWITCH_SWAPS_ONLY(kind=_kind_name(other))
    return catalogue.SWAP_ONTO_RESERVED(other=SIDES[OWNER[other]], cell=src, player=SIDES[side])


def _kind_name(piece: int) -> str:
    return KINDS[KIND[piece]]


def _encode_squares(pieces: Mapping[Cell, Piece]) -> bytes:
    squares = bytearray(GRID.size)
    for cell, piece in pieces.items():
        if piece.kind not in KINDS:
            raise BadPosition(catalogue.NO_SUCH_KIND(kind=piece.kind, kinds=KINDS))
        squares[cell] = encode_piece(piece.owner, KINDS.index(piece.kind), piece.orientation)
    return bytes(squares)
