"""Analyses a game turn by turn: how good each move was, and which was better.

`evaluate_turn` is a generator that yields `SearchTask`s and receives `Choice`s, so its caller
decides where to search: `analyse` searches here, the page searches in another process. The played
move and the best move are always searched to the same depth, or their scores do not compare.
`Annotation.score` is the mover's; `for_first_player` converts it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from engine import catalogue
from engine.errors import BadOption, LaserboardError
from engine.game import AnyGame, AnyTurn, Player
from engine.move_reasons import MoveReason, find_reason, play_line, worst_threat
from engine.record import Record, RecordAnnotation, play
from engine.search import DECIDED, SAFE_DEPTH, WIN, Choice, Limit, choose
from engine.turn_based import TurnBased

MIN_DEPTH = SAFE_DEPTH + 1  # the position after the move is searched one turn less
MAX_LINE_TURNS = 8
# The least losses of a slip, a mistake and a blunder, in hundredths of a common piece.
SLIP, MISTAKE, BLUNDER = 40, 90, 250
MAX_LOSS = 500  # of a single move in an average


class NotAnalysable(LaserboardError, ValueError):
    """A game that cannot be analysed turn by turn."""


class Verdict(StrEnum):
    """How good a move was, in words that children understand. Records store these words."""

    BEST = "best"
    GOOD = "good"
    SLIP = "slip"
    MISTAKE = "mistake"
    BLUNDER = "blunder"
    MISSED_WIN = "missed win"

    @property
    def is_clearly_worse(self) -> bool:
        return self not in (Verdict.BEST, Verdict.GOOD)

    @property
    def sign(self) -> str:
        """The sign after a move, such as `??`."""
        return _SIGNS.get(self, "")


_SIGNS = {
    Verdict.SLIP: "?!",
    Verdict.MISTAKE: "?",
    Verdict.BLUNDER: "??",
    Verdict.MISSED_WIN: "?",
}


@dataclass(frozen=True, slots=True)
class TurnContext:
    """A turn of a game and the moves before it since `start`, to detect repetitions."""

    number: int  # from 1
    turn: AnyTurn
    start: Any
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SearchTask:
    """A position to search. A depth of None leaves the depth to the searcher."""

    position: Any
    start: Any
    moves: tuple[str, ...]  # from `start` to `position`
    depth: int | None


@dataclass(frozen=True, slots=True)
class Annotation:
    """The analysis of one turn. Scores are the mover's, before its beam.

    A win in n single turns, including this one, is `WIN - n`.
    """

    number: int
    player: Player
    move: str
    turn: AnyTurn
    best_score: int  # of the best move
    score: int  # of the played move
    verdict: Verdict
    depth: int
    better_line: tuple[AnyTurn, ...] = ()  # only if the move was clearly worse
    reason: MoveReason | None = None  # why that line is better
    answer: AnyTurn | None = None  # the opponent's best answer to the played move

    def for_first_player(self, score: int) -> int:
        """A score of the mover, converted to the first player's."""
        return score if self.player == 0 else -score

    @property
    def loss(self) -> int:
        """The score that the move gave away, in hundredths of a common piece."""
        if self.verdict is Verdict.BEST:
            return 0
        return min(MAX_LOSS, max(0, _bounded(self.best_score) - _bounded(self.score)))

    @property
    def accuracy(self) -> float:
        """From 0 to 100. A move that gives away a common piece has 50."""
        return float(100 * 0.5 ** (self.loss / 100))


@dataclass(frozen=True, slots=True)
class PlayerSummary:
    """How well a player played."""

    player: Player
    turns: int
    accuracy: float  # from 0 to 100
    loss: float  # mean per turn, in hundredths of a common piece
    verdicts: Mapping[Verdict, int]


AnyTurnBased = TurnBased[Any, Any]
TurnEvaluation = Generator[SearchTask, Choice, Annotation]
Searcher = Callable[[SearchTask], Choice]


def analysable_rules(record: Record) -> AnyTurnBased:
    """The rules of a record. Raises `NotAnalysable` for simultaneous games."""
    game = record.rules()
    if not isinstance(game, TurnBased):
        raise NotAnalysable(catalogue.NOT_ANALYSABLE(game=game.title))
    return game


def turn_contexts(record: Record, first: int = 1, last: int | None = None) -> Iterator[TurnContext]:
    """The turns of a record from number `first` to `last`."""
    game = analysable_rules(record)
    start, moves = record.first_position(), tuple[str, ...]()
    for number, (turn, entry) in enumerate(zip(play(record), record.turns, strict=True), start=1):
        if first <= number and (last is None or number <= last):
            yield TurnContext(number, turn, start, moves)
        moves += entry.moves
        if entry.corrected is not None:
            start, moves = game.read_position(entry.corrected), ()


