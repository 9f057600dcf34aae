"""Exports all games of an event to one zip: records, and the last hashes of their journals."""

from __future__ import annotations

import io
import json
import zipfile

from controller.tournament.messages import GameResult
from controller.tournament.views import TournamentView, tournament_text

FIXED_DATE = (1980, 1, 1, 0, 0, 0)  # the same games give the same bytes


def export_zip(view: TournamentView, now_ms: float) -> bytes:
    """A zip of `heads.json` (results and last hashes), `hall.txt` (the tournament as text) and
    `games/...` (records as JSON and, if the game has that form, as text)."""
    results = view.state.finished_results()
    summary = {
        "event": view.state.event,
        "games": [
            {
                "round": each.round,
                "table": each.table,
                "players": dict(zip(each.sides, each.players, strict=True)),
                "game": each.game,
                "result": each.result,
                "reason": str(each.reason or ""),
                "waits": [str(name) for name in each.awaiting],
                "turns": each.turns,
                "started": each.started,
                "head": each.last_hash,
                "entries": each.entries,
                "first_entry": each.game_id,
                "record": f"games/{_file_name(each)}.json" if each.record else None,
            }
            for each in results
        ],
    }
    # The names of version 0.1: `heads` are last hashes, the `hall` is the tournament.
    files = {
        "heads.json": json.dumps(summary, indent=2, ensure_ascii=False) + "\n",
        "hall.txt": tournament_text(view, now_ms) + "\n",
    }
    for each in results:
        if each.record:
            files[f"games/{_file_name(each)}.json"] = each.record
        if each.text:
            files[f"games/{_file_name(each)}.txt"] = each.text
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, FIXED_DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content.encode("utf-8", "replace"))
    return packed.getvalue()


def _file_name(result: GameResult) -> str:
    """A name of numbers and a hash only: names from the network are never used as paths."""
    return f"round-{result.round:02}-table-{result.table:02}-{result.game_id[:8]}"
