"""Puzzles at a table: each is played as a game with a goal, and the next unsolved one follows.

`PuzzleProgress`, stored next to the games folder, counts tries and records what was solved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from controller.config.board_file import BoardFile
from controller.session import puzzle as goals
from controller.session.clocks import TimeControl
from controller.session.setup import PuzzleGoal, Seat
from controller.session.state import Phase, Session, TablePreferences
from controller.storage.games import games_folder
from controller.table import sentences
from controller.table.loop import Loop
from controller.table.next_game import NewGame, ScheduledGame, shipped_board_for
from controller.table.plan import GamePlan, plan_game
from engine import strict_json
from engine.errors import LaserboardError, excerpt
from engine.puzzles import Puzzle, load_puzzles, puzzle_by_number
from engine.search import STRONGEST
from engine.sentences import Sentence

PROGRESS_FILE_NAME = "puzzles.json"
PROGRESS_FORMAT = 1
MAX_TRIES = 10**6

OwnPuzzles = tuple[Puzzle, ...]  # from a file of the user; empty: the shipped puzzles


class BadProgress(LaserboardError, ValueError):
    """The file of the progress cannot be read."""


# -- progress ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PuzzleTries:
    """The progress on one puzzle: tries so far, and the day and time it was solved."""

    tries: int
    solved_at: str = ""  # empty: not solved

    @property
    def sentence(self) -> Sentence:
        """How often it was tried, and the day on which it was solved."""
        tries = (sentences.ONE_TRY if self.tries == 1 else sentences.TRIES)(count=self.tries)
        if not self.solved_at:
            return tries
        return sentences.SOLVED(day=self.solved_at.partition(" ")[0], tries=tries)

    def __str__(self) -> str:
        return str(self.sentence)


@dataclass(frozen=True, slots=True)
class PuzzleProgress:
    """The progress on all puzzles, by position, because numbers change between releases."""

    tries_by_position: Mapping[str, PuzzleTries] = field(default_factory=dict)

    def tries_of(self, puzzle: Puzzle) -> PuzzleTries:
        return self.tries_by_position.get(puzzle.position, PuzzleTries(0))

    def with_try(self, position: str, solved_at: str) -> PuzzleProgress:
        """Add a try; `solved_at` is empty if it failed. Nothing changes after the first success."""
        before = self.tries_by_position.get(position, PuzzleTries(0))
        now = PuzzleTries(before.tries + (not before.solved_at), before.solved_at or solved_at)
        return PuzzleProgress({**self.tries_by_position, position: now})

    def to_text(self) -> str:
        puzzles = {
            position: {"tries": each.tries, "solved": each.solved_at}
            for position, each in self.tries_by_position.items()
        }
        return f"{strict_json.write({'format': PROGRESS_FORMAT, 'puzzles': puzzles})}\n"

    @classmethod
    def parse(cls, text: str) -> PuzzleProgress:
        found = strict_json.require_object(
            strict_json.read(text, BadProgress), "progress", BadProgress, ("format", "puzzles")
        )
        if found["format"] != PROGRESS_FORMAT or not isinstance(found["puzzles"], dict):
            raise BadProgress(sentences.OTHER_PROGRESS_FORMAT(value=excerpt(text)))
        return cls({key: _read_tries(each) for key, each in found["puzzles"].items()})


def _read_tries(value: Any) -> PuzzleTries:
    found = strict_json.require_object(value, "a puzzle", BadProgress, ("tries", "solved"))
    if not isinstance(found["solved"], str):
        raise BadProgress(sentences.NOT_A_SOLVED_TIME(value=excerpt(found["solved"])))
    tries = strict_json.require_int(found["tries"], "tries", BadProgress, 0, MAX_TRIES)
    return PuzzleTries(tries, found["solved"])


def progress_file() -> Path:
    """The path of the user's progress; the file may not exist yet."""
    return games_folder().parent / PROGRESS_FILE_NAME


def load_progress(path: Path) -> PuzzleProgress:
    try:
        return PuzzleProgress.parse(path.read_text("utf-8"))
    except FileNotFoundError:
        return PuzzleProgress()
    except (OSError, UnicodeDecodeError, BadProgress) as error:
        reason = error.sentence if isinstance(error, BadProgress) else str(error)
        raise BadProgress(sentences.PROGRESS_UNREADABLE(reason=reason, path=str(path))) from error


