"""Puzzles at a table: each is a game from a position with a goal, one follows another, and which
were solved, and after how many tries, is remembered beside the games."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from controller import goals
from controller.agreement import Goal, Seat
from controller.beginning import Plan, agreed
from controller.clocks import TimeControl
from controller.config import BoardFile
from controller.game_store import games_folder
from controller.hosting import Hosted, made_for
from controller.loop import Loop
from controller.session_values import Habits, Phase, Session
from controller.web.commands import NewGame
from engine import strict_json
from engine.errors import LaserboardError, excerpt
from engine.puzzles import Puzzle, numbered, shelf
from engine.search import STRONGEST

FILE = "puzzles.json"
FORMAT = 1
MOST_TRIES = 10**6

Own = tuple[Puzzle, ...]  # puzzles of a file, to be played instead of those that all have


class BadProgress(LaserboardError, ValueError):
    """A file that does not tell which puzzles were solved."""


# -- what was solved ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tried:
    """What became of one puzzle: tries so far, and the day and time it was solved."""

    tries: int
    solved: str = ""  # nothing: not yet

    def __str__(self) -> str:
        tries = "1 try" if self.tries == 1 else f"{self.tries} tries"
        return f"solved {self.solved.partition(' ')[0]}, {tries}" if self.solved else tries


@dataclass(frozen=True, slots=True)
class Progress:
    """What became of all of them, by position: a puzzle stays itself under another number."""

    tried: Mapping[str, Tried] = field(default_factory=dict)

    def of(self, puzzle: Puzzle) -> Tried:
        return self.tried.get(puzzle.position, Tried(0))

    def after(self, position: str, solved: str) -> Progress:
        """One more try; `solved` is when it succeeded. The first time counts."""
        before = self.tried.get(position, Tried(0))
        now = Tried(before.tries + (not before.solved), before.solved or solved)
        return Progress({**self.tried, position: now})

    def write(self) -> str:
        told = {
            position: {"tries": each.tries, "solved": each.solved}
            for position, each in self.tried.items()
        }
        return f"{strict_json.write({'format': FORMAT, 'puzzles': told})}\n"

    @classmethod
    def read(cls, text: str) -> Progress:
        found = strict_json.fields(
            strict_json.read(text, BadProgress), "progress", BadProgress, ("format", "puzzles")
        )
        if found["format"] != FORMAT or not isinstance(found["puzzles"], dict):
            raise BadProgress(f"progress of another kind than this Laserboard's: {excerpt(text)}")
        return cls({key: _tried(each) for key, each in found["puzzles"].items()})


def _tried(value: Any) -> Tried:
    found = strict_json.fields(value, "a puzzle", BadProgress, ("tries", "solved"))
    if not isinstance(found["solved"], str):
        raise BadProgress(f"solved must be a day and time, not {excerpt(found['solved'])}")
    tries = strict_json.whole(found["tries"], "tries", BadProgress, 0, MOST_TRIES)
    return Tried(tries, found["solved"])


def progress_file() -> Path:
    """Beside the games of this user; it may not exist yet."""
    return games_folder().parent / FILE


def load_progress(path: Path) -> Progress:
    try:
        return Progress.read(path.read_text("utf-8"))
    except FileNotFoundError:
        return Progress()
    except (OSError, UnicodeDecodeError, BadProgress) as bad:
        raise BadProgress(
            f"cannot read which puzzles were solved: {bad}; put {path} right, or move it away"
        ) from None


class Keeper:
    """Looks at a game now and then, and keeps what becomes of its puzzle."""

    def __init__(
        self, progress: Progress, save: Callable[[Progress], None], now: Callable[[], str]
    ) -> None:
        self.progress = progress
        self._save, self._now = save, now
        self._seen: tuple[Goal | None, int, bool] = None, 0, False

    def look(self, loop: Loop) -> None:
        self.see(loop.session)

    def see(self, session: Session) -> None:
        over = session.phase is Phase.OVER
        before, self._seen = self._seen, (session.goal, session.missed, over)
        if session.goal is None or self._seen == before:
            return
        tried = session.missed > (before[1] if before[0] == session.goal else 0)
        ended = over and (before[0], before[2]) != (session.goal, True)
        if tried or ended:
            game = session.table.game
            first = session.history[0].position if session.history else session.position
            solved = self._now() if goals.solved(session) else ""
            self.progress = self.progress.after(game.write_position(first), solved)
            self._save(self.progress)


# -- what is played ----------------------------------------------------------------------------


def plan_of(
    number: int,
    place: str,
    file: BoardFile,
    simulated: bool,
    habits: Habits,
    chance: int = 0,
    own: Own = (),
) -> Plan:
    """The puzzle of that number as a game: a person solves it, the computer defends."""
    puzzle = numbered(number, own)
    first, second = (
        Seat("") if player == puzzle.solver else Seat("", STRONGEST) for player in range(2)
    )
    return agreed(
        puzzle.rules,
        puzzle.first,
        None,
        (first, second),
        TimeControl.read("none"),
        place=place,
        file=file,
        simulated=simulated,
        habits=habits,
        chance=chance,
        goal=Goal(f"puzzle {number}", puzzle.solver, puzzle.turns, puzzle.line),
    )


@dataclass(frozen=True)
class HostedPuzzle(Hosted):
    """A puzzle to be played; the next one follows, unless somebody wants a game."""

    number: int
    keeper: Keeper
    own: Own = ()

    def next(self, wanted: NewGame) -> Hosted:
        if (wanted.game, wanted.setup, wanted.seed) != (None, None, None):
            return super().next(wanted)
        game = numbered(self.number, self.own).game
        number = unsolved(self.keeper.progress, game, self.number, self.own)
        file, habits, chance = self.plan.file, self.plan.habits, self.plan.chance + 1
        plan = plan_of(number, self.place, file, self.simulated, habits, chance, self.own)
        return HostedPuzzle(self.place, plan, number, self.keeper, self.own)


def unsolved(progress: Progress, game: str, after: int = 0, own: Own = ()) -> int:
    """The next puzzle of that game that waits to be solved; with none left, just the next."""
    numbers = [n for n, puzzle in enumerate(own or shelf(), start=1) if puzzle.game == game]
    order = [*(n for n in numbers if n > after), *(n for n in numbers if n <= after)]
    return next((n for n in order if not progress.of(numbered(n, own)).solved), order[0])


def board_for(number: int, own: Own = ()) -> str:
    """The name of a board that is made for that puzzle's game."""
    return made_for(numbered(number, own).rules)[0]


def listed(turns: int | None = None, own: Own = ()) -> Iterator[tuple[int, Puzzle]]:
    """Every puzzle, or those of so many turns, with its number."""
    for number, puzzle in enumerate(own or shelf(), start=1):
        if turns is None or puzzle.turns == turns:
            yield number, puzzle
