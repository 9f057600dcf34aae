"""All games of an event in one file: their records, and the heads by which they can be checked."""

from __future__ import annotations

import io
import json
import zipfile

from controller.hall.messages import Result
from controller.hall.shown import Hall, hall_text

NEVER = (1980, 1, 1, 0, 0, 0)  # the same games are the same bytes


def export(hall: Hall, now_ms: float) -> bytes:
    """A zip: `heads.json`, `games/...` as JSON and, where a game has such a form, as text, and
    the hall as text."""
    results = hall.overview.finished()
    heads = {
        "event": hall.overview.event,
        "games": [
            {
                "round": each.round,
                "table": each.table,
                "players": dict(zip(each.sides, each.players, strict=True)),
                "game": each.game,
                "result": each.result,
                "reason": each.reason,
                "waits": list(each.waits),
                "turns": each.turns,
                "started": each.started,
                "head": each.head,
                "entries": each.entries,
                "first_entry": each.game_id,
                "record": f"games/{_name(each)}.json" if each.record else None,
            }
            for each in results
        ],
    }
    files = {
        "heads.json": json.dumps(heads, indent=2, ensure_ascii=False) + "\n",
        "hall.txt": hall_text(hall, now_ms) + "\n",
    }
    for each in results:
        if each.record:
            files[f"games/{_name(each)}.json"] = each.record
        if each.text:
            files[f"games/{_name(each)}.txt"] = each.text
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, NEVER)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content.encode("utf-8", "replace"))
    return packed.getvalue()


def _name(result: Result) -> str:
    """Of numbers and a hash alone: nobody's name is a path."""
    return f"round-{result.round:02}-table-{result.table:02}-{result.game_id[:8]}"
