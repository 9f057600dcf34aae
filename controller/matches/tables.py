"""What a match has shown, in words and columns; also while it is played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import isinf

from controller.journal import count
from controller.matches.playing import Effort, Played, Terms
from controller.matches.statistics import FEWEST_PAIRS, Strength, strength

MOST_COMPLAINTS = 10
LONGEST_NAME = 40


def pairs_of(games: Sequence[Played]) -> list[float]:
    """The first player's points of each pair of games that are both over."""
    points = {each.number: each.points for each in games}
    return [points[n] + points[n + 1] for n in sorted(points) if n % 2 and n + 1 in points]


def so_far(games: Sequence[Played], wanted: int) -> str:
    """One line, while it goes on."""
    won, drawn, lost = _counts(games)
    told = f"{len(games)} of {wanted} games: A won {won}, drew {drawn}, lost {lost}"
    found = strength(pairs_of(games))
    return told if found is None else f"{told}, {_bars(found)}"


def result(terms: Terms, games: Sequence[Played]) -> Iterator[str]:
    """The whole table."""
    yield f"{terms.game.title}, {terms.usual}, {count(len(games), 'game', 'games')}"
    won, drawn, lost = _counts(games)
    names = [
        f"{'AB'[who]} {each.name}"[:LONGEST_NAME] for who, each in enumerate(terms.contestants)
    ]
    wide = max(map(len, names))
    yield (f"{'':{wide}}   won  drawn  lost   points  mean depth     nodes/s  longest overrun")
    for who, (name, wins, losses) in enumerate(zip(names, (won, lost), (lost, won), strict=True)):
        effort = _effort(games, who)
        points = 100 * (wins + drawn / 2) / max(1, len(games))
        depth, rate, over = _told(effort)
        yield (
            f"{name:{wide}}  {wins:4}  {drawn:5}  {losses:4}  {points:5.1f} %"
            f"  {depth:>10}  {rate:>10}  {over:>15}"
        )
    yield from _compared(pairs_of(games))
    ends = Counter(each.outcome.reason for each in games if each.failed is None)
    ended = [f"{times} by {reason}" for reason, times in ends.most_common()]
    forfeits = [each for each in games if each.failed is not None]
    if forfeits:
        ended.append(f"{len(forfeits)} by a player that failed")
    if ended:
        yield f"games ended: {', '.join(ended)}"
    for each in forfeits[:MOST_COMPLAINTS]:
        yield f"game {each.number}: {each.outcome.reason}"
    if len(forfeits) > MOST_COMPLAINTS:
        yield f"and {len(forfeits) - MOST_COMPLAINTS} more such games"


def _compared(pairs: Sequence[float]) -> Iterator[str]:
    found, played = strength(pairs), f"{count(len(pairs), 'pair', 'pairs')} of games"
    if found is not None:
        yield f"A against B: {_bars(found)} (95 %, pentanomial over {played})"
        yield f"A is the better one with a likelihood of {_percent(found.superiority)}"
    elif pairs:
        yield f"A against B: {played}, too few to tell (from {FEWEST_PAIRS} pairs on)"


def _counts(games: Sequence[Played]) -> tuple[int, int, int]:
    points = [each.points for each in games]
    return points.count(1.0), points.count(0.5), points.count(0.0)


def _effort(games: Sequence[Played], who: int) -> Effort:
    whole = Effort()
    for each in games:
        whole.merge(each.efforts[who])
    return whole


def _told(effort: Effort) -> tuple[str, str, str]:
    """Mean depth, nodes a second and the longest overrun; `-` where nothing is known, as of games
    that were played before, and of programs that do not tell."""
    depth = f"{effort.depths / effort.moves:.1f}" if effort.depths else "-"
    rate = f"{1000 * effort.nodes / max(1.0, effort.thought_ms):,.0f}" if effort.nodes else "-"
    over = "-" if effort.overrun_ms is None else f"{max(0.0, effort.overrun_ms):.0f} ms"
    return depth, rate, over


def _bars(found: Strength) -> str:
    """`Elo +35, -12 to +84`."""
    return f"Elo {_signed(found.elo)}, {_signed(found.low)} to {_signed(found.high)}"


def _percent(likelihood: float) -> str:
    """Nothing is certain."""
    if not 0.0005 <= likelihood < 0.9995:
        return "more than 99.9 %" if likelihood > 0.5 else "less than 0.1 %"
    return f"{100 * likelihood:.1f} %"


def _signed(elo: float) -> str:
    if isinf(elo):
        return "+inf" if elo > 0 else "-inf"
    return f"{round(elo):+}"
