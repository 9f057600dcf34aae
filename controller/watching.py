"""What happens on a table, in words: hands, changes, moves. Observations in, lines out.

Nobody presses a button here: a move counts as made when the board has settled. Knows no other
time than the one it is given.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from controller.tabletop import Tabletop
from engine.draw.words import headline
from engine.game import AnyTurn, Piece
from engine.grid import Cell
from vision.hypotheses import Hypotheses
from vision.infer import Ambiguous, Exact, Mismatch, NoChange, check, infer
from vision.observation import Observation
from vision.steady import Blind, Hand, Settled, Steady


class Watcher:
    """Follows one table from observation to observation."""

    def __init__(self, table: Tabletop, position: Any = None) -> None:
        self.table = table
        self.position = position  # None: not known what is being played, only what stands there
        self._steady = Steady()
        self._said: object = None
        self._stood: Mapping[Cell, Piece] | None = None
        self._hypotheses: Hypotheses | None = None

    def see(self, seen: Observation, at_ms: float) -> Iterator[str]:
        """The lines that this observation is worth; none if nothing is new."""
        self._steady, report = self._steady.watch(seen, round(at_ms))
        match report:
            case Blind():
                yield from self._once("blind", [problem.sentence for problem in seen.problems])
            case Hand():
                yield from self._once("hand", ["a hand is over the board"])
            case Settled():
                yield from self._judged(report, seen)
            case _:
                return

    def _once(self, what: object, lines: Sequence[str]) -> Iterator[str]:
        if what != self._said:
            self._said = what
            yield from lines

    def _judged(self, report: Settled, seen: Observation) -> Iterator[str]:
        pieces = self._pieces(report)
        problems = tuple(problem.sentence for problem in seen.problems)
        key = (tuple(sorted(pieces.items(), key=lambda item: item[0])), report.covered, problems)
        if key == self._said:
            return
        self._said = key
        if self._stood is None:
            yield from self._first(pieces, report)
        elif self.position is None:
            yield from self._changes(pieces)
        else:
            yield from self._inferred(report)
        self._stood = pieces
        names = [seen.grid.name(cell) for cell in report.covered]
        if names:
            yield f"! covered: {', '.join(names)}"
        for problem in problems:
            yield f"! {problem}"

    def _first(self, pieces: Mapping[Cell, Piece], report: Settled) -> Iterator[str]:
        """What stands there at first, and whether it is a position to follow the moves from."""
        game, grid = self.table.game, self.table.board.grid
        yield f"on the board: {game.write_pieces(grid, pieces)}"
        if self.position is None:
            self.position = self._recognised(report)
            if self.position is None:
                yield "this is no setup of the game: moves are followed only from a --position"
        else:
            for difference in check(
                game, self.position, report.evidence, self.table.meanings
            ).differences:
                yield f"! {difference.sentence}"
        if self.position is not None:
            yield f"{self._to_move()} to move"
            self._expect(pieces)

    def _recognised(self, report: Settled) -> Any:
        """The setup that stands on the board, if it is one."""
        game = self.table.game
        for name in game.setups():
            position = game.start(name)
            if position.grid == self.table.board.grid:
                found = check(game, position, report.evidence, self.table.meanings)
                if not found.differences:
                    return position
        return None

    def _expect(self, pieces: Mapping[Cell, Piece]) -> None:
        facing = {cell: piece.orientation for cell, piece in pieces.items()}
        self._hypotheses = Hypotheses.of(self.table.game, self.position, facing)

    def _inferred(self, report: Settled) -> Iterator[str]:
        game, meanings = self.table.game, self.table.meanings
        assert self._hypotheses is not None
        if game.outcome(self.position) is not None:
            return
        match infer(self._hypotheses, report.evidence, meanings):
            case Exact(turns):
                for turn in turns:
                    yield self._move(turn)
                    for loss in turn.removed:
                        name = self.table.board.grid.name(loss.cell)
                        yield f"take the {loss.piece.kind} off {name}"
                self.position = turns[-1].after
                self._expect(self._pieces(report))
                if turns[-1].outcome is None:
                    yield f"{self._to_move()} to move"
            case NoChange():
                return
            case Ambiguous(choices):
                yield f"unclear: one of {len(choices)} moves, or none; hands off, please"
            case Mismatch(differences):
                for difference in differences:
                    yield f"! {difference.sentence}"

    def _move(self, turn: AnyTurn) -> str:
        """A turn in the game's notation, where that is fit to be read, and in words."""
        game, words = self.table.game, headline(self.table.game, turn)
        if game.record_form == "json":
            return words
        moves = [game.write_move(turn.before, player, move) for player, move in turn.moves]
        return f"{' '.join(moves)}: {words}"

    def _pieces(self, report: Settled) -> dict[Cell, Piece]:
        grid = self.table.board.grid
        seen = Observation(grid, report.sightings, report.evidence)
        return seen.pieces(self.table.meanings)

    def _changes(self, pieces: Mapping[Cell, Piece]) -> Iterator[str]:
        game, grid, before = self.table.game, self.table.board.grid, self._stood or {}
        for cell in sorted(before.keys() | pieces.keys()):
            was, now = before.get(cell), pieces.get(cell)
            if was != now:
                yield f"{grid.name(cell)}: {_told(was, game.players)} -> {_told(now, game.players)}"
        yield f"on the board: {game.write_pieces(grid, pieces)}"

    def _to_move(self) -> str:
        game = self.table.game
        return " and ".join(game.players[player] for player in game.to_move(self.position))


def _told(piece: Piece | None, players: Sequence[str]) -> str:
    if piece is None:
        return "empty"
    return f"{players[piece.owner]} {piece.kind}, turned {piece.orientation}"
