"""What came of a soak, as tables for people: games by kind, and faults by how they ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from controller.simulation.faults.catalogue import CATALOGUE
from controller.simulation.faults.recovery import Recovery
from controller.simulation.soak.game import SoakResult

COUNTED_FIELDS = ("turns", "wrong", "lost", "hangs", "asked", "mismatches", "unseen")
GAME_COLUMNS = ("game", "games", *COUNTED_FIELDS, "minutes")


def game_table(verdicts: Sequence[SoakResult]) -> list[str]:
    """One row for each kind of game, and one for all."""
    names = sorted({each.game for each in verdicts})
    rows = [_row(name, [each for each in verdicts if each.game == name]) for name in names]
    return align_columns([GAME_COLUMNS, *rows, _row("all", verdicts)])


def _row(name: str, verdicts: Sequence[SoakResult]) -> tuple[str, ...]:
    counted = [sum(getattr(each, column) for each in verdicts) for column in COUNTED_FIELDS]
    minutes = sum(each.seconds for each in verdicts) / 60
    return (name, str(len(verdicts)), *map(str, counted), f"{minutes:.1f}")


def fault_table(verdicts: Sequence[SoakResult]) -> list[str]:
    """One row for each fault that happened: how often, and how it ended."""
    ended = Counter[str]()
    for each in verdicts:
        ended.update(each.faults)
    return ["", *recovery_table(ended)]


def recovery_table(ended: Counter[str]) -> list[str]:
    """From counts of `bump: asked a person`."""
    names = [fault.name for fault in CATALOGUE]
    known = [name for name in names if any(ended[f"{name}: {end}"] for end in Recovery)]
    rows = [(name, *_times(ended, [name])) for name in known]
    return align_columns(
        [("fault", "times", *map(str, Recovery)), *rows, ("all", *_times(ended, known))]
    )


def _times(ended: Counter[str], names: Iterable[str]) -> tuple[str, ...]:
    by_end = [sum(ended[f"{name}: {end}"] for name in names) for end in Recovery]
    return str(sum(by_end)), *map(str, by_end)


def align_columns(rows: Sequence[Sequence[str]]) -> list[str]:
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
