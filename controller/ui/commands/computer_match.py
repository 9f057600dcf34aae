"""Runs a match of two computer players: progress, stored games, and the report at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from controller.computer.match.game import MatchGame, MatchTerms, game_from_record, make_openings
from controller.computer.match.players import Contestant
from controller.computer.match.report import progress_line, report_lines
from controller.computer.match.runner import Match, check_players, run_match
from controller.devices.factory.inputs import open_engine_player
from controller.ports.devices import MoveChooser
from controller.ui.commands import sentences
from controller.ui.console import (
    MAX_RECORD_BYTES,
    BadInput,
    Console,
    check_writable,
    file_error,
    printable_name,
    read_file,
    write_file,
)
from controller.ui.sentences import CANNOT_MAKE
from engine.errors import BadRecord
from engine.game import AnyGame
from engine.record import Record, read_games, write_games, write_record
from engine.sentences import Slot

PROGRESS_EVERY_MS = 10_000.0  # without a terminal
EXIT_FORFEIT = 1
SUFFIX = {"text": ".pgn", "json": ".json"}

ShowProgress = Callable[[Sequence[MatchGame]], None]


@dataclass(frozen=True, slots=True)
class MatchOptions:
    """Options of `laserboard match`: number of games, games in parallel, output file or folder."""

    games: int
    jobs: int = 1
    timeout_s: float = 10.0  # beyond its time, then a player forfeits the game
    record: str | None = None


def run_computer_match(terms: MatchTerms, options: MatchOptions, console: Console) -> int:
    """Play the games that are not stored yet; 1: a player forfeited a game."""

    def open_player(contestant: Contestant) -> MoveChooser:
        return open_engine_player(console.clock, contestant.command, options.timeout_s)

    openings = make_openings(terms, options.games // 2)
    match = Match(terms, openings, console.clock, open_player, options.jobs)
    store = None
    if options.record is not None:
        store = MatchRecordStore(options.record, terms.game, console)
    games = [] if store is None else store.load_played(terms)
    played_numbers = {each.number for each in games}
    total = len(played_numbers | {*range(1, options.games + 1)})
    if games:
        counts: dict[str, Slot] = {
            "name": str(options.record),
            "played": len(games),
            "total": total,
        }
        if total > options.games:
            note = sentences.MORE_GAMES_PLAYED_ALREADY(**counts, games=options.games)
        else:
            note = sentences.GAMES_PLAYED_ALREADY(**counts)
        console.note(note)
    if len(played_numbers) < total:
        check_players(match)
    show = _progress_in_place(console, total) if console.size else _progress_lines(console, total)
    interrupted = False
    try:
        for played in run_match(match, played_numbers):
            if played is not None:
                games.append(played)
                if store is not None:
                    store.save(played)
            show(games)
    except KeyboardInterrupt:
        interrupted = True
    if console.size:
        console.out.write("\r\x1b[K")
    for line in report_lines(terms, games):
        console.print(line)
    if interrupted:
        raise KeyboardInterrupt  # for the exit status
    return EXIT_FORFEIT if any(each.forfeited_by is not None for each in games) else 0


def _progress_in_place(console: Console, total: int) -> ShowProgress:
    start_ms, before = console.clock.now_ms(), -1

    def show(games: Sequence[MatchGame]) -> None:
        nonlocal before
        assert console.size is not None
        before = len(games) if before < 0 else before
        new, took_s = len(games) - before, (console.clock.now_ms() - start_ms) / 1000
        left_s = took_s * (total - len(games)) / new if new else 0.0
        line = progress_line(games, total)
        if new:
            line = str(sentences.TIME_LEFT(progress=line, minutes=round(left_s / 60)))
        console.out.write(f"\r{line[: console.size[0] - 1]}\x1b[K")
        console.out.flush()

    return show


def _progress_lines(console: Console, total: int) -> ShowProgress:
    printed_ms, printed = console.clock.now_ms(), -1

    def show(games: Sequence[MatchGame]) -> None:
        nonlocal printed_ms, printed
        now_ms = console.clock.now_ms()
        if now_ms < printed_ms + PROGRESS_EVERY_MS or len(games) in (printed, total):
            return
        printed_ms, printed = now_ms, len(games)
        console.print(progress_line(games, total))
        console.out.flush()

    return show


class MatchRecordStore:
    """One file for all games, or a folder with a file for each."""

    def __init__(self, name: str, game: AnyGame, console: Console) -> None:
        self._name, self._console, self._form = name, console, game.record_form
        self._folder = name.endswith("/") or Path(name).is_dir()
        self._games: list[Record] = []
        if self._folder:
            try:
                Path(name).mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise file_error(CANNOT_MAKE, name, error) from error
        else:
            check_writable(name)

    def load_played(self, terms: MatchTerms) -> list[MatchGame]:
        """The stored games of this match; a damaged one is played again."""
        stored = []
        for name in self._files():
            for record in read_games(read_file(name, MAX_RECORD_BYTES)):
                if isinstance(record, BadRecord):
                    continue
                game = game_from_record(terms, record)
                if game is None:
                    raise BadInput(sentences.OTHER_MATCH(name=printable_name(name)))
                stored.append(game)
        self._games = [each.record for each in stored]
        return stored

    def save(self, played: MatchGame) -> None:
        """Write the game; it is complete on the disk when this returns."""
        self._games.append(played.record)
        if self._folder:
            name = f"{self._name.rstrip('/')}/{played.number:05}{SUFFIX[self._form]}"
            write_file(name, write_record(played.record, self._form), self._console)
        else:
            write_file(self._name, write_games(self._games, self._form), self._console)

    def _files(self) -> list[str]:
        if self._folder:
            return sorted(map(str, Path(self._name).glob(f"*{SUFFIX[self._form]}")))
        return [self._name] if Path(self._name).exists() else []
