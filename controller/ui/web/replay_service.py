"""Serves stored games for replay: the list, a game with its turns, records, drawings of positions.

A game is looked up by name in the list of journals, so that no path comes from a client.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from controller.session.journal import recover
from controller.session.replay import (
    ReplayedGame,
    game_record,
    recorded_remaining_ms,
    replay,
    summarise,
)
from controller.storage.games import NoSuchGame, list_journals, read_journal
from controller.ui.web import sentences
from controller.ui.web.board_svg import board_drawing_json
from controller.ui.web.json_values import optional_sentence_json, players_json
from engine import games
from engine.draw import position_svg, turn_svg
from engine.draw.board_json import (
    Json,
    animated_turn_json,
    grid_json,
    outcome_json,
    pieces_json,
    terrain_json,
)
from engine.errors import LaserboardError, excerpt
from engine.record import Record, RecordForm, write_record
from engine.sentences import sentence_json
from engine.strict_json import write as write_json

log = logging.getLogger(__name__)

MAX_LISTED_GAMES = 100
MAX_CACHED_GAMES = 4
MAX_NAME_LENGTH = 64
FORMS: dict[str, RecordForm] = {"text": "text", "json": "json"}

T = TypeVar("T")
FileStamp = tuple[int, int]  # time of the last change in ns, size in bytes


@dataclass(frozen=True)
class _CachedGame:
    """A game as read from its journal."""

    stamp: FileStamp
    played: ReplayedGame
    text: str  # the whole game as JSON


class ReplayService:
    """The games of one folder. Reading is slow: it happens in a thread, one call at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = asyncio.Lock()
        self._games: OrderedDict[str, _CachedGame] = OrderedDict()
        self._rows: dict[str, tuple[FileStamp, Json | None]] = {}

    async def list_games(self) -> list[Json]:
        """The newest games with at least one turn, a row for each."""
        return await self._run_in_thread(self._list_games)

    async def game_text(self, name: str) -> str:
        """A whole game as JSON text; its turns have the format of the live part `turn`."""
        return (await self._run_in_thread(lambda: self._game(name))).text

    async def record_text(self, name: str, form: str) -> str:
        """The game's record; only some games have the form `text`."""
        if form not in FORMS:
            raise NoSuchGame(sentences.UNKNOWN_RECORD_FORM(form=excerpt(form)))
        return await self._run_in_thread(
            lambda: write_record(game_record(self._game(name).played), FORMS[form])
        )

    async def load_record(self, name: str) -> tuple[FileStamp, Record]:
        """The game's record, with the stamp of the journal that it was read from."""

        def read() -> tuple[FileStamp, Record]:
            game = self._game(name)
            return game.stamp, game_record(game.played)

        return await self._run_in_thread(read)

    async def position_svg(self, name: str, turn: int, beams: bool) -> str:
        """The position after `turn` turns as SVG; with `beams`, that turn with its beams."""
        return await self._run_in_thread(lambda: self._position_svg(name, turn, beams))

    async def board_drawing(self, name: str) -> Json:
        """The drawing of the game's board and pieces."""

        def draw() -> Json:
            setup = self._game(name).played.setup
            return board_drawing_json(setup.game, setup.first_position())

        return await self._run_in_thread(draw)

    async def _run_in_thread(self, work: Callable[[], T]) -> T:
        async with self._lock:
            return await asyncio.to_thread(work)

    # -- run in the thread -----------------------------------------------------------------------

    def _paths(self) -> dict[str, Path]:
        return {path.stem: path for path in list_journals(self._folder)}

    def _list_games(self) -> list[Json]:
        rows: list[Json] = []
        paths = self._paths()
        self._rows = {name: row for name, row in self._rows.items() if name in paths}
        for name, path in paths.items():
            row = self._row(name, path)
            if row is not None:
                rows.append(row)
            if len(rows) == MAX_LISTED_GAMES:
                break
        return rows

    def _row(self, name: str, path: Path) -> Json | None:
        stamp = _stamp(path)
        cached = self._rows.get(name)
        if cached is None or cached[0] != stamp:
            cached = stamp, _list_row(name, path)
            self._rows[name] = cached
        return cached[1]

    def _game(self, name: str) -> _CachedGame:
        path = self._paths().get(name) if len(name) <= MAX_NAME_LENGTH else None
        if path is None:
            raise NoSuchGame(sentences.NO_SUCH_GAME(name=excerpt(name)))
        stamp, cached = _stamp(path), self._games.pop(name, None)
        if cached is None or cached.stamp != stamp:
            played = replay(recover(read_journal(path)).entries)
            cached = _CachedGame(stamp, played, write_json(replay_json(name, played)))
        self._games[name] = cached
        if len(self._games) > MAX_CACHED_GAMES:
            self._games.popitem(last=False)
        return cached

    def _position_svg(self, name: str, turn: int, beams: bool) -> str:
        played = self._game(name).played
        game = played.setup.game
        if not 0 <= turn <= len(played.turns):
            raise NoSuchGame(sentences.NO_SUCH_TURN(turns=len(played.turns), turn=turn))
        if turn and beams:
            return turn_svg(game, played.turns[turn - 1])
        position = played.position_after(turn)
        return position_svg(game, position)


