"""Builds the bodies of a board's messages from its session or its journal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from controller.session.clocks import ClockKind, Clocks
from controller.session.guidance import guidance_for
from controller.session.journal import JournalEntry
from controller.session.referee.policy import Incident
from controller.session.referee.state import referee_state_of, result_blocked_by_names
from controller.session.replay import ReplayedGame, game_record, replay
from controller.session.setup import GameSetup, TournamentEntry
from controller.session.state import Phase, Session
from controller.tournament.keyed_sentences import keyed_json
from controller.tournament.messages import UNFINISHED, Presence
from engine.draw.words import headline
from engine.record import write_record

Payload = dict[str, Any]


def presence_payload(instance: str, presence: Presence) -> Payload:
    return {"instance": instance, "presence": presence.value}


def clocks_payload(clocks: Clocks, now_ms: float) -> Payload | None:
    """Both clocks at `now_ms`; None in a game without clocks."""
    if clocks.control.kind is ClockKind.NONE:
        return None
    now = clocks.at(now_ms)
    left_ms = [max(0, round(each)) for each in now.left_ms]
    return {"left_ms": left_ms, "running": list(now.running)}


def pulse_payload(instance: str, number: int, quiet_ms: float, clocks: Payload | None) -> Payload:
    quiet = max(0, round(quiet_ms))
    return {"instance": instance, "number": number, "quiet_ms": quiet, "clocks": clocks}


def state_payload(
    instance: str,
    entry: TournamentEntry,
    setup: GameSetup,
    session: Session,
    last_hash: str,
    page: str,
) -> Payload:
    """The state of a game without its clocks, which change all the time."""
    game, guidance = session.game, guidance_for(session)
    outcome = session.outcome if session.phase is Phase.OVER else None
    last = headline(game, session.history[-1].turn) if session.history else None
    return {
        "instance": instance,
        "event": entry.event,
        "round": entry.round,
        "table": entry.table,
        "game": game.name,
        "options": game.options(),
        "title": game.title,
        "sides": list(game.players),
        "players": [str(seat) for seat in setup.seats],
        "phase": session.phase.value,
        "guide": str(guidance.sentence),
        "reasons": [str(each) for each in guidance.reasons],
        "turns": len(session.history),
        "position": game.write_position(session.position),
        "last": "" if last is None else str(last),
        "head": last_hash,
        "outcome": None
        if outcome is None
        else {"result": outcome.result, "reason": str(outcome.reason)},
        "sentences": {
            "guide": keyed_json(guidance.sentence),
            "reasons": [keyed_json(each) for each in guidance.reasons],
            "last": None if last is None else keyed_json(last),
            "reason": None if outcome is None else keyed_json(outcome.reason),
        },
        "page": page,
    }


def result_payload(entries: Sequence[JournalEntry]) -> Payload | None:
    """The result of a journal's game, with the whole record; UNFINISHED while it is running.

    None if the game belongs to no event, or if its journal cannot be replayed."""
    played = replay(entries)
    setup = played.setup
    entry = setup.tournament_entry
    if entry is None or played.fault is not None:
        return None
    referee_state = referee_state_of(entries)
    # If the referee must rule on a hit king, the game has no outcome before the ruling.
    awaits_ruling = referee_state.find_by_subject(Incident.KING_HIT) is not None
    outcome = played.result if awaits_ruling else played.outcome
    awaiting = result_blocked_by_names(referee_state, setup.policies, setup.seats, setup.game)
    return {
        "event": entry.event,
        "round": entry.round,
        "table": entry.table,
        "game_id": entries[0].hash,
        "game": setup.game.name,
        "title": setup.game.title,
        "sides": list(setup.game.players),
        "players": [str(seat) for seat in setup.seats],
        "result": UNFINISHED if outcome is None else outcome.result,
        "reason": "" if outcome is None else str(outcome.reason),
        "waits": [] if outcome is None else [str(each) for each in awaiting],
        "sentences": {
            "reason": None if outcome is None else keyed_json(outcome.reason),
            "waits": [] if outcome is None else [keyed_json(each) for each in awaiting],
        },
        "turns": len(played.turns),
        "head": entries[-1].hash,
        "entries": len(entries),
        "started": setup.started,
        "record": write_record(game_record(played), "json"),
        "text": _record_text(played),
    }


def _record_text(played: ReplayedGame) -> str:
    if played.setup.game.record_form != "text":
        return ""
    return write_record(game_record(played), "text")
