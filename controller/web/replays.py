"""Games that were played, for the page: the list, one of them turn by turn, its record, and any of
its positions as a picture. A game is found by its name in the store's own list, nowhere else."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from controller.game_store import NoSuchGame, kept, read
from controller.journal import recover
from controller.played import Played, left, record, replay, summary
from controller.web.drawing import drawing
from controller.web.pieces_json import (
    Json,
    grid_json,
    ground_json,
    outcome_json,
    pieces_json,
    players_json,
    turn_json,
)
from engine import games
from engine.draw import svg, turn_svg
from engine.errors import LaserboardError, excerpt
from engine.record import Form, Record, write
from engine.strict_json import write as write_json

LISTED = 100
REMEMBERED = 4  # games, played through
LONGEST_NAME = 64
FORMS: dict[str, Form] = {"text": "text", "json": "json"}

T = TypeVar("T")
Stamp = tuple[int, int]  # of a file: when it was changed, how long it is


@dataclass(frozen=True)
class _Game:
    """A game that was read."""

    stamp: Stamp
    played: Played
    text: str  # all of it as JSON


class Replays:
    """The games of one folder. Reading takes its time: one at a time, in another thread."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._reading = asyncio.Lock()
        self._games: OrderedDict[str, _Game] = OrderedDict()
        self._rows: dict[str, tuple[Stamp, Json | None]] = {}

    async def listed(self) -> list[Json]:
        """The newest games in which something was played, in a few words each."""
        return await self._slowly(self._listed)

    async def told(self, name: str) -> str:
        """A whole game as JSON text, each turn as the live page gets it."""
        return (await self._slowly(lambda: self._game(name))).text

    async def written(self, name: str, form: str) -> str:
        """Its record; `text` only where the game has such a form."""
        if form not in FORMS:
            raise NoSuchGame(f"there is no record as {excerpt(form)}: text or json")
        return await self._slowly(lambda: write(record(self._game(name).played), FORMS[form]))

    async def recorded(self, name: str) -> tuple[Stamp, Record]:
        """The game as a record, and which state of its file that was."""

        def read_again() -> tuple[Stamp, Record]:
            found = self._game(name)
            return found.stamp, record(found.played)

        return await self._slowly(read_again)

    async def pictured(self, name: str, turn: int, beams: bool) -> str:
        """The position after so many turns as SVG; with beams, the last turn as it fires."""
        return await self._slowly(lambda: self._pictured(name, turn, beams))

    async def drawn(self, name: str) -> Json:
        """How its board and pieces look."""

        def draw() -> Json:
            start = self._game(name).played.start
            return drawing(start.game, start.first())

        return await self._slowly(draw)

    async def _slowly(self, work: Callable[[], T]) -> T:
        async with self._reading:
            return await asyncio.to_thread(work)

    # -- in the other thread ---------------------------------------------------------------------

    def _paths(self) -> dict[str, Path]:
        return {path.stem: path for path in kept(self._folder)}

    def _listed(self) -> list[Json]:
        rows: list[Json] = []
        paths = self._paths()
        self._rows = {name: row for name, row in self._rows.items() if name in paths}
        for name, path in paths.items():
            row = self._row(name, path)
            if row is not None:
                rows.append(row)
            if len(rows) == LISTED:
                break
        return rows

    def _row(self, name: str, path: Path) -> Json | None:
        stamp = _stamp(path)
        known = self._rows.get(name)
        if known is None or known[0] != stamp:
            known = stamp, _summary(name, path)
            self._rows[name] = known
        return known[1]

    def _game(self, name: str) -> _Game:
        path = self._paths().get(name) if len(name) <= LONGEST_NAME else None
        if path is None:
            raise NoSuchGame(f"no game is kept as {excerpt(name)}")
        stamp, found = _stamp(path), self._games.pop(name, None)
        if found is None or found.stamp != stamp:
            played = replay(recover(read(path)).entries)
            found = _Game(stamp, played, write_json(game_json(name, played)))
        self._games[name] = found
        if len(self._games) > REMEMBERED:
            self._games.popitem(last=False)
        return found

    def _pictured(self, name: str, turn: int, beams: bool) -> str:
        played = self._game(name).played
        game = played.start.game
        if not 0 <= turn <= len(played.turns):
            raise NoSuchGame(f"that game has turns 0 to {len(played.turns)}, not {turn}")
        if turn and beams:
            return turn_svg(game, played.turns[turn - 1])
        position = played.after(turn)
        return svg(game, position)


def game_json(name: str, played: Played) -> Json:
    """A game with all its turns."""
    start, game = played.start, played.start.game
    first, put = played.after(0), dict(played.corrected)
    return {
        "id": name,
        "name": game.name,
        "title": game.title,
        "goal": game.goal,
        "puzzle": None if start.goal is None else start.goal.name,
        "simultaneous": len(game.to_move(start.first())) > 1,
        "players": players_json(game, start),
        "setup": start.setup,
        "options": game.options(),
        "started": start.started,
        "time_control": start.time_control or "none",
        "forms": ["text", "json"] if game.record_form == "text" else ["json"],
        "letters": dict(game.letters),
        "grid": grid_json(first.grid),
        "ground": ground_json(first.grid, game.marks(first)),
        "pieces": pieces_json(first.grid, first.pieces),
        "turns": [
            {
                **turn_json(game, turn),
                "left_ms": None if clocks is None else [_left(clocks, player) for player in (0, 1)],
                # What stands after it, if that is not where it led: a referee put it so.
                "corrected": pieces_json(first.grid, put[number].pieces) if number in put else None,
            }
            for number, (turn, clocks) in enumerate(
                zip(played.turns, played.clocks, strict=True), start=1
            )
        ],
        "taken_back": played.taken_back,
        "outcome": outcome_json(played.ended),
        "harm": "" if played.fault is None else played.fault.reason,
    }


def _left(clocks: Any, player: int) -> int | None:
    left_ms = left(clocks, player)
    return None if left_ms is None else round(left_ms)


def _summary(name: str, path: Path) -> Json | None:
    """A row of the list; None: nothing was played, or it cannot be read."""
    try:
        entries = recover(read(path)).entries
        told = summary(entries)
    except LaserboardError:
        return None
    if not told.turns:
        return None
    known, goal = games.GAMES.get(told.game), entries[0].body.get("goal")
    return {
        "id": name,
        "name": told.game,
        "title": told.game if known is None else known.title,
        "puzzle": str(goal.get("name")) if isinstance(goal, dict) else None,
        "players": list(told.players),
        "started": told.started,
        "turns": told.turns,
        "outcome": outcome_json(told.result),
    }


def _stamp(path: Path) -> Stamp:
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size
