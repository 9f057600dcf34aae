"""Many games of a soak: processes that play them, and a file of what is finished.

Started again in the same folder it goes on where it was. A game that makes no progress for too
long is a hang: its process is ended, and the journal stays for whoever wants to know why.
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
POLL_S = 0.5
SCRATCH_FOLDER = (
    "beside"  # a folder for what processes put somewhere, and cannot take away when killed
)


class BadSoak(LaserboardError, ValueError):
    """A folder that holds another soak, or none."""


@dataclass(frozen=True)
class SoakPlan:
    """Which games are played, on what LEDs, and when it is enough."""

    seed: int
    games: tuple[str, ...]
    leds: str
    most_turns: int = MAX_TURNS
    chaos: bool = False

    def soak_game(self, number: int) -> SoakGame:
        return make_soak_game(self.seed, number, self.games, self.most_turns, self.chaos)


@dataclass(frozen=True)
class SoakProgress:
    """How far it is."""

    results: tuple[SoakResult, ...]  # of finished games
    turns_in_progress: int = 0  # turns, in those that are not
    seconds: float = 0.0
    new_turns: int = 0  # turns in this run

    @property
    def turns(self) -> int:
        return sum(each.turns for each in self.results) + self.turns_in_progress

    @property
    def failed_games(self) -> int:
        """Games."""
        return sum(not each.passed for each in self.results)

    @property
    def turns_per_second(self) -> float:
        return self.new_turns / self.seconds if self.seconds else 0.0


@dataclass(frozen=True)
class SoakGoal:
    """So many games, or so many turns."""

    games: int | None = None
    turns: int | None = None

    def is_reached(self, games: int, turns: int) -> bool:
        if self.turns is not None:
            return turns >= self.turns
        return games >= (self.games or 0)

    def progress_share(self, progress: SoakProgress) -> float:
        """How much of it is done, of 1."""
        if self.turns is not None:
            return min(1.0, progress.turns / max(1, self.turns))
        whole = max(1, self.games or 0)
        done = len(progress.results)
        typical = (
            max(1, progress.turns - progress.turns_in_progress) / done if done else MAX_TURNS / 2
        )
        return min(1.0, (done + min(progress.turns_in_progress / typical, whole - done)) / whole)


# -- the file of what is finished --------------------------------------------------------------


def read_results(folder: Path, plan: SoakPlan) -> tuple[SoakResult, ...]:
    """The games that were played in that folder; none if it is new."""
    path = folder / STATE_FILE
    try:
        kept = json.loads(path.read_text("utf-8"))
        before = _read_plan(kept["plan"])
        verdicts = tuple(SoakResult(**each) for each in kept["finished"])
    except FileNotFoundError:
        return ()
    except (ValueError, KeyError, TypeError, OSError) as bad:
        raise BadSoak(
            f"{path} cannot be gone on with ({excerpt(str(bad))}): name another folder"
        ) from None
    if before != plan:
        raise BadSoak(f"{folder} holds another soak ({before}): name another folder")
    return verdicts


def write_results(folder: Path, plan: SoakPlan, verdicts: Sequence[SoakResult]) -> None:
    """Write down what is finished, the whole file or nothing of it."""
    part = folder / f"{STATE_FILE}.part"
    part.write_text(json.dumps(results_json(plan, verdicts), indent=1) + "\n", "utf-8")
    part.replace(folder / STATE_FILE)


def results_json(plan: SoakPlan, verdicts: Sequence[SoakResult]) -> dict[str, Any]:
    return {"plan": asdict(plan), "finished": [asdict(each) for each in verdicts]}


def _read_plan(kept: dict[str, Any]) -> SoakPlan:
    return SoakPlan(**{**kept, "games": tuple(kept["games"])})


# -- the processes -----------------------------------------------------------------------------


class SoakRunner:
    """Plays games in several processes until it is enough."""

    def __init__(
        self, plan: SoakPlan, folder: Path, clock: Clock, jobs: int = 1, timeout_s: float = 120.0
    ) -> None:
        self._plan, self._folder, self._clock = plan, folder, clock
        self._jobs, self._timeout_s = jobs, timeout_s
        self._begun_ms = clock.now_ms()
        self.results = list(read_results(folder, plan))
        self._turns_before = sum(each.turns for each in self.results)

    def run(
        self, goal: SoakGoal, on_progress: Callable[[SoakProgress], None]
    ) -> tuple[SoakResult, ...]:
        """All verdicts, those of earlier runs too; `on_progress` is called again and again."""
        begun = self._folder / SCRATCH_FOLDER
        begun.mkdir(exist_ok=True)
        workers = [SoakWorker(self._plan.leds, self._clock, begun) for _ in range(self._jobs)]
        try:
            while True:
                for worker in workers:
                    if worker.soak_game is None and not self._is_goal_reached(goal, workers):
                        what = self._next_game(workers)
                        self._journal_path(what).unlink(
                            missing_ok=True
                        )  # of a run that was stopped
                        worker.start_game(what, self._journal_path(what))
                if all(worker.soak_game is None for worker in workers):
                    return tuple(sorted(self.results, key=lambda each: each.number))
                wait([worker.pipe for worker in workers if worker.soak_game is not None], POLL_S)
                for worker in workers:
                    self._poll_worker(worker)
                on_progress(self.progress(workers))
        finally:
            for worker in workers:
                worker.kill()
            shutil.rmtree(begun, ignore_errors=True)

    def progress(self, workers: Sequence[SoakWorker] = ()) -> SoakProgress:
        playing = sum(worker.turns for worker in workers)
        now = SoakProgress(
            tuple(self.results), playing, (self._clock.now_ms() - self._begun_ms) / 1000
        )
        return replace(now, new_turns=now.turns - self._turns_before)

    def _is_goal_reached(self, goal: SoakGoal, workers: Sequence[SoakWorker]) -> bool:
        now, begun = self.progress(workers), sum(worker.soak_game is not None for worker in workers)
        return goal.is_reached(len(self.results) + begun, now.turns)

    def _next_game(self, workers: Sequence[SoakWorker]) -> SoakGame:
        """The first game that nobody has played or plays."""
        taken = {each.number for each in self.results}
        taken |= {worker.soak_game.number for worker in workers if worker.soak_game is not None}
        number = next(n for n in range(1, len(taken) + 2) if n not in taken)
        return self._plan.soak_game(number)

    def _journal_path(self, what: SoakGame) -> Path:
        return self._folder / f"{what.number:04}-{what.game}.journal"

    def _poll_worker(self, worker: SoakWorker) -> None:
        """Hear what it has to say; if it has said nothing for too long, it is ended."""
        what, verdict = worker.soak_game, worker.poll_result()
        if verdict is None and what is not None:
            trouble = ""
            if worker.silence_s() > self._timeout_s:
                trouble = f"no progress for {self._timeout_s:g} s after {worker.turns} turns"
            elif worker.is_dead() and worker.snapshot is not None:
                worker.resume(self._journal_path(what))  # it was killed as chaos wanted it
            elif worker.is_dead():
                trouble = f"its process ended after {worker.turns} turns"
            if not trouble:
                return
            verdict = SoakResult(
                what.number,
                what.game,
                worker.turns,
                hangs=1,
                trouble=trouble,
                journal=str(self._journal_path(what)),
            )
            worker.restart()
        if verdict is not None:
            self.results.append(verdict)
            write_results(self._folder, self._plan, self.results)
