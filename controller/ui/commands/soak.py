"""Runs a soak test: its progress, its tables, and a line for each failed game."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from controller.simulation.soak.game import SoakResult
from controller.simulation.soak.report import fault_table, game_table
from controller.simulation.soak.runner import (
    SoakGoal,
    SoakPlan,
    SoakProgress,
    SoakRunner,
    results_json,
)
from controller.ui.console import Console, file_error, write_file
from controller.ui.sentences import CANNOT_MAKE
from engine.sentences import pluralise

PROGRESS_EVERY_GAMES = 10  # games between two lines of output without a terminal


@dataclass(frozen=True, slots=True)
class SoakOptions:
    """Which games, how many, how many at once, and where the results are stored."""

    plan: SoakPlan
    goal: SoakGoal
    jobs: int
    timeout_s: float  # without a turn
    folder: str | None = None  # None: a temporary one, deleted after success
    json: str | None = None


def run_soak(options: SoakOptions, console: Console) -> int:
    """Play the games and print their results; 1: a game failed."""
    plan, goal = options.plan, options.goal
    folder = _folder(options.folder)
    soak = SoakRunner(plan, folder, console.clock, options.jobs, options.timeout_s)
    if soak.results:
        done = pluralise(len(soak.results), "game is", "games are")
        console.note(f"{folder}: {done} finished already")
    report = (
        _progress_in_place(console, goal)
        if console.size
        else _progress_lines(console, len(soak.results))
    )
    try:
        verdicts = soak.run(goal, report)
    except BaseException:
        if options.folder is None:
            shutil.rmtree(folder)
        raise
    if console.size:
        console.out.write("\r\x1b[K")
    for line in (*game_table(verdicts), *(fault_table(verdicts) if plan.chaos else ())):
        console.print(line)
    bad = [each for each in verdicts if not each.passed]
    for each in bad:
        console.print(_failure_text(each))
    if options.json is not None:
        write_file(options.json, json.dumps(results_json(plan, verdicts), indent=1) + "\n", console)
    if bad:
        console.note(f"journals are in {folder}")
    elif options.folder is None:
        shutil.rmtree(folder)
    return 1 if bad else 0


def _folder(name: str | None) -> Path:
    if name is None:
        return Path(tempfile.mkdtemp(prefix="laserboard-soak-"))
    try:
        Path(name).mkdir(parents=True, exist_ok=True)
    except OSError as bad:
        raise file_error(CANNOT_MAKE, name, bad) from None
    return Path(name)


def _progress_in_place(console: Console, goal: SoakGoal) -> Callable[[SoakProgress], None]:
    def report_progress(now: SoakProgress) -> None:
        assert console.size is not None
        line = f"{_so_far(now)}, {_to_come(now, goal)}"
        console.out.write(f"\r{line[: console.size[0] - 1]}\x1b[K")
        console.out.flush()

    return report_progress


def _progress_lines(console: Console, printed: int) -> Callable[[SoakProgress], None]:
    printed = printed // PROGRESS_EVERY_GAMES * PROGRESS_EVERY_GAMES

    def report_progress(now: SoakProgress) -> None:
        nonlocal printed
        if len(now.results) >= printed + PROGRESS_EVERY_GAMES:
            printed = len(now.results) // PROGRESS_EVERY_GAMES * PROGRESS_EVERY_GAMES
            console.print(_so_far(now))
            console.out.flush()

    return report_progress


def _so_far(now: SoakProgress) -> str:
    return (
        f"{pluralise(len(now.results), 'game', 'games')}, {pluralise(now.turns, 'turn', 'turns')}, "
        f"{now.failed_games} wrong, "
        f"{now.turns_per_second:.2f} turns/s"
    )


def _to_come(now: SoakProgress, goal: SoakGoal) -> str:
    part = goal.progress_share(now)
    if not now.new_turns or not part:
        return "beginning"
    left_s = now.seconds * (1 - part) / part
    return f"{100 * part:.0f} %, {left_s / 60:.0f} min to go"


def _failure_text(verdict: SoakResult) -> str:
    parts = [f"{verdict.wrong} wrong"] if verdict.wrong else []
    parts += [f"{verdict.lost} lost"] if verdict.lost else []
    parts += [verdict.trouble] if verdict.trouble else []
    return f"game {verdict.number} ({verdict.game}, {verdict.journal}): {'; '.join(parts)}"
