"""The routes of the referee's console: positions for rulings, evidence images, exports of the game.

An image is served only under a hash that a journal of this program links. No path comes from a
client.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from controller.session.evidence import BadEvidence
from controller.session.journal import format_entries, recover
from controller.session.move_options import move_options
from controller.session.replay import game_record, replay
from controller.session.state import Session
from controller.storage.evidence_files import evidence_folder, read_evidence_file
from controller.storage.evidence_overlay import overlay_svg, parse_reading
from controller.storage.games import NoSuchGame, read_journal
from controller.ui.web import sentences
from controller.ui.web.base_app import Endpoint, user_of
from controller.ui.web.broadcast import Broadcaster
from controller.ui.web.game_json import legal_move_json
from controller.ui.web.permissions import Role
from controller.ui.web.request_guard import error_response
from controller.ui.web.viewer_routes import attachment_header
from engine.draw.board_json import Json, cells_owned_by, piece_json, pieces_json
from engine.errors import LaserboardError
from engine.game import Piece
from engine.record import write_record
from engine.sentences import Sentence

log = logging.getLogger(__name__)

# For URLs that contain the hash of the file.
CACHE_FOREVER = {"Cache-Control": "private, max-age=31536000, immutable"}
_TURNS_BACK = re.compile("[0-9]{1,6}", re.ASCII)
MEDIA_TYPES = {
    "sheet.html": "text/html; charset=utf-8",
    "journal.jsonl": "application/jsonl",
    "record.txt": "text/plain; charset=utf-8",
    "record.json": "application/json",
    "export.zip": "application/zip",
}
CHUNK_BYTES = 256 * 1024


class RefereeRoutes:
    """The endpoints of the console."""

    def __init__(self, broadcaster: Broadcaster) -> None:
        self._broadcaster = broadcaster
        self._export_lock = asyncio.Lock()  # one export at a time: it reads every image

    @property
    def routes(self) -> tuple[tuple[str, Endpoint], ...]:
        return (
            ("/position.json", self._position),
            ("/evidence/{name}", self._evidence),
            ("/referee/{form}", self._export_game),
        )

    async def _position(self, request: Request) -> Response:
        """The position `turns_back` turns ago, with its legal moves."""
        game_view = self._broadcaster.game_view
        if user_of(request).role is not Role.HOST:
            return error_response(sentences.REFEREE_ONLY(), 403)
        if game_view is None:
            return error_response(sentences.NO_GAME_YET(), 503)
        turns_back = request.query_params.get("turns_back", "0")
        played = len(game_view.session.history)
        if not _TURNS_BACK.fullmatch(turns_back) or int(turns_back) > played:
            return error_response(sentences.TURNS_PLAYED(turns=played), 404)
        position = await asyncio.to_thread(ruling_position_json, game_view.session, int(turns_back))
        return JSONResponse({"number": game_view.game.number, **position})

    async def _evidence(self, request: Request) -> Response:
        if not user_of(request).seats:
            return error_response(sentences.EVIDENCE_NOT_ALLOWED(), 403)
        name = request.path_params["name"]
        file_hash, _, form = name.partition(".")
        journal = self._broadcaster.state_diff.journal.linked_evidence.get(file_hash)
        game_view = self._broadcaster.game_view
        if journal is None or game_view is None or form not in ("jpg", "json", "svg"):
            return error_response(sentences.NO_EVIDENCE_IMAGE(), 404)
        players = game_view.session.game.players
        try:
            content = await asyncio.to_thread(_evidence_file, journal, file_hash, form, players)
        except BadEvidence as error:
            return error_response(_without_folder(error.sentence), 404)
        media_types = {"jpg": "image/jpeg", "json": "application/json", "svg": "image/svg+xml"}
        return Response(content, media_type=media_types[form], headers=CACHE_FOREVER)

    async def _export_game(self, request: Request) -> Response:
        """Export the running game as far as it is on disk."""
        game_view, form = self._broadcaster.game_view, request.path_params["form"]
        if user_of(request).role is not Role.HOST:
            return error_response(sentences.REFEREE_ONLY(), 403)
        if form not in MEDIA_TYPES:
            return error_response(sentences.UNKNOWN_FORM(forms=tuple(MEDIA_TYPES)), 404)
        if game_view is None or game_view.game.journal_path is None:
            return error_response(sentences.NO_GAME_YET(), 503)
        path = game_view.game.journal_path
        try:
            async with self._export_lock:
                file = await asyncio.to_thread(_export, path, form)
        except (LaserboardError, OSError) as error:
            log.warning("cannot export %s", path, exc_info=True)
            reason = error.sentence if isinstance(error, LaserboardError) else str(error)
            return error_response(sentences.CANNOT_EXPORT(reason=reason), 409)
        return StreamingResponse(
            _chunks(file),
            media_type=MEDIA_TYPES[form],
            headers=attachment_header(f"{path.stem}-{form}"),
        )


def ruling_position_json(session: Session, turns_back: int) -> Json:
    """The position `turns_back` turns ago, its legal moves, and the pieces for the tray."""
    game = session.game
    position = session.history[-turns_back].position if turns_back else session.position
    grid, movers = position.grid, game.to_move(position)
    legal_moves: dict[str, list[Json]] = {}
    for cell in cells_owned_by(position.pieces, movers):
        options = move_options(game, position, position.pieces[cell].owner, cell, {})
        if options:
            legal_moves[grid.name(cell)] = [
                legal_move_json(game, position, each) for each in options
            ]
    piece_counts = Counter((piece.kind, piece.owner) for piece in game.tags.values())
    return {
        "turns": len(session.history) - turns_back,
        "to_move": list(movers),
        "player_to_move": movers[0] if movers else 0,
        "pieces": pieces_json(grid, position.pieces),
        "legal_moves": legal_moves,
        "piece_set": [
            {
                "kind": kind,
                "owner": owner,
                "count": count,
                "full_hit_points": game.full_hit_points(kind),
            }
            for (kind, owner), count in sorted(piece_counts.items())
        ],
        "captured": [piece_json(grid, piece) for piece in _lost_pieces(session, turns_back)],
    }


def _lost_pieces(session: Session, turns_back: int) -> Iterator[Piece]:
    """The captured pieces, the last first, each as it was before the hit."""
    for played_turn in reversed(session.history[: len(session.history) - turns_back]):
        for loss in reversed(played_turn.turn.removed):
            yield loss.piece


def _evidence_file(journal: Path, file_hash: str, form: str, players: tuple[str, str]) -> bytes:
    folder = evidence_folder(journal)
    if form != "svg":
        return read_evidence_file(folder, f"{file_hash}.{form}")
    reading = parse_reading(read_evidence_file(folder, f"{file_hash}.json"))
    return overlay_svg(reading, players).encode()


def _without_folder(sentence: Sentence) -> Sentence:
    """The sentence without a path of this computer."""
    slots = {**sentence.slots}
    if "folder" in slots:
        slots["folder"] = sentences.THE_FOLDER()
    return Sentence(sentence.key, slots)


def _export(path: Path, form: str) -> IO[bytes]:
    from controller.storage.export.manifest import write_export
    from controller.storage.export.score_sheet import score_sheet

    recovered = recover(read_journal(path))
    played = replay(recovered.entries)
    tail = recovered.damaged_tail
    damage = played.fault or (None if tail is None or tail.is_power_cut_tail else tail)
    if damage is not None:
        raise NoSuchGame(sentences.JOURNAL_DAMAGED(reason=damage.sentence))
    file = TemporaryFile()  # noqa: SIM115 - `_chunks` closes it
    match form:
        case "sheet.html":
            file.write(score_sheet(recovered.entries, played).encode())
        case "record.txt" | "record.json":
            as_text = form == "record.txt" and played.setup.game.record_form == "text"
            file.write(write_record(game_record(played), "text" if as_text else "json").encode())
        case "journal.jsonl":
            file.write(format_entries(recovered.entries))
        case _:
            write_export(path, recovered.entries, played, file)
    file.seek(0)
    return file


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while content := file.read(CHUNK_BYTES):
            yield content
