"""`laserboard watch`: describes hands, changes and moves on a table. Observations in, lines out.

There is no button: a move is made when the board settles. Reads no clock.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from controller.builder import calibration_sentences as sentences
from controller.builder.sentences import join_names
from controller.session.board_fit import FittedBoard
from engine.draw.words import headline
from engine.game import AnyTurn, Piece
from engine.grid import Cell
from engine.sentences import Sentence, as_sentence
from vision.hypotheses import Hypotheses
from vision.infer import Ambiguous, Exact, Mismatch, NoChange, check_position, infer
from vision.observation import Observation
from vision.settling import BoardLost, HandSeen, Settled, SettleDetector


class TableWatcher:
    """Follows one table from observation to observation."""

    def __init__(self, table: FittedBoard, position: Any = None) -> None:
        self.table = table
        self.position = position  # None: unknown, only the pieces on the board are reported
        self._settling = SettleDetector()
        self._last_reported: object = None
        self._last_pieces: Mapping[Cell, Piece] | None = None
        self._hypotheses: Hypotheses | None = None

    def observe(self, observation: Observation, at_ms: float) -> Iterator[Sentence]:
        """Lines about the changes in this observation."""
        self._settling, report = self._settling.update(observation, round(at_ms))
        match report:
            case BoardLost():
                problems = [problem.sentence for problem in observation.problems]
                yield from self._report_once("lost", problems)
            case HandSeen():
                yield from self._report_once("hand", [sentences.HAND_OVER_BOARD()])
            case Settled():
                yield from self._report_settled(report, observation)
            case _:
                return

    def _report_once(self, key: object, lines: Sequence[Sentence]) -> Iterator[Sentence]:
        if key != self._last_reported:
            self._last_reported = key
            yield from lines

    def _report_settled(self, report: Settled, observation: Observation) -> Iterator[Sentence]:
        pieces = self._pieces(report)
        problems = tuple(problem.sentence for problem in observation.problems)
        key = (tuple(sorted(pieces.items(), key=lambda item: item[0])), report.covered, problems)
        if key == self._last_reported:
            return
        self._last_reported = key
        if self._last_pieces is None:
            yield from self._report_first(pieces, report)
        elif self.position is None:
            yield from self._report_changes(pieces)
        else:
            yield from self._report_inference(report)
        self._last_pieces = pieces
        names = tuple(observation.grid.name(cell) for cell in report.covered)
        if names:
            yield sentences.COVERED(cells=names)
        for problem in problems:
            yield sentences.WARNING(warning=problem)

    def _report_first(self, pieces: Mapping[Cell, Piece], report: Settled) -> Iterator[Sentence]:
        """The first pieces seen, and whether they are a position to follow moves from."""
        game, grid = self.table.game, self.table.board.grid
        yield sentences.ON_THE_BOARD(pieces=game.write_pieces(grid, pieces))
        if self.position is None:
            self.position = self._find_setup(report)
            if self.position is None:
                yield sentences.NO_SETUP()
        else:
            for difference in check_position(
                game, self.position, report.evidence, self.table.pieces_by_tag
            ).differences:
                yield sentences.WARNING(warning=difference.sentence)
        if self.position is not None:
            yield self._to_move()
            self._prepare_hypotheses(pieces)

    def _find_setup(self, report: Settled) -> Any:
        """The setup that is on the board, if any."""
        game = self.table.game
        for name in game.setups():
            position = game.start(name)
            if position.grid == self.table.board.grid:
                checked = check_position(game, position, report.evidence, self.table.pieces_by_tag)
                if not checked.differences:
                    return position
        return None

    def _prepare_hypotheses(self, pieces: Mapping[Cell, Piece]) -> None:
        facing = {cell: piece.orientation for cell, piece in pieces.items()}
        self._hypotheses = Hypotheses.for_position(self.table.game, self.position, facing)

    def _report_inference(self, report: Settled) -> Iterator[Sentence]:
        game, pieces_by_tag = self.table.game, self.table.pieces_by_tag
        assert self._hypotheses is not None
        if game.outcome(self.position) is not None:
            return
        match infer(self._hypotheses, report.evidence, pieces_by_tag):
            case Exact(turns):
                for turn in turns:
                    yield self._format_turn(turn)
                    for loss in turn.removed:
                        name = self.table.board.grid.name(loss.cell)
                        yield sentences.TAKE_OFF(piece=loss.piece.kind, cell=name)
                self.position = turns[-1].after
                self._prepare_hypotheses(self._pieces(report))
                if turns[-1].outcome is None:
                    yield self._to_move()
            case NoChange():
                return
            case Ambiguous(choices):
                yield sentences.MOVE_UNCLEAR(count=len(choices))
            case Mismatch(differences):
                for difference in differences:
                    yield sentences.WARNING(warning=difference.sentence)

    def _format_turn(self, turn: AnyTurn) -> Sentence:
        """A turn in words, after its notation unless that is JSON."""
        game, text = self.table.game, headline(self.table.game, turn)
        if game.record_form == "json":
            return as_sentence(text)
        moves = [game.write_move(turn.before, player, move) for player, move in turn.moves]
        return sentences.TURN_MADE(moves=" ".join(moves), headline=text)

    def _pieces(self, report: Settled) -> dict[Cell, Piece]:
        grid = self.table.board.grid
        observation = Observation(grid, report.sightings, report.evidence)
        return observation.pieces(self.table.pieces_by_tag)

    def _report_changes(self, pieces: Mapping[Cell, Piece]) -> Iterator[Sentence]:
        game, grid, earlier = self.table.game, self.table.board.grid, self._last_pieces or {}
        for cell in sorted(earlier.keys() | pieces.keys()):
            before, after = earlier.get(cell), pieces.get(cell)
            if before != after:
                yield sentences.CELL_CHANGED(
                    cell=grid.name(cell),
                    before=_describe_piece(before, game.players),
                    after=_describe_piece(after, game.players),
                )
        yield sentences.ON_THE_BOARD(pieces=game.write_pieces(grid, pieces))

    def _to_move(self) -> Sentence:
        game = self.table.game
        names = [game.players[player] for player in game.to_move(self.position)]
        return sentences.PLAYERS_TO_MOVE(players=join_names(names))


def _describe_piece(piece: Piece | None, players: Sequence[str]) -> Sentence:
    if piece is None:
        return sentences.EMPTY()
    return sentences.PIECE(
        player=players[piece.owner], piece=piece.kind, orientation=piece.orientation
    )
