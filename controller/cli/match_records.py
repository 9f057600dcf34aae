"""`laserboard match --record`: every game as a record, and a match that was left goes on there."""

from __future__ import annotations

from pathlib import Path

from controller.cli.console import (
    LARGEST_RECORD,
    BadInput,
    Console,
    check_writable,
    read_file,
    shown,
    write_file,
)
from controller.matches.playing import Played, Terms, kept_game
from engine.errors import BadRecord
from engine.game import AnyGame
from engine.record import Record, read_games, write, write_games

SUFFIX = {"text": ".pgn", "json": ".json"}


class Records:
    """One file for all games, or a folder with a file for each."""

    def __init__(self, name: str, game: AnyGame, console: Console) -> None:
        self._name, self._console, self._form = name, console, game.record_form
        self._folder = name.endswith("/") or Path(name).is_dir()
        self._games: list[Record] = []
        if self._folder:
            try:
                Path(name).mkdir(parents=True, exist_ok=True)
            except OSError as bad:
                raise BadInput(f"cannot make {shown(name)}: {bad.strerror or bad}") from None
        else:
            check_writable(name)

    def played(self, terms: Terms) -> list[Played]:
        """The games of this match that are there already; a torn one is played again."""
        found = []
        for name in self._files():
            for record in read_games(read_file(name, LARGEST_RECORD)):
                if isinstance(record, BadRecord):
                    continue
                game = kept_game(terms, record)
                if game is None:
                    raise BadInput(
                        f"{shown(name)} has a game of another match: name another file, or folder"
                    )
                found.append(game)
        self._games = [each.record for each in found]
        return found

    def keep(self, played: Played) -> None:
        """The game is on the disk, as a whole, when this comes back."""
        self._games.append(played.record)
        if self._folder:
            name = f"{self._name.rstrip('/')}/{played.number:05}{SUFFIX[self._form]}"
            write_file(name, write(played.record, self._form), self._console)
        else:
            write_file(self._name, write_games(self._games, self._form), self._console)

    def _files(self) -> list[str]:
        if self._folder:
            return sorted(map(str, Path(self._name).glob(f"*{SUFFIX[self._form]}")))
        return [self._name] if Path(self._name).exists() else []
