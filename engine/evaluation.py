"""The evaluation of positions as a list of parameters that `laserboard tune` can learn.

In: a position. Out: its score for the first player, the sum of `parameters[index] * count` over its
`terms`. Learning keeps parameters of the same group (a piece on any of its squares) close to
each other until the games show a difference.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from engine.native import NativeRules


class Evaluation(ABC):
    """The parameters of one game's evaluation, learnt by self-play."""

    names: Sequence[str]  # of the parameters
    groups: Sequence[str]  # the group of each parameter, "" for none
    unit: str  # the group whose mean is 100
    file: str  # in `data/evaluation`

    @abstractmethod
    def parameters(self) -> list[int]:
        """The parameters in use."""

    @abstractmethod
    def terms(self, position: Any) -> list[tuple[int, int]]:
        """(index of a parameter, count) of a position. Counts of the second player are negative."""

    @abstractmethod
    def rules(self, parameters: Sequence[int]) -> NativeRules | None:
        """The compiled rules with these parameters."""

    @abstractmethod
    def write(self, parameters: Sequence[int], run: Mapping[str, Any]) -> str:
        """The content of a parameter file, with the tuning run that found them."""
