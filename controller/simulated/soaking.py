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

from controller.ports import Clock
from controller.simulated.soak import MOST_TURNS, Fixture, Verdict, fixture
from controller.simulated.worker import Worker
from engine.errors import LaserboardError, excerpt

STATE = "soak.json"
LOOK_S = 0.5
BESIDE = "beside"  # a folder for what processes put somewhere, and cannot take away when killed


class BadSoak(LaserboardError, ValueError):
    """A folder that holds another soak, or none."""


@dataclass(frozen=True)
class Plan:
    """Which games are played, on what LEDs, and when it is enough."""

    seed: int
    games: tuple[str, ...]
    leds: str
    most_turns: int = MOST_TURNS
    chaos: bool = False

    def fixture(self, number: int) -> Fixture:
        return fixture(self.seed, number, self.games, self.most_turns, self.chaos)


@dataclass(frozen=True)
class Progress:
    """How far it is."""

    verdicts: tuple[Verdict, ...]  # of finished games
    playing: int = 0  # turns, in those that are not
    seconds: float = 0.0
    fresh: int = 0  # turns in this run

    @property
    def turns(self) -> int:
        return sum(each.turns for each in self.verdicts) + self.playing

    @property
    def wrong(self) -> int:
        """Games."""
        return sum(not each.good for each in self.verdicts)

    @property
    def turns_a_second(self) -> float:
        return self.fresh / self.seconds if self.seconds else 0.0


@dataclass(frozen=True)
class Enough:
    """So many games, or so many turns."""

    games: int | None = None
    turns: int | None = None

    def reached(self, games: int, turns: int) -> bool:
        if self.turns is not None:
            return turns >= self.turns
        return games >= (self.games or 0)

    def part(self, progress: Progress) -> float:
        """How much of it is done, of 1."""
        if self.turns is not None:
            return min(1.0, progress.turns / max(1, self.turns))
        whole = max(1, self.games or 0)
        done = len(progress.verdicts)
        typical = max(1, progress.turns - progress.playing) / done if done else MOST_TURNS / 2
        return min(1.0, (done + min(progress.playing / typical, whole - done)) / whole)


# -- the file of what is finished --------------------------------------------------------------


def finished(folder: Path, plan: Plan) -> tuple[Verdict, ...]:
    """The games that were played in that folder; none if it is new."""
    path = folder / STATE
    try:
        kept = json.loads(path.read_text("utf-8"))
        before = _plan(kept["plan"])
        verdicts = tuple(Verdict(**each) for each in kept["finished"])
    except FileNotFoundError:
        return ()
    except (ValueError, KeyError, TypeError, OSError) as bad:
        raise BadSoak(
            f"{path} cannot be gone on with ({excerpt(str(bad))}): name another folder"
        ) from None
    if before != plan:
        raise BadSoak(f"{folder} holds another soak ({before}): name another folder")
    return verdicts


def keep(folder: Path, plan: Plan, verdicts: Sequence[Verdict]) -> None:
    """Write down what is finished, the whole file or nothing of it."""
    part = folder / f"{STATE}.part"
    part.write_text(json.dumps(as_json(plan, verdicts), indent=1) + "\n", "utf-8")
    part.replace(folder / STATE)


def as_json(plan: Plan, verdicts: Sequence[Verdict]) -> dict[str, Any]:
    return {"plan": asdict(plan), "finished": [asdict(each) for each in verdicts]}


def _plan(kept: dict[str, Any]) -> Plan:
    return Plan(**{**kept, "games": tuple(kept["games"])})


# -- the processes -----------------------------------------------------------------------------


class Soak:
    """Plays games in several processes until it is enough."""

    def __init__(
        self, plan: Plan, folder: Path, clock: Clock, jobs: int = 1, patience_s: float = 120.0
    ) -> None:
        self._plan, self._folder, self._clock = plan, folder, clock
        self._jobs, self._patience_s = jobs, patience_s
        self._begun_ms = clock.now_ms()
        self.verdicts = list(finished(folder, plan))
        self._before = sum(each.turns for each in self.verdicts)

    def run(self, enough: Enough, tell: Callable[[Progress], None]) -> tuple[Verdict, ...]:
        """All verdicts, those of earlier runs too; `tell` is called again and again."""
        begun = self._folder / BESIDE
        begun.mkdir(exist_ok=True)
        workers = [Worker(self._plan.leds, self._clock, begun) for _ in range(self._jobs)]
        try:
            while True:
                for worker in workers:
                    if worker.what is None and not self._enough(enough, workers):
                        what = self._next(workers)
                        self._path(what).unlink(missing_ok=True)  # of a run that was stopped
                        worker.begin(what, self._path(what))
                if all(worker.what is None for worker in workers):
                    return tuple(sorted(self.verdicts, key=lambda each: each.number))
                wait([worker.line for worker in workers if worker.what is not None], LOOK_S)
                for worker in workers:
                    self._attend(worker)
                tell(self.progress(workers))
        finally:
            for worker in workers:
                worker.end()
            shutil.rmtree(begun, ignore_errors=True)

    def progress(self, workers: Sequence[Worker] = ()) -> Progress:
        playing = sum(worker.turns for worker in workers)
        now = Progress(
            tuple(self.verdicts), playing, (self._clock.now_ms() - self._begun_ms) / 1000
        )
        return replace(now, fresh=now.turns - self._before)

    def _enough(self, enough: Enough, workers: Sequence[Worker]) -> bool:
        now, begun = self.progress(workers), sum(worker.what is not None for worker in workers)
        return enough.reached(len(self.verdicts) + begun, now.turns)

    def _next(self, workers: Sequence[Worker]) -> Fixture:
        """The first game that nobody has played or plays."""
        taken = {each.number for each in self.verdicts}
        taken |= {worker.what.number for worker in workers if worker.what is not None}
        number = next(n for n in range(1, len(taken) + 2) if n not in taken)
        return self._plan.fixture(number)

    def _path(self, what: Fixture) -> Path:
        return self._folder / f"{what.number:04}-{what.game}.journal"

    def _attend(self, worker: Worker) -> None:
        """Hear what it has to say; if it has said nothing for too long, it is ended."""
        what, verdict = worker.what, worker.heard()
        if verdict is None and what is not None:
            trouble = ""
            if worker.silent_s() > self._patience_s:
                trouble = f"no progress for {self._patience_s:g} s after {worker.turns} turns"
            elif worker.is_dead() and worker.left is not None:
                worker.go_on(self._path(what))  # it was killed as chaos wanted it
            elif worker.is_dead():
                trouble = f"its process ended after {worker.turns} turns"
            if not trouble:
                return
            verdict = Verdict(
                what.number,
                what.game,
                worker.turns,
                hangs=1,
                trouble=trouble,
                journal=str(self._path(what)),
            )
            worker.begin_anew()
        if verdict is not None:
            self.verdicts.append(verdict)
            keep(self._folder, self._plan, self.verdicts)
