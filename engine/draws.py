"""The draw rules that turn-based games share: repetition, and long play without a capture.

A position carries the keys of all earlier arrangements since the last capture (`quiet`); a
capture makes every earlier arrangement unreachable, so the same tuple counts both rules.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Self

from engine.game import Outcome, option

THIRD_TIME = 3
_CLAIMED = {"claim": "automatic"}


@dataclass(frozen=True)
class DrawRules:
    """Options of a game that can end by repetition or without captures."""

    repetition: str = option(
        "claim", "the same arrangement for the third time", "claim", "automatic", "off"
    )
    no_capture: str = option("claim", "many turns without a capture", "claim", "automatic", "off")
    no_capture_turns: int = option(100, "how many single turns without a capture", least=1)

    def for_computers(self) -> Self:
        """The same rules where nobody is there to claim: claims become automatic."""
        return replace(
            self,
            repetition=_CLAIMED.get(self.repetition, self.repetition),
            no_capture=_CLAIMED.get(self.no_capture, self.no_capture),
        )

    def draw(self, key: Hashable, quiet: tuple[Hashable, ...], policy: str) -> Outcome | None:
        """The draw that has come about under the rules set to `policy`."""
        if self.repetition == policy and quiet.count(key) + 1 >= THIRD_TIME:
            return Outcome.draw("threefold repetition")
        if self.no_capture == policy and len(quiet) >= self.no_capture_turns:
            return Outcome.draw(f"{self.no_capture_turns} turns without a capture")
        return None
