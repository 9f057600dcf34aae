"""A game judged turn by turn: how good each move was, and which would have been better.

No search is done here. `judge` asks for those that it needs and is told what they found, so that
whoever runs it decides where they are done: `analyse` does them here and now, a page has them done
in another process. A move that was played is searched as deep as the best one, never otherwise:
one turn more or less makes another score. Whose score it is, is always said: `Annotation.score` is
the mover's, `first` makes it the first player's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from engine.errors import BadOption, LaserboardError
from engine.game import AnyGame, AnyTurn, Player
from engine.reasons import Reason, every_threat, played_out, reason
from engine.record import Judged, Record, play
from engine.search import DECIDED, SAFE_DEPTH, WIN, Choice, Limit, choose
from engine.turn_based import TurnBased

LEAST_DEPTH = SAFE_DEPTH + 1  # so that the position after the move can be searched one turn less
LONGEST_LINE = 8
# What a move gives away, in hundredths of a common piece.
SLIP, MISTAKE, BLUNDER = 40, 90, 250
WORST = 500  # no single move counts for more in an average


class NotAnalysed(LaserboardError, ValueError):
    """A game that cannot be judged turn by turn."""


class Verdict(StrEnum):
    """How good a move was, in words that a child understands."""

    BEST = "best"
    GOOD = "good"
    SLIP = "slip"
    MISTAKE = "mistake"
    BLUNDER = "blunder"
    MISSED_WIN = "missed win"

    @property
    def clearly_worse(self) -> bool:
        return self not in (Verdict.BEST, Verdict.GOOD)

    @property
    def sign(self) -> str:
        """As it stands behind a move."""
        return _SIGNS.get(self, "")


_SIGNS = {
    Verdict.SLIP: "?!",
    Verdict.MISTAKE: "?",
    Verdict.BLUNDER: "??",
    Verdict.MISSED_WIN: "?",
}


@dataclass(frozen=True, slots=True)
class Stage:
    """A turn of a game, with what led to it since `start`, so that repetitions are known."""

    number: int  # of the turn, from 1
    turn: AnyTurn
    start: Any
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ask:
    """A position to be searched: so many turns deep, or as deep as is wanted."""

    position: Any
    start: Any
    moves: tuple[str, ...]  # that led from `start` to it
    depth: int | None


@dataclass(frozen=True, slots=True)
class Annotation:
    """What is said of one turn. Scores are the mover's, before its beam: a win in n single turns,
    this one counted, is `WIN - n`."""

    number: int
    player: Player
    move: str
    turn: AnyTurn
    best_score: int  # of the best move
    score: int  # of the one that was played
    verdict: Verdict
    depth: int
    better: tuple[AnyTurn, ...] = ()  # the play that was better, where the move was clearly worse
    why: Reason | None = None  # it was
    answer: AnyTurn | None = None  # what the other does best after such a move

    def first(self, score: int) -> int:
        """The same score, for the first player."""
        return score if self.player == 0 else -score

    @property
    def loss(self) -> int:
        """What it gave away, in hundredths of a common piece."""
        if self.verdict is Verdict.BEST:
            return 0
        return min(WORST, max(0, _bounded(self.best_score) - _bounded(self.score)))

    @property
    def accuracy(self) -> float:
        """From 0 to 100: a move that gives a common piece away has 50."""
        return float(100 * 0.5 ** (self.loss / 100))


@dataclass(frozen=True, slots=True)
class Summary:
    """How somebody played."""

    player: Player
    turns: int
    accuracy: float  # from 0 to 100
    loss: float  # a turn on average, in hundredths of a common piece
    verdicts: Mapping[Verdict, int]


AnyTurnBased = TurnBased[Any, Any]
Judging = Generator[Ask, Choice, Annotation]
Think = Callable[[Ask], Choice]


def rules_of(record: Record) -> AnyTurnBased:
    """The game, if its turns can be judged."""
    game = record.rules()
    if not isinstance(game, TurnBased):
        raise NotAnalysed(
            f"{game.title} cannot be analysed: both players act at once there, and what a move "
            "is worth depends on what the other does meanwhile"
        )
    return game


def stages(record: Record, first: int = 1, last: int | None = None) -> Iterator[Stage]:
    """The turns of a record from number `first` to `last`."""
    game = rules_of(record)
    start, moves = record.first(), tuple[str, ...]()
    for number, (turn, entry) in enumerate(zip(play(record), record.turns, strict=True), start=1):
        if first <= number and (last is None or number <= last):
            yield Stage(number, turn, start, moves)
        moves += entry.moves
        if entry.corrected is not None:
            start, moves = game.read_position(entry.corrected), ()


def judge(game: AnyTurnBased, stage: Stage, depth: int | None = None) -> Judging:
    """One turn: yields what must be searched, and returns what is to be said of it."""
    turn = stage.turn
    ((mover, move),) = turn.moves
    text = game.write_move(turn.before, mover, move)
    before = Ask(turn.before, stage.start, stage.moves, depth)
    best = yield before
    score, answered = best.score, tuple[Any, ...]()
    if best.move != move:
        ended = _ending(turn, mover)
        if ended is not None:
            score = ended
        else:
            after = Ask(turn.after, stage.start, (*stage.moves, text), None)
            # A win that is seen is one, however deep: then all is done to see one after the move.
            wanted = None if _decided(best) else max(SAFE_DEPTH, best.depth - 1)
            reply = yield replace(after, depth=wanted or depth)
            score, answered = (
                _turned(reply.score, game.claimable(turn.after) is not None),
                reply.line,
            )
            if not _decided(best) and not _decided(reply) and reply.depth != best.depth - 1:
                best = yield replace(before, depth=reply.depth + 1)
    same = best.move == move
    score = best.score if same else min(score, best.score)
    verdict = Verdict.BEST if same else verdict_of(best.score, score)
    annotation = Annotation(stage.number, mover, text, turn, best.score, score, verdict, best.depth)
    if not verdict.clearly_worse:
        return annotation
    better = played_out(game, turn.before, best.line[:LONGEST_LINE])
    return replace(
        annotation,
        better=tuple(better),
        why=reason(game, better, best.score, every_threat),
        answer=next(iter(played_out(game, turn.after, answered[:1])), None),
    )


def analyse(
    record: Record, think: Think, depth: int | None = None, first: int = 1, last: int | None = None
) -> Iterator[Annotation]:
    """Every turn of a record, one after the other, as soon as it is judged."""
    if depth is not None and depth < LEAST_DEPTH:
        raise BadOption(f"an analysis looks at least {LEAST_DEPTH} turns ahead, not {depth}")
    game = rules_of(record)
    for stage in stages(record, first, last):
        judging = judge(game, stage, depth)
        found = step(judging)
        while isinstance(found, Ask):
            found = step(judging, think(found))
        yield found


def step(judging: Judging, choice: Choice | None = None) -> Ask | Annotation:
    """Go on with a judging that is told what was found; nothing to begin with."""
    try:
        return next(judging) if choice is None else judging.send(choice)
    except StopIteration as done:
        judged: Annotation = done.value
        return judged


def searching(game: AnyGame, stop: Callable[[Ask], Callable[[], bool]]) -> Think:
    """Searches here and now; `stop` says of each when it has taken long enough."""

    def think(asked: Ask) -> Choice:
        return choose(game, asked.position, Limit(depth=asked.depth), stop(asked))

    return think


def verdict_of(best: int, score: int) -> Verdict:
    """The word for a move of that score where another had `best`, both of them the mover's."""
    if score >= best:
        return Verdict.BEST
    if best > DECIDED:
        if score > DECIDED:
            return Verdict.GOOD  # later, but still won
        return Verdict.BLUNDER if score < -DECIDED else Verdict.MISSED_WIN
    if score < -DECIDED:
        return Verdict.GOOD if best < -DECIDED else Verdict.BLUNDER
    lost = best - score
    if lost >= BLUNDER:
        return Verdict.BLUNDER
    if lost >= MISTAKE:
        return Verdict.MISTAKE
    return Verdict.SLIP if lost >= SLIP else Verdict.GOOD


