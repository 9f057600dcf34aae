"""What a referee's table does by itself and what it asks about, as values with a text for each.

Nothing is decided here: the flow of a game asks what the law is. The usual laws are those of
`Laws()`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, Self

from controller.clocks import LONGEST_MS, BadClock, Kind, TimeControl
from engine import strict_json
from engine.errors import LaserboardError, did_you_mean, excerpt

MOST_PENALTIES = 9


class BadLaw(LaserboardError, ValueError):
    """Text or JSON that is no law."""


class Happening(StrEnum):
    """What may happen at a table that somebody must judge."""

    ILLEGAL_MOVE = "illegal move"  # after the press: before it, nothing was moved
    AMBIGUOUS_READ = "ambiguous read"  # several turns fit what the camera saw
    MISMATCH = "mismatch"  # the table shows what no turn leads to
    FLAG_FALL = "flag fall"
    KING_HIT = "king hit"
    REPETITION = "repetition"


class Policy(StrEnum):
    """Who judges it."""

    ACCEPT = "accept"  # the table, at once
    PROPOSE = "propose"  # the referee: play stands until there is a ruling
    LOG = "log"  # the players, as without a referee: it is written down


class Confirmed(StrEnum):
    """Who must agree to a result."""

    BOTH = "both"  # players
    REFEREE = "referee"


@dataclass(frozen=True, slots=True)
class Penalty:
    """What an illegal move costs: the game, or time that the opponent gets, or nothing."""

    time_ms: int = 0
    loss: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.time_ms <= LONGEST_MS:
            raise BadLaw(f"a penalty of {self.time_ms} ms: it is above 0 s, and up to 24h")
        if self.loss and self.time_ms:
            raise BadLaw("a penalty is the loss of the game or time, not both")

    @property
    def none(self) -> bool:
        return not (self.loss or self.time_ms)

    @classmethod
    def read(cls, text: str) -> Self:
        """`none`, `loss`, or time for the opponent such as `2m`, `1m30s`."""
        plain = text.strip().lower()
        if plain in ("none", "loss"):
            return cls(loss=plain == "loss")
        try:
            control = TimeControl.read(plain)
        except BadClock:
            control = TimeControl()
        if control.kind is not Kind.SUDDEN_DEATH:
            raise BadLaw(
                f"penalty {excerpt(text)}: write none, loss, or time for the opponent such as 2m"
            )
        return cls(control.base_ms)

    def __str__(self) -> str:
        if self.loss:
            return "loss"
        return str(TimeControl(Kind.SUDDEN_DEATH, self.time_ms)) if self.time_ms else "none"


@dataclass(frozen=True, slots=True)
class Laws:
    """All of it. A happening's policy is the field of its name."""

    illegal_move: Policy = Policy.PROPOSE
    ambiguous_read: Policy = Policy.PROPOSE
    mismatch: Policy = Policy.LOG
    flag_fall: Policy = Policy.ACCEPT
    king_hit: Policy = Policy.ACCEPT
    repetition: Policy = Policy.LOG
    # For a player's first illegal move, the second ...; the last holds for all that follow.
    penalties: tuple[Penalty, ...] = (Penalty(120_000), Penalty(loss=True))
    result_confirmed: Confirmed = Confirmed.BOTH

    def __post_init__(self) -> None:
        if not 1 <= len(self.penalties) <= MOST_PENALTIES:
            raise BadLaw(f"{len(self.penalties)} penalties: there are 1 to {MOST_PENALTIES}")

    def policy(self, happening: Happening) -> Policy:
        found: Policy = getattr(self, field_of(happening))
        return found

    def penalty(self, number: int) -> Penalty:
        """For a player's illegal move of that number, counted from 1."""
        if number < 1:
            raise ValueError(f"illegal moves are counted from 1, not {number}")
        return self.penalties[min(number, len(self.penalties)) - 1]

    def as_json(self) -> dict[str, Any]:
        return {
            "policies": {each.value: self.policy(each).value for each in Happening},
            "penalties": [str(each) for each in self.penalties],
            "result_confirmed": self.result_confirmed.value,
        }

    @classmethod
    def from_json(cls, value: Any) -> Self:
        """Laws as `as_json` wrote them."""
        names = ("policies", "penalties", "result_confirmed")
        found: Mapping[str, Any] = strict_json.fields(value, "laws", BadLaw, names)
        kinds = tuple(each.value for each in Happening)
        policies = strict_json.fields(found["policies"], "policies", BadLaw, kinds)
        penalties = strict_json.items(found["penalties"], "penalties", BadLaw)
        return cls(
            **{field_of(each): Policy(_word(policies[each.value], Policy)) for each in Happening},
            penalties=tuple(Penalty.read(_text(each)) for each in penalties),
            result_confirmed=Confirmed(_word(found["result_confirmed"], Confirmed)),
        )


def field_of(happening: Happening) -> str:
    """What it is called in `Laws`."""
    return happening.replace(" ", "_")


assert {field_of(each) for each in Happening} < {each.name for each in fields(Laws)}


def _word(value: Any, of: type[StrEnum]) -> str:
    known = [each.value for each in of]
    text = _text(value)
    if text not in known:
        raise BadLaw(f"{excerpt(text)} is no law{did_you_mean(text, known)}")
    return text


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise BadLaw(f"a law must be text, not {excerpt(value)}")
    return value
