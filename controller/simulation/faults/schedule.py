"""Schedules of faults: drawn from a seed, or parsed from the command line (`unplug@12s`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from controller.simulation.faults.catalogue import (
    CATALOGUE,
    BadFaultSchedule,
    FaultSpec,
    FaultTiming,
    find_fault,
)
from engine.errors import excerpt

FIRST_FAULT_S = 3.0
MEAN_INTERVAL_S = 10.0  # about two turns
_FAULT_AT = re.compile(r"([a-z-]+)(?:@([0-9]{1,6}(?:\.[0-9]{1,3})?)s?)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class ScheduledFault:
    """A fault, injected at `at_ms` or at the first allowed phase after it."""

    number: int
    at_ms: float
    fault: FaultSpec


def draw_schedule(
    seed: int | str, possible: Sequence[FaultSpec] = CATALOGUE
) -> Iterator[ScheduledFault]:
    """An endless schedule: all faults once in random order, then all again."""
    rng, at_ms, number = Random(f"chaos/{seed}"), 1000 * FIRST_FAULT_S, 0
    while possible:
        for fault in rng.sample(possible, len(possible)):
            at_ms += rng.expovariate(1 / (1000 * MEAN_INTERVAL_S))
            number += 1
            yield ScheduledFault(number, round(at_ms), fault)


def possible_faults(computer: bool, cable: bool) -> tuple[FaultSpec, ...]:
    """The faults that are possible with or without a computer player and an LED cable."""
    return tuple(
        fault
        for fault in CATALOGUE
        if (cable or not fault.needs_led_cable)
        and (computer or fault.timings != (FaultTiming.THINKING,))
    )


def read_schedule(texts: Sequence[str]) -> tuple[ScheduledFault, ...]:
    """Parse faults of the command line: `unplug@12s`, or `unplug` immediately."""
    schedule = []
    for number, text in enumerate(texts, start=1):
        found = _FAULT_AT.fullmatch(text)
        if found is None:
            raise BadFaultSchedule(
                f"{excerpt(text)} is not a fault with its time: write unplug@12s, or `--fault list`"
            )
        schedule.append(ScheduledFault(number, 1000 * float(found[2] or 0), find_fault(found[1])))
    return tuple(sorted(schedule, key=lambda due: due.at_ms))
