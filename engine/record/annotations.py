"""The computer's annotation of a turn, as a value and as text in the comment of a record:

    {[%eval -1.20] [%verdict mistake] [%better j4j3 e5e6]}

Scores are the first player's, in hundredths of a common piece. `#3` is a win of the first player
within three single turns, including the annotated one. `#-3` is a win of the second.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine import strict_json
from engine.catalogue import SCORE_HAS_WON, SCORE_WINS_IN
from engine.errors import LaserboardError, excerpt
from engine.record import catalogue
from engine.search import DECIDED, WIN
from engine.sentences import Sentence, plain

_SCORE = re.compile(r"\s*([+-]?)(\d{1,5})(?:\.(\d{1,2}))?(?:,\d{1,3})?\s*", re.ASCII)
_MATE_SCORE = re.compile(r"\s*#([+-]?)(\d{1,3})\s*", re.ASCII)
VERDICT = re.compile(r"[a-z](?:[a-z ]{0,28}[a-z])?", re.ASCII)


class Unwritable(LaserboardError, ValueError):
    """A value that no record can hold."""


@dataclass(frozen=True, slots=True)
class RecordAnnotation:
    """The score after a turn, a verdict on the move, and the better line of play."""

    score: int
    verdict: str = ""
    better: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        strict_json.require_int(self.score, "a score", Unwritable, 1 - WIN, WIN - 1)
        if self.verdict and not VERDICT.fullmatch(self.verdict):
            raise Unwritable(catalogue.NOT_A_VERDICT(value=excerpt(self.verdict)))


def write_score(score: int) -> str:
    """`+0.34`, `-1.20`, `#3`, `#-3`."""
    if abs(score) > DECIDED:
        return f"#{'-' if score < 0 else ''}{WIN - abs(score)}"
    return f"{'-' if score < 0 else '+'}{abs(score) // 100}.{abs(score) % 100:02}"


def score_sentence(players: Sequence[str], score: int) -> Sentence:
    """The score of the position after the turn: `+0.34`, `blue wins in 2`, `blue has won`."""
    if abs(score) <= DECIDED:
        return plain(write_score(score))
    winner, turns = players[0 if score > 0 else 1], WIN - abs(score) - 1
    return SCORE_WINS_IN(player=winner, turns=turns) if turns else SCORE_HAS_WON(player=winner)


def read_score(text: str) -> int:
    """The reverse of `write_score`. Also reads scores that other programs write."""
    ending, score = _MATE_SCORE.fullmatch(text), _SCORE.fullmatch(text)
    if ending is not None and 1 <= int(ending[2]) < WIN - DECIDED:
        return int(f"{ending[1]}1") * (WIN - int(ending[2]))
    if score is not None:
        hundredths = int(score[2]) * 100 + int((score[3] or "").ljust(2, "0"))
        if hundredths <= DECIDED:
            return int(f"{score[1]}1") * hundredths
    raise Unwritable(catalogue.NOT_A_SCORE(value=excerpt(text.strip())))
