"""The results of a match as text, also while it is played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import isinf

from controller.computer import sentences
from controller.computer.match.game import MatchGame, MatchTerms, SearchTotals
from controller.computer.match.statistics import MIN_PAIRS, EloEstimate, estimate_elo
from engine.sentences import Sentence

MAX_FORFEITS_LISTED = 10
MAX_NAME_CHARS = 40


def pair_points(games: Sequence[MatchGame]) -> list[float]:
    """The first player's points in each pair of finished games."""
    points = {each.number: each.points for each in games}
    return [points[n] + points[n + 1] for n in sorted(points) if n % 2 and n + 1 in points]


def progress_line(games: Sequence[MatchGame], planned: int) -> str:
    """One line of progress."""
    won, drawn, lost = _count_results(games)
    line = sentences.PROGRESS(played=len(games), planned=planned, won=won, drawn=drawn, lost=lost)
    found = estimate_elo(pair_points(games))
    if found is not None:
        line = sentences.PROGRESS_WITH_ELO(progress=line, elo=_elo_sentence(found))
    return str(line)


def report_lines(terms: MatchTerms, games: Sequence[MatchGame]) -> Iterator[str]:
    """The complete report."""
    counted = sentences.ONE_GAME if len(games) == 1 else sentences.GAMES
    yield str(
        sentences.MATCH(
            game=terms.game.title,
            limits=str(terms.default_limits),
            games=counted(count=len(games)),
        )
    )
    won, drawn, lost = _count_results(games)
    names = [
        f"{'AB'[who]} {each.name}"[:MAX_NAME_CHARS] for who, each in enumerate(terms.contestants)
    ]
    wide = max(map(len, names))
    yield f"{'':{wide}}{sentences.COLUMNS()}"
    for who, (name, wins, losses) in enumerate(zip(names, (won, lost), (lost, won), strict=True)):
        totals = _sum_search(games, who)
        points = 100 * (wins + drawn / 2) / max(1, len(games))
        depth, rate, over = _search_columns(totals)
        yield (
            f"{name:{wide}}  {wins:4}  {drawn:5}  {losses:4}  {points:5.1f} %"
            f"  {depth:>10}  {rate:>10}  {over:>15}"
        )
    yield from map(str, _comparison(pair_points(games)))
    yield from map(str, _endings(games))


def _endings(games: Sequence[MatchGame]) -> Iterator[Sentence]:
    """How the games ended, and the first of those that a player failed in."""
    ends = Counter(each.outcome.reason for each in games if each.forfeited_by is None)
    ended = [sentences.ENDED_BY(count=count, reason=reason) for reason, count in ends.most_common()]
    forfeits = [each for each in games if each.forfeited_by is not None]
    if forfeits:
        ended.append(sentences.ENDED_BY_FAILURE(count=len(forfeits)))
    if ended:
        yield sentences.GAMES_ENDED(ends=tuple(ended))
    for each in forfeits[:MAX_FORFEITS_LISTED]:
        yield sentences.FORFEITED_GAME(number=each.number, reason=each.outcome.reason)
    if len(forfeits) > MAX_FORFEITS_LISTED:
        yield sentences.MORE_FORFEITS(count=len(forfeits) - MAX_FORFEITS_LISTED)


def _comparison(pairs: Sequence[float]) -> Iterator[Sentence]:
    found = estimate_elo(pairs)
    played = (sentences.ONE_PAIR if len(pairs) == 1 else sentences.PAIRS)(count=len(pairs))
    if found is not None:
        yield sentences.COMPARED(elo=_elo_sentence(found), pairs=played)
        yield sentences.LIKELIHOOD(likelihood=_likelihood_sentence(found.superiority))
    elif pairs:
        yield sentences.TOO_FEW_PAIRS(pairs=played, least=MIN_PAIRS)


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


def _elo_sentence(found: EloEstimate) -> Sentence:
    """`Elo +35, -12 to +84`."""
    return sentences.ELO(elo=_signed(found.elo), low=_signed(found.low), high=_signed(found.high))


def _likelihood_sentence(likelihood: float) -> Sentence:
    """A percentage; above 99.9 and below 0.1, only that it is beyond the limit."""
    if not 0.0005 <= likelihood < 0.9995:
        highest = likelihood > 0.5
        return sentences.LIKELIHOOD_HIGHEST() if highest else sentences.LIKELIHOOD_LOWEST()
    return sentences.PERCENT(percent=f"{100 * likelihood:.1f}")


def _signed(elo: float) -> str:
    if isinf(elo):
        return "+inf" if elo > 0 else "-inf"
    return f"{round(elo):+}"
