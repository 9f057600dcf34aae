"""When what goes wrong: drawn from a seed, or as somebody asks (`unplug@12s`). Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from controller.simulated.chaos.catalogue import (
    CATALOGUE,
    Fault,
    Moment,
    NoSuchChaos,
    fault_named,
)
from engine.errors import excerpt

FIRST_S = 3.0  # before which nothing happens
EVERY_S = 10.0  # on average: two turns
_ASKED = re.compile(r"([a-z-]+)(?:@([0-9]{1,6}(?:\.[0-9]{1,3})?)s?)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Due:
    """A fault that happens at the first moment that suits it, then or later."""

    number: int
    at_ms: float
    fault: Fault


def schedule(seed: int | str, possible: Sequence[Fault] = CATALOGUE) -> Iterator[Due]:
    """What that seed has in store, without an end: every fault once, then every one again."""
    rng, at_ms, number = Random(f"chaos/{seed}"), 1000 * FIRST_S, 0
    while possible:
        for fault in rng.sample(possible, len(possible)):
            at_ms += rng.expovariate(1 / (1000 * EVERY_S))
            number += 1
            yield Due(number, round(at_ms), fault)


def possible_faults(computer: bool, cable: bool) -> tuple[Fault, ...]:
    """Those that can happen where a computer plays or not, and the LEDs have a cable or not."""
    return tuple(
        fault
        for fault in CATALOGUE
        if (cable or not fault.cable) and (computer or fault.when != (Moment.THINKING,))
    )


def asked_for(texts: Sequence[str]) -> tuple[Due, ...]:
    """What somebody asks for: `unplug@12s`, or `unplug` at once."""
    dues = []
    for number, text in enumerate(texts, start=1):
        found = _ASKED.fullmatch(text)
        if found is None:
            raise NoSuchChaos(
                f"{excerpt(text)} is no fault and its time: write unplug@12s, or `--fault list`"
            )
        dues.append(Due(number, 1000 * float(found[2] or 0), fault_named(found[1])))
    return tuple(sorted(dues, key=lambda due: due.at_ms))
