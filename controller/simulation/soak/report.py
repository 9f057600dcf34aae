"""Text tables of a soak test: results by kind of game, and recoveries by fault."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from controller.simulation.faults.catalogue import CATALOGUE
from controller.simulation.faults.recovery import Recovery
from controller.simulation.soak.game import SoakResult

COUNTED_FIELDS = ("turns", "wrong", "lost", "hangs", "asked", "mismatches", "unseen")
GAME_COLUMNS = ("game", "games", *COUNTED_FIELDS, "minutes")


def game_table(results: Sequence[SoakResult]) -> list[str]:
    """One row per kind of game, and one for all."""
    names = sorted({each.game for each in results})
    rows = [_row(name, [each for each in results if each.game == name]) for name in names]
    return align_columns([GAME_COLUMNS, *rows, _row("all", results)])


def _row(name: str, results: Sequence[SoakResult]) -> tuple[str, ...]:
    counted = [sum(getattr(each, column) for each in results) for column in COUNTED_FIELDS]
    minutes = sum(each.seconds for each in results) / 60
    return (name, str(len(results)), *map(str, counted), f"{minutes:.1f}")


def fault_table(results: Sequence[SoakResult]) -> list[str]:
    """One row per fault: how often it happened, and the counts of its recoveries."""
    counts = Counter[str]()
    for each in results:
        counts.update(each.faults)
    return ["", *recovery_table(counts)]


def recovery_table(counts: Counter[str]) -> list[str]:
    """The table of counts by "bump: asked a person"."""
    names = [fault.name for fault in CATALOGUE]
    known = [name for name in names if any(counts[f"{name}: {end}"] for end in Recovery)]
    rows = [(name, *_times(counts, [name])) for name in known]
    return align_columns(
        [("fault", "times", *map(str, Recovery)), *rows, ("all", *_times(counts, known))]
    )


def _times(counts: Counter[str], names: Iterable[str]) -> tuple[str, ...]:
    by_recovery = [sum(counts[f"{name}: {end}"] for name in names) for end in Recovery]
    return str(sum(by_recovery)), *map(str, by_recovery)


def align_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Align the first column left and the others right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        first, *others = (
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  ".join((first, *others)))
    return lines
