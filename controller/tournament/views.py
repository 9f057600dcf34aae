"""Views of a tournament: JSON for the page and for programs, text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Self

from controller.session.clocks import format_clock
from controller.tournament import sentences
from controller.tournament.boards import (
    LOST_MS,
    STALE_MS,
    Freshness,
    TournamentBoard,
    TournamentState,
)
from controller.tournament.pairings import Pairing, round_robin
from controller.tournament.rounds import TournamentRound, build_rounds, scored_games
from controller.tournament.standings import StandingsRow, compute_standings
from controller.ui.web.json_values import optional_sentence_json
from engine.sentences import Sentence, as_sentence, sentence_json

Json = dict[str, Any]
FRESHNESS_MARKS = {
    Freshness.WAITING: "…",
    Freshness.LIVE: "●",
    Freshness.STALE: "◌",
    Freshness.LOST: "✗",
    Freshness.LEFT: "–",
}


@dataclass(frozen=True)
class TournamentView:
    """State, pairings, rounds and standings of an event. `updated` recomputes only after new
    results."""

    state: TournamentState
    players: tuple[str, ...]
    pairings: tuple[Pairing, ...]
    rounds: tuple[TournamentRound, ...]
    standings: tuple[StandingsRow, ...]
    broker: str = ""
    trouble: str | Sentence | None = None  # with the broker; empty: connected; None: not known

    @classmethod
    def build(
        cls,
        state: TournamentState,
        players: tuple[str, ...] = (),
        broker: str = "",
        trouble: str | Sentence | None = None,
    ) -> Self:
        pairings = round_robin(players)
        played = build_rounds(players, pairings, state.finished_results())
        return cls(
            state,
            players,
            pairings,
            played,
            compute_standings(players, scored_games(played)),
            broker,
            trouble,
        )

    def updated(self, state: TournamentState, trouble: str | Sentence | None) -> Self:
        if state.results is not self.state.results:
            return type(self).build(state, self.players, self.broker, trouble)
        return replace(self, state=state, trouble=trouble)


# -- as JSON -------------------------------------------------------------------------------------


def tournament_json(view: TournamentView, now_ms: float) -> Json:
    state = view.state
    return {
        "event": state.event,
        "broker": view.broker,
        "trouble": optional_sentence_json(_trouble(view)),
        "stale_ms": STALE_MS,
        "lost_ms": LOST_MS,
        "boards": [board_json(board, now_ms) for board in state.boards_by_table()],
        "rounds": [_round_json(each) for each in view.rounds],
        "standings": [_row_json(each) for each in view.standings],
        "tie_breaks": sentence_json(sentences.TIE_BREAKS()),
        "games": len(state.finished_results()),
        "refused": state.rejected_count,
        "refused_last": optional_sentence_json(state.last_rejection),
    }


def board_json(board: TournamentBoard, now_ms: float) -> Json:
    state = board.state
    board_values: Json = {
        "table": board.table,
        "freshness": board.freshness(now_ms).value,
        "age_ms": round(board.age_ms(now_ms)),
        "has_reported": board.last_pulse_ms is not None,
        "remark": optional_sentence_json(_board_remark(board, now_ms)),
        "clocks": None,
        "game": None,
    }
    if board.clocks is not None:
        board_values["clocks"] = {
            "left_ms": list(board.clocks.left_ms),
            "running": list(board.clocks.running),
            "age_ms": round(max(0.0, now_ms - board.clocks_at_ms)),
        }
    if state is not None:
        board_values["game"] = {
            "round": state.round,
            "title": state.title,
            "sides": list(state.sides),
            "players": list(state.players),
            "phase": state.phase,
            "guidance": sentence_json(state.guidance),
            "reasons": [sentence_json(each) for each in state.reasons],
            "turns": state.turns,
            "last": optional_sentence_json(state.last_move),
            "last_hash": state.last_hash,
            "result": state.result,
            "reason": optional_sentence_json(state.reason),
            "page": state.page_url,
            "picture": board_image_id(board),
        }
    return board_values


def _trouble(view: TournamentView) -> Sentence | None:
    if view.trouble is None:
        return sentences.CONNECTING()
    return as_sentence(view.trouble) if view.trouble else None


def _board_remark(board: TournamentBoard, now_ms: float) -> Sentence | None:
    is_duplicate = board.active_publishers(now_ms) > 1
    return sentences.DUPLICATE_PUBLISHERS() if is_duplicate else None


def board_image_id(board: TournamentBoard) -> str:
    """An id that changes with the position; empty if there is no position."""
    state = board.state
    if state is None or not state.position:
        return ""
    content = f"{state.game}\n{sorted(state.options.items())}\n{state.position}"
    return sha256(content.encode()).hexdigest()[:16]


def _round_json(each: TournamentRound) -> Json:
    return {
        "round": each.number,
        "byes": list(each.byes),
        "games": [
            {
                "table": line.table,
                "first": line.first,
                "second": line.second,
                "result": line.result,
                "reason": optional_sentence_json(line.reason),
                "last_hash": line.last_hash,
                "remark": optional_sentence_json(line.remark),
                "stands": line.counts,
            }
            for line in each.games
        ],
    }


def _row_json(row: StandingsRow) -> Json:
    return {
        "rank": row.rank,
        "name": row.name,
        "played": row.played,
        "wins": row.wins,
        "draws": row.draws,
        "losses": row.losses,
        "points": row.points,
        "sonneborn_berger": row.sonneborn_berger,
    }


# -- as text -------------------------------------------------------------------------------------


def tournament_text(view: TournamentView, now_ms: float) -> str:
    """Boards, rounds and standings, one line each."""
    parts = [view.state.event]
    boards = [board_line(board, now_ms) for board in view.state.boards_by_table()]
    parts += _section(sentences.BOARDS(), boards or [str(sentences.NO_BOARDS())])
    for each in view.rounds:
        lines = [
            f"table {line.table:<3} {line.first} - {line.second}  {line.result or '…'}"
            + (f"  {line.reason}" if line.reason else "")
            + (f"  ({line.remark})" if line.remark else "")
            for line in each.games
        ]
        lines += [f"rests     {name}" for name in each.byes]
        parts += _section(sentences.ROUND(number=each.number), lines)
    rows = [
        f"{row.rank:>3}. {row.name:<24} {row.points:>4}  of {row.played:<3}"
        f" +{row.wins} ={row.draws} -{row.losses}  SB {row.sonneborn_berger}"
        for row in view.standings
    ]
    if rows:
        parts += _section(sentences.STANDINGS(), [*rows, f"({sentences.TIE_BREAKS()})"])
    return "\n".join(parts)


def board_line(board: TournamentBoard, now_ms: float) -> str:
    fresh, state = board.freshness(now_ms), board.state
    age = "" if board.last_pulse_ms is None else f"{board.age_ms(now_ms) / 1000:.0f} s"
    head = f"{FRESHNESS_MARKS[fresh]} table {board.table:<3} {fresh.value:<8}{age:>6}"
    if state is None:
        return head
    text = f"round {state.round}  {' - '.join(state.players)}  turn {state.turns}"
    if board.clocks is not None:
        text += f"  {' / '.join(format_clock(left) for left in board.clocks.left_ms)}"
    text += f"  {state.guidance}"
    remark = _board_remark(board, now_ms)
    if remark is not None:
        text += f"  ({remark})"
    return f"{head}  {text}"


def _section(title: Sentence, lines: Sequence[str]) -> list[str]:
    return ["", str(title), *(f"  {line}" for line in lines)]