def summaries(annotations: Iterable[Annotation]) -> tuple[Summary, ...]:
    """How each player played, of whom a turn was judged."""
    turns: dict[Player, list[Annotation]] = {}
    for each in annotations:
        turns.setdefault(each.player, []).append(each)
    return tuple(
        Summary(
            player,
            len(own),
            sum(each.accuracy for each in own) / len(own),
            sum(each.loss for each in own) / len(own),
            Counter(each.verdict for each in own),
        )
        for player, own in sorted(turns.items())
    )


def annotated(record: Record, annotations: Iterable[Annotation]) -> Record:
    """The record with what is said of its turns; what an earlier analysis said of them is gone."""
    game, entries = record.rules(), list(record.turns)
    for each in annotations:
        judged = Judged(each.first(each.score), str(each.verdict), line_texts(game, each.better))
        entries[each.number - 1] = replace(entries[each.number - 1], judged=judged)
    return replace(record, turns=tuple(entries))


def line_texts(game: AnyGame, turns: Sequence[AnyTurn]) -> tuple[str, ...]:
    """The moves of turns in which one player moves each."""
    return tuple(
        game.write_move(turn.before, player, move) for turn in turns for player, move in turn.moves
    )


def share(score: int) -> float:
    """A score as a part of 1: a half is even, a win is all of it. For those who draw it."""
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


def _turned(score: int, claimable: bool) -> int:
    """What the other has after a move, as the mover has it before: a turn further from the end.
    Who may claim a draw then has that at least."""
    if claimable:
        score = max(score, 0)
    return -score if abs(score) <= DECIDED else 1 - score if score > 0 else -1 - score


def _bounded(score: int) -> int:
    """A win is worth more than any pieces, but not a thousand times as much."""
    return max(-2 * WORST, min(2 * WORST, score))
