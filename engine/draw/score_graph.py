"""Draws the score of a game after each turn as SVG, with marks at mistakes.

The upper half is the first player's, the lower half the second's. A win fills its half. The SVG
has a description in words.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from engine.analysis import Annotation, Verdict, score_share
from engine.draw import catalogue
from engine.draw.palette import BACKGROUND, INK, LAST_MOVE, PAPER, RIM, player_paints
from engine.game import AnyGame
from engine.record import score_sentence
from engine.sentences import Sentence, joined, plain

WIDTH, HEIGHT = 960.0, 420.0
LEFT, RIGHT, TOP, BOTTOM = 64.0, 28.0, 76.0, 64.0
LABEL_INTERVALS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
MAX_LABELS = 16
# The shape and colour of the mark for each verdict that has one.
_MARKS = {
    Verdict.SLIP: ("M-5 0A5 5 0 1 0 5 0A5 5 0 1 0 -5 0Z", "#ffd75e"),
    Verdict.MISTAKE: ("M0 -7L7 6H-7Z", "#ffa02e"),
    Verdict.BLUNDER: ("M-6 -6H6V6H-6Z", "#ff6d78"),
    Verdict.MISSED_WIN: ("M0 -8L8 0L0 8L-8 0Z", "#c9a2ff"),
}


def score_svg(
    game: AnyGame, annotations: Sequence[Annotation], names: Sequence[str], title: str = ""
) -> str:
    """The graph of at least one turn, with the names of the players."""
    first, second = player_paints(game.players)
    points = [_point(each, annotations) for each in annotations]
    line = " ".join(f"{'L' if i else 'M'}{x:.1f} {y:.1f}" for i, (x, y) in enumerate(points))
    middle, low = _y(0.5), HEIGHT - BOTTOM
    (begin, _), (end, _) = points[0], points[-1]
    area = f"M{begin:.1f} {middle:.1f} {line.replace('M', 'L', 1)} L{end:.1f} {middle:.1f}Z"
    heading = escape(title or f"{names[0]} – {names[1]}")
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" '
            'role="img" aria-labelledby="title desc" font-family="system-ui, sans-serif">',
            f'<title id="title">{heading}</title>',
            f'<desc id="desc">{escape(str(_describe(game, annotations)))}</desc>',
            _defs(first.body, second.body),
            f'<rect width="{WIDTH:g}" height="{HEIGHT:g}" rx="18" fill="{BACKGROUND}"/>',
            f'<text x="{LEFT:g}" y="36" fill="{PAPER}" font-size="22" font-weight="650">'
            f"{heading}</text>",
            f'<text x="{LEFT:g}" y="58" fill="{INK}" font-size="14">'
            f"{catalogue.GRAPH_CAPTION(player=game.players[0])}</text>",
            f'<rect x="{LEFT:g}" y="{TOP:g}" width="{WIDTH - LEFT - RIGHT:g}" '
            f'height="{low - TOP:g}" fill="{RIM}"/>',
            *_rulers(),
            f'<g stroke="none"><path d="{area}" fill="url(#first)" clip-path="url(#upper)"/>'
            f'<path d="{area}" fill="url(#second)" clip-path="url(#lower)"/></g>',
            f'<path d="{line}" fill="none" stroke="{PAPER}" stroke-width="2.5" '
            'stroke-linejoin="round" stroke-linecap="round"/>',
            *_turn_numbers(annotations),
            *(_mark(game, each, point) for each, point in zip(annotations, points, strict=True)),
            _sides(game, names, first.bright, second.bright),
            _legend(annotations),
            "</svg>\n",
        )
    )


def _x(number: int, annotations: Sequence[Annotation]) -> float:
    first, last = annotations[0].number, annotations[-1].number
    part = 0.5 if last == first else (number - first) / (last - first)
    return LEFT + 14 + part * (WIDTH - LEFT - RIGHT - 28)


def _y(part: float) -> float:
    return TOP + (1 - part) * (HEIGHT - BOTTOM - TOP)


def _point(each: Annotation, annotations: Sequence[Annotation]) -> tuple[float, float]:
    return _x(each.number, annotations), _y(score_share(each.for_first_player(each.score)))


def _defs(first: str, second: str) -> str:
    middle, low = _y(0.5), HEIGHT - BOTTOM
    fades = "".join(
        f'<linearGradient id="{name}" gradientUnits="userSpaceOnUse" x1="0" x2="0" y1="{edge:g}" '
        f'y2="{middle:g}"><stop offset="0" stop-color="{colour}" stop-opacity="0.85"/>'
        f'<stop offset="1" stop-color="{colour}" stop-opacity="0.18"/></linearGradient>'
        for name, colour, edge in (("first", first, TOP), ("second", second, low))
    )
    clips = "".join(
        f'<clipPath id="{name}"><rect x="0" y="{top:g}" width="{WIDTH:g}" '
        f'height="{middle - TOP:g}"/></clipPath>'
        for name, top in (("upper", TOP), ("lower", middle))
    )
    return f"<defs>{fades}{clips}</defs>"


def _rulers() -> list[str]:
    """Lines at whole pieces."""
    drawn = []
    for score in (-300, -100, 0, 100, 300):
        y = _y(score_share(score))
        strong = score == 0
        drawn.append(
            f'<path d="M{LEFT:g} {y:.1f}H{WIDTH - RIGHT:g}" stroke="{INK}" '
            f'stroke-opacity="{0.8 if strong else 0.22}"/>'
            f'<text x="{LEFT - 10:g}" y="{y + 5:.1f}" fill="{INK}" font-size="14" '
            f'text-anchor="end">{"0" if strong else f"{score // 100:+}"}</text>'
        )
    return drawn


def _turn_numbers(annotations: Sequence[Annotation]) -> list[str]:
    every = next(
        (each for each in LABEL_INTERVALS if len(annotations) / each <= MAX_LABELS),
        LABEL_INTERVALS[-1],
    )
    return [
        f'<text x="{_x(each.number, annotations):.1f}" y="{HEIGHT - BOTTOM + 20:g}" fill="{INK}" '
        f'font-size="13" text-anchor="middle">{each.number}</text>'
        for each in annotations
        if each.number % every == 0 or (every > 1 and each is annotations[0])
    ]


def _mark(game: AnyGame, each: Annotation, point: tuple[float, float]) -> str:
    if each.verdict not in _MARKS:
        return ""
    shape, colour = _MARKS[each.verdict]
    x, y = point
    label = catalogue.GRAPH_MARK(
        number=each.number, player=game.players[each.player], verdict=str(each.verdict)
    )
    return (
        f'<path class="mark" data-turn="{each.number}" d="{shape}" fill="{colour}" '
        f'stroke="{BACKGROUND}" stroke-width="1.5" transform="translate({x:.1f} {y:.1f})">'
        f"<title>{escape(str(label))}</title></path>"
    )


def _sides(game: AnyGame, names: Sequence[str], first: str, second: str) -> str:
    right = WIDTH - RIGHT - 12
    return "".join(
        f'<text x="{right:g}" y="{y:g}" fill="{colour}" font-size="15" font-weight="650" '
        f'text-anchor="end">{escape(str(_side(game.players[player], names[player])))}</text>'
        for player, colour, y in ((0, first, TOP + 22), (1, second, HEIGHT - BOTTOM - 12))
    )


def _side(side: str, name: str) -> Sentence:
    return plain(side) if name == side else catalogue.PLAYER_AS_SIDE(name=name, side=side)


def _legend(annotations: Sequence[Annotation]) -> str:
    """The meaning of the marks in use."""
    used = {each.verdict for each in annotations}
    x, parts = LEFT, []
    for verdict, (shape, colour) in _MARKS.items():
        if verdict in used:
            parts.append(
                f'<path d="{shape}" fill="{colour}" '
                f'transform="translate({x + 8:g} {HEIGHT - 20:g})"/>'
                f'<text x="{x + 22:g}" y="{HEIGHT - 15:g}" fill="{PAPER}" font-size="14">'
                f"{verdict}</text>"
            )
            x += 46 + 8 * len(verdict)
    if not parts:
        return (
            f'<text x="{LEFT:g}" y="{HEIGHT - 15:g}" fill="{LAST_MOVE}" font-size="14">'
            f"{catalogue.GRAPH_NO_MARKS()}</text>"
        )
    return "".join(parts)


def _describe(game: AnyGame, annotations: Sequence[Annotation]) -> Sentence:
    return joined(
        catalogue.GRAPH_TURN(
            number=each.number,
            player=game.players[each.player],
            verdict=str(each.verdict),
            score=score_sentence(game.players, each.for_first_player(each.score)),
        )
        for each in annotations
    )