class ProgressRecorder:
    """Watches a game that is a puzzle, and saves the progress after every try."""

    def __init__(
        self,
        progress: PuzzleProgress,
        save: Callable[[PuzzleProgress], None],
        now: Callable[[], str],
    ) -> None:
        self.progress = progress
        self._save, self._now = save, now
        self._last_checked: tuple[PuzzleGoal | None, int, bool] = None, 0, False

    def check_loop(self, loop: Loop) -> None:
        self.check_session(loop.session)

    def check_session(self, session: Session) -> None:
        over = session.phase is Phase.OVER
        before, self._last_checked = (
            self._last_checked,
            (session.puzzle.goal, session.puzzle.failed_tries, over),
        )
        if session.puzzle.goal is None or self._last_checked == before:
            return
        tried = session.puzzle.failed_tries > (before[1] if before[0] == session.puzzle.goal else 0)
        ended = over and (before[0], before[2]) != (session.puzzle.goal, True)
        if tried or ended:
            game = session.game
            first = session.history[0].position if session.history else session.position
            solved = self._now() if goals.is_solved(session) else ""
            self.progress = self.progress.with_try(game.write_position(first), solved)
            self._save(self.progress)


# -- the puzzle as a game ----------------------------------------------------------------------


def plan_puzzle(
    number: int,
    board_name: str,
    board_file: BoardFile,
    simulated: bool,
    preferences: TablePreferences,
    random_seed: int = 0,
    own: OwnPuzzles = (),
) -> GamePlan:
    """Plan the game of a puzzle: a person solves it, the computer defends."""
    puzzle = puzzle_by_number(number, own)
    first, second = (
        Seat("") if player == puzzle.solver else Seat("", STRONGEST) for player in range(2)
    )
    return plan_game(
        puzzle.rules,
        puzzle.start_position,
        None,
        (first, second),
        TimeControl.parse("none"),
        board_name=board_name,
        board_file=board_file,
        simulated=simulated,
        preferences=preferences,
        random_seed=random_seed,
        puzzle_goal=PuzzleGoal(f"puzzle {number}", puzzle.solver, puzzle.turns, puzzle.line),
    )


@dataclass(frozen=True)
class ScheduledPuzzle(ScheduledGame):
    """A planned puzzle. The next unsolved puzzle follows, unless a game is requested."""

    number: int
    recorder: ProgressRecorder
    own: OwnPuzzles = ()

    def next_game(self, wanted: NewGame) -> ScheduledGame:
        if (wanted.game, wanted.setup, wanted.seed) != (None, None, None):
            return super().next_game(wanted)
        game = puzzle_by_number(self.number, self.own).game
        number = next_unsolved(self.recorder.progress, game, self.number, self.own)
        plan = plan_puzzle(
            number,
            self.board_name,
            self.plan.board_file,
            self.simulated,
            self.plan.preferences,
            self.plan.random_seed + 1,
            self.own,
        )
        return ScheduledPuzzle(self.board_name, plan, number, self.recorder, self.own)


def next_unsolved(progress: PuzzleProgress, game: str, after: int = 0, own: OwnPuzzles = ()) -> int:
    """The next unsolved puzzle of that game; if all are solved, the next one."""
    numbers = [n for n, puzzle in enumerate(own or load_puzzles(), start=1) if puzzle.game == game]
    order = [*(n for n in numbers if n > after), *(n for n in numbers if n <= after)]
    return next(
        (n for n in order if not progress.tries_of(puzzle_by_number(n, own)).solved_at), order[0]
    )


def board_name_for(number: int, own: OwnPuzzles = ()) -> str:
    """The name of a shipped board for that puzzle's game."""
    return shipped_board_for(puzzle_by_number(number, own).rules)[0]


def numbered_puzzles(
    turns: int | None = None, own: OwnPuzzles = ()
) -> Iterator[tuple[int, Puzzle]]:
    """All puzzles, or those of `turns` turns, with their numbers."""
    for number, puzzle in enumerate(own or load_puzzles(), start=1):
        if turns is None or puzzle.turns == turns:
            yield number, puzzle
