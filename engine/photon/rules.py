"""The rules of Photon on frozen positions: one action, then all shooters fire simultaneously."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from engine import catalogue
from engine.beam import Beam, BeamEvent, Emitter, Reaction, Step, relabel, trace
from engine.game import Loss, Outcome, Piece, Player, Setup, Turn, option
from engine.grid import Cell, Grid, Heading
from engine.photon import state
from engine.photon.board import Board
from engine.photon.pieces import (
    BLUE,
    GRID,
    HIT,
    HITS,
    KING,
    LETTERS,
    NAMES,
    RED,
    SHOOTER,
    SHOOTERS,
    TURNABLE,
    apply_hits,
)
from engine.photon.state import PASS, PIECES, Move, Position, apply_move
from engine.piece_codes import KIND, ORIENTATION, OWNER, encode_piece
from engine.sentences import Sentence
from engine.setups import load_setups
from engine.turn_based import TurnBased

if TYPE_CHECKING:
    from engine.native import NativeRules
    from engine.photon.tutorial import PhotonTutorial

PLAYERS = ("red", "blue")


@dataclass(frozen=True)
class Photon(TurnBased[Position, Move]):
    """Red, at the top, moves first. All shooters of both sides fire after every action."""

    name: ClassVar[str] = "photon"
    title: ClassVar[str] = "Photon"
    goal: ClassVar[Sentence] = catalogue.GOAL_PHOTON()
    players: ClassVar[tuple[str, str]] = PLAYERS
    letters: ClassVar[Mapping[str, str]] = dict(zip(NAMES, LETTERS, strict=True))
    # Mirrors use the tags of deflectors, turned by 180 degrees: at 0 a mirror faces the upper
    # right, a deflector the lower left.
    tags: ClassVar[Mapping[int, Piece]] = {
        tag: piece
        for owner, first, shooters in ((RED, 0, (30, 31)), (BLUE, 13, (32, 33)))
        for numbers, piece in (
            ((first,), Piece("king", owner)),
            ((first + 3, first + 4), Piece("block", owner, hit_points=2)),
            (range(first + 5, first + 12), Piece("mirror", owner, 2)),
            (shooters, Piece("shooter", owner)),
        )
        for tag in numbers
    }

    mirrors: str = option(
        "one_sided", "hit from behind, a mirror breaks, or reflects too", "one_sided", "two_sided"
    )
    beams: str = option(
        "annihilate", "beams that meet end, or pass through", "annihilate", "independent"
    )
    max_turns: int | None = option(None, "single turns until a draw", least=1)

    def setups(self) -> Mapping[str, Setup]:
        return {
            name: replace(setup, text=state.write_position(state.parse_setup(setup.text)))
            for name, setup in load_setups(self.name).items()
        }

    @property
    def default_setup(self) -> str:
        # Under independent beams the standard setup destroys nearly all shooters simultaneously.
        return "offset" if self.beams == "independent" else "standard"

    def warning(self, setup: str | None) -> Sentence | None:
        if setup == "standard" and self.beams == "independent":
            return catalogue.STANDARD_LOSES_SHOOTERS()
        return None

    def board_outcome(self, position: Position) -> Outcome | None:
        alive = [side for side in (0, 1) if encode_piece(side, KING, 0) in position.squares]
        if len(alive) == 1:
            return Outcome.win(alive[0], catalogue.KING_CAPTURED())
        if not alive:
            return Outcome.draw(catalogue.BOTH_KINGS_CAPTURED())
        if SHOOTERS.isdisjoint(position.squares):
            return Outcome.draw(catalogue.NO_SHOOTER_LEFT())
        if self.max_turns is not None and len(position.history) >= self.max_turns:
            return Outcome.draw(catalogue.TURNS_PLAYED(count=self.max_turns))
        return None

    def turns_left(self, position: Position) -> int | None:
        return None if self.max_turns is None else self.max_turns - len(position.history)

    def play(self, position: Position, move: Move) -> Turn[Position, Move]:
        side = position.side
        history = (*position.history, move)
        aimed = replace(position, squares=apply_move(position.squares, move))
        beams, losses = self._fire(aimed)
        squares = bytearray(aimed.squares)
        for loss in losses:
            squares[loss.cell] = apply_hits(squares[loss.cell], loss.hits)
        keys = () if losses else (*position.keys_since_capture, position.key)
        after = Position(bytes(squares), 1 - side, history, keys)
        return Turn(position, ((side, move),), aimed, beams, losses, after, self.outcome(after))

    def _fire(self, position: Position) -> tuple[tuple[Beam, ...], tuple[Loss, ...]]:
        """All beams at once, and their hits. Damage applies after the last beam has ended."""
        squares, table = position.squares, HITS[self.mirrors == "two_sided"]

        def surface(cell: Cell, heading: Heading) -> Reaction | None:
            if not squares[cell]:
                return None
            onward = table[heading][squares[cell]]
            return Reaction(BeamEvent.DAMAGE) if onward == HIT else Reaction(BeamEvent.TURN, onward)

        emitters = [
            Emitter(s, ORIENTATION[c], OWNER[c])
            for s, c in enumerate(squares)
            if KIND[c] == SHOOTER
        ]
        beams = trace(GRID, emitters, surface, meeting=self.beams == "annihilate")
        struck = Counter(beam.end.cell for beam in beams if beam.end.event is BeamEvent.DAMAGE)
        losses = []
        for cell, count in sorted(struck.items()):
            piece = PIECES[squares[cell]]
            assert piece is not None, "a beam hits a piece"
            losses.append(Loss(cell, piece, count))
        gone = {loss.cell for loss in losses if loss.removed}

        def end_event(end: Step) -> BeamEvent:
            return (
                BeamEvent.CAPTURE
                if end.event is BeamEvent.DAMAGE and end.cell in gone
                else end.event
            )

        return relabel(beams, end_event), tuple(losses)

    def origin(self, position: Position, player: Player, move: Move) -> Cell | None:
        return None if move == PASS else move.src

    def standing_beams(self, position: Position, player: Player) -> tuple[Beam, ...]:
        return tuple(beam for beam in self._fire(position)[0] if beam.owner == player)

    def equivalent_orientations(self, piece: Piece) -> frozenset[int]:
        """All orientations for kings and blocks, which have no front and never turn."""
        turns = NAMES.index(piece.kind) in TURNABLE
        return frozenset({piece.orientation}) if turns else frozenset(range(4))

    def board(self, position: Position) -> Board:
        return Board(position, HITS[self.mirrors == "two_sided"], self.beams == "annihilate")

    def native_rules(self, position: Position) -> NativeRules | None:
        from engine.photon import native_tables  # lazy, for a quick start

        if not native_tables.fits_core(position):
            return None
        return native_tables.native_rules(self.mirrors == "two_sided", self.beams == "annihilate")

    def tutorial(self) -> PhotonTutorial:
        from engine.photon.tutorial import PhotonTutorial  # lazy, for a quick start

        return PhotonTutorial(self)

    def read_position(self, text: str) -> Position:
        return state.read_position(text)

    def write_position(self, position: Position) -> str:
        return state.write_position(position)

    def write_pieces(self, grid: Grid, pieces: Mapping[Cell, Piece]) -> str:
        """The `board` of a state without the player to move, which a table does not show."""
        return state.write_pieces(pieces)

    def with_pieces(
        self, position: Position, pieces: Mapping[Cell, Piece], mover: Player
    ) -> Position:
        squares = state.encode_squares(pieces)
        changed = replace(position, squares=squares, side=mover, keys_since_capture=())
        return self.read_position(self.write_position(changed))

    def read_move(self, position: Position, player: Player, text: str) -> Move:
        move = state.read_move(text)
        self.check_legal(position, player, move)
        return move

    def write_move(self, position: Position, player: Player, move: Move) -> str:
        return state.write_move(move)

    def move_label(self, move: Move) -> str:
        return state.write_move(move)

    def step_move(self, source: Cell, target: Cell) -> Move:
        return Move(source, target)

    def illegal_reason(self, position: Position, move: Move) -> Sentence:
        squares, side = position.squares, position.side
        if move == PASS:
            return catalogue.ONLY_IDLE_PASSES()
        piece = squares[move.src]
        src, dst = GRID.name(move.src), GRID.name(move.dst)
        if not piece:
            return catalogue.SQUARE_EMPTY(cell=src)
        kind = NAMES[KIND[piece]]
        if OWNER[piece] != side:
            return catalogue.NOT_YOUR_PIECE(kind=kind, cell=src, player=PLAYERS[side])
        if move.turn:
            return catalogue.DOES_NOT_ROTATE(kind=kind)
        (x, y), (to_x, to_y) = GRID.xy(move.src), GRID.xy(move.dst)
        if abs(x - to_x) + abs(y - to_y) != 1:
            return catalogue.ONE_SQUARE_STRAIGHT()
        return catalogue.SQUARE_OCCUPIED(cell=dst)
