"""The hall as it is shown: as JSON for the page and for programs, and as text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Self

from controller.clocks import clock_face
from controller.hall.overview import LOST_MS, STALE_MS, Board, Freshness, Overview
from controller.hall.pairings import Pairing, round_robin
from controller.hall.schedule import Round, games, rounds
from controller.hall.standings import TIE_BREAKS, Row, standings

Json = dict[str, Any]
MARKS = {
    Freshness.WAITING: "…",
    Freshness.LIVE: "●",
    Freshness.STALE: "◌",
    Freshness.LOST: "✗",
    Freshness.LEFT: "–",
}
RIVALS = "two programs say that they are this table: end one of them"


@dataclass(frozen=True)
class Hall:
    """All that a hall shows. Made by `of`; `now` is the same hall a moment later."""

    overview: Overview
    players: tuple[str, ...]
    pairings: tuple[Pairing, ...]
    rounds: tuple[Round, ...]
    standings: tuple[Row, ...]
    broker: str = ""
    trouble: str | None = None  # with the broker; None: nothing was heard of it yet

    @classmethod
    def of(
        cls,
        overview: Overview,
        players: tuple[str, ...] = (),
        broker: str = "",
        trouble: str | None = None,
    ) -> Self:
        pairings = round_robin(players)
        played = rounds(players, pairings, overview.finished())
        return cls(
            overview,
            players,
            pairings,
            played,
            standings(players, games(played)),
            broker,
            trouble,
        )

    def now(self, overview: Overview, trouble: str | None) -> Self:
        if overview.results is not self.overview.results:
            return type(self).of(overview, self.players, self.broker, trouble)
        return replace(self, overview=overview, trouble=trouble)


# -- as JSON -------------------------------------------------------------------------------------


def hall_json(hall: Hall, now_ms: float) -> Json:
    overview = hall.overview
    return {
        "event": overview.event,
        "broker": hall.broker,
        "trouble": "connecting to the broker" if hall.trouble is None else hall.trouble,
        "stale_ms": STALE_MS,
        "lost_ms": LOST_MS,
        "boards": [board_json(board, now_ms) for board in overview.in_order()],
        "rounds": [_round_json(each) for each in hall.rounds],
        "standings": [_row_json(each) for each in hall.standings],
        "tie_breaks": TIE_BREAKS,
        "games": len(overview.finished()),
        "refused": overview.refused,
        "refused_last": overview.trouble,
    }


def board_json(board: Board, now_ms: float) -> Json:
    state = board.state
    told: Json = {
        "table": board.table,
        "freshness": board.freshness(now_ms).value,
        "age_ms": round(board.age_ms(now_ms)),
        "heard": board.pulse_ms is not None,
        "remark": RIVALS if board.rivals(now_ms) > 1 else "",
        "clocks": None,
        "game": None,
    }
    if board.clocks is not None:
        told["clocks"] = {
            "left_ms": list(board.clocks.left_ms),
            "running": list(board.clocks.running),
            "age_ms": round(max(0.0, now_ms - board.clocks_ms)),
        }
    if state is not None:
        told["game"] = {
            "round": state.round,
            "title": state.title,
            "sides": list(state.sides),
            "players": list(state.players),
            "phase": state.phase,
            "guide": state.guide,
            "reasons": list(state.reasons),
            "turns": state.turns,
            "last": state.last,
            "head": state.head,
            "result": state.result,
            "reason": state.reason,
            "page": state.page,
            "picture": picture_name(board),
        }
    return told


def picture_name(board: Board) -> str:
    """Another one for every position; empty: there is nothing to draw."""
    state = board.state
    if state is None or not state.position:
        return ""
    of = f"{state.game}\n{sorted(state.options.items())}\n{state.position}"
    return sha256(of.encode()).hexdigest()[:16]


def _round_json(each: Round) -> Json:
    return {
        "round": each.number,
        "rests": list(each.rests),
        "games": [
            {
                "table": line.table,
                "first": line.first,
                "second": line.second,
                "result": line.result,
                "reason": line.reason,
                "head": line.head,
                "remark": line.remark,
                "stands": line.stands,
            }
            for line in each.lines
        ],
    }


def _row_json(row: Row) -> Json:
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


def hall_text(hall: Hall, now_ms: float) -> str:
    """Everything, a line each."""
    parts = [hall.overview.event]
    boards = [board_line(board, now_ms) for board in hall.overview.in_order()]
    parts += _part("boards", boards or ["no board has been heard of yet"])
    for each in hall.rounds:
        lines = [
            f"table {line.table:<3} {line.first} - {line.second}  {line.result or '…'}"
            + (f"  {line.reason}" if line.reason else "")
            + (f"  ({line.remark})" if line.remark else "")
            for line in each.lines
        ]
        lines += [f"rests     {name}" for name in each.rests]
        parts += _part(f"round {each.number}", lines)
    rows = [
        f"{row.rank:>3}. {row.name:<24} {row.points:>4}  of {row.played:<3}"
        f" +{row.wins} ={row.draws} -{row.losses}  SB {row.sonneborn_berger}"
        for row in hall.standings
    ]
    if rows:
        parts += _part("standings", [*rows, f"({TIE_BREAKS})"])
    return "\n".join(parts)


def board_line(board: Board, now_ms: float) -> str:
    fresh, state = board.freshness(now_ms), board.state
    age = "" if board.pulse_ms is None else f"{board.age_ms(now_ms) / 1000:.0f} s"
    head = f"{MARKS[fresh]} table {board.table:<3} {fresh.value:<8}{age:>6}"
    if state is None:
        return head
    told = f"round {state.round}  {' - '.join(state.players)}  turn {state.turns}"
    if board.clocks is not None:
        told += f"  {' / '.join(clock_face(left) for left in board.clocks.left_ms)}"
    told += f"  {state.guide}"
    return f"{head}  {told}{f'  ({RIVALS})' if board.rivals(now_ms) > 1 else ''}"


def _part(title: str, lines: Sequence[str]) -> list[str]:
    return ["", title, *(f"  {line}" for line in lines)]
