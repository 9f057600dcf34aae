"""How a game's positions are judged, as a list of numbers that can be learnt.

The score of a position for the first player is the sum of `numbers[which] * times` over its
`terms`. Where a number belongs to a group (a piece, on any of its squares), learning keeps it near
the others of its group until there is a reason not to.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from engine.native import CompiledRules


class Judgement(ABC):
    """What a game knows about good and bad, to be learnt by self-play."""

    names: Sequence[str]  # of the numbers
    groups: Sequence[str]  # one for each number; "" for a number of its own
    unit: str  # the group whose mean is a hundred
    file: str  # where the numbers are kept, in the engine's data

    @abstractmethod
    def numbers(self) -> list[int]:
        """Those that are in use."""

    @abstractmethod
    def terms(self, position: Any) -> list[tuple[int, int]]:
        """Which numbers count in a position, and how often; less than never for the second."""

    @abstractmethod
    def rules(self, numbers: Sequence[int]) -> CompiledRules | None:
        """The compiled rules that judge by these."""

    @abstractmethod
    def write(self, numbers: Sequence[int], run: Mapping[str, Any]) -> str:
        """The file that says so, and which run they come from."""
