"""What an analysis says, in words and as JSON: the same in the terminal, in files and on the page.

Scores that people see are the first player's: `+` is good for the first, `-` for the second.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from controller.reason_words import why_words
from controller.web.pieces_json import told, turn_json
from engine.analysis import Annotation, Summary, Verdict, line_texts, share
from engine.game import AnyGame
from engine.record import score_words, write_score

Json = dict[str, Any]


def remark(game: AnyGame, annotation: Annotation) -> str:
    """What there is to learn from a turn; nothing if it was good."""
    if not annotation.better:
        return ""
    best = annotation.better[0]
    why = why_words(game, best, annotation.why)
    advice = f"better {told(game, best)}" + (f": {why}" if why else "")
    answer = annotation.answer
    removed = () if answer is None else answer.removed
    taken = [loss for loss in removed if loss.piece.owner == annotation.player]
    if answer is None or not taken:
        return advice
    piece, name = taken[0].piece, answer.before.grid.name(taken[0].cell)
    lost = f"{game.players[piece.owner]} {piece.kind} on {name}"
    return f"{advice}; now {told(game, answer)} takes the {lost}"


def summary_words(game: AnyGame, summary: Summary) -> str:
    """`blue: accuracy 87 %, 0.34 of a piece lost a turn; 10 best, 1 slip`"""
    counts = ", ".join(
        f"{number} {each}{'s' if number > 1 and each.clearly_worse else ''}"
        for each in Verdict
        if (number := summary.verdicts.get(each, 0))
    )
    return (
        f"{game.players[summary.player]}: accuracy {summary.accuracy:.0f} %, "
        f"{summary.loss / 100:.2f} of a piece lost a turn; {counts}"
    )


def legend(game: AnyGame) -> str:
    """Whose scores they are."""
    first, second = game.players
    return f"scores in pieces: + is good for {first}, - for {second}"


def annotation_json(game: AnyGame, each: Annotation, *, drawn: bool = False) -> Json:
    """One turn; `drawn` with the better turn as a page lets its beam run."""
    best = each.better[0] if each.better else None
    return {
        "turn": each.number,
        "player": each.player,
        "move": each.move,
        "score": write_score(each.first(each.score)),
        "best_score": write_score(each.first(each.best_score)),
        "share": round(share(each.first(each.score)), 4),
        "words": score_words(game.players, each.first(each.score)),
        "loss": each.loss,
        "verdict": str(each.verdict),
        "sign": each.verdict.sign,
        "depth": each.depth,
        "remark": remark(game, each),
        "better": list(line_texts(game, each.better)),
        **({"best": None if best is None else turn_json(game, best)} if drawn else {}),
    }


def summaries_json(game: AnyGame, summaries: Iterable[Summary]) -> list[Json]:
    return [
        {
            "player": each.player,
            "side": game.players[each.player],
            "turns": each.turns,
            "accuracy": round(each.accuracy, 1),
            "loss": round(each.loss, 1),
            "verdicts": {str(verdict): each.verdicts.get(verdict, 0) for verdict in Verdict},
            "words": summary_words(game, each),
        }
        for each in summaries
    ]


def analysis_json(
    game: AnyGame, annotations: Sequence[Annotation], summaries: Iterable[Summary]
) -> Json:
    """A whole analysis."""
    return {
        "game": game.name,
        "scores_for": game.players[0],
        "turns": [annotation_json(game, each) for each in annotations],
        "summary": summaries_json(game, summaries),
    }
