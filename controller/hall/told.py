"""What a board tells of its game: a session, or a journal, in; the bodies of messages out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from controller.affairs import affairs_of, waiting_for
from controller.agreement import Occasion, Start
from controller.clocks import Clocks, Kind
from controller.guide import guide
from controller.hall.messages import UNFINISHED, Presence
from controller.journal import Entry
from controller.laws import Happening
from controller.played import Played, record, replay
from controller.session_values import Phase, Session
from engine.draw.words import headline
from engine.record import write

Body = dict[str, Any]


def presence_body(instance: str, presence: Presence) -> Body:
    return {"instance": instance, "presence": presence.value}


def clocks_body(clocks: Clocks, now_ms: float) -> Body | None:
    """Both clocks as they are now; None without."""
    if clocks.control.kind is Kind.NONE:
        return None
    now = clocks.at(now_ms)
    left_ms = [max(0, round(each)) for each in now.left_ms]
    return {"left_ms": left_ms, "running": list(now.running)}


def pulse_body(instance: str, number: int, quiet_ms: float, clocks: Body | None) -> Body:
    quiet = max(0, round(quiet_ms))
    return {"instance": instance, "number": number, "quiet_ms": quiet, "clocks": clocks}


def state_body(
    instance: str,
    occasion: Occasion,
    start: Start,
    session: Session,
    head: str,
    page: str,
) -> Body:
    """A game as it stands, without its clocks, which change all the time."""
    game, told = session.table.game, guide(session)
    outcome = session.outcome if session.phase is Phase.OVER else None
    last = session.history[-1].turn if session.history else None
    return {
        "instance": instance,
        "event": occasion.event,
        "round": occasion.round,
        "table": occasion.table,
        "game": game.name,
        "options": game.options(),
        "title": game.title,
        "sides": list(game.players),
        "players": [str(seat) for seat in start.seats],
        "phase": session.phase.value,
        "guide": told.sentence,
        "reasons": list(told.reasons),
        "turns": len(session.history),
        "position": game.write_position(session.position),
        "last": "" if last is None else headline(game, last),
        "head": head,
        "outcome": None
        if outcome is None
        else {"result": outcome.result, "reason": outcome.reason},
        "page": page,
    }


def result_body(entries: Sequence[Entry]) -> Body | None:
    """How the game of a journal ended, with all of its record; None: it is part of no event, or
    cannot be told. A game that has not ended is told as UNFINISHED."""
    played = replay(entries)
    start = played.start
    if start.occasion is None or played.fault is not None:
        return None
    affairs = affairs_of(entries)
    # What the board says is no result while the referee has not accepted it.
    asked = affairs.about(Happening.KING_HIT) is not None
    ended = played.result if asked else played.ended
    waits = waiting_for(affairs, start.laws, start.seats, start.game)
    return {
        "event": start.occasion.event,
        "round": start.occasion.round,
        "table": start.occasion.table,
        "game_id": entries[0].hash,
        "game": start.game.name,
        "title": start.game.title,
        "sides": list(start.game.players),
        "players": [str(seat) for seat in start.seats],
        "result": UNFINISHED if ended is None else ended.result,
        "reason": "" if ended is None else ended.reason,
        "waits": [] if ended is None else waits,
        "turns": len(played.turns),
        "head": entries[-1].hash,
        "entries": len(entries),
        "started": start.started,
        "record": write(record(played), "json"),
        "text": _text(played),
    }


def _text(played: Played) -> str:
    if played.start.game.record_form != "text":
        return ""
    return write(record(played), "text")
