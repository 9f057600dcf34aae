"""The text and JSON of an analysis: the same in the terminal, in files and on the page.

Scores that people see are the first player's: `+` is good for the first, `-` for the second.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from engine.analysis import Annotation, PlayerSummary, Verdict, line_texts, score_share
from engine.draw.board_json import animated_turn_json, move_list_text
from engine.game import AnyGame
from engine.move_reasons import reason_sentence
from engine.record import score_sentence, write_score

Json = dict[str, Any]


def better_move_remark(game: AnyGame, annotation: Annotation) -> str:
    """The better move of a turn, in words; empty if the turn was good."""
    if not annotation.better_line:
        return ""
    best = annotation.better_line[0]
    why = reason_sentence(game, best, annotation.reason)
    advice = f"better {move_list_text(game, best)}" + (f": {why}" if why else "")
    answer = annotation.answer
    removed = () if answer is None else answer.removed
    taken = [loss for loss in removed if loss.piece.owner == annotation.player]
    if answer is None or not taken:
        return advice
    piece, name = taken[0].piece, answer.before.grid.name(taken[0].cell)
    lost = f"{game.players[piece.owner]} {piece.kind} on {name}"
    return f"{advice}; now {move_list_text(game, answer)} takes the {lost}"


def summary_text(game: AnyGame, summary: PlayerSummary) -> str:
    """`blue: accuracy 87 %, 0.34 of a piece lost a turn; 10 best, 1 slip`"""
    counts = ", ".join(
        f"{number} {each}{'s' if number > 1 and each.is_clearly_worse else ''}"
        for each in Verdict
        if (number := summary.verdicts.get(each, 0))
    )
    return (
        f"{game.players[summary.player]}: accuracy {summary.accuracy:.0f} %, "
        f"{summary.loss / 100:.2f} of a piece lost a turn; {counts}"
    )


def score_legend(game: AnyGame) -> str:
    """Which player a positive score is good for."""
    first, second = game.players
    return f"scores in pieces: + is good for {first}, - for {second}"


def annotation_json(game: AnyGame, each: Annotation, *, with_best_turn: bool = False) -> Json:
    """One turn; with `with_best_turn` also the better turn, with its beams for the page."""
    best = each.better_line[0] if each.better_line else None
    return {
        "turn": each.number,
        "player": each.player,
        "move": each.move,
        "score": write_score(each.for_first_player(each.score)),
        "best_score": write_score(each.for_first_player(each.best_score)),
        "share": round(score_share(each.for_first_player(each.score)), 4),
        "words": str(score_sentence(game.players, each.for_first_player(each.score))),
        "loss": each.loss,
        "verdict": str(each.verdict),
        "sign": each.verdict.sign,
        "depth": each.depth,
        "remark": better_move_remark(game, each),
        "better": list(line_texts(game, each.better_line)),
        **(
            {"best": None if best is None else animated_turn_json(game, best)}
            if with_best_turn
            else {}
        ),
    }


def summaries_json(game: AnyGame, summaries: Iterable[PlayerSummary]) -> list[Json]:
    return [
        {
            "player": each.player,
            "side": game.players[each.player],
            "turns": each.turns,
            "accuracy": round(each.accuracy, 1),
            "loss": round(each.loss, 1),
            "verdicts": {str(verdict): each.verdicts.get(verdict, 0) for verdict in Verdict},
            "words": summary_text(game, each),
        }
        for each in summaries
    ]


def analysis_json(
    game: AnyGame, annotations: Sequence[Annotation], summaries: Iterable[PlayerSummary]
) -> Json:
    """A complete analysis."""
    return {
        "game": game.name,
        "scores_for": game.players[0],
        "turns": [annotation_json(game, each) for each in annotations],
        "summary": summaries_json(game, summaries),
    }
