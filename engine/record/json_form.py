"""The JSON form of records: one object per game, one game per line. Every game has it.

Positions and moves are JSON values if the game writes JSON, else strings. Reading is strict: an
unknown key or a wrong type is an error with its place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from engine import games, strict_json
from engine.catalogue import (
    AT_PLACE,
    HAS_FAULT,
    NOT_A_STRING,
    NOT_AN_OBJECT,
    NOT_JSON_NEAR,
    THE_GAME,
)
from engine.errors import BadRecord, LaserboardError, excerpt
from engine.record import catalogue
from engine.record.annotations import RecordAnnotation, Unwritable, read_score, write_score
from engine.record.play import check_record
from engine.record.values import Record, RecordedTurn
from engine.strict_json import NotJson, Scanned, scan

_REQUIRED = ("game", "turns", "result")
_OPTIONAL = ("options", "seed", "setup", "start", "tags", "comment")
_BETWEEN = re.compile(r"[\s,]*")


# -- writing --------------------------------------------------------------------------------------


def write_json(record: Record) -> str:
    """A record on one line, with a line end."""
    embed = _embed if record.rules().record_form == "json" else str
    value: dict[str, Any] = {"game": record.game}
    if record.options:
        value["options"] = dict(record.options)
    if record.seed is not None:
        value["seed"] = record.seed
    if record.start is not None:
        value["start"] = embed(record.start)
    elif record.setup is not None:
        value["setup"] = record.setup
    if record.tags:
        value["tags"] = dict(record.tags)
    if record.comment:
        value["comment"] = record.comment
    # `judged` is the name of version 0.1.
    value["turns"] = [
        {
            "moves": [embed(move) for move in entry.moves],
            **({} if entry.clock_ms is None else {"clock_ms": entry.clock_ms}),
            **({"comment": entry.comment} if entry.comment else {}),
            **({} if entry.corrected is None else {"corrected": embed(entry.corrected)}),
            **(
                {}
                if entry.annotation is None
                else {"judged": _annotation_json(entry.annotation, embed)}
            ),
        }
        for entry in record.turns
    ]
    value["result"] = record.result
    return strict_json.write(value) + "\n"


def _annotation_json(annotation: RecordAnnotation, embed: Callable[[str], Any]) -> dict[str, Any]:
    return {
        "score": write_score(annotation.score),
        **({"verdict": annotation.verdict} if annotation.verdict else {}),
        **({"better": [embed(move) for move in annotation.better]} if annotation.better else {}),
    }


def _embed(text: str) -> Any:
    return json.loads(text)


# -- reading --------------------------------------------------------------------------------------


def read_json(text: str) -> Iterator[Record | BadRecord]:
    """The games of JSON Lines, of consecutive objects, or of one array."""
    begin, end = len(text) - len(text.lstrip()), len(text.rstrip())
    closed = True
    if text.startswith("[", begin):
        begin += 1
        closed = begin < end and text[end - 1] == "]"
        end -= closed
    game: Record | BadRecord | None = None
    for line, chunk in _chunks(text, begin, end):
        for game in _read_chunk(chunk, line):
            yield game
    if not closed and not isinstance(game, BadRecord):
        yield BadRecord(catalogue.ARRAY_NOT_CLOSED(), 1 + text.count("\n", 0, end))


def _chunks(text: str, begin: int, end: int) -> Iterator[tuple[int, str]]:
    """Split the text before each line that begins an object, with its line number.

    Only objects indented no more than the first count: the inner objects of a game are indented
    more. So a broken game ends with its chunk.
    """
    first = _skip_separators(text, begin)
    indent = text[text.rfind("\n", 0, first) + 1 : first]
    # After `[{` on one line, the next objects stand under the bracket or under the brace.
    most = 1 if indent.strip() else len(indent)
    outset = re.compile(rf"^[ \t]{{0,{most}}}\{{", re.MULTILINE)
    line, at = 1 + text.count("\n", 0, begin), begin
    for match in outset.finditer(text, first + 1, end):
        yield line, text[at : match.start()].rstrip()
        line, at = line + text.count("\n", at, match.start()), match.start()
    yield line, text[at:end]


def _read_chunk(chunk: str, line: int) -> Iterator[Record | BadRecord]:
    """The games of a chunk up to the first that is not JSON: its end is unknown."""
    at = 0
    while True:
        begin = _skip_separators(chunk, at)
        line += chunk.count("\n", at, begin)
        if begin == len(chunk):
            return
        if chunk[begin] != "{":
            shown = excerpt(chunk[begin : begin + 60])
            yield BadRecord(catalogue.NO_GAME_OBJECT(text=shown), line)
            return
        try:
            scanned = scan(chunk, begin)
        except NotJson as error:
            yield _not_json(error, chunk, begin, line)
            return
        yield _read_game(scanned, line)
        line += chunk.count("\n", begin, scanned.end)
        at = scanned.end


def _skip_separators(text: str, at: int) -> int:
    match = _BETWEEN.match(text, at)
    assert match is not None, "the pattern matches the empty string"
    return match.end()


def _not_json(bad: NotJson, chunk: str, begin: int, line: int) -> BadRecord:
    line += chunk.count("\n", begin, bad.at)
    if bad.at == len(chunk):
        return BadRecord(catalogue.GAME_CUT_OFF(), line)
    what = str(bad).removesuffix(" starting at")  # the place follows
    near = excerpt(chunk[bad.at : bad.at + 40])
    return BadRecord(NOT_JSON_NEAR(problem=what, text=near), line)


def _read_game(scanned: Scanned, line: int) -> Record | BadRecord:
    if scanned.fault:
        return BadRecord(HAS_FAULT(subject=THE_GAME(), fault=scanned.fault), line)
    try:
        return check_record(_record(scanned.value))
    except LaserboardError as error:
        return BadRecord(error.sentence, line)


def _record(value: Any) -> Record:
    game = strict_json.require_object(value, "a game", Unwritable, _REQUIRED, _OPTIONAL)
    name = _text(game["game"], "game")
    options = _object(game.get("options", {}), "options")
    embedded = games.make(name, options).record_form == "json"
    take = _embedded if embedded else _text
    tags = _object(game.get("tags", {}), "tags")
    turns = strict_json.require_list(game["turns"], "turns", Unwritable)
    return Record(
        game=name,
        turns=tuple(_read_turn(turn, f"turns[{i}]", take) for i, turn in enumerate(turns)),
        result=_text(game["result"], "result"),
        setup=_text(game["setup"], "setup") if "setup" in game else None,
        start=take(game["start"], "start") if "start" in game else None,
        seed=game.get("seed"),
        options=tuple(options.items()),
        tags=tuple((tag, _text(value, f"tags.{tag}")) for tag, value in tags.items()),
        comment=_text(game.get("comment", ""), "comment"),
    )


def _read_turn(value: Any, where: str, take: Callable[[Any, str], str]) -> RecordedTurn:
    turn = strict_json.require_object(
        value, where, Unwritable, ("moves",), ("clock_ms", "comment", "corrected", "judged")
    )
    moves = strict_json.require_list(turn["moves"], f"{where}.moves", Unwritable)
    texts = tuple(take(move, f"{where}.moves[{i}]") for i, move in enumerate(moves))
    comment = _text(turn.get("comment", ""), f"{where}.comment")
    corrected = take(turn["corrected"], f"{where}.corrected") if "corrected" in turn else None
    annotation = None
    try:
        if "judged" in turn:
            annotation = _read_annotation(turn["judged"], f"{where}.judged", take)
        return RecordedTurn(texts, turn.get("clock_ms"), comment, corrected, annotation)
    except Unwritable as error:
        raise Unwritable(AT_PLACE(place=where, problem=error.sentence)) from error


def _read_annotation(value: Any, where: str, take: Callable[[Any, str], str]) -> RecordAnnotation:
    annotation = strict_json.require_object(
        value, where, Unwritable, ("score",), ("verdict", "better")
    )
    line = strict_json.require_list(annotation.get("better", []), f"{where}.better", Unwritable)
    return RecordAnnotation(
        read_score(_text(annotation["score"], f"{where}.score")),
        _text(annotation.get("verdict", ""), f"{where}.verdict"),
        tuple(take(move, f"{where}.better[{i}]") for i, move in enumerate(line)),
    )


def _embedded(value: Any, where: str) -> str:
    return strict_json.write(_object(value, where))


def _object(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Unwritable(NOT_AN_OBJECT(what=where, value=excerpt(value)))
    return value


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise Unwritable(NOT_A_STRING(what=where, value=excerpt(value)))
    return value
