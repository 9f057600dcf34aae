"""Games that were played, for the page: the list, one of them turn by turn, its record, and any of
its positions as a picture. A game is found by its name in the store's own list, nowhere else."""

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
from controller.ui import sentences
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
from engine.strict_json import write as write_json

log = logging.getLogger(__name__)

MOST_LISTED = 100
MOST_CACHED_GAMES = 4  # games, played through
LONGEST_NAME = 64
FORMS: dict[str, RecordForm] = {"text": "text", "json": "json"}

T = TypeVar("T")
FileStamp = tuple[int, int]  # of a file: when it was changed, how long it is


@dataclass(frozen=True)
class _CachedGame:
    """A game that was read."""

    stamp: FileStamp
    played: ReplayedGame
    text: str  # all of it as JSON


class ReplayService:
    """The games of one folder. Reading takes its time: one at a time, in another thread."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._reading = asyncio.Lock()
        self._games: OrderedDict[str, _CachedGame] = OrderedDict()
        self._rows: dict[str, tuple[FileStamp, Json | None]] = {}

    async def list_games(self) -> list[Json]:
        """The newest games in which something was played, in a few words each."""
        return await self._run_in_thread(self._list_games)

    async def game_text(self, name: str) -> str:
        """A whole game as JSON text, each turn as the live page gets it."""
        return (await self._run_in_thread(lambda: self._game(name))).text

    async def record_text(self, name: str, form: str) -> str:
        """Its record; `text` only where the game has such a form."""
        if form not in FORMS:
            raise NoSuchGame(sentences.UNKNOWN_RECORD_FORM(form=excerpt(form)))
        return await self._run_in_thread(
            lambda: write_record(game_record(self._game(name).played), FORMS[form])
        )

    async def load_record(self, name: str) -> tuple[FileStamp, Record]:
        """The game as a record, and which state of its file that was."""

        def read_again() -> tuple[FileStamp, Record]:
            found = self._game(name)
            return found.stamp, game_record(found.played)

        return await self._run_in_thread(read_again)

    async def position_svg(self, name: str, turn: int, beams: bool) -> str:
        """The position after so many turns as SVG; with beams, the last turn as it fires."""
        return await self._run_in_thread(lambda: self._position_svg(name, turn, beams))

    async def board_drawing(self, name: str) -> Json:
        """How its board and pieces look."""

        def draw() -> Json:
            start = self._game(name).played.setup
            return board_drawing_json(start.game, start.first_position())

        return await self._run_in_thread(draw)

    async def _run_in_thread(self, work: Callable[[], T]) -> T:
        async with self._reading:
            return await asyncio.to_thread(work)

    # -- in the other thread ---------------------------------------------------------------------

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
            if len(rows) == MOST_LISTED:
                break
        return rows

    def _row(self, name: str, path: Path) -> Json | None:
        stamp = _stamp(path)
        known = self._rows.get(name)
        if known is None or known[0] != stamp:
            known = stamp, _list_row(name, path)
            self._rows[name] = known
        return known[1]

    def _game(self, name: str) -> _CachedGame:
        path = self._paths().get(name) if len(name) <= LONGEST_NAME else None
        if path is None:
            raise NoSuchGame(sentences.NO_SUCH_GAME(name=excerpt(name)))
        stamp, found = _stamp(path), self._games.pop(name, None)
        if found is None or found.stamp != stamp:
            played = replay(recover(read_journal(path)).entries)
            found = _CachedGame(stamp, played, write_json(replay_json(name, played)))
        self._games[name] = found
        if len(self._games) > MOST_CACHED_GAMES:
            self._games.popitem(last=False)
        return found

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
    start, game = played.setup, played.setup.game
    first, put = played.position_after(0), dict(played.corrections)
    return {
        "id": name,
        "name": game.name,
        "title": game.title,
        "goal": game.goal,
        "puzzle": None if start.puzzle_goal is None else start.puzzle_goal.name,
        "simultaneous": len(game.to_move(start.first_position())) > 1,
        "players": players_json(game, start),
        "setup": start.setup_name,
        "options": game.options(),
        "started": start.started,
        "time_control": start.time_control or "none",
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
                # What stands after it, if that is not where it led: a referee put it so.
                "corrected": pieces_json(first.grid, put[number].pieces) if number in put else None,
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
    """A row of the list; None: nothing was played, or it cannot be read."""
    try:
        entries = recover(read_journal(path)).entries
        found = summarise(entries)
    except LaserboardError:
        log.info("does not list %s", path, exc_info=True)
        return None
    if not found.turns:
        return None
    known, goal = games.GAMES.get(found.game), entries[0].body.get("goal")
    return {
        "id": name,
        "name": found.game,
        "title": found.game if known is None else known.title,
        "puzzle": str(goal.get("name")) if isinstance(goal, dict) else None,
        "players": list(found.players),
        "started": found.started,
        "turns": found.turns,
        "outcome": outcome_json(found.result),
    }


def _stamp(path: Path) -> FileStamp:
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size
