"""What a computer says of a turn, as a value and as the text of a record's comment.

    {[%eval -1.20] [%verdict mistake] [%better j4j3 e5e6]}

Scores are the first player's, in hundredths of a common piece; `#3` is a win of the first player
within three single turns, the one that it stands behind counted, and `#-3` one of the second.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine import strict_json
from engine.errors import LaserboardError, excerpt
from engine.search import DECIDED, WIN

_SCORE = re.compile(r"\s*([+-]?)(\d{1,5})(?:\.(\d{1,2}))?(?:,\d{1,3})?\s*", re.ASCII)
_ENDING = re.compile(r"\s*#([+-]?)(\d{1,3})\s*", re.ASCII)
VERDICT = re.compile(r"[a-z](?:[a-z ]{0,28}[a-z])?", re.ASCII)


class Unwritable(LaserboardError, ValueError):
    """A value that no record can hold."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The score after a turn, how good the move was in a word, and the play that was better."""

    score: int
    verdict: str = ""
    better: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        strict_json.whole(self.score, "a score", Unwritable, 1 - WIN, WIN - 1)
        if self.verdict and not VERDICT.fullmatch(self.verdict):
            raise Unwritable(
                f"{excerpt(self.verdict)} is no verdict: a word or two in small letters"
            )


def write_score(score: int) -> str:
    """`+0.34`, `-1.20`, `#3`, `#-3`."""
    if abs(score) > DECIDED:
        return f"#{'-' if score < 0 else ''}{WIN - abs(score)}"
    return f"{'-' if score < 0 else '+'}{abs(score) // 100}.{abs(score) % 100:02}"


def score_words(players: Sequence[str], score: int) -> str:
    """What it says of the position after the turn: `+0.34`, `blue wins in 2`, `blue has won`."""
    if abs(score) <= DECIDED:
        return write_score(score)
    winner, turns = players[0 if score > 0 else 1], WIN - abs(score) - 1
    return f"{winner} wins in {turns}" if turns else f"{winner} has won"


def read_score(text: str) -> int:
    """What `write_score` writes, and what others write so."""
    ending, score = _ENDING.fullmatch(text), _SCORE.fullmatch(text)
    if ending is not None and 1 <= int(ending[2]) < WIN - DECIDED:
        return int(f"{ending[1]}1") * (WIN - int(ending[2]))
    if score is not None:
        hundredths = int(score[2]) * 100 + int((score[3] or "").ljust(2, "0"))
        if hundredths <= DECIDED:
            return int(f"{score[1]}1") * hundredths
    raise Unwritable(f"{excerpt(text.strip())} is no score: write [%eval -1.20], or [%eval #3]")
