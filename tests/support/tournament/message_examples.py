"""Messages of boards, without any board."""

from __future__ import annotations

import json
from typing import Any

from controller.session.setup import TournamentEntry
from controller.tournament import topics

EVENT = "Club / night 🎉"
HEAD = "ab" * 32


def tournament_entry(table: int = 1, round_: int = 1, event: str = EVENT) -> TournamentEntry:
    return TournamentEntry(event, round_, table)


def presence(word: str = "here", instance: str = "one") -> dict[str, Any]:
    return {"instance": instance, "presence": word}


def pulse(instance: str = "one", quiet_ms: int = 0, **more: Any) -> dict[str, Any]:
    return {"instance": instance, "number": 1, "quiet_ms": quiet_ms, "clocks": None, **more}


def state(table: int = 1, **more: Any) -> dict[str, Any]:
    return {
        "instance": "one",
        "event": EVENT,
        "round": 1,
        "table": table,
        "game": "laser-chess",
        "options": {},
        "title": "Laser Chess",
        "sides": ["blue", "red"],
        "players": ["Ada", "Grace"],
        "phase": "turn",
        "guide": "blue to move",
        "reasons": [],
        "clocks": {"left_ms": [300_000, 299_000], "running": [0]},
        "turns": 2,
        "position": "l++9/4k5/*/2b7/9B/*/*/4K4L b",
        "last": "red c7 to d7",
        "head": HEAD,
        "outcome": None,
        "page": "http://192.168.1.7:8137/",
        **more,
    }


def result(table: int = 1, round_: int = 1, **more: Any) -> dict[str, Any]:
    return {
        "event": EVENT,
        "round": round_,
        "table": table,
        "game_id": f"{round_:032x}{table:032x}",
        "game": "laser-chess",
        "title": "Laser Chess",
        "sides": ["blue", "red"],
        "players": ["Ada", "Grace"],
        "result": "1-0",
        "reason": "king captured",
        "turns": 17,
        "head": HEAD,
        "entries": 19,
        "started": "2026-03-01 19:30",
        "record": '{"game":"laser-chess"}\n',
        "text": '[Event "Club"]\n\n1. j4j3 1-0\n',
        **more,
    }


def sent(
    what: str, body: Any, table: int = 1, round_: int = 1, event: str = EVENT
) -> tuple[str, bytes]:
    """A topic and its payload."""
    where = tournament_entry(table, round_, event)
    topic = {
        "state": topics.state_topic,
        "pulse": topics.pulse_topic,
        "presence": topics.presence_topic,
        "result": topics.result_topic,
    }[what](where)
    return topic, body if isinstance(body, bytes) else json.dumps(body).encode()
