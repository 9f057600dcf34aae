"""A game's score sheet: HTML for paper, A4 or Letter, that needs nothing but itself.

The same journal gives the same sheet, letter by letter: an export is checked against that. So
whoever changes how it looks counts `EDITION` up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from controller.affairs import affairs_of, waiting_for
from controller.clocks import Clocks, clock_face
from controller.exports.print_style import BEAM, STYLE, on_paper
from controller.exports.remarks import Remark, remarks
from controller.journal import NOTHING_BEFORE, Entry
from controller.played import Played, left
from engine.draw import svg
from engine.draw.words import action
from engine.game import AnyGame, AnyTurn, Player

EDITION = 2
SHORT = 16  # digits of a head that are enough to know it by
GROUP = 8
CORRECTED = "†"


def head_of(entries: Sequence[Entry]) -> str:
    """What a journal is known by: the hash of its last entry."""
    return entries[-1].hash if entries else NOTHING_BEFORE


def grouped(head: str) -> str:
    """A head as people read it out: in groups of 8 digits."""
    return " ".join(head[at : at + GROUP] for at in range(0, len(head), GROUP))


def sheet(entries: Sequence[Entry], played: Played) -> str:
    """The whole page."""
    game, start = played.start.game, played.start
    title = str(start.occasion) if start.occasion else f"{game.title}, {start.started}"
    body = "\n".join(
        [
            _top(played),
            _players(played),
            _moves(played),
            '<div class="end">',
            _position(played),
            _result(played, entries),
            "</div>",
            _remarks(tuple(remarks(entries, game)), played),
            _signatures(played),
            _foot(entries),
        ]
    )
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width">\n'
        f'<meta name="generator" content="Laserboard, sheet {EDITION}">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


# -- the parts -----------------------------------------------------------------------------------


def _top(played: Played) -> str:
    start, game = played.start, played.start.game
    occasion = start.occasion
    facts = [
        ("Game", game.title),
        ("Setup", start.setup or ("a position" if start.seed is None else f"map {start.seed}")),
        ("Begun", start.started or "-"),
        ("Time", start.time_control or "none"),
        *((name.replace("_", " ").capitalize(), str(v)) for name, v in game.options().items()),
    ]
    if start.laws is not None:
        facts.append(("Penalties", ", ".join(map(str, start.laws.penalties))))
    if occasion is not None:
        facts = [("Round", str(occasion.round)), ("Table", str(occasion.table)), *facts]
    cells = "".join(f"<div><dt>{escape(k)}</dt><dd>{escape(v)}</dd></div>" for k, v in facts)
    return (
        f'<header>{BEAM}<p class="what">Score sheet</p>'
        f"<h1>{escape(occasion.event if occasion else game.title)}</h1>"
        f'<dl class="facts">{cells}</dl></header>'
    )


def _players(played: Played) -> str:
    start, game = played.start, played.start.game
    points = {"1-0": ("1", "0"), "0-1": ("0", "1"), "1/2-1/2": ("½", "½")}
    ended = played.ended
    scores = points.get("" if ended is None else ended.result, ("", ""))
    rows = "".join(
        f'<div class="player side{number}"><i></i><span class="name">{escape(str(seat))}</span>'
        f'<span class="side">{escape(side)}</span><b>{score}</b></div>'
        for number, (side, seat, score) in enumerate(
            zip(game.players, start.seats, scores, strict=True)
        )
    )
    return f'<section class="players">{rows}</section>'


def _moves(played: Played) -> str:
    game = played.start.game
    wide = "" if game.record_form == "text" else " wide"
    rows = "".join(_rows(game, played))
    if not rows:
        return '<section class="moves"><p class="none">No turn was played.</p></section>'
    return f'<section class="moves{wide}">{rows}</section>'


def _rows(game: AnyGame, played: Played) -> Iterator[str]:
    """Numbered rows with a move of each side; one turn is a row where both act at once."""
    cells: list[str] = []
    number = 1
    for turn, clocks, mark in zip(played.turns, played.clocks, _marks(played), strict=True):
        movers = [player for player, _ in turn.moves]
        if len(movers) == 1 and movers[0] == 1 and not cells:
            cells.append(_cell("…", ""))
        if len(movers) == 1 and movers[0] == 0 and cells:  # the same side again: a correction
            yield _row(number, [*cells, _cell("…", "")])
            cells, number = [], number + 1
        told = [_told(game, turn, player) for player in movers]
        told[-1] += mark
        cells += [
            _cell(text, _face(clocks, player)) for text, player in zip(told, movers, strict=True)
        ]
        if len(cells) >= 2:
            yield _row(number, cells)
            cells, number = [], number + 1
    if cells:
        yield _row(number, [*cells, _cell("", "")])


def _marks(played: Played) -> list[str]:
    """Behind each turn, whether the position was corrected after it."""
    put = dict(played.corrected)
    return [CORRECTED if number in put else "" for number in range(1, len(played.turns) + 1)]


def _told(game: AnyGame, turn: AnyTurn, player: Player) -> str:
    move = dict(turn.moves)[player]
    if game.record_form == "text":
        return game.write_move(turn.before, player, move)
    name = turn.aimed.grid.name
    taken = [name(each.cell) for each in turn.removed if each.piece.owner != player]
    return action(game, turn, player) + (f" × {' '.join(taken)}" if taken else "")


def _face(clocks: Clocks | None, player: Player) -> str:
    left_ms = None if clocks is None else left(clocks, player)
    return "" if left_ms is None else clock_face(left_ms)


def _row(number: int, cells: list[str]) -> str:
    return f'<div class="row"><span class="n">{number}</span>{"".join(cells)}</div>\n'


def _cell(text: str, clock: str) -> str:
    return f'<span class="move">{escape(text)}</span><span class="clock">{escape(clock)}</span>'


def _position(played: Played) -> str:
    game = played.start.game
    picture = on_paper(svg(game, played.position))
    text = game.write_position(played.position) if game.record_form == "text" else ""
    told = f'<figcaption class="code">{escape(text)}</figcaption>' if text else ""
    return f'<figure class="position">{picture}{told}</figure>'


def _result(played: Played, entries: Sequence[Entry]) -> str:
    ended, game = played.ended, played.start.game
    last = played.last_clocks
    clocks = "".join(
        f"<p>{escape(side)} <b>{_face(last, player)}</b></p>"
        for player, side in enumerate(game.players)
        if _face(last, player)
    )
    turns = f"{len(played.turns)} turn{'' if len(played.turns) == 1 else 's'}"
    back = f", {played.taken_back} taken back" if played.taken_back else ""
    corrected = ""
    if played.corrected:
        where = "before the first turn" if played.corrected[0][0] == 0 else "after this turn"
        corrected = f"<p>{CORRECTED} the position was corrected {where}</p>"
    start = played.start
    agreed = ""
    if start.laws is not None and ended is not None:
        waits = waiting_for(affairs_of(entries), start.laws, start.seats, game)
        agreed = f"It waits for {' and '.join(waits)}" if waits else "It stands"
        agreed = f"<p>{escape(agreed)}</p>"
    score, reason = (ended.result, ended.reason) if ended else ("*", "unfinished")
    return (
        f'<section class="result"><h2>Result</h2><p class="score">{escape(score)}</p>'
        f'<p class="reason">{escape(reason)}</p>{agreed}<p>{turns}{back}</p>{corrected}'
        f'<div class="left">{clocks}</div></section>'
    )


def _remarks(found: Sequence[Remark], played: Played) -> str:
    if not found and played.fault is None:
        return ""
    items = "".join(
        f'<li value="{each.number}"><b>{escape(each.kind)}</b> {escape(each.sentence)}'
        + (f" <i>{escape(each.by)}</i>" if each.by else "")
        + "</li>"
        for each in found
    )
    fault = "" if played.fault is None else f"<p>{escape(str(played.fault))}</p>"
    return (
        '<section class="remarks"><h2>Corrections, penalties, notes '
        f"<small>by line of the journal</small></h2><ol>{items}</ol>{fault}</section>"
    )


def _signatures(played: Played) -> str:
    start = played.start
    people = [
        *((str(seat), side) for seat, side in zip(start.seats, start.game.players, strict=True)),
        ("", "referee"),
    ]
    lines = "".join(
        f"<div><span></span><p>{escape(name)} <i>{escape(side)}</i></p></div>"
        for name, side in people
    )
    return f'<section class="signatures">{lines}</section>'


def _foot(entries: Sequence[Entry]) -> str:
    head = head_of(entries)
    short, rest = grouped(head[:SHORT]), grouped(head[SHORT:])
    return (
        f'<footer><p class="head"><b>{short}</b> {rest}</p>'
        f"<p>Head of the journal's chain of {len(entries)} entries, as this sheet was made. The "
        f"digits in bold are enough to know it by: <code>laserboard games verify GAME.zip --head "
        f"{head[:SHORT]}</code> proves that a game is complete and as it was.</p></footer>"
    )
