"""The results of a match as text, also while it is played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import isinf

from controller.computer.match.game import MatchGame, MatchTerms, SearchTotals
from controller.computer.match.statistics import MIN_PAIRS, EloEstimate, estimate_elo
from engine.sentences import pluralise

MAX_FORFEITS_LISTED = 10
MAX_NAME_CHARS = 40


def pair_points(games: Sequence[MatchGame]) -> list[float]:
    """The first player's points in each pair of finished games."""
    points = {each.number: each.points for each in games}
    return [points[n] + points[n + 1] for n in sorted(points) if n % 2 and n + 1 in points]


def progress_line(games: Sequence[MatchGame], planned: int) -> str:
    """One line of progress."""
    won, drawn, lost = _count_results(games)
    line = f"{len(games)} of {planned} games: A won {won}, drew {drawn}, lost {lost}"
    found = estimate_elo(pair_points(games))
    return line if found is None else f"{line}, {_elo_text(found)}"


def report_lines(terms: MatchTerms, games: Sequence[MatchGame]) -> Iterator[str]:
    """The complete report."""
    yield f"{terms.game.title}, {terms.default_limits}, {pluralise(len(games), 'game', 'games')}"
    won, drawn, lost = _count_results(games)
    names = [
        f"{'AB'[who]} {each.name}"[:MAX_NAME_CHARS] for who, each in enumerate(terms.contestants)
    ]
    wide = max(map(len, names))
    yield (f"{'':{wide}}   won  drawn  lost   points  mean depth     nodes/s  longest overrun")
    for who, (name, wins, losses) in enumerate(zip(names, (won, lost), (lost, won), strict=True)):
        totals = _sum_search(games, who)
        points = 100 * (wins + drawn / 2) / max(1, len(games))
        depth, rate, over = _search_columns(totals)
        yield (
            f"{name:{wide}}  {wins:4}  {drawn:5}  {losses:4}  {points:5.1f} %"
            f"  {depth:>10}  {rate:>10}  {over:>15}"
        )
    yield from _comparison_lines(pair_points(games))
    ends = Counter(each.outcome.reason for each in games if each.forfeited_by is None)
    ended = [f"{times} by {reason}" for reason, times in ends.most_common()]
    forfeits = [each for each in games if each.forfeited_by is not None]
    if forfeits:
        ended.append(f"{len(forfeits)} by a player that failed")
    if ended:
        yield f"games ended: {', '.join(ended)}"
    for each in forfeits[:MAX_FORFEITS_LISTED]:
        yield f"game {each.number}: {each.outcome.reason}"
    if len(forfeits) > MAX_FORFEITS_LISTED:
        yield f"and {len(forfeits) - MAX_FORFEITS_LISTED} more such games"


def _comparison_lines(pairs: Sequence[float]) -> Iterator[str]:
    found, played = estimate_elo(pairs), f"{pluralise(len(pairs), 'pair', 'pairs')} of games"
    if found is not None:
        yield f"A against B: {_elo_text(found)} (95 %, pentanomial over {played})"
        yield f"A is the better one with a likelihood of {_likelihood_text(found.superiority)}"
    elif pairs:
        yield f"A against B: {played}, too few to tell (from {MIN_PAIRS} pairs on)"


def _count_results(games: Sequence[MatchGame]) -> tuple[int, int, int]:
    points = [each.points for each in games]
    return points.count(1.0), points.count(0.5), points.count(0.0)


def _sum_search(games: Sequence[MatchGame], who: int) -> SearchTotals:
    total = SearchTotals()
    for each in games:
        total.merge(each.search_totals[who])
    return total


def _search_columns(totals: SearchTotals) -> tuple[str, str, str]:
    """Mean depth, nodes a second and the longest overrun; `-` where unknown, as for games from
    records and programs that do not report."""
    depth = f"{totals.depth_sum / totals.moves:.1f}" if totals.depth_sum else "-"
    rate = f"{1000 * totals.nodes / max(1.0, totals.thought_ms):,.0f}" if totals.nodes else "-"
    over = "-" if totals.max_overrun_ms is None else f"{max(0.0, totals.max_overrun_ms):.0f} ms"
    return depth, rate, over


def _elo_text(found: EloEstimate) -> str:
    """`Elo +35, -12 to +84`."""
    return f"Elo {_signed(found.elo)}, {_signed(found.low)} to {_signed(found.high)}"


def _likelihood_text(likelihood: float) -> str:
    """A percentage; above 99.9 and below 0.1, only that it is beyond the limit."""
    if not 0.0005 <= likelihood < 0.9995:
        return "more than 99.9 %" if likelihood > 0.5 else "less than 0.1 %"
    return f"{100 * likelihood:.1f} %"


def _signed(elo: float) -> str:
    if isinf(elo):
        return "+inf" if elo > 0 else "-inf"
    return f"{round(elo):+}"