def evaluate_turn(
    game: AnyTurnBased, context: TurnContext, depth: int | None = None
) -> TurnEvaluation:
    """Analyse one turn: yields positions to search, and returns the annotation."""
    turn = context.turn
    ((mover, move),) = turn.moves
    text = game.write_move(turn.before, mover, move)
    before = SearchTask(turn.before, context.start, context.moves, depth)
    best = yield before
    score, answers = best.score, tuple[Any, ...]()
    if best.move != move:
        ended = _ending(turn, mover)
        if ended is not None:
            score = ended
        else:
            after = SearchTask(turn.after, context.start, (*context.moves, text), None)
            # A win is a win at any depth: then search the position after the move to full depth.
            reply_depth = None if _decided(best) else max(SAFE_DEPTH, best.depth - 1)
            reply = yield replace(after, depth=reply_depth or depth)
            claimable = game.claimable(turn.after) is not None
            score, answers = _score_before_reply(reply.score, claimable), reply.line
            if not _decided(best) and not _decided(reply) and reply.depth != best.depth - 1:
                best = yield replace(before, depth=reply.depth + 1)
    same = best.move == move
    score = best.score if same else min(score, best.score)
    verdict = Verdict.BEST if same else classify_move(best.score, score)
    annotation = Annotation(
        context.number, mover, text, turn, best.score, score, verdict, best.depth
    )
    if not verdict.is_clearly_worse:
        return annotation
    better = play_line(game, turn.before, best.line[:MAX_LINE_TURNS])
    return replace(
        annotation,
        better_line=tuple(better),
        reason=find_reason(game, better, best.score, worst_threat),
        answer=next(iter(play_line(game, turn.after, answers[:1])), None),
    )


def analyse(
    record: Record,
    search_position: Searcher,
    depth: int | None = None,
    first: int = 1,
    last: int | None = None,
) -> Iterator[Annotation]:
    """Yield the annotation of each turn of a record as soon as it is known."""
    if depth is not None and depth < MIN_DEPTH:
        raise BadOption(catalogue.BAD_ANALYSIS_DEPTH(least=MIN_DEPTH, depth=depth))
    game = analysable_rules(record)
    for context in turn_contexts(record, first, last):
        evaluation = evaluate_turn(game, context, depth)
        step = advance_evaluation(evaluation)
        while isinstance(step, SearchTask):
            step = advance_evaluation(evaluation, search_position(step))
        yield step


def advance_evaluation(
    evaluation: TurnEvaluation, choice: Choice | None = None
) -> SearchTask | Annotation:
    """Continue an evaluation with the result of its last task. Start it without a result."""
    try:
        return next(evaluation) if choice is None else evaluation.send(choice)
    except StopIteration as done:
        annotation: Annotation = done.value
        return annotation


def make_searcher(game: AnyGame, stop: Callable[[SearchTask], Callable[[], bool]]) -> Searcher:
    """A searcher in this process. `stop` makes the stop function of each task."""

    def search(task: SearchTask) -> Choice:
        return choose(game, task.position, Limit(depth=task.depth), stop(task))

    return search


def classify_move(best: int, score: int) -> Verdict:
    """The verdict on a move of that score if the best move has `best`, both for the mover."""
    if score >= best:
        return Verdict.BEST
    if best > DECIDED:
        if score > DECIDED:
            return Verdict.GOOD  # a later win
        return Verdict.BLUNDER if score < -DECIDED else Verdict.MISSED_WIN
    if score < -DECIDED:
        return Verdict.GOOD if best < -DECIDED else Verdict.BLUNDER
    lost = best - score
    if lost >= BLUNDER:
        return Verdict.BLUNDER
    if lost >= MISTAKE:
        return Verdict.MISTAKE
    return Verdict.SLIP if lost >= SLIP else Verdict.GOOD


def summarise_players(annotations: Iterable[Annotation]) -> tuple[PlayerSummary, ...]:
    """A summary of each player who has an annotated turn."""
    turns: dict[Player, list[Annotation]] = {}
    for each in annotations:
        turns.setdefault(each.player, []).append(each)
    return tuple(
        PlayerSummary(
            player,
            len(own),
            sum(each.accuracy for each in own) / len(own),
            sum(each.loss for each in own) / len(own),
            Counter(each.verdict for each in own),
        )
        for player, own in sorted(turns.items())
    )


def annotate_record(record: Record, annotations: Iterable[Annotation]) -> Record:
    """The record with these annotations instead of earlier ones."""
    game, entries = record.rules(), list(record.turns)
    for each in annotations:
        annotation = RecordAnnotation(
            each.for_first_player(each.score), str(each.verdict), line_texts(game, each.better_line)
        )
        entries[each.number - 1] = replace(entries[each.number - 1], annotation=annotation)
    return replace(record, turns=tuple(entries))


def line_texts(game: AnyGame, turns: Sequence[AnyTurn]) -> tuple[str, ...]:
    """The moves of a line in the notation of the game."""
    return tuple(
        game.write_move(turn.before, player, move) for turn in turns for player, move in turn.moves
    )


def score_share(score: int) -> float:
    """A score from 0 (lost) over 0.5 (even) to 1 (won), for graphs."""
    if abs(score) > DECIDED:
        return 1.0 if score > 0 else 0.0
    return float(1 / (1 + 10 ** (-score / 300)))


def _decided(choice: Choice) -> bool:
    return choice.turns_to_end is not None


def _ending(turn: AnyTurn, mover: Player) -> int | None:
    if turn.outcome is None:
        return None
    winner = turn.outcome.winner
    return 0 if winner is None else WIN - 1 if winner == mover else 1 - WIN


def _score_before_reply(score: int, claimable: bool) -> int:
    """Convert the opponent's score after a move to the mover's score before it.

    An opponent who may claim a draw has at least that.
    """
    if claimable:
        score = max(score, 0)
    return -score if abs(score) <= DECIDED else 1 - score if score > 0 else -1 - score


def _bounded(score: int) -> int:
    """The score, with wins limited to a few pieces, so that averages mean something."""
    return max(-2 * MAX_LOSS, min(2 * MAX_LOSS, score))
