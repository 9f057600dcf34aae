"""The text and JSON of an analysis: the same in the terminal, in files and on the page.

Scores that people see are the first player's: `+` is good for the first, `-` for the second.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from controller.computer import sentences
from engine import catalogue
from engine.analysis import Annotation, PlayerSummary, Verdict, line_texts, score_share
from engine.draw.board_json import animated_turn_json, turn_notation
from engine.game import AnyGame
from engine.move_reasons import reason_sentence
from engine.record import score_sentence, write_score
from engine.sentences import Sentence, sentence_json

Json = dict[str, Any]


def better_move_remark(game: AnyGame, annotation: Annotation) -> Sentence | None:
    """The better move of a turn, in words; None if the turn was good."""
    if not annotation.better_line:
        return None
    best = annotation.better_line[0]
    move, why = turn_notation(game, best), reason_sentence(game, best, annotation.reason)
    advice = (
        catalogue.BETTER(move=move)
        if why is None
        else catalogue.BETTER_BECAUSE(move=move, reason=why)
    )
    answer = annotation.answer
    removed = () if answer is None else answer.removed
    taken = [loss for loss in removed if loss.piece.owner == annotation.player]
    if answer is None or not taken:
        return advice
    piece = taken[0].piece
    return catalogue.NOW_TAKES(
        advice=advice,
        move=turn_notation(game, answer),
        player=game.players[piece.owner],
        kind=piece.kind,
        cell=answer.before.grid.name(taken[0].cell),
    )


# The sentences for one such move, and for several.
_VERDICT_COUNTS = {
    Verdict.BEST: (sentences.BEST, sentences.BEST),
    Verdict.GOOD: (sentences.GOOD, sentences.GOOD),
    Verdict.SLIP: (sentences.ONE_SLIP, sentences.SLIPS),
    Verdict.MISTAKE: (sentences.ONE_MISTAKE, sentences.MISTAKES),
    Verdict.BLUNDER: (sentences.ONE_BLUNDER, sentences.BLUNDERS),
    Verdict.MISSED_WIN: (sentences.ONE_MISSED_WIN, sentences.MISSED_WINS),
}


def summary_sentence(game: AnyGame, summary: PlayerSummary) -> Sentence:
    """`blue: accuracy 87 %, 0.34 of a piece lost a turn; 10 best, 1 slip`"""
    counts = tuple(
        _VERDICT_COUNTS[verdict][number > 1](count=number)
        for verdict in Verdict
        if (number := summary.verdicts.get(verdict, 0))
    )
    return sentences.SUMMARY(
        player=game.players[summary.player],
        accuracy=f"{summary.accuracy:.0f}",
        pieces=f"{summary.loss / 100:.2f}",
        verdicts=counts,
    )


def score_legend(game: AnyGame) -> Sentence:
    """Which player a positive score is good for."""
    first, second = game.players
    return sentences.SCORE_LEGEND(first=first, second=second)


def annotation_json(game: AnyGame, each: Annotation, *, for_page: bool = False) -> Json:
    """One turn. The page gets sentences as values, and the better turn with its beams."""
    best = each.better_line[0] if each.better_line else None
    words = score_sentence(game.players, each.for_first_player(each.score))
    remark = better_move_remark(game, each)
    return {
        "turn": each.number,
        "player": each.player,
        "move": each.move,
        "score": write_score(each.for_first_player(each.score)),
        "best_score": write_score(each.for_first_player(each.best_score)),
        "share": round(score_share(each.for_first_player(each.score)), 4),
        "words": sentence_json(words) if for_page else str(words),
        "loss": each.loss,
        "verdict": str(each.verdict),
        "sign": each.verdict.sign,
        "depth": each.depth,
        "remark": _remark_json(remark) if for_page else str(remark or ""),
        "better": list(line_texts(game, each.better_line)),
        **({"best": None if best is None else animated_turn_json(game, best)} if for_page else {}),
    }


def _remark_json(remark: Sentence | None) -> Json | None:
    return None if remark is None else sentence_json(remark)


def summaries_json(game: AnyGame, summaries: Iterable[PlayerSummary]) -> list[Json]:
    return [
        {
            "player": each.player,
            "side": game.players[each.player],
            "turns": each.turns,
            "accuracy": round(each.accuracy, 1),
            "loss": round(each.loss, 1),
            "verdicts": {str(verdict): each.verdicts.get(verdict, 0) for verdict in Verdict},
        }
        for each in summaries
    ]


def analysis_json(
    game: AnyGame, annotations: Sequence[Annotation], summaries: Iterable[PlayerSummary]
) -> Json:
    """A complete analysis, for a file."""
    players = list(summaries)
    return {
        "game": game.name,
        "scores_for": game.players[0],
        "turns": [annotation_json(game, each) for each in annotations],
        "summary": [
            {**row, "words": str(summary_sentence(game, each))}
            for row, each in zip(summaries_json(game, players), players, strict=True)
        ],
    }
