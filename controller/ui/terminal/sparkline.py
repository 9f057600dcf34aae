"""A chart of scores in block characters; the first player's share grows upwards."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from controller.ui.terminal.canvas import colour_code

BLOCKS = " ▁▂▃▄▅▆▇█"
EMPTY_BLOCK = "·"  # without colours
ROWS = 4


def render_sparkline(
    shares: Sequence[float], columns: int, above: str, below: str, *, colour: bool
) -> str:
    """Draw shares from 0 to 1, one column each; more shares than columns are averaged.

    `above` and `below` are the colours of the first and the second player.
    """
    shown = _resample(shares, max(1, columns))
    lines = []
    for row in reversed(range(ROWS)):
        signs = "".join(BLOCKS[_eighths(part, row)] for part in shown)
        # The block has the first player's colour, the rest of the character the second's.
        painted = f"{colour_code(above, below)}{signs}\x1b[0m"
        lines.append(painted if colour else signs.replace(" ", EMPTY_BLOCK))
    return "\n".join(lines)


def _eighths(part: float, row: int) -> int:
    full = round(part * ROWS * 8)
    return max(0, min(8, full - 8 * row))


def _resample(shares: Sequence[float], columns: int) -> list[float]:
    if len(shares) <= columns:
        wide = max(1, min(3, columns // max(1, len(shares))))
        return [part for part in shares for _ in range(wide)]
    cuts = [round(i * len(shares) / columns) for i in range(columns + 1)]
    return [sum(shares[begin:end]) / (end - begin) for begin, end in pairwise(cuts)]
