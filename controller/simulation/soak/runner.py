"""Runs a soak test: many games in several processes, with the results in a JSON file.

A run that is started again in the same folder continues after the finished games. A game without
progress for too long is a hang: its process is killed, and its journal is kept.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

from controller.ports.devices import Clock
from controller.simulation.soak.game import MAX_TURNS, SoakGame, SoakResult, make_soak_game
from controller.simulation.soak.worker import SoakWorker
from engine.errors import LaserboardError, excerpt

STATE_FILE = "soak.json"
RENAMED_KEYS = {"lives": "start_count"}  # of results that version 0.1 stored
POLL_S = 0.5
SCRATCH_FOLDER = "scratch"  # for temporary files of processes that are killed


class BadSoak(LaserboardError, ValueError):
    """The folder holds another soak test, or its results cannot be read."""


@dataclass(frozen=True)
class SoakPlan:
    """The parameters of a soak test. They are stored; a run with others is refused."""

    seed: int
    games: tuple[str, ...]
    leds: str
    most_turns: int = MAX_TURNS
    chaos: bool = False

    def soak_game(self, number: int) -> SoakGame:
        return make_soak_game(self.seed, number, self.games, self.most_turns, self.chaos)


@dataclass(frozen=True)
class SoakProgress:
    """The progress of a soak test."""

    results: tuple[SoakResult, ...]  # of finished games
    turns_in_progress: int = 0  # turns of unfinished games
    seconds: float = 0.0  # of this run
    new_turns: int = 0  # turns of this run

    @property
    def turns(self) -> int:
        return sum(each.turns for each in self.results) + self.turns_in_progress

    @property
    def failed_games(self) -> int:
        return sum(not each.passed for each in self.results)

    @property
    def turns_per_second(self) -> float:
        return self.new_turns / self.seconds if self.seconds else 0.0


@dataclass(frozen=True)
class SoakGoal:
    """The end of a soak test: a number of games, or of turns."""

    games: int | None = None
    turns: int | None = None

    def is_reached(self, games: int, turns: int) -> bool:
        if self.turns is not None:
            return turns >= self.turns
        return games >= (self.games or 0)

    def progress_share(self, progress: SoakProgress) -> float:
        """The finished share, from 0 to 1."""
        if self.turns is not None:
            return min(1.0, progress.turns / max(1, self.turns))
        whole = max(1, self.games or 0)
        done = len(progress.results)
        typical = (
            max(1, progress.turns - progress.turns_in_progress) / done if done else MAX_TURNS / 2
        )
        return min(1.0, (done + min(progress.turns_in_progress / typical, whole - done)) / whole)


# -- the file of results -----------------------------------------------------------------------


def read_results(folder: Path, plan: SoakPlan) -> tuple[SoakResult, ...]:
    """The results in a folder; none if it is new. An error if they belong to another plan."""
    path = folder / STATE_FILE
    try:
        kept = json.loads(path.read_text("utf-8"))
        before = _read_plan(kept["plan"])
        results = tuple(
            SoakResult(**{RENAMED_KEYS.get(key, key): value for key, value in each.items()})
            for each in kept["finished"]
        )
    except FileNotFoundError:
        return ()
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise BadSoak(
            f"cannot resume {path} ({excerpt(str(error))}): name another folder"
        ) from error
    if before != plan:
        raise BadSoak(f"{folder} holds another soak ({before}): name another folder")
    return results


def write_results(folder: Path, plan: SoakPlan, results: Sequence[SoakResult]) -> None:
    """Replace the file of results atomically."""
    part = folder / f"{STATE_FILE}.part"
    part.write_text(json.dumps(results_json(plan, results), indent=1) + "\n", "utf-8")
    part.replace(folder / STATE_FILE)


def results_json(plan: SoakPlan, results: Sequence[SoakResult]) -> dict[str, Any]:
    return {"plan": asdict(plan), "finished": [asdict(each) for each in results]}


def _read_plan(kept: dict[str, Any]) -> SoakPlan:
    return SoakPlan(**{**kept, "games": tuple(kept["games"])})


# -- the processes -----------------------------------------------------------------------------


class SoakRunner:
    """Plays games in several processes until the goal is reached."""

    def __init__(
        self, plan: SoakPlan, folder: Path, clock: Clock, jobs: int = 1, timeout_s: float = 120.0
    ) -> None:
        self._plan, self._folder, self._clock = plan, folder, clock
        self._jobs, self._timeout_s = jobs, timeout_s
        self._started_ms = clock.now_ms()
        self.results = list(read_results(folder, plan))
        self._turns_before = sum(each.turns for each in self.results)

    def run(
        self, goal: SoakGoal, on_progress: Callable[[SoakProgress], None]
    ) -> tuple[SoakResult, ...]:
        """Play, and return all results, also of earlier runs. Calls `on_progress` regularly."""
        scratch = self._folder / SCRATCH_FOLDER
        scratch.mkdir(exist_ok=True)
        workers = [SoakWorker(self._plan.leds, self._clock, scratch) for _ in range(self._jobs)]
        try:
            while True:
                for worker in workers:
                    if worker.soak_game is None and not self._is_goal_reached(goal, workers):
                        soak_game = self._next_game(workers)
                        path = self._journal_path(soak_game)
                        path.unlink(missing_ok=True)  # of a run that was stopped
                        worker.start_game(soak_game, path)
                if all(worker.soak_game is None for worker in workers):
                    return tuple(sorted(self.results, key=lambda each: each.number))
                wait([worker.pipe for worker in workers if worker.soak_game is not None], POLL_S)
                for worker in workers:
                    self._poll_worker(worker)
                on_progress(self.progress(workers))
        finally:
            for worker in workers:
                worker.kill()
            shutil.rmtree(scratch, ignore_errors=True)

    def progress(self, workers: Sequence[SoakWorker] = ()) -> SoakProgress:
        playing = sum(worker.turns for worker in workers)
        now = SoakProgress(
            tuple(self.results), playing, (self._clock.now_ms() - self._started_ms) / 1000
        )
        return replace(now, new_turns=now.turns - self._turns_before)

    def _is_goal_reached(self, goal: SoakGoal, workers: Sequence[SoakWorker]) -> bool:
        now = self.progress(workers)
        running = sum(worker.soak_game is not None for worker in workers)
        return goal.is_reached(len(self.results) + running, now.turns)

    def _next_game(self, workers: Sequence[SoakWorker]) -> SoakGame:
        """The game with the lowest number that is neither finished nor in progress."""
        taken = {each.number for each in self.results}
        taken |= {worker.soak_game.number for worker in workers if worker.soak_game is not None}
        number = next(n for n in range(1, len(taken) + 2) if n not in taken)
        return self._plan.soak_game(number)

    def _journal_path(self, soak_game: SoakGame) -> Path:
        return self._folder / f"{soak_game.number:04}-{soak_game.game}.journal"

    def _poll_worker(self, worker: SoakWorker) -> None:
        """Store a worker's result; kill the worker after a timeout, resume it after a fault."""
        soak_game, result = worker.soak_game, worker.poll_result()
        if result is None and soak_game is not None:
            trouble = ""
            if worker.silence_s() > self._timeout_s:
                trouble = f"no progress for {self._timeout_s:g} s after {worker.turns} turns"
            elif worker.is_dead() and worker.snapshot is not None:
                worker.resume(self._journal_path(soak_game))  # killed by fault injection
            elif worker.is_dead():
                trouble = f"its process ended after {worker.turns} turns"
            if not trouble:
                return
            result = SoakResult(
                soak_game.number,
                soak_game.game,
                worker.turns,
                hangs=1,
                trouble=trouble,
                journal=str(self._journal_path(soak_game)),
            )
            worker.restart()
        if result is not None:
            self.results.append(result)
            write_results(self._folder, self._plan, self.results)
