"""The JSON form: one object a game, one game a line. Every game has it.

Positions and moves stand in it as JSON where the game writes them so, and as strings where they
are text. Reading is strict: an unknown key or a wrong type is an error that names the place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from engine import games, strict_json
from engine.errors import BadRecord, LaserboardError, excerpt
from engine.record.judged import Judged, Unwritable, read_score, write_score
from engine.record.play import checked
from engine.record.values import Entry, Record
from engine.strict_json import NotJson, Scanned, scan

_REQUIRED = ("game", "turns", "result")
_OPTIONAL = ("options", "seed", "setup", "start", "tags", "comment")
_BETWEEN = re.compile(r"[\s,]*")


# -- writing --------------------------------------------------------------------------------------


def write_json(record: Record) -> str:
    """A record on one line, which is ended."""
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
    value["turns"] = [
        {
            "moves": [embed(move) for move in entry.moves],
            **({} if entry.clock_ms is None else {"clock_ms": entry.clock_ms}),
            **({"comment": entry.comment} if entry.comment else {}),
            **({} if entry.corrected is None else {"corrected": embed(entry.corrected)}),
            **({} if entry.judged is None else {"judged": _judged_value(entry.judged, embed)}),
        }
        for entry in record.turns
    ]
    value["result"] = record.result
    return strict_json.write(value) + "\n"


def _judged_value(judged: Judged, embed: Callable[[str], Any]) -> dict[str, Any]:
    return {
        "score": write_score(judged.score),
        **({"verdict": judged.verdict} if judged.verdict else {}),
        **({"better": [embed(move) for move in judged.better]} if judged.better else {}),
    }


def _embed(text: str) -> Any:
    return json.loads(text)


# -- reading --------------------------------------------------------------------------------------


def read_json(text: str) -> Iterator[Record | BadRecord]:
    """The games of JSON Lines, of objects one after another, or of one array."""
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
        yield BadRecord(
            "the array of games is never closed: write a ]", 1 + text.count("\n", 0, end)
        )


def _chunks(text: str, begin: int, end: int) -> Iterator[tuple[int, str]]:
    """The text, cut before each line where an object begins with no more indent than the first
    one has, and the line of each cut. The inner objects of a game are indented more, so that a
    broken game ends with its chunk."""
    first = _skip(text, begin)
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
    """The games of a chunk up to the first that is no JSON: nobody knows where that ends."""
    at = 0
    while True:
        begin = _skip(chunk, at)
        line += chunk.count("\n", at, begin)
        if begin == len(chunk):
            return
        if chunk[begin] != "{":
            shown = excerpt(chunk[begin : begin + 60])
            yield BadRecord(f"{shown} where a game should begin: one object {{...}}", line)
            return
        try:
            found = scan(chunk, begin)
        except NotJson as bad:
            yield _not_json(bad, chunk, begin, line)
            return
        yield _read_game(found, line)
        line += chunk.count("\n", begin, found.end)
        at = found.end


def _skip(text: str, at: int) -> int:
    match = _BETWEEN.match(text, at)
    assert match is not None, "it matches nothing, too"
    return match.end()


def _not_json(bad: NotJson, chunk: str, begin: int, line: int) -> BadRecord:
    line += chunk.count("\n", begin, bad.at)
    if bad.at == len(chunk):
        return BadRecord("the game is cut off: its object has no }", line)
    what = str(bad).removesuffix(" starting at")  # where is told next
    return BadRecord(f"not JSON: {what} at {excerpt(chunk[bad.at : bad.at + 40])}", line)


def _read_game(found: Scanned, line: int) -> Record | BadRecord:
    if found.wrong:
        return BadRecord(f"the game {found.wrong}", line)
    try:
        return checked(_record(found.value))
    except LaserboardError as error:
        return BadRecord(str(error), line)


def _record(value: Any) -> Record:
    game = strict_json.fields(value, "a game", Unwritable, _REQUIRED, _OPTIONAL)
    name = _text(game["game"], "game")
    options = _object(game.get("options", {}), "options")
    embedded = games.make(name, options).record_form == "json"
    take = _embedded if embedded else _text
    tags = _object(game.get("tags", {}), "tags")
    turns = strict_json.items(game["turns"], "turns", Unwritable)
    return Record(
        game=name,
        turns=tuple(_entry(turn, f"turns[{i}]", take) for i, turn in enumerate(turns)),
        result=_text(game["result"], "result"),
        setup=_text(game["setup"], "setup") if "setup" in game else None,
        start=take(game["start"], "start") if "start" in game else None,
        seed=game.get("seed"),
        options=tuple(options.items()),
        tags=tuple((tag, _text(value, f"tags.{tag}")) for tag, value in tags.items()),
        comment=_text(game.get("comment", ""), "comment"),
    )


def _entry(value: Any, where: str, take: Callable[[Any, str], str]) -> Entry:
    turn = strict_json.fields(
        value, where, Unwritable, ("moves",), ("clock_ms", "comment", "corrected", "judged")
    )
    moves = strict_json.items(turn["moves"], f"{where}.moves", Unwritable)
    texts = tuple(take(move, f"{where}.moves[{i}]") for i, move in enumerate(moves))
    comment = _text(turn.get("comment", ""), f"{where}.comment")
    put = take(turn["corrected"], f"{where}.corrected") if "corrected" in turn else None
    try:
        judged = _judged(turn["judged"], f"{where}.judged", take) if "judged" in turn else None
        return Entry(texts, turn.get("clock_ms"), comment, put, judged)
    except Unwritable as error:
        raise Unwritable(f"{where}: {error}") from error


def _judged(value: Any, where: str, take: Callable[[Any, str], str]) -> Judged:
    told = strict_json.fields(value, where, Unwritable, ("score",), ("verdict", "better"))
    line = strict_json.items(told.get("better", []), f"{where}.better", Unwritable)
    return Judged(
        read_score(_text(told["score"], f"{where}.score")),
        _text(told.get("verdict", ""), f"{where}.verdict"),
        tuple(take(move, f"{where}.better[{i}]") for i, move in enumerate(line)),
    )


def _embedded(value: Any, where: str) -> str:
    return strict_json.write(_object(value, where))


def _object(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Unwritable(f"{where} must be an object, not {excerpt(value)}")
    return value


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise Unwritable(f"{where} must be a string, not {excerpt(value)}")
    return value