def replay_json(name: str, played: ReplayedGame) -> Json:
    """A game with all its turns."""
    setup, game = played.setup, played.setup.game
    first, corrections = played.position_after(0), dict(played.corrections)
    return {
        "id": name,
        "name": game.name,
        "title": game.title,
        "goal": sentence_json(game.goal),
        "puzzle": None if setup.puzzle_goal is None else setup.puzzle_goal.name,
        "simultaneous": len(game.to_move(setup.first_position())) > 1,
        "players": players_json(game, setup),
        "setup": setup.setup_name,
        "options": game.options(),
        "started": setup.started,
        "time_control": setup.time_control or "none",
        "forms": ["text", "json"] if game.record_form == "text" else ["json"],
        "letters": dict(game.letters),
        "grid": grid_json(first.grid),
        "terrain": terrain_json(first.grid, game.marks(first)),
        "pieces": pieces_json(first.grid, first.pieces),
        "turns": [
            {
                **animated_turn_json(game, turn),
                "left_ms": None
                if clocks is None
                else [_remaining_ms(clocks, player) for player in (0, 1)],
                # The pieces after the turn as a referee corrected them.
                "corrected": pieces_json(first.grid, corrections[number].pieces)
                if number in corrections
                else None,
            }
            for number, (turn, clocks) in enumerate(
                zip(played.turns, played.clocks, strict=True), start=1
            )
        ],
        "taken_back": played.taken_back_turns,
        "outcome": outcome_json(played.outcome),
        "damage": optional_sentence_json(None if played.fault is None else played.fault.reason),
    }


def _remaining_ms(clocks: Any, player: int) -> int | None:
    left_ms = recorded_remaining_ms(clocks, player)
    return None if left_ms is None else round(left_ms)


def _list_row(name: str, path: Path) -> Json | None:
    """A row of the list; None if the game has no turns or cannot be read."""
    try:
        entries = recover(read_journal(path)).entries
        summary = summarise(entries)
    except LaserboardError:
        log.info("does not list %s", path, exc_info=True)
        return None
    if not summary.turns:
        return None
    game, goal = games.GAMES.get(summary.game), entries[0].body.get("goal")
    return {
        "id": name,
        "name": summary.game,
        "title": summary.game if game is None else game.title,
        "puzzle": str(goal.get("name")) if isinstance(goal, dict) else None,
        "players": list(summary.players),
        "started": summary.started,
        "turns": summary.turns,
        "outcome": outcome_json(summary.result),
    }


def _stamp(path: Path) -> FileStamp:
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size
