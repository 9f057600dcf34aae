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
from controller.storage.sentences import counted, turn_count
from controller.ui.commands import sentences
from controller.ui.console import Console, file_error, write_file
from controller.ui.sentences import CANNOT_MAKE
from engine.sentences import Sentence, joined

PROGRESS_EVERY_GAMES = 10  # games between two lines of output without a terminal


@dataclass(frozen=True, slots=True)
class SoakOptions:
    """Options of `laserboard soak`: games, their number, games in parallel, output folder."""

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
        template = (
            sentences.ONE_GAME_FINISHED if len(soak.results) == 1 else sentences.GAMES_FINISHED
        )
        console.note(template(folder=str(folder), count=len(soak.results)))
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
        console.print(_failure(each))
    if options.json is not None:
        write_file(options.json, json.dumps(results_json(plan, verdicts), indent=1) + "\n", console)
    if bad:
        console.note(sentences.SOAK_JOURNALS(folder=str(folder)))
    elif options.folder is None:
        shutil.rmtree(folder)
    return 1 if bad else 0


def _folder(name: str | None) -> Path:
    if name is None:
        return Path(tempfile.mkdtemp(prefix="laserboard-soak-"))
    try:
        Path(name).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise file_error(CANNOT_MAKE, name, error) from error
    return Path(name)


def _progress_in_place(console: Console, goal: SoakGoal) -> Callable[[SoakProgress], None]:
    def report_progress(now: SoakProgress) -> None:
        assert console.size is not None
        line = str(_progress(now, goal))
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


def _so_far(now: SoakProgress) -> Sentence:
    return sentences.SOAK_PROGRESS(
        games=counted(len(now.results), sentences.ONE_GAME, sentences.GAMES),
        turns=turn_count(now.turns),
        wrong=now.failed_games,
        rate_hz=f"{now.turns_per_second:.2f}",
    )


def _progress(now: SoakProgress, goal: SoakGoal) -> Sentence:
    """The progress so far, and the time to come."""
    part = goal.progress_share(now)
    if not now.new_turns or not part:
        return sentences.BEGINNING(progress=_so_far(now))
    left_s = now.seconds * (1 - part) / part
    return sentences.PERCENT_LEFT(
        progress=_so_far(now), percent=round(100 * part), minutes=round(left_s / 60)
    )


def _failure(verdict: SoakResult) -> Sentence:
    reasons: list[str | Sentence] = []
    if verdict.wrong:
        reasons.append(sentences.SOAK_WRONG(count=verdict.wrong))
    if verdict.lost:
        reasons.append(sentences.SOAK_LOST(count=verdict.lost))
    if verdict.trouble:
        reasons.append(verdict.trouble)
    return sentences.SOAK_FAILURE(
        number=verdict.number, game=verdict.game, journal=verdict.journal, reasons=joined(reasons)
    )
