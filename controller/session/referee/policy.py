"""Referee policies: which incidents a table decides, logs, or proposes to the referee.

Values only; `controller.session.referee.proposals` acts on them. `RefereePolicies()` has the
defaults.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, Self

from controller.session import sentences
from controller.session.clocks import MAX_CLOCK_MS, BadClock, ClockKind, TimeControl
from engine import strict_json
from engine.errors import LaserboardError, did_you_mean, excerpt

MAX_PENALTIES = 9


class BadPolicies(LaserboardError, ValueError):
    """Invalid referee policies."""


class Incident(StrEnum):
    """An event at a table that needs a decision."""

    ILLEGAL_MOVE = "illegal move"  # counted at the press of fire, not before
    AMBIGUOUS_READ = "ambiguous read"  # several turns fit the camera's view
    MISMATCH = "mismatch"  # no turn leads to what the table shows
    FLAG_FALL = "flag fall"
    KING_HIT = "king hit"
    REPETITION = "repetition"


class Policy(StrEnum):
    """Who decides about an incident."""

    ACCEPT = "accept"  # the table decides immediately
    PROPOSE = "propose"  # the referee decides; play stops until the ruling
    LOG = "log"  # the players decide, as without a referee; it is logged


class ConfirmedBy(StrEnum):
    """Who must confirm a result."""

    BOTH = "both"  # players
    REFEREE = "referee"


@dataclass(frozen=True, slots=True)
class Penalty:
    """The penalty for an illegal move: the game, time for the opponent, or nothing."""

    time_ms: int = 0
    loss: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.time_ms <= MAX_CLOCK_MS:
            raise BadPolicies(sentences.PENALTY_RANGE(time_ms=self.time_ms))
        if self.loss and self.time_ms:
            raise BadPolicies(sentences.PENALTY_BOTH())

    @property
    def is_none(self) -> bool:
        return not (self.loss or self.time_ms)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse `none`, `loss`, or time for the opponent such as `2m`, `1m30s`."""
        plain = text.strip().lower()
        if plain in ("none", "loss"):
            return cls(loss=plain == "loss")
        try:
            control = TimeControl.parse(plain)
        except BadClock:
            control = TimeControl()
        if control.kind is not ClockKind.SUDDEN_DEATH:
            raise BadPolicies(sentences.BAD_PENALTY(value=excerpt(text)))
        return cls(control.base_ms)

    def __str__(self) -> str:
        if self.loss:
            return "loss"
        return str(TimeControl(ClockKind.SUDDEN_DEATH, self.time_ms)) if self.time_ms else "none"


@dataclass(frozen=True, slots=True)
class RefereePolicies:
    """The policies of a table. The policy of an incident is the field of its name."""

    illegal_move: Policy = Policy.PROPOSE
    ambiguous_read: Policy = Policy.PROPOSE
    mismatch: Policy = Policy.LOG
    flag_fall: Policy = Policy.ACCEPT
    king_hit: Policy = Policy.ACCEPT
    repetition: Policy = Policy.LOG
    # For a player's first illegal move, the second ...; the last one for all later ones.
    penalties: tuple[Penalty, ...] = (Penalty(120_000), Penalty(loss=True))
    result_confirmed: ConfirmedBy = ConfirmedBy.BOTH

    def __post_init__(self) -> None:
        if not 1 <= len(self.penalties) <= MAX_PENALTIES:
            raise BadPolicies(
                sentences.PENALTY_COUNT(count=len(self.penalties), most=MAX_PENALTIES)
            )

    def policy_for(self, incident: Incident) -> Policy:
        found: Policy = getattr(self, policy_field(incident))
        return found

    def penalty_for(self, number: int) -> Penalty:
        """The penalty for a player's illegal move number `number`, from 1."""
        if number < 1:
            raise ValueError(f"illegal moves are counted from 1, not {number}")
        return self.penalties[min(number, len(self.penalties)) - 1]

    def as_json(self) -> dict[str, Any]:
        return {
            "policies": {each.value: self.policy_for(each).value for each in Incident},
            "penalties": [str(each) for each in self.penalties],
            "result_confirmed": self.result_confirmed.value,
        }

    @classmethod
    def from_json(cls, value: Any) -> Self:
        """The reverse of `as_json`."""
        names = ("policies", "penalties", "result_confirmed")
        found: Mapping[str, Any] = strict_json.require_object(value, "policies", BadPolicies, names)
        kinds = tuple(each.value for each in Incident)
        policies = strict_json.require_object(found["policies"], "policies", BadPolicies, kinds)
        penalties = strict_json.require_list(found["penalties"], "penalties", BadPolicies)
        return cls(
            **{
                policy_field(each): Policy(_read_choice(policies[each.value], Policy))
                for each in Incident
            },
            penalties=tuple(Penalty.parse(_read_text(each)) for each in penalties),
            result_confirmed=ConfirmedBy(_read_choice(found["result_confirmed"], ConfirmedBy)),
        )


def policy_field(incident: Incident) -> str:
    """Name of the field in `RefereePolicies`."""
    return incident.replace(" ", "_")


assert {policy_field(each) for each in Incident} < {each.name for each in fields(RefereePolicies)}


def _read_choice(value: Any, of: type[StrEnum]) -> str:
    known = [each.value for each in of]
    text = _read_text(value)
    if text not in known:
        raise BadPolicies(
            sentences.NOT_A_POLICY(value=excerpt(text), suggestion=did_you_mean(text, known))
        )
    return text


def _read_text(value: Any) -> str:
    if not isinstance(value, str):
        raise BadPolicies(sentences.POLICY_NOT_TEXT(value=excerpt(value)))
    return value
