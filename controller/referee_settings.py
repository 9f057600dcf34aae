"""The section `referee` of a board file: laws, and how long pictures are kept; read and written."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from controller.laws import (
    MOST_PENALTIES,
    BadLaw,
    Confirmed,
    Happening,
    Laws,
    Penalty,
    Policy,
    field_of,
)
from controller.yaml_tree import Place

REFEREE_KEYS = ("policies", "penalties", "result_confirmed", "evidence")
KEEP_DAYS = (1, 3650)
QUOTA_MB = (10, 1_000_000)
PENALTIES = "a list such as [2m, loss]: time for the opponent, loss or none"


@dataclass(frozen=True, slots=True)
class EvidenceSettings:
    """How long the pictures of games are kept, and how many; see `controller.evidence_store`."""

    keep_days: int = 90
    quota_mb: int = 500


@dataclass(frozen=True, slots=True)
class RefereeSettings:
    """What a board file says to a referee's table."""

    laws: Laws = field(default_factory=Laws)
    evidence: EvidenceSettings = field(default_factory=EvidenceSettings)


def read_referee(place: Place | None) -> RefereeSettings:
    """The section `referee` of a board file."""
    if place is None:
        return RefereeSettings()
    keys = place.section(*REFEREE_KEYS)
    policies, penalties = keys.get("policies"), keys.get("penalties")
    confirmed, evidence = keys.get("result_confirmed"), keys.get("evidence")
    laws: dict[str, Any] = {}
    if policies is not None:
        section = policies.section(*(each.value for each in Happening))
        for happening in Happening:
            policy = section.get(happening.value)
            if policy is not None:
                laws[field_of(happening)] = Policy(policy.choice(*(each.value for each in Policy)))
    if penalties is not None:
        laws["penalties"] = _penalties(penalties)
    if confirmed is not None:
        words = (each.value for each in Confirmed)
        laws["result_confirmed"] = Confirmed(confirmed.choice(*words))
    return RefereeSettings(Laws(**laws), _evidence(evidence))


def write_referee(referee: RefereeSettings) -> list[str]:
    """The lines of a board file that read back as these settings; none for the usual ones."""
    usual, laws, lines = RefereeSettings(), referee.laws, []
    policies = [
        f"    {each}: {laws.policy(each)}"
        for each in Happening
        if laws.policy(each) is not usual.laws.policy(each)
    ]
    if policies:
        lines += ["  policies:", *policies]
    if laws.penalties != usual.laws.penalties:
        lines.append(f"  penalties: [{', '.join(map(str, laws.penalties))}]")
    if laws.result_confirmed is not usual.laws.result_confirmed:
        lines.append(f"  result_confirmed: {laws.result_confirmed}")
    evidence = [
        f"    {key}: {getattr(referee.evidence, key)}"
        for key in ("keep_days", "quota_mb")
        if getattr(referee.evidence, key) != getattr(usual.evidence, key)
    ]
    if evidence:
        lines += ["  evidence:", *evidence]
    return ["referee:", *lines] if lines else []


def _penalties(place: Place) -> tuple[Penalty, ...]:
    if place.is_text():
        if place.plain(PENALTIES) != "none":
            raise place.wanted(PENALTIES)
        return (Penalty(),)
    return tuple(_penalty(each) for each in place.items(1, MOST_PENALTIES, PENALTIES))


def _penalty(place: Place) -> Penalty:
    try:
        return Penalty.read(place.plain("2m, loss or none"))
    except BadLaw as bad:
        raise place.error(str(bad)) from None


def _evidence(place: Place | None) -> EvidenceSettings:
    if place is None:
        return EvidenceSettings()
    keys, usual = place.section("keep_days", "quota_mb"), EvidenceSettings()
    days, quota = keys.get("keep_days"), keys.get("quota_mb")
    return EvidenceSettings(
        usual.keep_days if days is None else days.whole(*KEEP_DAYS),
        usual.quota_mb if quota is None else quota.whole(*QUOTA_MB),
    )
