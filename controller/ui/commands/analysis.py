"""Analyses the games of a record file or a stored game: table, score drawing, annotated record."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from controller.computer.analysis import analysis_json
from controller.session.replay import game_record
from controller.storage.games import JOURNAL_SUFFIX, find_journal, games_folder
from controller.storage.stored_game import load_game
from controller.ui.commands import sentences
from controller.ui.commands.record_files import RecordReader, exit_status, same_file
from controller.ui.console import BadInput, Console, check_writable, printable_name, write_file
from controller.ui.terminal.analysis_table import AnalysisTable
from engine.analysis import (
    MIN_DEPTH,
    Annotation,
    NotAnalysable,
    SearchTask,
    analysable_rules,
    analyse,
    annotate_record,
    make_searcher,
    summarise_players,
)
from engine.draw.score_graph import score_svg
from engine.record import Record, RecordForm, detect_form, write_record
from engine.search import never_stop
from engine.sentences import Sentence

DEFAULT_SECONDS = 1.0
DEEP_SEARCH_FACTOR = 4  # more time for the position after a move: it is searched as deep
EXIT_INTERRUPTED = 130


@dataclass(frozen=True, slots=True)
class AnalysisOptions:
    """Options of `laserboard analyse`: game, range of turns, search limit, output files."""

    file: str  # a record, - for standard input, or a stored game
    first: int = 1
    last: int | None = None
    seconds: float | None = None
    depth: int | None = None
    output: str | None = None
    svg: str | None = None
    json: bool = False


@dataclass(frozen=True, slots=True)
class _GameSource:
    """The games of a record file, or a stored game, and the exit status of reading them."""

    games: Callable[[], Iterator[tuple[int, Record]]]
    form: RecordForm | None  # of the output; None: the game's own form
    status: Callable[[], int]
    refuse: Callable[[int, NotAnalysable], None]  # called for a game that cannot be analysed


def run_analysis(options: AnalysisOptions, console: Console) -> int:
    """Analyse every game of a file, or a stored game; the exit status."""
    if options.depth is not None and options.depth < MIN_DEPTH:
        raise BadInput(sentences.ANALYSIS_DEPTH(depth=options.depth, least=MIN_DEPTH))
    source, written, stopped = _source(options.file, console), list[str](), False
    check_writable(options.output, options.svg)
    begun, too_short = False, None
    for number, each in source.games():
        done = list[Annotation]()
        if too_short:
            console.note(too_short)
        too_short = None if stopped else _too_short(options, each, number)
        try:
            game = analysable_rules(each)
            if not (stopped or too_short):  # the games after Ctrl-C are written as they were
                begun, stopped = True, _analyse_game(options, console, each, number, done)
        except NotAnalysable as error:
            too_short = None
            source.refuse(number, error)
        if done and options.json:
            document = {"number": number, **analysis_json(game, done, summarise_players(done))}
            console.print(json.dumps(document, ensure_ascii=False))
        written.append(
            write_record(annotate_record(each, done), source.form or each.rules().record_form)
        )
        if done and options.svg is not None:
            _draw(each, done, _numbered(options.svg, number), console)
    if too_short:
        if not begun:
            raise BadInput(too_short)
        console.note(too_short)
    if options.output is not None:
        if source.status() and same_file(options.file, options.output):
            raise BadInput(sentences.BROKEN_GAMES_LOST(name=printable_name(options.output)))
        between = "\n" if source.form == "text" else ""
        write_file(options.output, between.join(written), console)
    if stopped:
        console.note(sentences.ANALYSIS_INTERRUPTED())
    return EXIT_INTERRUPTED if stopped else source.status()


def _source(name: str, console: Console) -> _GameSource:
    """A record file, or a stored game."""
    if name == "-" or _is_record(name):
        file = RecordReader(name, console)
        return _GameSource(
            file.games,
            detect_form(file.text),
            lambda: file.status,
            lambda number, bad: file.report(printable_name(name), number, bad.sentence),
        )

    def refuse(_: int, bad: NotAnalysable) -> None:
        raise bad

    game = load_game(find_journal(games_folder(), name))
    status = exit_status(game, console)
    return _GameSource(lambda: iter([(1, game_record(game.played))]), None, lambda: status, refuse)


def _is_record(name: str) -> bool:
    try:
        return Path(name).is_file() and Path(name).suffix != JOURNAL_SUFFIX
    except (OSError, ValueError):
        return False  # `find_journal` reports the name


def _too_short(options: AnalysisOptions, record: Record, number: int) -> Sentence | None:
    """The error for a game without the first turn; None: it has that turn."""
    turns = len(record.turns)
    if options.first <= max(1, turns):
        return None
    if turns == 1:
        return sentences.GAME_HAS_ONE_TURN(first=options.first, number=number)
    return sentences.GAME_HAS_TURNS(first=options.first, number=number, turns=turns)


def _analyse_game(
    options: AnalysisOptions,
    console: Console,
    record: Record,
    number: int,
    done: list[Annotation],
) -> bool:
    """Append each turn to `done` as it is analysed; whether Ctrl-C stopped it."""
    game = analysable_rules(record)
    table = None if options.json else AnalysisTable(game, record, number, console)
    last = min(options.last or len(record.turns), len(record.turns))
    think = make_searcher(game, _stop_rule(options, console))
    try:
        for each in analyse(record, think, options.depth, options.first, last):
            done.append(each)
            if table is not None:
                table.row(each)
            if console.size is not None and each.number < last:
                progress = sentences.ANALYSING_TURN(number=each.number + 1, last=last)
                console.err.write(f"\r\x1b[K{progress}\r")
                console.err.flush()
    except KeyboardInterrupt:
        return True
    finally:
        if table is not None:
            table.end(done)
    return False


def _stop_rule(
    options: AnalysisOptions, console: Console
) -> Callable[[SearchTask], Callable[[], bool]]:
    """When a search ends: at a depth, or after a time."""
    if options.depth is not None:
        return lambda _: never_stop
    seconds = DEFAULT_SECONDS if options.seconds is None else options.seconds

    def stop(asked: SearchTask) -> Callable[[], bool]:
        spend_ms = 1000 * seconds * (1 if asked.depth is None else DEEP_SEARCH_FACTOR)
        end_ms = console.clock.now_ms() + spend_ms
        return lambda: console.clock.now_ms() >= end_ms

    return stop


def _draw(record: Record, done: list[Annotation], name: str, console: Console) -> None:
    game = record.rules()
    names = [record.tag(side.capitalize(), side) for side in game.players]
    write_file(name, score_svg(game, done, names), console)
    console.note(sentences.SCORE_DRAWN(name=printable_name(name)))


def _numbered(name: str, number: int) -> str:
    """The file for the drawing of a game; the first game has the plain name."""
    path = Path(name)
    return name if number == 1 else str(path.with_name(f"{path.stem}-{number}{path.suffix}"))
