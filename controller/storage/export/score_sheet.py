"""The score sheet of a game: one self-contained HTML page for A4 or Letter paper.

Deterministic: verification of an export compares the sheet byte by byte. Increase `SHEET_EDITION`
with every change of its text or look. Edition 2 (Laserboard 0.1) can still be written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from controller.session.clocks import Clocks, format_clock
from controller.session.journal import NO_PREVIOUS_HASH, JournalEntry
from controller.session.referee.state import referee_state_of, result_blocked_by_names
from controller.session.replay import ReplayedGame, recorded_remaining_ms
from controller.session.sentences import join_and
from controller.storage import sentences
from controller.storage.export.entry_text import (
    EDITION_2_WORDS,
    WORDS,
    EntryText,
    describe_entries,
)
from engine.draw import position_svg
from engine.draw.paper_style import BEAM_SVG, PAPER_CSS, to_paper_colours
from engine.draw.words import describe_action
from engine.game import AnyGame, AnyTurn, Player
from engine.sentences import Sentence

SHEET_EDITION = 3
SHORT_HASH_DIGITS = 16  # enough to identify a journal
DIGITS_PER_GROUP = 8
CORRECTED_MARK = "†"


def last_hash_of(entries: Sequence[JournalEntry]) -> str:
    """The hash of the last entry, which identifies a journal."""
    return entries[-1].hash if entries else NO_PREVIOUS_HASH


def group_digits(digits: str) -> str:
    """A hash in groups of 8 digits, for people to read."""
    return " ".join(
        digits[at : at + DIGITS_PER_GROUP] for at in range(0, len(digits), DIGITS_PER_GROUP)
    )


def score_sheet(
    entries: Sequence[JournalEntry], played: ReplayedGame, edition: int = SHEET_EDITION
) -> str:
    game, start = played.setup.game, played.setup
    words = EDITION_2_WORDS if edition == 2 else WORDS
    title = str(
        start.tournament_entry or sentences.GAME_ON_DAY(game=game.title, started=start.started)
    )
    body = "\n".join(
        [
            _header(played),
            _players(played),
            _moves(played),
            '<div class="end">',
            _position(played),
            _result(played, entries),
            "</div>",
            _remarks(tuple(describe_entries(entries, game, words)), played),
            _signatures(played),
            _footer(entries, edition),
        ]
    )
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width">\n'
        f'<meta name="generator" content="Laserboard, sheet {edition}">\n'
        f"<title>{escape(title)}</title>\n<style>{PAPER_CSS}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


# -- the parts -----------------------------------------------------------------------------------


def _header(played: ReplayedGame) -> str:
    start, game = played.setup, played.setup.game
    entry = start.tournament_entry
    position = (
        sentences.SOME_POSITION() if start.seed is None else sentences.SEEDED_MAP(seed=start.seed)
    )
    facts: list[tuple[Sentence | str, object]] = [
        (sentences.FACT_GAME(), game.title),
        (sentences.FACT_SETUP(), start.setup_name or position),
        (sentences.FACT_BEGUN(), start.started or "-"),
        (sentences.FACT_TIME(), start.time_control or sentences.NO_TIME_CONTROL()),
        *((name.replace("_", " ").capitalize(), value) for name, value in game.options().items()),
    ]
    if start.policies is not None:
        facts.append((sentences.FACT_PENALTIES(), ", ".join(map(str, start.policies.penalties))))
    if entry is not None:
        place = [(sentences.FACT_ROUND(), entry.round), (sentences.FACT_TABLE(), entry.table)]
        facts = [*place, *facts]
    cells = "".join(
        f"<div><dt>{_escaped(name)}</dt><dd>{_escaped(value)}</dd></div>" for name, value in facts
    )
    return (
        f'<header>{BEAM_SVG}<p class="what">{_escaped(sentences.SCORE_SHEET())}</p>'
        f"<h1>{escape(entry.event if entry else game.title)}</h1>"
        f'<dl class="facts">{cells}</dl></header>'
    )


def _players(played: ReplayedGame) -> str:
    start, game = played.setup, played.setup.game
    points = {"1-0": ("1", "0"), "0-1": ("0", "1"), "1/2-1/2": ("½", "½")}
    ended = played.outcome
    scores = points.get("" if ended is None else ended.result, ("", ""))
    rows = "".join(
        f'<div class="player side{number}"><i></i><span class="name">{_escaped(seat)}</span>'
        f'<span class="side">{escape(side)}</span><b>{score}</b></div>'
        for number, (side, seat, score) in enumerate(
            zip(game.players, start.seats, scores, strict=True)
        )
    )
    return f'<section class="players">{rows}</section>'


def _moves(played: ReplayedGame) -> str:
    game = played.setup.game
    wide = "" if game.record_form == "text" else " wide"
    rows = "".join(_rows(game, played))
    if not rows:
        none = _escaped(sentences.NO_TURN_PLAYED())
        return f'<section class="moves"><p class="none">{none}</p></section>'
    return f'<section class="moves{wide}">{rows}</section>'


def _rows(game: AnyGame, played: ReplayedGame) -> Iterator[str]:
    """Numbered rows: one move of each side, or one turn where both act simultaneously."""
    cells: list[str] = []
    number = 1
    for turn, clocks, mark in zip(
        played.turns, played.clocks, _correction_marks(played), strict=True
    ):
        movers = [player for player, _ in turn.moves]
        if len(movers) == 1 and movers[0] == 1 and not cells:
            cells.append(_cell("…", ""))
        if len(movers) == 1 and movers[0] == 0 and cells:  # the same side again: a correction
            yield _row(number, [*cells, _cell("…", "")])
            cells, number = [], number + 1
        texts = [_move_text(game, turn, player) for player in movers]
        texts[-1] += mark
        cells += [
            _cell(text, _clock_text(clocks, player))
            for text, player in zip(texts, movers, strict=True)
        ]
        if len(cells) >= 2:
            yield _row(number, cells)
            cells, number = [], number + 1
    if cells:
        yield _row(number, [*cells, _cell("", "")])


def _correction_marks(played: ReplayedGame) -> list[str]:
    """For each turn, the mark if the position was corrected after it."""
    put = dict(played.corrections)
    return [CORRECTED_MARK if number in put else "" for number in range(1, len(played.turns) + 1)]


def _move_text(game: AnyGame, turn: AnyTurn, player: Player) -> str:
    move = dict(turn.moves)[player]
    if game.record_form == "text":
        return game.write_move(turn.before, player, move)
    name = turn.aimed.grid.name
    taken = [name(each.cell) for each in turn.removed if each.piece.owner != player]
    return str(describe_action(game, turn, player)) + (f" × {' '.join(taken)}" if taken else "")


def _clock_text(clocks: Clocks | None, player: Player) -> str:
    left_ms = None if clocks is None else recorded_remaining_ms(clocks, player)
    return "" if left_ms is None else format_clock(left_ms)


def _row(number: int, cells: list[str]) -> str:
    return f'<div class="row"><span class="n">{number}</span>{"".join(cells)}</div>\n'


def _cell(text: str, clock: str) -> str:
    return f'<span class="move">{escape(text)}</span><span class="clock">{escape(clock)}</span>'


def _position(played: ReplayedGame) -> str:
    game = played.setup.game
    picture = to_paper_colours(position_svg(game, played.position))
    text = game.write_position(played.position) if game.record_form == "text" else ""
    caption = f'<figcaption class="code">{escape(text)}</figcaption>' if text else ""
    return f'<figure class="position">{picture}{caption}</figure>'


def _result(played: ReplayedGame, entries: Sequence[JournalEntry]) -> str:
    ended, game = played.outcome, played.setup.game
    last = played.last_clocks
    clocks = "".join(
        f"<p>{escape(side)} <b>{_clock_text(last, player)}</b></p>"
        for player, side in enumerate(game.players)
        if _clock_text(last, player)
    )
    turns = sentences.turn_count(len(played.turns))
    if played.taken_back_turns:
        turns = sentences.TURNS_TAKEN_BACK(turns=turns, count=played.taken_back_turns)
    corrected = ""
    if played.corrections:
        at_start = played.corrections[0][0] == 0
        remark = (
            sentences.CORRECTED_BEFORE_FIRST_TURN if at_start else sentences.CORRECTED_AFTER_TURN
        )
        corrected = f"<p>{_escaped(remark(mark=CORRECTED_MARK))}</p>"
    start = played.setup
    agreed = ""
    if start.policies is not None and ended is not None:
        waits = result_blocked_by_names(
            referee_state_of(entries), start.policies, start.seats, game
        )
        standing = sentences.WAITS_FOR(names=join_and(waits)) if waits else sentences.STANDS()
        agreed = f"<p>{_escaped(standing)}</p>"
    score, reason = (ended.result, ended.reason) if ended else ("*", sentences.UNFINISHED())
    return (
        f'<section class="result"><h2>{_escaped(sentences.RESULT())}</h2>'
        f'<p class="score">{escape(score)}</p>'
        f'<p class="reason">{_escaped(reason)}</p>{agreed}<p>{_escaped(turns)}</p>{corrected}'
        f'<div class="left">{clocks}</div></section>'
    )


def _remarks(found: Sequence[EntryText], played: ReplayedGame) -> str:
    if not found and played.fault is None:
        return ""
    items = "".join(
        f'<li value="{each.number}"><b>{escape(each.kind)}</b> {_escaped(each.sentence)}'
        + (f" <i>{escape(each.by)}</i>" if each.by else "")
        + "</li>"
        for each in found
    )
    fault = "" if played.fault is None else f"<p>{_escaped(played.fault)}</p>"
    return (
        f'<section class="remarks"><h2>{_escaped(sentences.REMARKS())} '
        f"<small>{_escaped(sentences.REMARKS_NUMBERING())}</small></h2>"
        f"<ol>{items}</ol>{fault}</section>"
    )


def _signatures(played: ReplayedGame) -> str:
    start = played.setup
    people = [
        *((str(seat), side) for seat, side in zip(start.seats, start.game.players, strict=True)),
        ("", str(sentences.REFEREE())),
    ]
    lines = "".join(
        f"<div><span></span><p>{escape(name)} <i>{escape(side)}</i></p></div>"
        for name, side in people
    )
    return f'<section class="signatures">{lines}</section>'


def _footer(entries: Sequence[JournalEntry], edition: int) -> str:
    last_hash = last_hash_of(entries)
    short = last_hash[:SHORT_HASH_DIGITS]
    digits = f"<b>{group_digits(short)}</b> {group_digits(last_hash[SHORT_HASH_DIGITS:])}"
    note, option = (
        (sentences.HASH_NOTE_EDITION_2, "--head")
        if edition == 2
        else (sentences.HASH_NOTE, "--hash")
    )
    command = f"<code>laserboard games verify GAME.zip {option} {short}</code>"
    text = note(entries=len(entries), command=command)
    return f'<footer><p class="head">{digits}</p><p>{text}</p></footer>'


def _escaped(text: object) -> str:
    return escape(str(text))
