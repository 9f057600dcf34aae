"""What a referee's desk is given besides the live game: the position to rule on with all that may
be done in it, pictures of turns by their hash, and the game to be taken along.

A picture is served only if a journal of this program links it, and no path comes from a client.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from controller.evidence import BadEvidence
from controller.evidence_drawing import overlay_svg, read_seen
from controller.evidence_store import evidence_folder, read_file
from controller.game_store import NoSuchGame, read
from controller.journal import recover, write_lines
from controller.played import record, replay
from controller.session_values import Session
from controller.terminal.ways import ways
from controller.web.gate import refused
from controller.web.hub import Hub
from controller.web.lobby import Answer, visitor_of
from controller.web.looking import download
from controller.web.pieces_json import Json, owned, piece_json, pieces_json
from controller.web.rights import REFEREES, Role
from controller.web.snapshot import way_json
from engine.errors import LaserboardError
from engine.game import Piece
from engine.record import write

NO_GAME = "no game has begun yet"
NO_PICTURE = "no such picture is linked by this game"
NOT_YOURS = "pictures of turns are for the players and the referee"
FOR_EVER = {"Cache-Control": "private, max-age=31536000, immutable"}  # its name is its hash
_BACK = re.compile("[0-9]{1,6}", re.ASCII)
KINDS = {
    "sheet.html": "text/html; charset=utf-8",
    "journal.jsonl": "application/jsonl",
    "record.txt": "text/plain; charset=utf-8",
    "record.json": "application/json",
    "export.zip": "application/zip",
}
CHUNK = 256 * 1024


class Desk:
    """Answers for `controller.web.app`."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._working = asyncio.Lock()  # one export at a time: it reads every picture

    @property
    def routes(self) -> tuple[tuple[str, Answer], ...]:
        return (
            ("/position.json", self._position),
            ("/evidence/{name}", self._evidence),
            ("/desk/{form}", self._taken_along),
        )

    async def _position(self, request: Request) -> Response:
        """The position so many turns back, with every legal move in it."""
        moment = self._hub.moment
        if visitor_of(request).role is not Role.REFEREE:
            return refused(REFEREES, 403)
        if moment is None:
            return refused(NO_GAME, 503)
        back = request.query_params.get("back", "0")
        if not _BACK.fullmatch(back) or int(back) > len(moment.session.history):
            return refused(f"{len(moment.session.history)} turns were played", 404)
        found = await asyncio.to_thread(told, moment.session, int(back))
        return JSONResponse({"number": moment.sitting.number, **found})

    async def _evidence(self, request: Request) -> Response:
        if not visitor_of(request).seats:
            return refused(NOT_YOURS, 403)
        name = request.path_params["name"]
        found, _, form = name.partition(".")
        journal = self._hub.parcels.ledger.linked.get(found)
        moment = self._hub.moment
        if journal is None or moment is None or form not in ("jpg", "json", "svg"):
            return refused(NO_PICTURE, 404)
        players = moment.session.table.game.players
        try:
            content = await asyncio.to_thread(_file, journal, found, form, players)
        except BadEvidence as bad:
            return refused(str(bad).replace(f"{evidence_folder(journal)}", "the folder"), 404)
        kinds = {"jpg": "image/jpeg", "json": "application/json", "svg": "image/svg+xml"}
        return Response(content, media_type=kinds[form], headers=FOR_EVER)

    async def _taken_along(self, request: Request) -> Response:
        """The running game as it is written so far."""
        moment, form = self._hub.moment, request.path_params["form"]
        if visitor_of(request).role is not Role.REFEREE:
            return refused(REFEREES, 403)
        if form not in KINDS:
            return refused(f"there is no such form: {', '.join(KINDS)}", 404)
        if moment is None or moment.sitting.journal is None:
            return refused(NO_GAME, 503)
        path = moment.sitting.journal
        try:
            async with self._working:
                file = await asyncio.to_thread(_export, path, form)
        except (LaserboardError, OSError) as bad:
            return refused(f"it cannot be taken along: {bad}", 409)
        return StreamingResponse(
            _chunks(file), media_type=KINDS[form], headers=download(f"{path.stem}-{form}")
        )


def told(session: Session, back: int) -> Json:
    """The position so many turns back, all that may be done in it, and what is beside the board."""
    game = session.table.game
    position = session.history[-back].position if back else session.position
    grid, movers = position.grid, game.to_move(position)
    possible: dict[str, list[Json]] = {}
    for cell in owned(position.pieces, movers):
        found = ways(game, position, position.pieces[cell].owner, cell, {})
        if found:
            possible[grid.name(cell)] = [way_json(game, position, each) for each in found]
    sets = Counter((piece.kind, piece.owner) for piece in game.tags.values())
    return {
        "turns": len(session.history) - back,
        "movers": list(movers),
        "mover": movers[0] if movers else 0,
        "pieces": pieces_json(grid, position.pieces),
        "ways": possible,
        "set": [
            {"kind": kind, "owner": owner, "count": count, "unhurt": game.unhurt(kind)}
            for (kind, owner), count in sorted(sets.items())
        ],
        "lost": [piece_json(grid, piece) for piece in _lost(session, back)],
    }


def _lost(session: Session, back: int) -> Iterator[Piece]:
    """What was struck off the board, the last first, each as it stood before it was struck."""
    for past in reversed(session.history[: len(session.history) - back]):
        for loss in reversed(past.turn.removed):
            yield loss.piece


def _file(journal: Path, found: str, form: str, players: tuple[str, str]) -> bytes:
    folder = evidence_folder(journal)
    if form != "svg":
        return read_file(folder, f"{found}.{form}")
    return overlay_svg(read_seen(read_file(folder, f"{found}.json")), players).encode()


def _export(path: Path, form: str) -> IO[bytes]:
    from controller.exports.contents import export
    from controller.exports.sheet import sheet

    recovered = recover(read(path))
    played = replay(recovered.entries)
    if played.fault is not None or (recovered.torn is not None and not recovered.torn.is_tail):
        raise NoSuchGame(f"the journal is damaged: {played.fault or recovered.torn}")
    file = TemporaryFile()  # noqa: SIM115 - it is closed by whoever sends it
    match form:
        case "sheet.html":
            file.write(sheet(recovered.entries, played).encode())
        case "record.txt" | "record.json":
            as_text = form == "record.txt" and played.start.game.record_form == "text"
            file.write(write(record(played), "text" if as_text else "json").encode())
        case "journal.jsonl":
            file.write(write_lines(recovered.entries))
        case _:
            export(path, recovered.entries, played, file.write)
    file.seek(0)
    return file


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while content := file.read(CHUNK):
            yield content
