"""Reads and writes the section `referee` of a board file: policies, penalties, evidence."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from controller.config import sentences
from controller.config.yaml_tree import ConfigNode
from controller.session.referee.policy import (
    MAX_PENALTIES,
    BadPolicies,
    ConfirmedBy,
    Incident,
    Penalty,
    Policy,
    RefereePolicies,
    policy_field,
)

REFEREE_KEYS = ("policies", "penalties", "result_confirmed", "evidence")
KEEP_DAYS_RANGE = (1, 3650)
QUOTA_MB_RANGE = (10, 1_000_000)


@dataclass(frozen=True, slots=True)
class EvidenceSettings:
    """Limits of stored evidence; `controller.storage.evidence_files` applies them."""

    keep_days: int = 90
    quota_mb: int = 500


@dataclass(frozen=True, slots=True)
class RefereeSettings:
    """The section `referee`."""

    policies: RefereePolicies = field(default_factory=RefereePolicies)
    evidence: EvidenceSettings = field(default_factory=EvidenceSettings)


def read_referee(node: ConfigNode | None) -> RefereeSettings:
    """Read the section `referee`."""
    if node is None:
        return RefereeSettings()
    keys = node.section(*REFEREE_KEYS)
    policy_node, penalties = keys.get("policies"), keys.get("penalties")
    confirmed, evidence = keys.get("result_confirmed"), keys.get("evidence")
    policies: dict[str, Any] = {}
    if policy_node is not None:
        section = policy_node.section(*(each.value for each in Incident))
        for incident in Incident:
            policy = section.get(incident.value)
            if policy is not None:
                policies[policy_field(incident)] = Policy(
                    policy.choice(*(each.value for each in Policy))
                )
    if penalties is not None:
        policies["penalties"] = _read_penalties(penalties)
    if confirmed is not None:
        words = (each.value for each in ConfirmedBy)
        policies["result_confirmed"] = ConfirmedBy(confirmed.choice(*words))
    return RefereeSettings(RefereePolicies(**policies), _read_evidence(evidence))


def write_referee(referee: RefereeSettings) -> list[str]:
    """The lines of the section; empty for the defaults."""
    defaults, policies, lines = RefereeSettings(), referee.policies, []
    policy_lines = [
        f"    {each}: {policies.policy_for(each)}"
        for each in Incident
        if policies.policy_for(each) is not defaults.policies.policy_for(each)
    ]
    if policy_lines:
        lines += ["  policies:", *policy_lines]
    if policies.penalties != defaults.policies.penalties:
        lines.append(f"  penalties: [{', '.join(map(str, policies.penalties))}]")
    if policies.result_confirmed is not defaults.policies.result_confirmed:
        lines.append(f"  result_confirmed: {policies.result_confirmed}")
    evidence = [
        f"    {key}: {getattr(referee.evidence, key)}"
        for key in ("keep_days", "quota_mb")
        if getattr(referee.evidence, key) != getattr(defaults.evidence, key)
    ]
    if evidence:
        lines += ["  evidence:", *evidence]
    return ["referee:", *lines] if lines else []


def _read_penalties(node: ConfigNode) -> tuple[Penalty, ...]:
    want = sentences.PENALTIES()
    if node.is_scalar():
        if node.raw_text(want) != "none":
            raise node.wrong_value(want)
        return (Penalty(),)
    return tuple(_read_penalty(each) for each in node.items(1, MAX_PENALTIES, want))


def _read_penalty(node: ConfigNode) -> Penalty:
    try:
        return Penalty.parse(node.raw_text(sentences.PENALTY()))
    except BadPolicies as error:
        raise node.error(error.sentence) from error


def _read_evidence(node: ConfigNode | None) -> EvidenceSettings:
    if node is None:
        return EvidenceSettings()
    keys, defaults = node.section("keep_days", "quota_mb"), EvidenceSettings()
    days, quota = keys.get("keep_days"), keys.get("quota_mb")
    return EvidenceSettings(
        defaults.keep_days if days is None else days.integer(*KEEP_DAYS_RANGE),
        defaults.quota_mb if quota is None else quota.integer(*QUOTA_MB_RANGE),
    )
