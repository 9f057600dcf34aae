"""The rules of Laser Chess over frozen positions, and why a move is not legal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from engine.beam import Beam, Emitter, Reaction, What, trace
from engine.codes import KIND, ORIENTATION, OWNER, code
from engine.errors import BadPosition, IllegalMove
from engine.game import Loss, Mark, Outcome, Piece, Player, Setup, Turn
from engine.grid import Cell, Grid, Heading
from engine.laser_chess import notation
from engine.laser_chess.board import Board
from engine.laser_chess.pieces import (
    BLUE,
    DEFENDER,
    DEFLECTOR,
    GRID,
    HITS,
    HOME,
    KILL,
    KINDS,
    KING,
    LASER,
    LASER_SQUARE,
    LETTERS,
    MARKS,
    NOTHING,
    RED,
    SWITCH,
)
from engine.laser_chess.position import PIECES, SIDES, Move, Position, check, moved
from engine.setups import load_setups
from engine.turn_based import TurnBased

if TYPE_CHECKING:
    from engine.judging import Judgement
    from engine.laser_chess.primer import LaserChessPrimer
    from engine.native import CompiledRules


@dataclass(frozen=True)
class LaserChess(TurnBased[Position, Move]):
    """Two sides, one action a turn, then the mover's laser fires once."""

    name: ClassVar[str] = "laser-chess"
    title: ClassVar[str] = "Laser Chess"
    goal: ClassVar[str] = "move or turn one piece, then your laser fires: strike the other king"
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

    def decided(self, position: Position) -> Outcome | None:
        loser = position.king_missing()
        return None if loser is None else Outcome.win(1 - loser, "king captured")

    def play(self, position: Position, move: Move) -> Turn[Position, Move]:
        side = position.side
        aimed = Position(moved(position.squares, move), side, position.quiet)
        (beam,) = self.standing_beams(aimed, side)
        losses: tuple[Loss, ...] = ()
        squares, quiet = aimed.squares, (*position.quiet, position.key)
        if beam.end.what is What.CAPTURE:
            hit = beam.end.cell
            victim = PIECES[squares[hit]]
            assert victim is not None, "a beam captures a piece"
            losses = (Loss(hit, victim, 1),)
            squares, quiet = squares[:hit] + b"\0" + squares[hit + 1 :], ()
        after = Position(squares, 1 - side, quiet)
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

    def alike(self, piece: Piece) -> frozenset[int]:
        """A king has no front, a switch looks the same after half a turn."""
        if piece.kind == KINDS[KING]:
            return frozenset(range(4))
        if piece.kind == KINDS[SWITCH]:
            return frozenset({piece.orientation, (piece.orientation + 2) % 4})
        return frozenset({piece.orientation})

    def board(self, position: Position) -> Board:
        return Board(position)

    def compiled(self, position: Position) -> CompiledRules | None:
        from engine.laser_chess.compiled import rules  # not before it is needed

        return rules()

    def judgement(self) -> Judgement:
        from engine.laser_chess.compiled import LaserJudgement  # as above

        return LaserJudgement()

    def primer(self) -> LaserChessPrimer:
        from engine.laser_chess.primer import LaserChessPrimer  # not before it is needed

        return LaserChessPrimer(self)

    def read_position(self, text: str) -> Position:
        return notation.read_position(text)

    def write_position(self, position: Position) -> str:
        return notation.write_position(position)

    def write_arrangement(self, position: Position) -> str:
        return notation.write_sn(position.squares)

    def write_pieces(self, grid: Grid, pieces: Mapping[Cell, Piece]) -> str:
        """SN of any arrangement, also of one that `read_position` would refuse."""
        return notation.write_sn(_squares(pieces))

    def arranged(self, position: Position, pieces: Mapping[Cell, Piece], mover: Player) -> Position:
        squares = _squares(pieces)
        check(squares)
        return Position(squares, mover)

    def read_move(self, position: Position, player: Player, text: str) -> Move:
        """LAN with or without its capture; a capture that does not happen is refused."""
        move, said = notation.read_lan(text)
        self.check_legal(position, player, move)
        if said is not None and said != (captured := self._captured(position, move)):
            really = "nothing" if captured is None else GRID.name(captured)
            claim = f"{text!r} says it captures {GRID.name(said)}"
            raise IllegalMove(f"{claim}; the beam captures {really}")
        return move

    def write_move(self, position: Position, player: Player, move: Move) -> str:
        return notation.write_lan(move, self._captured(position, move))

    def step(self, source: Cell, target: Cell) -> Move:
        return Move(source, target)

    def why_not(self, position: Position, move: Move) -> str:
        return _broken_rule(position, move)

    def called(self, move: Move) -> str:
        return repr(notation.write_lan(move, None))

    def _captured(self, position: Position, move: Move) -> Cell | None:
        aimed = Position(moved(position.squares, move), position.side)
        end = self.standing_beams(aimed, position.side)[0].end
        return end.cell if end.what is What.CAPTURE else None


_REACTIONS = tuple(
    Reaction(What.CAPTURE) if hit == KILL
    else Reaction(What.ABSORB) if hit == NOTHING
    else Reaction(What.TURN, hit)
    for hit in range(6)
)  # fmt: skip


def _broken_rule(position: Position, move: Move) -> str:
    squares, side = position.squares, position.side
    piece, other = squares[move.src], squares[move.dst]
    src, dst = GRID.name(move.src), GRID.name(move.dst)
    if not piece:
        return f"{src} is empty"
    if OWNER[piece] != side:
        return f"the {_called(piece)} on {src} is not {SIDES[side]}'s"
    if move.turn:
        return f"the laser would point off the board; only {src}{'-+'[move.turn < 0]} is possible"
    if KIND[piece] == LASER:
        return "a laser never moves, it only turns"
    (x, y), (to_x, to_y) = GRID.xy(move.src), GRID.xy(move.dst)
    if max(abs(x - to_x), abs(y - to_y)) != 1:
        return "a piece moves one square, in any of the 8 directions"
    if move.dst in LASER_SQUARE:
        return f"nobody enters {dst}, a laser's square"
    if not HOME[side][move.dst]:
        return f"{dst} is reserved for {SIDES[1 - side]}"
    if not move.swap:
        swaps = (
            KIND[piece] == SWITCH
            and KIND[other] in (DEFLECTOR, DEFENDER)
            and HOME[OWNER[other]][move.src]
        )
        return f"{dst} is occupied" + (f"; a swap is written {src}u{dst}" if swaps else "")
    if KIND[piece] != SWITCH:
        return "only a switch swaps"
    if not other:
        return f"{dst} is empty: a plain move is written {src}{dst}"
    if KIND[other] not in (DEFLECTOR, DEFENDER):
        return f"a switch swaps only with a deflector or a defender, not with a {_called(other)}"
    return f"it would put a {SIDES[OWNER[other]]} piece on {src}, reserved for {SIDES[side]}"


def _called(piece: int) -> str:
    return KINDS[KIND[piece]]


def _squares(pieces: Mapping[Cell, Piece]) -> bytes:
    squares = bytearray(GRID.size)
    for cell, piece in pieces.items():
        if piece.kind not in KINDS:
            raise BadPosition(f"there is no {piece.kind} in this game: {', '.join(KINDS)}")
        squares[cell] = code(piece.owner, KINDS.index(piece.kind), piece.orientation)
    return bytes(squares)
