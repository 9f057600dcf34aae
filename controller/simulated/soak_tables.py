"""What came of a soak, as tables for people: games by kind, and faults by how they ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from controller.simulated.chaos.catalogue import CATALOGUE
from controller.simulated.chaos.endings import Ending
from controller.simulated.soak import Verdict

COUNTED = ("turns", "wrong", "lost", "hangs", "asked", "mismatches", "unseen")
GAMES = ("game", "games", *COUNTED, "minutes")


def game_table(verdicts: Sequence[Verdict]) -> list[str]:
    """One row for each kind of game, and one for all."""
    names = sorted({each.game for each in verdicts})
    rows = [_row(name, [each for each in verdicts if each.game == name]) for name in names]
    return aligned([GAMES, *rows, _row("all", verdicts)])


def _row(name: str, verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    counted = [sum(getattr(each, column) for each in verdicts) for column in COUNTED]
    minutes = sum(each.seconds for each in verdicts) / 60
    return (name, str(len(verdicts)), *map(str, counted), f"{minutes:.1f}")


def fault_table(verdicts: Sequence[Verdict]) -> list[str]:
    """One row for each fault that happened: how often, and how it ended."""
    ended = Counter[str]()
    for each in verdicts:
        ended.update(each.faults)
    return ["", *ending_table(ended)]


def ending_table(ended: Counter[str]) -> list[str]:
    """From counts of `bump: asked a person`."""
    names = [fault.name for fault in CATALOGUE]
    known = [name for name in names if any(ended[f"{name}: {end}"] for end in Ending)]
    rows = [(name, *_times(ended, [name])) for name in known]
    return aligned([("fault", "times", *map(str, Ending)), *rows, ("all", *_times(ended, known))])


def _times(ended: Counter[str], names: Iterable[str]) -> tuple[str, ...]:
    by_end = [sum(ended[f"{name}: {end}"] for name in names) for end in Ending]
    return str(sum(by_end)), *map(str, by_end)


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Columns below each other: words from the left, numbers from the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        first, *others = (
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  ".join((first, *others)))
    return lines
