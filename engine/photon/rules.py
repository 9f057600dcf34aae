"""The rules of Photon over frozen positions: one action, then every shooter fires at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from engine.beam import Beam, Emitter, Reaction, Step, What, relabel, trace
from engine.codes import KIND, ORIENTATION, OWNER, code
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
    damaged,
)
from engine.photon.state import PASS, PIECES, Move, Position, moved
from engine.setups import load_setups
from engine.turn_based import TurnBased

if TYPE_CHECKING:
    from engine.native import CompiledRules
    from engine.photon.primer import PhotonPrimer

PLAYERS = ("red", "blue")


@dataclass(frozen=True)
class Photon(TurnBased[Position, Move]):
    """Red at the top moves first; all shooters of both sides fire after every action."""

    name: ClassVar[str] = "photon"
    title: ClassVar[str] = "Photon"
    goal: ClassVar[str] = "move or turn one piece, then all shooters fire: strike the other king"
    players: ClassVar[tuple[str, str]] = PLAYERS
    letters: ClassVar[Mapping[str, str]] = dict(zip(NAMES, LETTERS, strict=True))
    # A mirror is a deflector turned by 180 degrees: at 0 the one faces north-east, the other
    # south-west.
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
            name: replace(setup, text=state.write_position(state.draw_setup(setup.text)))
            for name, setup in load_setups(self.name).items()
        }

    @property
    def default_setup(self) -> str:
        # Under independent beams the standard setup destroys nearly all shooters at once.
        return "offset" if self.beams == "independent" else "standard"

    def warning(self, setup: str | None) -> str:
        if setup == "standard" and self.beams == "independent":
            return "under independent beams, standard loses nearly all shooters at once: try offset"
        return ""

    def decided(self, position: Position) -> Outcome | None:
        alive = [side for side in (0, 1) if code(side, KING, 0) in position.squares]
        if len(alive) == 1:
            return Outcome.win(alive[0], "king captured")
        if not alive:
            return Outcome.draw("both kings captured")
        if SHOOTERS.isdisjoint(position.squares):
            return Outcome.draw("no shooter left")
        if self.max_turns is not None and len(position.history) >= self.max_turns:
            return Outcome.draw(f"{self.max_turns} turns played")
        return None

    def turns_left(self, position: Position) -> int | None:
        return None if self.max_turns is None else self.max_turns - len(position.history)

    def play(self, position: Position, move: Move) -> Turn[Position, Move]:
        side = position.side
        history = (*position.history, move)
        aimed = Position(moved(position.squares, move), side, position.history, position.quiet)
        beams, losses = self._fire(aimed)
        squares = bytearray(aimed.squares)
        for loss in losses:
            squares[loss.cell] = damaged(squares[loss.cell], loss.hits)
        quiet = () if losses else (*position.quiet, position.key)
        after = Position(bytes(squares), 1 - side, history, quiet)
        return Turn(position, ((side, move),), aimed, beams, losses, after, self.outcome(after))

    def _fire(self, position: Position) -> tuple[tuple[Beam, ...], tuple[Loss, ...]]:
        """All beams at once, and what they hit; damage comes after the last beam has ended."""
        squares, table = position.squares, HITS[self.mirrors == "two_sided"]

        def surface(cell: Cell, heading: Heading) -> Reaction | None:
            if not squares[cell]:
                return None
            onward = table[heading][squares[cell]]
            return Reaction(What.DAMAGE) if onward == HIT else Reaction(What.TURN, onward)

        emitters = [
            Emitter(s, ORIENTATION[c], OWNER[c])
            for s, c in enumerate(squares)
            if KIND[c] == SHOOTER
        ]
        beams = trace(GRID, emitters, surface, meeting=self.beams == "annihilate")
        struck = Counter(beam.end.cell for beam in beams if beam.end.what is What.DAMAGE)
        losses = []
        for cell, count in sorted(struck.items()):
            piece = PIECES[squares[cell]]
            assert piece is not None, "a beam hits a piece"
            losses.append(Loss(cell, piece, count))
        gone = {loss.cell for loss in losses if loss.removed}

        def fate(end: Step) -> What:
            return What.CAPTURE if end.what is What.DAMAGE and end.cell in gone else end.what

        return relabel(beams, fate), tuple(losses)

    def origin(self, position: Position, player: Player, move: Move) -> Cell | None:
        return None if move == PASS else move.src

    def standing_beams(self, position: Position, player: Player) -> tuple[Beam, ...]:
        return tuple(beam for beam in self._fire(position)[0] if beam.owner == player)

    def alike(self, piece: Piece) -> frozenset[int]:
        """Kings and blocks have no front, and never turn."""
        turns = NAMES.index(piece.kind) in TURNABLE
        return frozenset({piece.orientation}) if turns else frozenset(range(4))

    def board(self, position: Position) -> Board:
        return Board(position, HITS[self.mirrors == "two_sided"], self.beams == "annihilate")

    def compiled(self, position: Position) -> CompiledRules | None:
        from engine.photon import compiled  # not before it is needed

        if not compiled.has_room(position):
            return None
        return compiled.rules(self.mirrors == "two_sided", self.beams == "annihilate")

    def primer(self) -> PhotonPrimer:
        from engine.photon.primer import PhotonPrimer  # not before it is needed

        return PhotonPrimer(self)

    def read_position(self, text: str) -> Position:
        return state.read_position(text)

    def write_position(self, position: Position) -> str:
        return state.write_position(position)

    def write_pieces(self, grid: Grid, pieces: Mapping[Cell, Piece]) -> str:
        """The `board` of a state, without the player to move, whom a table does not show."""
        return state.write_pieces(pieces)

    def arranged(self, position: Position, pieces: Mapping[Cell, Piece], mover: Player) -> Position:
        put = replace(position, squares=state.squares_of(pieces), side=mover, quiet=())
        return self.read_position(self.write_position(put))

    def read_move(self, position: Position, player: Player, text: str) -> Move:
        move = state.read_move(text)
        self.check_legal(position, player, move)
        return move

    def write_move(self, position: Position, player: Player, move: Move) -> str:
        return state.write_move(move)

    def called(self, move: Move) -> str:
        return state.write_move(move)

    def step(self, source: Cell, target: Cell) -> Move:
        return Move(source, target)

    def why_not(self, position: Position, move: Move) -> str:
        squares, side = position.squares, position.side
        if move == PASS:
            return "only a player without any other action passes"
        piece = squares[move.src]
        src, dst = GRID.name(move.src), GRID.name(move.dst)
        if not piece:
            return f"{src} is empty"
        name = NAMES[KIND[piece]]
        if OWNER[piece] != side:
            return f"the {name} on {src} is not {PLAYERS[side]}'s"
        if move.turn:
            return f"a {name} does not rotate"
        (x, y), (to_x, to_y) = GRID.xy(move.src), GRID.xy(move.dst)
        if abs(x - to_x) + abs(y - to_y) != 1:
            return "a piece moves one square up, down, left or right"
        return f"{dst} is occupied"
