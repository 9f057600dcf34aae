"""What `laserboard analyse` does: games in, judged turn by turn, and told."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from controller.cli.console import BadInput, Console, check_writable, shown, write_file
from controller.cli.kept_game import load, status
from controller.cli.records import RecordFile, same_file
from controller.game_store import SUFFIX, find, games_folder
from controller.journal import count
from controller.judging import analysis_json, legend, remark, summary_words
from controller.played import record
from controller.terminal.curve import curve
from controller.terminal.text import DIM, Line, Span, clean, painted, width, wrapped
from controller.web.pieces_json import told
from engine.analysis import (
    LEAST_DEPTH,
    Annotation,
    Ask,
    NotAnalysed,
    Verdict,
    analyse,
    annotated,
    rules_of,
    searching,
    share,
    summaries,
)
from engine.draw.palette import paints
from engine.draw.score_graph import score_svg
from engine.game import AnyGame
from engine.record import Form, Record, form_of, score_words, write
from engine.search import WIN, never

DEFAULT_SECONDS = 1.0
PATIENCE = 4  # times as long may the position after a move take, so that it is seen as deep
STOPPED = 130
VERDICT_WIDE, UNDER, ENDLESS = 12, 6, 10_000  # columns
WIDEST = 100  # columns, where nobody knows how wide the terminal is
INKS = {
    Verdict.BEST: "#7ee081",
    Verdict.GOOD: None,
    Verdict.SLIP: "#ffd75e",
    Verdict.MISTAKE: "#ffa02e",
    Verdict.BLUNDER: "#ff6d78",
    Verdict.MISSED_WIN: "#c9a2ff",
}


@dataclass(frozen=True, slots=True)
class _Source:
    """Where the games come from, and what is said of it in the end."""

    games: Callable[[], Iterator[tuple[int, Record]]]
    form: Form | None  # in which they are written again; None: as their game writes best
    status: Callable[[], int]
    refuse: Callable[[int, NotAnalysed], None]  # a game among others that cannot be judged


def run(args: argparse.Namespace, console: Console) -> int:
    if args.last is not None and args.last < args.first:
        raise BadInput(f"--from {args.first} --to {args.last}: there is no turn in between")
    if args.depth is not None and args.depth < LEAST_DEPTH:
        raise BadInput(
            f"--depth {args.depth}: an analysis looks at least {LEAST_DEPTH} turns ahead"
        )
    source, written, stopped = _source(args.file, console), list[str](), False
    check_writable(args.output, args.svg)
    begun, too_short = False, ""
    for number, each in source.games():
        done = list[Annotation]()
        if too_short:
            console.note(too_short)
        too_short = "" if stopped else _too_short(args, each, number)
        try:
            game = rules_of(each)
            if not (stopped or too_short):  # what nobody has come to is written as it was
                begun, stopped = True, _judge(args, console, each, number, done)
        except NotAnalysed as bad:
            too_short = ""
            source.refuse(number, bad)
        if done and args.json:
            found = {"number": number, **analysis_json(game, done, summaries(done))}
            console.print(json.dumps(found, ensure_ascii=False))
        written.append(write(annotated(each, done), source.form or each.rules().record_form))
        if done and args.svg is not None:
            _draw(each, done, _numbered(args.svg, number), console)
    if too_short:
        if not begun:
            raise BadInput(too_short)
        console.note(too_short)
    if args.output is not None:
        if source.status() and same_file(args.file, args.output):
            raise BadInput(
                f"{shown(args.output)} is left as it is: its broken games would be lost; "
                "name another output"
            )
        between = "\n" if source.form == "text" else ""
        write_file(args.output, between.join(written), console)
    if stopped:
        console.note("stopped: what was judged is kept")
    return STOPPED if stopped else source.status()


def _source(name: str, console: Console) -> _Source:
    """A record file, or a game that is kept."""
    if name == "-" or _is_record(name):
        file = RecordFile(name, console)
        return _Source(
            file.games,
            form_of(file.text),
            lambda: file.status,
            lambda number, bad: file.report(shown(name), number, str(bad)),
        )

    def refuse(_: int, bad: NotAnalysed) -> None:
        raise bad

    kept = load(find(games_folder(), name))
    harmed = status(kept, console)
    return _Source(lambda: iter([(1, record(kept.played))]), None, lambda: harmed, refuse)


def _is_record(name: str) -> bool:
    try:
        return Path(name).is_file() and Path(name).suffix != SUFFIX
    except (OSError, ValueError):
        return False  # whoever looks for a game says what is wrong with that name


def _too_short(args: argparse.Namespace, record: Record, number: int) -> str:
    """What is to be said of a game that has no such turn."""
    if args.first <= max(1, len(record.turns)):
        return ""
    return f"--from {args.first}: game {number} has {count(len(record.turns), 'turn', 'turns')}"


def _judge(
    args: argparse.Namespace,
    console: Console,
    record: Record,
    number: int,
    done: list[Annotation],
) -> bool:
    """Add the turns to `done` as they are judged; whether somebody stopped it."""
    game = rules_of(record)
    table = None if args.json else _Table(game, record, number, console)
    last = min(args.last or len(record.turns), len(record.turns))
    think = searching(game, _stop(args, console))
    try:
        for each in analyse(record, think, args.depth, args.first, last):
            done.append(each)
            if table is not None:
                table.row(each)
            if console.size is not None and each.number < last:
                console.err.write(f"\r\x1b[Kturn {each.number + 1} of {last} ...\r")
                console.err.flush()
    except KeyboardInterrupt:
        return True
    finally:
        if table is not None:
            table.end(done)
    return False


def _stop(args: argparse.Namespace, console: Console) -> Callable[[Ask], Callable[[], bool]]:
    """When a search has taken long enough."""
    if args.depth is not None:
        return lambda _: never
    seconds = DEFAULT_SECONDS if args.seconds is None else args.seconds

    def stop(asked: Ask) -> Callable[[], bool]:
        spend_ms = 1000 * seconds * (1 if asked.depth is None else PATIENCE)
        end_ms = console.clock.now_ms() + spend_ms
        return lambda: console.clock.now_ms() >= end_ms

    return stop


class _Table:
    """A row for each turn as it is judged; the curve and how each played in the end."""

    def __init__(self, game: AnyGame, record: Record, number: int, console: Console) -> None:
        self._game, self._console = game, console
        self._columns = console.size[0] if console.size else WIDEST
        self._move = max(
            [4, *(width(entry.moves[0]) for entry in record.turns)]
            if game.record_form == "text"
            else [20]
        )
        wins = (score_words(game.players, each) for each in (WIN - 11, 11 - WIN))
        self._score = max(6, *map(len, wins))
        names = [record.tag(side.capitalize(), side) for side in game.players]
        console.print(clean(f"game {number}: {' - '.join(names)}, {game.title}"))
        console.print(legend(game))
        titles = ("turn", "", "move", "score", "", "")
        self._print(titles, Span("verdict", DIM))

    def row(self, each: Annotation) -> None:
        game = self._game
        cells = (
            str(each.number),
            game.players[each.player],
            told(game, each.turn),
            score_words(game.players, each.first(each.score)),
            each.verdict.sign,
            remark(game, each),
        )
        verdict = Span(str(each.verdict), INKS[each.verdict], bold=each.verdict.clearly_worse)
        self._print(cells, verdict, paints(game.players)[each.player].bright)

    def _print(self, cells: tuple[str, ...], verdict: Span, ink: str | None = None) -> None:
        number, side, move, score, sign, more = cells
        side_wide = max(map(len, self._game.players))
        dim = DIM if ink is None else None
        line: Line = (
            Span(f"{number:>4}  ", DIM),
            Span(f"{side:<{side_wide}}  ", ink),
            Span(f"{move + sign:<{self._move + 2}}  ", dim),
            Span(f"{score:>{self._score}}  ", dim),
        )
        if self._console.size is not None:
            self._console.err.write("\r\x1b[K")
            self._console.err.flush()
        columns = max(self._columns, 20) if self._console.size else ENDLESS
        left = columns - sum(width(span.text) for span in line)
        if left >= VERDICT_WIDE + width(more):
            line = (*line, verdict, Span(" " * (VERDICT_WIDE - len(verdict.text)) + more, DIM))
            more = ""
        elif left >= len(verdict.text):
            line = (*line, verdict)
        else:
            more = f"{verdict.text}: {more}" if more else verdict.text
        under = wrapped(more, columns - UNDER, ENDLESS) if more else []  # rather than cut
        for each in (line, *((Span(" " * UNDER), Span(words, DIM)) for words in under)):
            self._console.print(painted(each, columns, colour=self._console.colour).rstrip())

    def end(self, done: list[Annotation]) -> None:
        console, game = self._console, self._game
        if console.size is not None:
            console.err.write("\r\x1b[K")
            console.err.flush()
        if not done:
            return
        above, below = (paint.body for paint in paints(game.players))
        shares = [share(each.first(each.score)) for each in done]
        console.print()
        console.print(curve(shares, self._columns, above, below, colour=console.colour))
        for each in summaries(done):
            console.print(summary_words(game, each))


def _draw(record: Record, done: list[Annotation], name: str, console: Console) -> None:
    game = record.rules()
    names = [record.tag(side.capitalize(), side) for side in game.players]
    write_file(name, score_svg(game, done, names), console)
    console.note(f"the score is drawn in {shown(name)}")


def _numbered(name: str, number: int) -> str:
    """The first game has the name itself."""
    path = Path(name)
    return name if number == 1 else str(path.with_name(f"{path.stem}-{number}{path.suffix}"))
